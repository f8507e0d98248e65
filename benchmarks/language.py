"""How long the travel grammar takes: sentences, follow-up turns, long texts, and the slowest texts that a search finds.

`python -m benchmarks.language` prints the table of docs/language.md (three minutes); `--every-word` tries each word of
the tables and not a sample of them (ten minutes more). Milliseconds of processor time, the best of three, as on a core
that runs a fixed loop in 2.5 ms: the speed of a machine with other work changes twofold from minute to minute.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import product
from pathlib import Path

from core.language import read
from core.language.frames import PastWish, ReadContext
from core.language.lexicon import base_lexicon
from core.shared.clock import SHANGHAI

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
LONG = 4000
_LENGTHS = (400, LONG)
"""A text of 400 words is the longest that is read as a whole, and may be slower than a longer one."""
_CASES = Path("tests/language/cases/sentences.tsv")
_PAIRS, _MIXTURES, _STEPS = 500, 100, 400
_SAMPLE = 500
_LOOP_SECONDS, _PACE_HOLDS = 0.0025, 0.05
_FOLLOW_UPS = ("那后天呢", "第二个", "换成上海", "下午的", "最便宜的那个", "两张", "返程呢")
_PROSE = "这篇文章写得很长，读起来有些吃力，作者大约花了不少工夫。"
HOSTILE = (
    "8-8-", "8-", "1", "1.5", "1-2-", "1234567890", "一", "一百零", "两", "万", "a", "a1", "G1", "ab cd ", "sv12",
    "ord-a1", "明天", "北京到", "不要", "第二个", "3大1小", "如果下雨就", "周杰伦", "十一", "整", "除一", "背景",
    "票漂", "租两天三辆", "东京臺灣機票", "北京，", "北京和", "G1和", "明天和", "一辆别克和", "订北京上海机票",
    "第二个，", "查北京天气和", "，", "(", "\n", "龘", "😀", "\u200b", "\u202e", "\u202e北京\u202c", "ﷺ", "⑽", "㎏",
    "e\u0301", "http://", "城市是%", "那边", "从沪到宁",
)


class Pace:
    """How much slower than the core of the table this one is just now."""

    def __init__(self) -> None:
        self._slower, self._until = 1.0, 0.0

    def slower(self) -> float:
        if (begun := time.process_time()) >= self._until:
            seen: dict[str, int] = {}
            for number in range(10_000):
                seen[str(number)[:3]] = len(seen) + number
            ended = time.process_time()
            self._slower, self._until = (ended - begun) / _LOOP_SECONDS, ended + _PACE_HOLDS
        return self._slower


PACE = Pace()


def milliseconds(text: str, context: ReadContext | None = None) -> float:
    """The best of three."""
    known, best = context or ReadContext(), float("inf")
    for _ in range(3):
        slower, begun = PACE.slower(), time.process_time()
        read(text, NOW, known)
        best = min(best, (time.process_time() - begun) / slower)
    return best * 1000


def filled(piece: str, length: int) -> str:
    """The piece over and over."""
    return (piece * (length // len(piece) + 1))[:length]


def slowest_of(piece: str) -> float:
    return max(milliseconds(filled(piece, length)) for length in _LENGTHS)


def row(name: str, figures: str, which: str = "") -> None:
    print(f"| {name} | {figures} | {which} |", flush=True)


def spread(name: str, times: Sequence[float]) -> None:
    ordered = sorted(times)
    figures = f"{statistics.median(ordered):.2f} / {ordered[len(ordered) * 95 // 100]:.2f}"
    row(name, figures, f"{len(ordered)}, p50 / p95")


def worst(name: str, pieces: Iterable[str], cost: Callable[[str], float] = slowest_of) -> list[str]:
    """Print the slowest of the texts; the ten slowest, for the search to go on from."""
    ranked = sorted(((cost(piece), piece) for piece in pieces), reverse=True)
    again = sorted(((cost(piece), piece) for _, piece in ranked[:10]), reverse=True)
    shown = "".join(c if c.isprintable() and c != "|" else f"U+{ord(c):04X}" for c in again[0][1][:24])
    row(name, f"{again[0][0]:.1f}", f"`{shown}`, of {len(ranked)}")
    return [piece for _, piece in again]


def sentences() -> list[str]:
    lines = _CASES.read_text("utf-8").splitlines()
    return [line.split("\t")[0] for line in lines if line.strip() and not line.startswith("#")]


def busy_talk(said: Sequence[str]) -> ReadContext:
    """Twenty wishes from before, and fifty rows shown."""
    past = [PastWish(frame.intent, frame.slots) for text in said[::7] for frame in read(text, NOW).frames]
    rows = tuple(
        {"item_id": f"t{n}", "train_no": f"G{100 + n}", "from_station": "北京南站", "to_station": "上海虹桥站",
         "depart_at": f"2026-08-17T{n % 24:02}:00", "price": f"{553 + n}", "seat_class": "二等座"}
        for n in range(50)
    )
    return ReadContext(past=tuple(past[:20]), shown=rows, shown_kind="train")


def climbed(starts: Sequence[str], parts: Sequence[str], dice: random.Random) -> list[str]:
    """Change slow texts a little and keep what became slower."""
    costs = {piece: slowest_of(piece) for piece in starts}
    for _ in range(_STEPS):
        piece = max(dice.sample(list(costs), min(6, len(costs))), key=costs.__getitem__)
        part, cut = dice.choice(parts), dice.randrange(len(piece))
        changed = dice.choice((piece + part, part + piece, piece[:cut] + part + piece[cut + 1 :], piece[: cut + 1]))
        costs[changed] = slowest_of(changed)
    return sorted(costs, key=costs.__getitem__)[-10:]


def search(words: Sequence[str], parts: Sequence[str], dice: random.Random) -> None:
    """The slowest texts by kind."""
    found = worst("known hostile texts, repeated", HOSTILE)
    found += worst("a word of the tables, repeated", words)
    pairs = list(product([*parts[::3], *HOSTILE], repeat=2))
    found += worst("two of different kinds, repeated", (one + other for one, other in dice.sample(pairs, _PAIRS)))
    several = ["".join(dice.choices(parts, k=dice.randint(3, 6))) for _ in range(_PAIRS)]
    found += worst("three to six, repeated", several)
    mixtures = ["".join(dice.choices(words, k=LONG))[:LONG] for _ in range(_MIXTURES)]
    worst("words of the tables at random", mixtures, milliseconds)
    worst("what a search from these finds", climbed(found, [*parts, *HOSTILE], dice))


def main() -> None:
    dice = random.Random(1)  # noqa: S311
    said = sentences()
    table = base_lexicon().words
    read(said[0], NOW)
    print("| Texts | ms | |\n|---|---|---|")
    spread("sentences of the table", [milliseconds(text) for text in said])
    talk = busy_talk(said)
    spread("follow-up turns after 20 wishes and 50 rows", [milliseconds(text, talk) for text in _FOLLOW_UPS])
    story = _PROSE * (LONG // len(_PROSE) - 1) + "帮我查明天北京到上海的高铁。"
    ordinary = [filled("明天北京到上海的高铁，", LONG), filled(_PROSE, LONG), story, "，".join(said[:400])[:LONG]]
    worst("ordinary texts of 4,000 characters", ordinary, milliseconds)
    by_kind: dict[str, list[str]] = {}
    for word, meanings in table.items():
        for kind in meanings:
            by_kind.setdefault(kind, []).append(word)
    parts = [word for words in by_kind.values() for word in dice.sample(words, min(3, len(words)))]
    search(list(table) if "--every-word" in sys.argv else dice.sample(list(table), _SAMPLE), parts, dice)
    worst("hostile texts after 20 wishes and 50 rows", [filled(piece, LONG) for piece in HOSTILE],
          lambda text: milliseconds(text, talk))


if __name__ == "__main__":
    main()
