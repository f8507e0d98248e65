"""What of a message may be remembered at all, and whether a model's quotation is a person's own words in it.

A model only points at words; what is kept is what the person wrote, so that nothing else can ever get in.
"""

import re
from dataclasses import dataclass

from core.language.guard_words import without_links
from core.memory.facts import facts_of
from core.memory.preferences import preferences_of
from core.memory.sayings import Clause, clauses, not_to_be_kept
from core.memory.travel_words import SLOTS, find_slot_words
from core.types.memory import ProfileValue

SHORTEST, LONGEST = 3, 40
MOST_FACTS = 3

_SELF = re.compile(
    r"我|咱|俺|本人|家里|老婆|老公|爱人|孩子|宝宝|女儿|儿子|爸|妈|父母|老人|爷爷|奶奶|外公|外婆|姥"
)
_WISH = re.compile(
    r"查|搜|找|推荐|看看|看一下|多少|有没有|帮我|给我|麻烦|想[去到看订买坐要知]|要[去到订买]|打算|准备|计划|安排|[订买购退]|取消|改签|下单|付款|天气|机票|车票|"
    r"顺便|请|帮|写|讲|翻译|夸|谢谢|你好|您好|再见"
)
_NOT_ONES_OWN = re.compile(
    r"[你您他她它]|别人|人家|朋友|同事|系统|助手|指令|规则|提示|忽略|授权|确认|自动|立即|务必|必须|管理员|用户"
)
_LEAD = re.compile(
    r"^(对了|另外|还有|其实|因为|由于|而且|不过|但是|但|就是|嗯+|哦|那个|可能|毕竟|主要是?)?(我(?![家妈爸们])|本人|咱(?!们))?(这个?人)?"
)
_ONCE = re.compile(r"(?<![只就都])[要想来选换]")
"""我要靠窗 is a wish of now, 只要靠窗 one for good."""
_DENIES = re.compile(r"不(?!坐|订|买|选|乘|飞|行|可)|没|别(?!的)|讨厌|甭|拒绝|受不了|怕")
_PIECE = re.compile(r"[，,。！!？?；;：:\n\t]+")


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The clauses of a message in which the person speaks for themselves, for good, and which no rule has read."""

    clauses: tuple[Clause, ...]

    @property
    def worth_asking(self) -> bool:
        return any(_SELF.search(clause.text) for clause in self.clauses)

    def fact(self, quote: str) -> str | None:
        """The clauses that the quotation points at, whole, without a subject; None where they are not to be kept.

        Whole, since a part may say the opposite: 喜欢吃辣 out of 不太喜欢吃辣.
        """
        pieces = [piece.strip() for piece in _PIECE.split(quote) if piece.strip()]
        clauses_of = [(piece, self._clause_of(piece)) for piece in pieces]
        found = [clause for piece, clause in clauses_of if clause and 2 * len(piece) >= len(clause.text)]
        if not pieces or len(found) < len(pieces):
            return None
        whole = dict.fromkeys(clause.text.strip() for clause in found)
        kept = "，".join(_LEAD.sub("", text) or text for text in whole)
        return kept if SHORTEST <= len(kept) <= LONGEST and without_links(kept) == kept else None

    def preference(self, slot: str, quote: str) -> ProfileValue | None:
        """The one value of that slot which the quotation names and does not deny."""
        clause = self._clause_of(quote.strip())
        if clause is None or slot not in SLOTS:
            return None
        found = [word for word in find_slot_words(quote) if word.slot == slot]
        values = {word.value for word in found}
        if len(values) != 1 or _DENIES.search(clause.text) or _ONCE.search(clause.text):
            return None
        value = values.pop()
        return value == "yes" if slot == "direct" else value

    def _clause_of(self, words: str) -> Clause | None:
        long_enough = len(words) >= 2
        return next((clause for clause in self.clauses if long_enough and words in clause.text), None)


def own_words(message: str) -> OwnWords:
    """From the message as it is kept, that is masked. Nothing where the person asks that nothing be remembered."""
    if not_to_be_kept(message):
        return OwnWords(())
    return OwnWords(tuple(clause for clause in clauses(message) if _may_be_kept(clause)))


def _may_be_kept(clause: Clause) -> bool:
    text = clause.text.strip()
    if clause.asks or clause.this_time or len(text) < SHORTEST:
        return False
    if _WISH.search(text) or _NOT_ONES_OWN.search(text):
        return False
    return not facts_of(text) and not preferences_of(text, {})
