"""Several processes use one directory: all is there, nothing is corrupt, and what was acknowledged outlives a kill."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ricordo.registry import load
from ricordo.types import Bank, Changes, Filter, Kind, Memory, Operation, now

WRITER = Path(__file__).with_name("writer_process.py")
ALL = Filter(bank="bank")


def writer(folder: Path, name: str, count: int, batch: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(folder), name, str(count), str(batch)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
async def stores(tmp_path):
    opened = load("store", "sqlite")(tmp_path)
    await opened.banks.put(Bank(id="bank"))
    yield opened
    await opened.close()


async def test_two_processes_write_while_a_third_reads(stores, tmp_path):
    names, count = ("one", "two"), 120
    running = [writer(tmp_path, name, count, 3) for name in names]
    seen = 0
    while any(process.poll() is None for process in running):
        found = await stores.records.search("memory", ALL, 1000)
        assert len(found) >= seen
        seen = len(found)
        await asyncio.sleep(0.01)
    for process in running:
        process.communicate()
        assert process.returncode == 0
    assert {m.id for m in await stores.records.find(ALL, limit=1000)} == {
        f"{x}-{n}" for x in names for n in range(count)
    }
    assert len(await stores.records.search("memory", ALL, 1000)) == 2 * count
    assert await stores.records.waiting("space", "bank") == 2 * count
    assert await stores.records.check() == []


async def test_a_killed_writer_loses_nothing_that_was_acknowledged(stores, tmp_path):
    acknowledged: list[str] = []
    for lines in (1, 30, 90):
        process = writer(tmp_path, f"round{lines}", 100_000, 1 if lines < 90 else 7)
        acknowledged += [process.stdout.readline().strip() for _ in range(lines)]
        process.kill()
        acknowledged += process.communicate()[0].splitlines()[:-1]
        assert [m.id for m in await stores.records.get("bank", acknowledged)] == acknowledged
        hits = {memory for memory, _ in await stores.records.search(f"round{lines}", ALL, 100_000)}
        assert hits >= {memory for memory in acknowledged if memory.startswith(f"round{lines}-")}
        assert await stores.records.check() == []
    time = now()
    after = Memory(id="after", bank="bank", kind=Kind.SEMANTIC, text="after", at=time, created=time)
    await stores.records.write(Changes(bank="bank", put=(after,)))


async def test_two_stores_on_one_file_never_take_the_same_operation(stores, tmp_path):
    other = load("store", "sqlite")(tmp_path)
    for n in range(30):
        await stores.operations.add(Operation(id=f"o{n}", bank="bank", kind="k"))
    claims = [each.operations.claim("w", ["k"], 60) for _ in range(20) for each in (stores, other)]
    taken = [operation.id for operation in await asyncio.gather(*claims) if operation]
    assert sorted(taken) == sorted(f"o{n}" for n in range(30))
    await other.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_forked_child_is_told_to_open_the_store_again(tmp_path):
    code = f"""
import os, sys
from ricordo import Ricordo
bank = Ricordo({str(tmp_path)!r}, embedder="hash").bank("b").sync
bank.add("before the fork", wait="vectors")
if os.fork() == 0:
    try:
        bank.search("fork")
    except Exception as error:
        print(error, flush=True)
    os._exit(0)
os.wait()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "open it again here" in done.stdout
