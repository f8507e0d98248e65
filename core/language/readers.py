"""The readers in the order in which they are tried at each word."""

from core.language import read_counts, read_places, read_times, read_words
from core.language.read_days import days
from core.language.scan import first_of

READERS = (
    read_words.negated(days),
    read_counts.counted,
    read_counts.grown_and_small,
    read_times.window,
    days,
    read_counts.price,
    read_counts.length_in_days,
    read_counts.seats_of_a_car,
    read_words.codes,
    read_places.place_name,
    read_places.railway_line,
    read_words.classes,
    read_words.talk,
    read_counts.one_ticket,
    read_words.acts,
    read_words.marks,
)

any_reader = first_of(READERS)
