"""What a worker gives up before it reads a stranger's file: sockets, forks, more than its ration of time and memory.

On Linux the kernel holds it to that (seccomp, resource limits). Elsewhere the limits that the platform has do, with an
audit hook and a thread that watches the clock and the memory.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from pathlib import Path, PurePath
from typing import Any

from ricordo.parse.reading import Limits

if sys.platform != "win32":
    import resource

EXIT_MEMORY, EXIT_TIME = 41, 42
"""How the watching thread ends the process."""

PROGRAMS = frozenset(("tesseract",))
"""What a reader may run, one at a time or in a few threads; these inherit every wall."""

_SPAWNING = frozenset(("subprocess.Popen", "os.posix_spawn"))
_FORBIDDEN = frozenset(("os.fork", "os.forkpty", "os.system", "os.exec", "os.spawn", "os.startfile", "pty.spawn"))
_FILES = 256
_LOOK_SECONDS = 0.05


def confine() -> None:
    """Takes from this process, for good, what no reader needs."""
    if sys.platform != "win32":
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_NOFILE, _FILES)
    if sys.platform == "linux":
        from ricordo.parse.seccomp import forbid_sockets_and_forks

        forbid_sockets_and_forks()
    sys.addaudithook(_audit)


def ration(limits: Limits) -> None:
    """What the next file may use up, counted from now."""
    if sys.platform == "win32":
        return
    _limit(resource.RLIMIT_CPU, int(time.process_time()) + limits.cpu_seconds + 1)
    _limit(resource.RLIMIT_FSIZE, limits.inflated_bytes)
    if sys.platform == "linux":
        _limit(resource.RLIMIT_DATA, limits.memory_bytes)


def let_reserve(limits: Limits) -> None:
    """Lets this file reserve twice the memory that it may touch; the watching thread still counts what it touches."""
    if sys.platform == "linux":
        _limit(resource.RLIMIT_DATA, 2 * limits.memory_bytes)


def _limit(which: int, value: int) -> None:
    """Lowers the soft limit only, so that the next file can be given its own; the hard one bounds it."""
    if sys.platform != "win32":
        hard = resource.getrlimit(which)[1]
        resource.setrlimit(which, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if event.startswith("socket.") and event in ("socket.__new__", "socket.connect", "socket.bind"):
        raise PermissionError("a reader may not open a socket")
    if event in _FORBIDDEN:
        raise PermissionError(f"a reader may not do {event}")
    if event in _SPAWNING:
        _judge(args)


def _judge(args: tuple[Any, ...]) -> None:
    executable, argv = args[0], args[1]
    program = executable or (argv if isinstance(argv, str | bytes) else argv[0])
    if PurePath(os.fsdecode(program)).stem.lower() not in PROGRAMS:
        raise PermissionError(f"a reader may not run {program!r}")


def memory_in_use() -> int:
    """Bytes resident; the peak where the platform does not tell what is in use now."""
    if sys.platform == "linux":
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()
    if sys.platform == "win32":
        from ricordo.parse.windows import working_set

        return working_set()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Watch:
    """A thread that ends the process when a file's ration is used up, or, with its folder, when the parent is gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parent = os.getppid()
        self._reading = threading.Event()
        self._limits = Limits()
        self._since = 0.0
        threading.Thread(target=self._look, name="watch", daemon=True).start()

    def start(self, limits: Limits) -> None:
        self._limits, self._since = limits, time.process_time()
        self._reading.set()

    def stop(self) -> None:
        self._reading.clear()

    def _look(self) -> None:
        while self._reading.wait():
            if os.getppid() != self._parent:
                shutil.rmtree(self._folder, ignore_errors=True)
                os._exit(EXIT_TIME)
            if time.process_time() - self._since > self._limits.cpu_seconds:
                os._exit(EXIT_TIME)
            if memory_in_use() > self._limits.memory_bytes:
                os._exit(EXIT_MEMORY)
            time.sleep(_LOOK_SECONDS)
