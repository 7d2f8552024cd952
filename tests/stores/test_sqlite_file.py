"""The SQLite file itself: what is said when it cannot be used, and that deleted means gone from its bytes."""

import asyncio
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from ricordo.errors import Busy, Corrupt, Invalid, Unavailable
from ricordo.registry import load
from ricordo.stores.cut import cut, term_keys
from ricordo.types import Bank, Changes, Entity, Filter, Kind, Memory, Operation, Relation, Version, now

ALL = Filter(bank="bank")
open_store = load("store", "sqlite")


def make(id: str, text: str = "", **fields) -> Memory:
    time = now()
    filled = {"bank": "bank", "kind": Kind.SEMANTIC, "text": text or id, "at": time, "created": time}
    return Memory(id=id, **{**filled, **fields})


@pytest.fixture
async def stores(tmp_path):
    opened = open_store(tmp_path, busy_seconds=0.3)
    await opened.banks.put(Bank(id="bank"))
    yield opened
    await opened.close()


@pytest.fixture
def made(tmp_path) -> Path:
    """A database file that was closed in good order."""
    opened = open_store(tmp_path)

    async def fill() -> None:
        await opened.banks.put(Bank(id="bank"))
        await opened.records.write(Changes(bank="bank", put=tuple(make(f"m{n}", "word " * 50) for n in range(300))))
        await opened.close()

    asyncio.run(fill())
    return tmp_path / "ricordo.db"


async def read_all(folder: Path) -> None:
    opened = open_store(folder)
    try:
        await opened.records.find(ALL)
    finally:
        await opened.close()


def alter(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_directory_is_needed():
    with pytest.raises(Invalid, match="directory"):
        open_store(None)


def test_a_file_in_the_directory_s_place_is_named(tmp_path):
    (tmp_path / "taken").write_text("x")
    with pytest.raises(Unavailable, match="taken"):
        open_store(tmp_path / "taken")


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    file = tmp_path / "ricordo.db"
    file.write_text("my diary " * 1000)
    with pytest.raises(Corrupt, match=r"ricordo\.db is not a Ricordo database"):
        open_store(tmp_path)
    assert file.read_text().startswith("my diary")


def test_another_program_s_database_is_left_alone(tmp_path):
    alter(tmp_path / "ricordo.db", "create table theirs (x)")
    with pytest.raises(Corrupt, match="another program"):
        open_store(tmp_path)


def test_a_database_of_a_newer_release_is_not_touched(made):
    alter(made, "pragma user_version = 999")
    with pytest.raises(Corrupt, match=r"newer release \(schema 999.*upgrade"):
        open_store(made.parent)


async def test_a_damaged_file_is_said_to_be_damaged(made):
    data = bytearray(made.read_bytes())
    data[8192:] = b"\xaa" * (len(data) - 8192)
    made.write_bytes(data)
    with pytest.raises(Corrupt, match=r"ricordo\.db is damaged.*backup"):
        await read_all(made.parent)


async def test_a_truncated_file_is_noticed(made):
    made.write_bytes(made.read_bytes()[: 4096 * 3])
    with pytest.raises(Corrupt):
        await read_all(made.parent)


def test_files_are_for_their_owner_only(made):
    assert made.stat().st_mode & 0o077 == 0


async def test_a_full_disk_keeps_nothing_of_the_write(stores):
    await stores.records.write(Changes(bank="bank", put=(make("before"),)))
    database = stores.records._database
    pages = await database.alone(lambda c: c.execute("pragma page_count").fetchone()[0])
    await database.alone(lambda c: c.execute(f"pragma max_page_count = {pages + 5}"))
    with pytest.raises(Unavailable, match=r"cannot grow.*space"):
        await stores.records.write(Changes(bank="bank", put=tuple(make(f"m{n}", "x" * 900) for n in range(200))))
    assert await stores.records.ids(ALL) == ["before"]
    await database.alone(lambda c: c.execute("pragma max_page_count = 1000000"))
    await stores.records.write(Changes(bank="bank", put=(make("after"),)))
    assert await stores.records.check() == []


async def test_a_writer_that_waits_too_long_is_told_who_holds_what(stores, tmp_path):
    holder = sqlite3.connect(tmp_path / "ricordo.db", isolation_level=None)
    holder.execute("begin immediate")
    with pytest.raises(Busy, match=r"ricordo\.db is being written by another process"):
        await stores.records.write(Changes(bank="bank", put=(make("m"),)))
    assert await stores.records.ids(ALL) == []
    assert await stores.operations.claim("w", ["k"], 1) is None
    holder.execute("rollback")
    holder.close()
    await stores.records.write(Changes(bank="bank", put=(make("m"),)))


async def test_a_closed_store_says_so_and_closes_again(tmp_path):
    opened = open_store(tmp_path)
    await opened.close()
    await opened.close()
    with pytest.raises(Unavailable, match="closed"):
        await opened.banks.list()


def test_two_loops_one_after_the_other_may_use_a_store(tmp_path):
    opened = open_store(tmp_path)

    async def add(memory: Memory) -> int:
        await opened.banks.put(Bank(id="bank"))
        await opened.records.write(Changes(bank="bank", put=(memory,)))
        return await opened.records.count(ALL)

    assert [asyncio.run(add(make("a"))), asyncio.run(add(make("b")))] == [1, 2]
    asyncio.run(opened.close())


async def test_deleted_means_gone_from_every_byte(stores, tmp_path):
    canary = "zanzibar"
    doomed = make(
        "doomed",
        f"{canary} text",
        context=f"{canary} context",
        data={canary: [canary]},
        tags=(canary,),
        session=canary,
        document=canary,
    )
    version = Version(
        memory="doomed", number=1, text=canary, importance=0.5, tags=(), data={}, changed=now(), reason=canary
    )
    crowd = tuple(make(f"m{n}", f"bystander {n} " + "filler " * 40) for n in range(400))
    await stores.records.write(
        Changes(
            bank="bank",
            put=(*crowd, doomed),
            versions=(version,),
            entities=(Entity(id="e", bank="bank", name=canary), Entity(id="f", bank="bank", name="f")),
            relations=(Relation(bank="bank", source="e", label=canary, target="f", memory="doomed"),),
            spaces=("space",),
        )
    )
    vector = np.arange(1, 9, dtype=np.float32) / np.linalg.norm(np.arange(1, 9))
    await stores.vectors.upsert("space", [(doomed, vector), (crowd[0], vector[::-1])])

    def holds(needle: bytes) -> bool:
        return any(needle in file.read_bytes() for file in tmp_path.iterdir())

    stored = (await stores.vectors.known("space", [doomed.digest]))[doomed.digest].tobytes()
    assert holds(canary.encode())
    assert holds(stored)
    term = term_keys(cut(canary)).tobytes()
    assert holds(term)
    await stores.records.write(Changes(bank="bank", delete=("doomed",), spaces=("space",)))
    await stores.records.vacuum()
    assert not holds(canary.encode())
    assert not holds(stored)
    assert not holds(term)
    assert not holds(bytes.fromhex(doomed.digest))
    assert holds(b"bystander 7 ")
    assert len(await stores.records.search("bystander", ALL, 1000)) == 400
    assert await stores.records.check() == []


async def test_a_view_follows_what_another_process_writes(stores, tmp_path):
    other = open_store(tmp_path)
    query = np.array([1, 0], np.float32)
    for n in range(5):
        memory = make(f"m{n}", f"shared {n + 1000}")
        await stores.records.write(Changes(bank="bank", put=(memory,), delete=(f"m{n - 2}",)))
        await stores.vectors.upsert("space", [(memory, query)])
        expected = [f"m{k}" for k in range(max(0, n - 1), n + 1)]
        assert [id for id, _ in await other.records.search("shared", ALL, 9)] == expected
        assert [id for id, _ in await other.vectors.search("space", query, ALL, 9)] == expected
    await stores.vectors.drop("space", "bank")
    assert await other.vectors.search("space", query, ALL, 9) == []
    await stores.banks.delete("bank")
    assert await other.records.search("shared", ALL, 9) == []
    await stores.banks.put(Bank(id="bank"))
    await stores.records.write(Changes(bank="bank", put=(make("new", "shared"),)))
    assert [id for id, _ in await other.records.search("shared", ALL, 9)] == ["new"]
    await other.close()


async def test_words_of_a_view_stay_true_while_the_tail_becomes_a_segment(stores):
    plain = load("store", "memory")()
    await plain.banks.put(Bank(id="bank"))
    for n in range(0, 200, 2):
        several = 90 if n == 160 else 1
        put = tuple(make(f"m{n:03}-{k}", f"shared {1000 + n}") for k in range(several))
        changes = Changes(bank="bank", put=put)
        await stores.records.write(changes)
        await plain.records.write(changes)
        asked = f"shared {1000 + n // 2}"
        assert await stores.records.search(asked, ALL, 1000) == await plain.records.search(asked, ALL, 1000)


async def test_a_view_that_missed_more_deletions_than_are_kept_is_right_again(stores, tmp_path):
    other = open_store(tmp_path)
    many = tuple(make(f"m{n}", "word") for n in range(10_100))
    await stores.records.write(Changes(bank="bank", put=many))
    assert len(await other.records.search("word", ALL, 20_000)) == 10_100
    await stores.records.write(Changes(bank="bank", delete=tuple(m.id for m in many[:10_050])))
    assert len(await other.records.search("word", ALL, 20_000)) == 50
    await other.close()


async def test_views_that_do_not_fit_are_forgotten_and_made_again(tmp_path):
    opened = open_store(tmp_path, cache_bytes=1)
    for bank in ("one", "two"):
        await opened.banks.put(Bank(id=bank))
        await opened.records.write(Changes(bank=bank, put=(make("m", f"word of {bank}", bank=bank),)))
    for _ in range(3):
        for bank in ("one", "two"):
            assert len(await opened.records.search("word", Filter(bank=bank), 5)) == 1
    assert len(opened.records._views._banks) == 1
    await opened.close()


def test_words_of_another_edition_are_made_anew_on_opening(made):
    alter(made, "update banks set edition = 0", "update segments set blob = x'00'")
    opened = open_store(made.parent)

    async def ask() -> int:
        found = await opened.records.search("word", ALL, 1000)
        assert await opened.records.check() == []
        await opened.close()
        return len(found)

    assert asyncio.run(ask()) == 300


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("update segments set blob = zeroblob(40)", "words segment"),
        ("delete from segments", "missing from the words index"),
        ("insert into spaces (name, dimension) values ('s', 4)", None),
        ("insert into vectors (space, digest, data) values (1, x'00', x'00')", "vectors"),
        ("insert into cells values (1, x'00', 1, 1, 999999)", "cells"),
        ("insert into outbox (space, bank, memory, gone) values ('s', 1, 'ghost', 0)", "outbox"),
        ("insert into entity_names values (1, 'n', 'ghost')", "names of entities"),
        ("update memories set bank = 77 where id = 'm3'", "row 4 of memories"),
    ],
)
async def test_check_says_what_contradicts_itself(made, damage, complaint):
    alter(made, damage)
    opened = open_store(made.parent)
    lines = await opened.records.check()
    await opened.close()
    assert any(complaint in line for line in lines) if complaint else lines == []


async def test_what_a_long_write_does_not_stop_is_reading(stores, tmp_path):
    await stores.records.write(Changes(bank="bank", put=(make("m"),)))
    holder = sqlite3.connect(tmp_path / "ricordo.db", isolation_level=None)
    holder.execute("begin immediate")
    holder.execute("delete from memories")
    assert await stores.records.ids(ALL) == ["m"]
    holder.execute("rollback")
    holder.close()


async def test_an_operation_of_a_deleted_bank_is_gone_in_every_process(stores, tmp_path):
    other = open_store(tmp_path)
    await stores.operations.add(Operation(id="o", bank="bank", kind="k"))
    await other.banks.delete("bank")
    assert await stores.operations.claim("w", ["k"], 1) is None
    await other.close()
