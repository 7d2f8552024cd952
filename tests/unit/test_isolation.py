"""What a bad file can do to the process that reads it, and cannot do to anything else."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ricordo.parse.isolate import Workers
from ricordo.parse.opening import Order
from ricordo.parse.reading import Limits

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own walls are Linux's")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")
SMALL = Limits(cpu_seconds=1, memory_bytes=250_000_000)


@pytest.fixture(scope="module")
def workers():
    made = Workers(2)
    yield made
    made.close()


@pytest.fixture
def read(workers):
    async def read(reader, data=b"hello", limits=SMALL):
        order = Order(name="a.txt", limits=limits, reader=f"hostile_readers:{reader}")
        return await workers.read(data, order)

    return read


def gone(folder):
    return not Path(folder).exists()


def eventually(holds):
    for _ in range(500):
        if holds():
            return
        time.sleep(0.02)
    pytest.fail("it did not come to pass in 10 s")


def written(path):
    eventually(lambda: path.exists() and path.read_text())
    return path.read_text()


def said(parsed):
    assert parsed.status == "ok", parsed
    return parsed.blocks[0].text


async def test_a_file_is_read_in_another_process(read):
    assert said(await read("tame")) == "hello"
    assert int(said(await read("who")).split()[0]) != os.getpid()


@pytest.mark.parametrize(
    ("reader", "status", "reason"),
    [
        ("loop", "too_large", "1 s of CPU"),
        ("allocate", "too_large", "memory"),
        ("recurse", "too_large", "nested too deeply"),
        ("crash", "damaged", "crash"),
        ("leave", "damaged", "crash"),
    ],
)
async def test_a_bad_file_ends_alone_with_its_reason_and_the_next_is_read(read, reader, status, reason):
    parsed = await read(reader)
    assert parsed.status == status
    assert reason in parsed.warnings[0]
    assert "a.txt" in parsed.warnings[0]
    assert parsed.blocks == ()
    assert said(await read("tame")) == "hello"


@POSIX
async def test_a_library_that_finds_no_memory_means_too_large_and_not_damaged(read):
    assert (await read("allocate_natively")).status == "too_large"


async def test_a_reader_that_waits_is_ended_by_the_clock(read):
    parsed = await read("sleep", limits=Limits(wall_seconds=1))
    assert parsed.status == "too_large"
    assert "more than 1 s" in parsed.warnings[0]


async def test_a_fork_is_refused(read):
    assert said(await read("fork")).startswith("refused")


@LINUX
async def test_a_fork_below_python_is_refused_too(read):
    assert said(await read("fork_natively")) == "-1"


async def test_another_program_is_refused(read):
    assert said(await read("run", sys.executable.encode())).startswith("refused")


@LINUX
@pytest.mark.parametrize(("script", "said_of_it"), [("echo ran", "ran"), ("(echo forked)", "Cannot fork")])
async def test_the_recogniser_may_run_and_inherits_the_walls(read, tmp_path, script, said_of_it):
    program = tmp_path / "tesseract"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    assert said_of_it in said(await read("output_of", os.fsencode(program)))


async def test_a_socket_is_refused(read):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert said(await read("open_socket", str(port).encode())).startswith("refused")


@LINUX
async def test_a_socket_below_python_is_refused_too(read):
    assert said(await read("open_socket_natively")) == "-1"


async def test_what_a_library_prints_does_not_reach_the_answer(read):
    assert (await read("chatter")).status == "empty"
    assert said(await read("tame")) == "hello"


async def test_more_text_than_may_be_read_is_too_large(read):
    limits = Limits(text_characters=1_000)
    assert said(await read("shout", b"1000", limits)) == "x" * 1000
    assert (await read("shout", b"1001", limits)).status == "too_large"


async def test_text_comes_out_such_as_a_store_can_hold(read):
    assert said(await read("unstorable")) == "ab\ufffdc"


async def test_keys_in_the_environment_do_not_reach_a_worker(monkeypatch):
    monkeypatch.setenv("RICORDO_LLM_KEY", "sk-secret")
    workers = Workers(1)
    order = Order(name="a.txt", reader="hostile_readers:who")
    assert said(await workers.read(b"x", order)).endswith(" None")
    workers.close()


async def test_temporary_files_are_gone_after_each_file_and_with_the_worker():
    workers = Workers(1)
    order = Order(name="a.txt", reader="hostile_readers:temporary_folder")
    folders = set()
    for _ in range(2):
        folder, count = said(await workers.read(b"x", order)).split("\n")
        folders.add(folder)
        assert count == "1"
    assert len(folders) == 1
    workers.close()
    assert gone(folders.pop())


async def test_temporary_files_are_gone_after_a_worker_was_killed(read, tmp_path):
    told = tmp_path / "where"
    parsed = await read("sleep_over_a_file", str(told).encode(), Limits(wall_seconds=1))
    assert parsed.status == "too_large"
    assert gone(told.read_text())


async def test_a_worker_is_kept_for_the_next_file_and_replaced_when_it_has_grown():
    workers = Workers(1)

    async def pid(reader):
        order = Order(name="a.txt", reader=f"hostile_readers:{reader}")
        return said(await workers.read(b"x", order)).split()[0]

    first = await pid("who")
    assert await pid("who") == first
    assert await pid("leak") == first
    assert await pid("who") != first
    workers.close()


async def test_two_files_are_read_at_once(workers, tmp_path):
    order = Order(name="a.txt", reader="hostile_readers:meet", limits=Limits(wall_seconds=20))
    met = await asyncio.gather(*(workers.read(bytes(tmp_path), order) for _ in range(2)))
    assert [said(parsed) for parsed in met] == ["met", "met"]


@POSIX
async def test_cancelling_ends_the_worker_at_once(tmp_path):
    workers = Workers(1)
    told = tmp_path / "where"
    order = Order(name="a.txt", reader="hostile_readers:sleep_over_a_file")
    task = asyncio.create_task(workers.read(str(told).encode(), order))
    folder = await asyncio.to_thread(written, told)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(eventually, lambda: gone(folder))
    tame = Order(name="a.txt", reader="hostile_readers:tame")
    assert said(await workers.read(b"still here", tame)) == "still here"
    workers.close()


async def test_a_fresh_worker_holds_only_what_it_needs():
    workers = Workers(1)
    order = Order(name="a.txt", reader="hostile_readers:modules")
    loaded = set(said(await workers.read(b"x", order)).split())
    assert not loaded & {"numpy", "httpx", "lxml", "pypdfium2", "asyncio", "ricordo.engine", "ricordo.config"}
    workers.close()


MAIN = """
import asyncio
from ricordo.parse.native import NativeParser
from ricordo.types import File
print("main runs", flush=True)
parser = NativeParser(workers=1)
data = "姓名,城市\\n王芳,上海\\n".encode("gbk")
print(asyncio.run(parser.convert(File(name="a.csv", data=data))).status, flush=True)
"""


@pytest.mark.parametrize("how", ["script without a guard", "stdin", "-c"])
def test_the_callers_main_runs_once_and_the_process_ends_by_itself(tmp_path, how):
    script = tmp_path / "script.py"
    script.write_text(MAIN, encoding="utf-8")
    command, given = {
        "script without a guard": ([str(script)], None),
        "stdin": (["-"], MAIN),
        "-c": (["-c", MAIN], None),
    }[how]
    run = subprocess.run(
        [sys.executable, "-X", "utf8", "-W", "error", *command],
        input=given, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert run.stdout.split("\n")[:-1] == ["main runs", "ok"]
    assert run.stderr == ""


@POSIX
def test_a_worker_ends_and_takes_its_folder_away_when_its_parent_is_killed(tmp_path):
    told = tmp_path / "where"
    script = (
        "import asyncio, os, threading, time\n"
        "from ricordo.parse.isolate import Workers\n"
        "from ricordo.parse.opening import Order\n"
        "order = Order(name='a.txt', reader='hostile_readers:sleep_over_a_file')\n"
        f"asyncio.run(Workers(1).read({str(told)!r}.encode(), order))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], env={"PYTHONPATH": os.pathsep.join(sys.path)})
    folder = written(told)
    assert not gone(folder)
    parent.kill()
    parent.wait()
    eventually(lambda: gone(folder))
