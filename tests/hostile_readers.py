"""Readers that do what a bad file could make a reader do; workers of the tests are told to use them."""

import ctypes
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ricordo.types import Block, BlockKind, Parsed

LEAK = []


def _said(text):
    return Parsed(parser="hostile", blocks=(Block(kind=BlockKind.PARAGRAPH, text=str(text)),))


def tame(data, job):
    return _said(data.decode())


def loop(data, job):
    while True:
        pass


def sleep(data, job):
    time.sleep(60)


def meet(data, job):
    folder = Path(os.fsdecode(data))
    (folder / str(os.getpid())).touch()
    while len(list(folder.iterdir())) < 2:
        time.sleep(0.01)
    return _said("met")


def sleep_over_a_file(data, job):
    Path(tempfile.gettempdir(), "left.bin").write_bytes(data)
    Path(data.decode()).write_text(tempfile.gettempdir())
    time.sleep(60)


def temporary_folder(data, job):
    handle, name = tempfile.mkstemp()
    os.close(handle)
    return _said(f"{Path(name).parent}\n{len(list(Path(name).parent.iterdir()))}")


def allocate(data, job):
    held = []
    while True:
        held.append(b"x" * 10_000_000)


def allocate_natively(data, job):
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while True:
        got = libc.malloc(10_000_000)
        if not got:
            raise ValueError("the library has no memory")
        ctypes.memset(got, 1, 10_000_000)


def leak(data, job):
    LEAK.append(b"x" * 450_000_000)
    return _said(os.getpid())


def crash(data, job):
    ctypes.string_at(0)


def leave(data, job):
    os._exit(3)


def fork(data, job):
    return _said(_refused(os.fork))


def fork_natively(data, job):
    pid = ctypes.CDLL(None, use_errno=True).fork()
    if pid == 0:
        os._exit(0)
    return _said(pid)


def run(data, job):
    return _said(_refused(lambda: subprocess.run(data.decode(), check=False)))


def output_of(data, job):
    run = subprocess.run([os.fsdecode(data)], capture_output=True, text=True, check=False)
    return _said(run.stdout + run.stderr)


def open_socket(data, job):
    return _said(_refused(lambda: socket.create_connection(("127.0.0.1", int(data)), timeout=1)))


def open_socket_natively(data, job):
    return _said(ctypes.CDLL(None, use_errno=True).socket(socket.AF_INET, socket.SOCK_STREAM, 0))


def _refused(do):
    try:
        do()
    except OSError as error:
        return f"refused: {error}"
    return "done"


def chatter(data, job):
    print("this is no answer")
    os.write(1, b"nor is this")
    sys.stdout.flush()
    return _said(sys.stdin.read() if sys.stdin else "")


def recurse(data, job):
    return recurse(data, job)


def shout(data, job):
    return _said("x" * int(data))


def unstorable(data, job):
    return _said("a\x00b\ud800c")


def who(data, job):
    return _said(f"{os.getpid()} {os.environ.get('RICORDO_LLM_KEY')}")


def modules(data, job):
    return _said(" ".join(sys.modules))
