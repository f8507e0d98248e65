"""The readers in the order in which they are tried, each with the kinds of words at which it can begin."""

from core.language import read_counts, read_goods, read_places, read_references, read_times, read_words
from core.language.read_days import DAY_KINDS, days
from core.language.scan import at, first_of

any_reader = first_of((
    at("not_be negation except", read_words.negated(days)),
    at("not_be except", read_places.denied_place),
    at("negation", read_references.refused),
    at("rank ordinal", read_references.ranked),
    at("shift", read_references.shifted),
    at("home", read_references.home),
    at("period", read_references.end_of_holiday),
    at("number", read_counts.with_companions),
    at("of_us", read_counts.two_or_three_of_us),
    at("number measure", read_counts.grown_and_small),
    at("number", read_counts.trains_in_number),
    at("number dash minus", read_counts.counted),
    at("a_day number not_over", read_goods.price_a_day),
    at("arrival", read_times.time_of_arrival),
    at("part number", read_times.window),
    at(DAY_KINDS, days),
    at("number not_under not_over yuan", read_counts.price),
    at("number", read_counts.length_in_days),
    at("number", read_goods.seats_of_a_car),
    at("measure", read_goods.counted_cars),
    at("airline_code", read_words.airline_by_code),
    at("note", read_goods.named_product),
    at("slot:area slot:brand", read_words.named_goods),
    at("train_no flight_no order_no", read_words.codes),
    at("place rail air", read_places.place_name),
    at("line", read_places.railway_line),
    at("compare", read_references.compared),
    at("again", read_references.again),
    at(read_words.CLASS_KINDS, read_words.classes),
    at(read_words.TALK_KINDS, read_words.talk),
    at("measure", read_counts.one_ticket),
    at("rent", read_words.rented),
    at("order", read_words.bought_before),
    at("order order_weak query", read_words.acts),
    at(" ".join(read_words.MARK_ROLES), read_words.marks),
    at("pointer", read_references.pointed),
))
