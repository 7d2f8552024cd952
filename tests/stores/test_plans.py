"""What is done for each memory reads an index and never a whole bank."""

import sqlite3

import pytest

from ricordo.registry import load


@pytest.mark.parametrize(
    "sql",
    [
        "delete from entity_names where bank = 1 and entity = 'e'",
        "delete from relations where bank = 1 and memory = 'm'",
        "select 1 from relations where bank = 1 and target = 'e'",
        "select 1 from memories where digest = x'00'",
        "delete from outbox where bank = 1 and memory = 'm' and space = 's'",
        "select row from memories where bank = 1 and document = 'd'",
    ],
)
async def test_a_step_of_every_write_searches_by_an_index(tmp_path, sql):
    stores = load("store", "sqlite")(tmp_path)
    await stores.records.check()
    await stores.close()
    with sqlite3.connect(tmp_path / "ricordo.db") as connection:
        plan = [row[3] for row in connection.execute(f"explain query plan {sql}")]
    connection.close()
    assert plan
    assert all(step.startswith("SEARCH") for step in plan), plan
    assert not any(step.endswith("(bank=?)") for step in plan), plan
