"""An operator's own timetable: every bad line is named, all of a file or nothing is written, and sold stays sold."""

import argparse
import datetime as dt
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, func, inspect, select

from core.shared.settings import parse_settings
from mcp_tools.commands import add_commands
from mcp_tools.concert_tools import query_concert_tickets
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.imports.columns import COLUMNS
from mcp_tools.imports.kinds import IMPORTS
from mcp_tools.order_tools import cancel_order
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import train_seats, trains
from mcp_tools.ticket_tools import query_train_tickets
from mcp_tools.wishes import ConcertWish, TrainWish
from tests.mcp_tools.buying import buy, buyer, count, left, wanted
from tests.mcp_tools.crowds import imports_beside_orders
from tests.mcp_tools.demo_file import NOW, TODAY, TOMORROW, copy_to, engine_of, url_of

SAMPLES = Path(__file__).parents[2] / "examples" / "import"
HEADER = "train_no,from_station,to_station,from_city,to_city,date,depart,duration_min,seat_class,price,total"
G9001 = "G9001,雄安,北京西,雄安,北京"
Said = pytest.CaptureFixture[str]


def _import(kind: str, file: Path, database: Path, *flags: str) -> int:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers(required=True))
    arguments = parser.parse_args(["import", kind, str(file), *flags])
    status: int = arguments.run(arguments, parse_settings({"database": {"url": url_of(database)}, "now": NOW}))
    return status


def _csv(folder: Path, *lines: str, header: str = HEADER) -> Path:
    path = folder / "own.csv"
    path.write_text("\n".join([header, *lines]) + "\n", "utf-8")
    return path


def _line(
    *, date: str = "+1", seat: str = "二等座", price: str = "58.00", total: str = "600", depart: str = "08:05"
) -> str:
    return f"{G9001},{date},{depart},52,{seat},{price},{total}"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A filled database of one's own."""
    return copy_to(tmp_path)


@pytest.mark.parametrize("kind", list(COLUMNS))
def test_every_sample_can_be_imported_twice_and_shows_where_it_is_from(kind: str, shop: Path, capsys: Said) -> None:
    sales = IMPORTS[kind].sales
    lines = len((SAMPLES / f"{kind}.csv").read_text("utf-8").splitlines()) - 1
    assert _import(kind, SAMPLES / f"{kind}.csv", shop) == 0
    assert _import(kind, SAMPLES / f"{kind}.csv", shop) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{kind}: {lines} rows added, 0 updated", f"{kind}: 0 rows added, {lines} updated",
    ]
    engine = engine_of(shop)
    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).where(sales.c.origin == "imported")) == lines
    engine.dispose()


@pytest.mark.parametrize("kind", list(COLUMNS))
def test_the_samples_have_all_columns(kind: str) -> None:
    header = (SAMPLES / f"{kind}.csv").read_text("utf-8").splitlines()[0]
    assert header.split(",") == [column.name for column in COLUMNS[kind]]


def test_what_is_imported_is_found_and_sold(shop: Path, tmp_path: Path) -> None:
    assert _import("train", _csv(tmp_path, _line(), _line(seat="一等座", price="93")), shop) == 0
    engine = engine_of(shop)
    found = query_train_tickets(engine, TrainWish(from_city="雄安", to_city="北京", date=TOMORROW), NOW)
    assert [(row.title, row.price, row.remaining) for row in found.rows] == [
        ("G9001 雄安→北京西 二等座", "58.00", 600), ("G9001 雄安→北京西 一等座", "93.00", 600),
    ]
    assert found.origin == "imported"
    assert buy(engine, wanted("train", found.rows[0], 2)).total_price == "116.00"
    engine.dispose()


def test_three_bad_lines_are_named_and_nothing_is_changed(shop: Path, tmp_path: Path, capsys: Said) -> None:
    before = _counts(shop)
    bad = _csv(tmp_path, _line(), _line(date="2026-08-15"), _line(seat="一等座", price="-1"), _line(seat="x" * 17))
    assert _import("train", bad, shop) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.partition("own.csv: ")[2] for line in said[:3]] == [
        "line 3, column date: a date like 2026-08-17 (or +3: days from today), from today on and within a year, "
        "was expected, found '2026-08-15'",
        "line 4, column price: a price in CNY like 553.00, above 0 and at most 1000000, was expected, found '-1'",
        f"line 5, column seat_class: a seat class like 二等座, at most 16 characters, was expected, found '{'x' * 17}'",
    ]
    assert said[3:] == ["smartvoyage: import: 3 faults; nothing was changed"]
    assert _counts(shop) == before


def _counts(database: Path) -> tuple[int, int]:
    engine = engine_of(database)
    try:
        return count(engine, trains), count(engine, train_seats)
    finally:
        engine.dispose()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (_line(date="2026-02-30"), "column date"), (_line(date="17.8.2026"), "column date"),
        (_line(date="+367"), "column date"), (_line(date=""), "column date"), (_line(depart="24:00"), "column depart"),
        (_line(price="1.234"), "column price"), (_line(price="NaN"), "column price"),
        (_line(price="0"), "column price"), (_line(price="1e9"), "column price"),
        (_line(total="1.5"), "column total"), (_line(total="-1"), "column total"),
        (_line(total="٣"), "column total"), (_line(seat="  "), "column seat_class"),
        (_line(seat="一\x07"), "column seat_class"), (f"{G9001},+1", "column depart: 11 cells were expected, found 6"),
        (_line() + ",more", "column 12: 11 cells were expected, found 12"),
        (_line() + "\n" + _line(price="1"), "line 3, column seat_class"),
        (_line() + "\n" + _line(depart="09:00", date="+2"), "line 3, column depart"),
        ('"G9001', "line 2"), ("", "line 2: at least one line"),
    ],
)
def test_a_bad_line_is_named_with_its_column(line: str, named: str, tmp_path: Path, capsys: Said) -> None:
    assert _import("train", _csv(tmp_path, line), tmp_path / "never.db") == 2
    assert named in capsys.readouterr().err
    assert not (tmp_path / "never.db").exists(), "a bad file is found out before the database is opened"


def test_a_wrong_header_is_said_once(tmp_path: Path, capsys: Said) -> None:
    bad = _csv(tmp_path, _line(), header=HEADER.replace("price", "cost").replace("depart", "train_no"))
    assert _import("train", bad, tmp_path / "never.db") == 2
    said = capsys.readouterr().err
    for name in ("column depart: ", "column price: ", "column 'cost': ", "column train_no: one column"):
        assert name in said
    assert said.count("these columns were expected: train_no, from_station") == 1


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, capsys: Said) -> None:
    assert _import("train", tmp_path / "none.csv", tmp_path / "never.db") == 2
    assert "cannot be read" in capsys.readouterr().err
    (tmp_path / "gbk.csv").write_bytes(f"{HEADER}\n{_line()}\n".encode("gbk"))
    assert _import("train", tmp_path / "gbk.csv", tmp_path / "never.db") == 2
    assert "text in UTF-8 was expected" in capsys.readouterr().err


def test_a_byte_order_mark_windows_lines_and_another_order_of_columns_are_fine(shop: Path, tmp_path: Path) -> None:
    path = tmp_path / "excel.csv"
    names = HEADER.split(",")
    cells = dict(zip(names, _line(depart="8:05").split(","), strict=True))
    turned = names[::-1]
    path.write_bytes("\ufeff{}\r\n{}\r\n\r\n".format(",".join(turned), ",".join(cells[n] for n in turned)).encode())
    assert _import("train", path, shop) == 0


def test_a_dry_run_writes_nothing_and_says_what_would_be(shop: Path, tmp_path: Path, capsys: Said) -> None:
    before = _counts(shop)
    assert _import("train", _csv(tmp_path, _line(), _line(seat="一等座")), shop, "--dry-run") == 0
    said = "train: 2 rows would be added, 0 would be updated (dry run: nothing was written)\n"
    assert capsys.readouterr().out == said
    assert _counts(shop) == before
    assert _import("train", _csv(tmp_path, _line(), _line(seat="一等座")), tmp_path / "new.db", "--dry-run") == 0
    assert capsys.readouterr().out == said
    empty = create_engine(url_of(tmp_path / "new.db"))
    assert inspect(empty).get_table_names() == []
    empty.dispose()


def test_an_import_again_changes_price_and_total_but_never_what_is_sold(
    shop: Path, tmp_path: Path, capsys: Said
) -> None:
    _import("train", _csv(tmp_path, _line(total="10")), shop)
    engine = engine_of(shop)
    wish = TrainWish(from_city="雄安", to_city="北京", date=TOMORROW)
    row = query_train_tickets(engine, wish, NOW).rows[0]
    first, _ = buy(engine, wanted("train", row, 4)), buy(engine, wanted("train", row, 3))
    _import("train", _csv(tmp_path, _line(total="12", price="60")), shop)
    again = query_train_tickets(engine, wish, NOW).rows[0]
    assert (again.price, again.remaining) == ("60.00", 5)
    capsys.readouterr()
    _import("train", _csv(tmp_path, _line(total="5")), shop)
    assert "1 keep a larger total, because more is sold already" in capsys.readouterr().out
    assert left(engine, "train", row.item_id) == 0
    cancel_order(engine, tuple(SHELVES), first.order_id, buyer(), NOW)
    assert left(engine, "train", row.item_id) == 4
    engine.dispose()


def test_an_import_beside_orders_loses_none_of_them(own_engine: Engine) -> None:
    assert imports_beside_orders(own_engine) == (12, 12)


def test_an_import_takes_the_place_of_a_demo_train(shop: Path, tmp_path: Path) -> None:
    engine = engine_of(shop)
    wish = TrainWish(from_city="北京", to_city="上海", date=TOMORROW, train_no="G1", seat_class="二等座")
    demo = query_train_tickets(engine, wish, NOW).rows[0]
    _import("train", _csv(tmp_path, "G1,北京南,上海虹桥,北京,上海,+1,07:00,268,二等座,600,77"), shop)
    own = query_train_tickets(engine, wish, NOW)
    assert (own.rows[0].item_id, own.rows[0].price, own.rows[0].remaining) == (demo.item_id, "600.00", 77)
    assert (own.rows[0].depart_at[11:16], own.origin) == ("07:00", "imported")
    beside = query_train_tickets(engine, replace(wish, seat_class=None), NOW)
    assert {row.seat_class: row.origin for row in beside.rows} == {
        "二等座": "imported", "一等座": "demo", "商务座": "demo",
    }
    assert beside.origin == "demo", "an answer with any demo row in it is called one"
    engine.dispose()


def test_the_demo_data_leaves_an_import_alone_when_its_day_comes(shop: Path, tmp_path: Path) -> None:
    _import("train", _csv(tmp_path, "G1,北京南,上海虹桥,北京,上海,+30,07:00,268,二等座,600,77"), shop)
    engine = engine_of(shop)
    day = TODAY + dt.timedelta(days=30)
    assert extend_demo_data(engine, TOMORROW) > 0
    wish = TrainWish(from_city="北京", to_city="上海", date=day, train_no="G1")
    rows = query_train_tickets(engine, wish, NOW + dt.timedelta(days=1)).rows
    assert {row.seat_class: row.price for row in rows}["二等座"] == "600.00"
    assert len(rows) == 3
    engine.dispose()


def test_an_empty_installation_takes_an_import_first(tmp_path: Path) -> None:
    database = tmp_path / "new.db"
    assert _import("concert", SAMPLES / "concert.csv", database) == 0
    engine = engine_of(database)
    found = query_concert_tickets(engine, ConcertWish(city="秦皇岛", area="内场"), NOW)
    assert [(row.artist, Decimal(row.price)) for row in found.rows] == [("五月天", Decimal(1280))]
    engine.dispose()


def test_a_long_file_says_how_far_it_is(tmp_path: Path, capsys: Said) -> None:
    seats = [_line(seat=f"座{n}", date=f"+{day}") for day in range(1, 22) for n in range(1_000)]
    assert _import("train", _csv(tmp_path, *seats), tmp_path / "new.db") == 0
    said = capsys.readouterr()
    assert "20000 lines read" in said.err
    assert "20000 rows written" in said.err
    assert said.out == "train: 21000 rows added, 0 updated\n"
