"""Only a clear yes is a yes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.consent import read_consent

YES = "确认 好的 好的，订吧 行 可以 没问题，下单吧 就这个 OK 确认下单 好的谢谢"
YES += " 帮我订吧 那就订吧 是的，确认 好的，就订这个！ 都订 確認 当然可以 好嘞 没毛病 可 👌 好的👍 去支付 买它"
NO = "算了 算了吧 不要了 先不买了 不订了，谢谢 别订了 不用了"
NO += " 算了，太贵了 还是算了 下次吧 一个都不要 我只是问问 太贵了不要"
LATER = "再想想 我再考虑一下 等等 晚点再说吧 等我确认一下 让我想想 我再看看 不急"
NEITHER = """可以是可以，不过太贵了|可以吗？|确认要多少钱|好的，改成后天|能便宜点吗|你好|可以换成一等座吗|不确定|好贵
确认一下|确认一下明天的天气|对了|不要两张|是不是|就订第二个|确认一下价格|对，但是我要一等座|好的，另外查一下天气|行不行|订明天北京到上海的高铁|确认是G1吗|对了，上海天气怎么样|要是下雨呢|可以退吗"""


@pytest.mark.parametrize("text", YES.split())
def test_a_clear_yes_is_one(text: str) -> None:
    assert read_consent(text).kind == "yes"


@pytest.mark.parametrize("text", NO.split())
def test_a_no_is_one(text: str) -> None:
    assert read_consent(text).kind == "no"


FIRM = "确认 订吧 下单 好的，订吧 可以，确认 买它 定了"
WEAK = "好的 行 可以 好的谢谢 没问题 OK 是的 👌"
UNCLEAR = "嗯 嗯嗯 就这样 不好 不是 不对 没有 好了 行了 我买了 是我"


@pytest.mark.parametrize("text", FIRM.split() + WEAK.split())
def test_a_firm_yes_says_what_is_agreed_to(text: str) -> None:
    consent = read_consent(text).on("place")
    assert (consent.kind, consent.firm) == ("yes", text in FIRM.split())


@pytest.mark.parametrize("text", UNCLEAR.split())
def test_a_mumble_is_neither_yes_nor_no(text: str) -> None:
    assert read_consent(text).kind == "unclear"


REFUSALS = "好吧，算了|太贵了，不要了|嗯……还是不买了|确定不要|不用确认了|no thanks|好的不要|别|那算了吧"


@pytest.mark.parametrize("text", REFUSALS.split("|"))
def test_a_no_is_heard_through_polite_and_hesitating_words(text: str) -> None:
    assert read_consent(text).on("place").kind == "no"


@pytest.mark.parametrize("text", ["不确定", "不要一等座，要二等座", "行了行了", "对了，确认一下价格"])
def test_what_only_looks_like_it_is_nothing_of_the_kind(text: str) -> None:
    assert read_consent(text).kind == "none"


@pytest.mark.parametrize("text", LATER.split())
def test_not_yet_is_neither(text: str) -> None:
    assert read_consent(text).kind == "later"


@pytest.mark.parametrize("text", NEITHER.replace("\n", "|").split("|"))
def test_what_says_more_is_no_answer_to_an_offer(text: str) -> None:
    assert read_consent(text).kind == "none"


@pytest.mark.parametrize("text", ["取消吧", "退了吧", "取消", "好的，取消吧", "确认取消", "确认退票"])
def test_a_word_of_cancelling_agrees_to_a_cancellation_and_refuses_a_purchase(text: str) -> None:
    assert read_consent(text).on("cancel").kind == "yes"
    assert read_consent(text).on("place").kind == "no"


@pytest.mark.parametrize("text", ["订吧", "好的，下单", "付款", "买吧"])
def test_a_word_of_buying_is_no_answer_to_a_cancellation(text: str) -> None:
    assert read_consent(text).on("place").kind == "yes"
    assert read_consent(text).on("cancel").kind == "none"


def test_who_denies_having_wished_it_refuses_whatever_follows() -> None:
    assert read_consent("我没说要取消，我是问取消要不要手续费").on("cancel").kind == "no"


@pytest.mark.parametrize(
    ("text", "quantity"),
    [("改成两张", 2), ("要3张", 3), ("两张吧", 2), ("换成十二张", 12), ("订两张", 2),
     ("好的，两张", 2), ("确认两张", 2), ("行，订两张吧", 2), ("只要一张", 1), ("再加一张", 1)],
)
def test_another_quantity_is_a_change(text: str, quantity: int) -> None:
    consent = read_consent(text)
    assert (consent.kind, consent.quantity) == ("change", quantity)


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    assert read_consent(text).kind in ("yes", "no", "later", "change", "unclear", "none")
