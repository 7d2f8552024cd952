"""Files read in worker processes: a bomb, a crash, a loop or a leak ends that file alone, and the next one is read.

A worker is a fresh Python (never a fork, and nothing of the caller's `__main__` is run again) in its own process group
and its own temporary folder. It is used for file after file, and replaced when it has grown or read many.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, cast

from ricordo.errors import Unavailable
from ricordo.parse import wire
from ricordo.parse.opening import Order, failed
from ricordo.parse.sandbox import EXIT_MEMORY, EXIT_TIME
from ricordo.types import Parsed, ParseStatus

log = logging.getLogger(__name__)

FILES_A_WORKER = 100
GROWN_BYTES = 256_000_000
_ANSWER_BYTES = 16_000_000
_INHERITED = (
    *("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "LANG", "LC_ALL", "HOME", "USERPROFILE"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TESSDATA_PREFIX", "OMP_THREAD_LIMIT"),
)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """A few workers, started when they are first needed; files beyond their number wait."""

    def __init__(self, count: int | None = None) -> None:
        self._count = count or min(cores(), 4)
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="ricordo-parse")
        self._finalizer = weakref.finalize(self, _end_all, self._idle)

    async def read(self, data: bytes, order: Order) -> Parsed:
        """What the file holds, or why not; cancelling ends its worker."""
        run = _Run()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, data, order, run)
        except asyncio.CancelledError:
            run.cancel()
            raise

    def close(self) -> None:
        with self._lock:
            idle, self._idle[:] = list(self._idle), []
        _end_all(idle)

    def _read(self, data: bytes, order: Order, run: _Run) -> Parsed:
        worker = self._take()
        if not run.began(worker):
            self._give(worker)
            return failed(ParseStatus.DAMAGED, f"{order.name!r} was not read: cancelled")
        try:
            parsed = worker.read(data, order)
        except BaseException:
            worker.end()
            raise
        finally:
            run.ended()
        self._give(worker)
        return parsed

    def _take(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
                worker.end()
        return _Worker()

    def _give(self, worker: _Worker) -> None:
        if worker.worn:
            worker.end()
            return
        with self._lock:
            self._idle.append(worker)


class _Run:
    """Lets the awaiting side end a worker that its thread is waiting for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._cancelled = False

    def began(self, worker: _Worker) -> bool:
        with self._lock:
            self._worker = worker
            return not self._cancelled

    def ended(self) -> None:
        with self._lock:
            self._worker = None

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._worker is not None:
                self._worker.kill()


class _Worker:
    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="ricordo-parse-")
        self._files = 0
        self._memory = 0
        self._late = False
        try:
            self._process = _start(self._folder)
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise Unavailable(f"no worker process for reading files could be started: {error}") from error

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def worn(self) -> bool:
        return not self.alive or self._files >= FILES_A_WORKER or self._memory > GROWN_BYTES

    def read(self, data: bytes, order: Order) -> Parsed:
        self._files += 1
        limits = order.limits
        alarm = threading.Timer(limits.wall_seconds, self._expire)
        alarm.daemon = True
        alarm.start()
        try:
            wire.send(cast("BinaryIO", self._process.stdin), wire.order_to_json(order), data)
            answer, _ = wire.receive(cast("BinaryIO", self._process.stdout), _ANSWER_BYTES + 8 * limits.text_characters)
            parsed = wire.parsed_from_json(answer)
        except (wire.WireError, OSError) as error:
            self.kill()
            return self._post_mortem(order, error)
        finally:
            alarm.cancel()
        self._memory = int(answer.get("memory", 0))
        for line in answer.get("log", ()):
            log.warning("while reading %r: %s", order.name, line)
        return parsed

    def _expire(self) -> None:
        self._late = True
        self.kill()

    def _post_mortem(self, order: Order, error: Exception) -> Parsed:
        code = self._process.wait()
        limits = order.limits
        status, why = ParseStatus.TOO_LARGE, ""
        if self._late:
            why = f"took more than {limits.wall_seconds} s"
        elif code in (EXIT_TIME, -getattr(signal, "SIGXCPU", 0)):
            why = f"took more than {limits.cpu_seconds} s of CPU"
        elif code == EXIT_MEMORY:
            why = f"needs more than {limits.memory_bytes} bytes of memory"
        else:
            status, why = ParseStatus.DAMAGED, f"made its reader crash ({_cause(code)}; {error})"
        log.warning("the worker that read %r ended: %s", order.name, why)
        return failed(status, f"{order.name!r} {why}")

    def kill(self) -> None:
        """Ends the worker and whatever it runs, at once."""
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.returncode is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                self._process.poll()

    def end(self) -> None:
        """Kills it and takes its folder away."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                cast("BinaryIO", pipe).close()
            except OSError:
                log.debug("a dead worker's pipe was already broken")
        shutil.rmtree(self._folder, ignore_errors=True)


def _start(folder: str) -> subprocess.Popen[bytes]:
    # Only what a process needs to start: a reader of strangers' files must not see the keys in the environment.
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}  # noqa: TID251  nothing is configured by it
    environment |= {
        "PYTHONPATH": os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if entry),
        "TMPDIR": folder,
        "TEMP": folder,
    }
    return subprocess.Popen(  # noqa: S603  our own interpreter and module
        [sys.executable, "-P", "-X", "utf8", "-m", "ricordo.parse.worker", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _cause(code: int) -> str:
    try:
        return signal.Signals(-code).name if code < 0 else f"exit {code}"
    except ValueError:
        return f"signal {-code}"


def _end_all(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.end()
