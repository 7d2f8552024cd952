"""One SQLite file: its threads, its transactions, its migrations, and what its errors mean."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

from ricordo.errors import Busy, Closed, Corrupt, Invalid, RicordoError, Unavailable
from ricordo.stores.values import pack

T = TypeVar("T")
log = logging.getLogger(__name__)

APPLICATION = 0x5249434F  # "RICO"
CHUNK = 500
"""So many values stand in one `in (…)`."""

_FOREIGN = "{path} is not a Ricordo database: {error}; give another directory, or move the file away"
_DAMAGED = "{path} is damaged: {error}; stop all writers and restore it from a backup"
_FULL = "{path} cannot grow: {error}; nothing of this write was kept, free some space and try again"
_CLOSED_OFF = "{path} cannot be written or opened: {error}; check the directory's permissions and the disk"
_HELD = "{path} is being written by another process for {wait:g} s now; try again, or stop the other writer"
_MEANINGS: dict[int, tuple[type[RicordoError], str]] = {
    sqlite3.SQLITE_BUSY: (Busy, _HELD),
    sqlite3.SQLITE_LOCKED: (Busy, _HELD),
    sqlite3.SQLITE_NOTADB: (Corrupt, _FOREIGN),
    sqlite3.SQLITE_CORRUPT: (Corrupt, _DAMAGED),
    sqlite3.SQLITE_FULL: (Unavailable, _FULL),
    sqlite3.SQLITE_IOERR: (Unavailable, _CLOSED_OFF),
    sqlite3.SQLITE_READONLY: (Unavailable, _CLOSED_OFF),
    sqlite3.SQLITE_CANTOPEN: (Unavailable, _CLOSED_OFF),
    sqlite3.SQLITE_PERM: (Unavailable, _CLOSED_OFF),
}


class Database:
    """Runs functions of a connection: one writer at a time on its own thread, readers beside it on theirs."""

    def __init__(
        self, path: Path, *, busy_seconds: float = 30.0, readers: int = 3, renew: Callable[[Connection], None]
    ) -> None:
        """`renew` runs when the file is opened, and writes only what another release left in an older form."""
        self.path = path
        self._busy_seconds = busy_seconds
        self._lock = threading.Lock()
        self._connections: list[Connection] = []
        self._closed = False
        self._mine = threading.local()
        with self._meaning():
            self._writer = self._connect()
            try:
                self._prepare(self._writer)
                self._transaction(self._writer, "begin", renew)
            except BaseException:
                self._writer.close()
                raise
        self._process = os.getpid()
        self._writing = ThreadPoolExecutor(1, "ricordo-writer")
        self._reading = ThreadPoolExecutor(readers, "ricordo-reader")

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What the function returns; all its reads see one state."""
        return await self._run(self._reading, lambda: self._transaction(self._reader(), "begin", work))

    async def write(self, work: Callable[[Connection], T], *, first: Callable[[], None] | None = None) -> T:
        """What the function returns, once all that it wrote is durable; nothing is kept when it raises.

        `first` runs on the same thread before the file is locked.
        """

        def both() -> T:
            if first is not None:
                first()
            return self._transaction(self._writer, "begin immediate", work)

        return await self._run(self._writing, both)

    async def alone(self, work: Callable[[Connection], T]) -> T:
        """What the function returns that runs on the writer's connection outside of any transaction."""
        return await self._run(self._writing, lambda: self._outside(work))

    def rewrite(self, connection: Connection) -> None:
        """Writes the file anew without its free space, and empties the log."""
        connection.execute("vacuum")
        deadline = time.monotonic() + self._busy_seconds
        while connection.execute("pragma wal_checkpoint(truncate)").fetchone()[0]:
            if time.monotonic() > deadline:
                raise Busy(f"{self.path}: a reader holds the log, so traces of deletes may remain; vacuum again later")
            time.sleep(0.01)

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if os.getpid() != self._process:
            raise Closed(f"the store {self.path} was opened before this process was forked; open it again here")
        try:
            future = threads.submit(work)
        except RuntimeError as error:
            raise Closed(f"the store {self.path} has been closed; open it again") from error
        return await asyncio.wrap_future(future)

    def _transaction(self, connection: Connection, begin: str, work: Callable[[Connection], T]) -> T:
        with self._meaning():
            connection.execute(begin)
            try:
                result = work(connection)
                connection.execute("commit")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("rollback")
                raise
            return result

    def _outside(self, work: Callable[[Connection], T]) -> T:
        with self._meaning():
            return work(self._writer)

    @contextmanager
    def _meaning(self) -> Iterator[None]:
        try:
            yield
        except (OverflowError, UnicodeEncodeError) as error:
            raise Invalid(f"{self.path} cannot hold a value: {error}") from error
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code is None or code & 0xFF not in _MEANINGS:
                raise
            cls, message = _MEANINGS[code & 0xFF]
            raise cls(message.format(path=self.path, error=error, wait=self._busy_seconds)) from error

    def _connect(self) -> Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        connection.execute("pragma page_size = 8192")  # five vectors of 384 numbers fit a page, of half the size two
        connection.execute("pragma synchronous = full")
        connection.execute("pragma foreign_keys = on")
        connection.execute("pragma secure_delete = on")
        connection.execute("pragma cache_size = -16000")
        connection.execute("pragma wal_autocheckpoint = 4000")
        with self._lock:
            self._connections.append(connection)
        return connection

    def _reader(self) -> Connection:
        connection: Connection | None = getattr(self._mine, "connection", None)
        if connection is None:
            connection = self._connect()
            connection.execute("pragma query_only = on")
            self._mine.connection = connection
        return connection

    def _close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._writing.shutdown(wait=True)
        self._reading.shutdown(wait=True)
        for connection in self._connections:
            connection.close()

    def _prepare(self, connection: Connection) -> None:
        self._use_log(connection)
        scripts = migrations()
        if _number(connection, "user_version") == len(scripts):
            self._own(connection)
            return
        connection.execute("begin immediate")
        try:
            self._own(connection)
            version = self._version(connection, len(scripts))
            for statement in (s for script in scripts[version:] for s in script.split(";\n") if s.strip()):
                connection.execute(statement)
            connection.execute(f"pragma user_version = {len(scripts)}")
            connection.execute(f"pragma application_id = {APPLICATION}")
            connection.execute("commit")
        except BaseException:
            connection.execute("rollback")
            raise

    def _version(self, connection: Connection, known: int) -> int:
        version = _number(connection, "user_version")
        if version > known:
            raise Corrupt(
                f"{self.path} is of a newer release (schema {version}, this one knows {known}); upgrade ricordo"
            )
        return version

    def _own(self, connection: Connection) -> None:
        if _number(connection, "application_id") != APPLICATION and _number(connection, "schema_version"):
            raise Corrupt(_FOREIGN.format(path=self.path, error="another program made it"))

    def _use_log(self, connection: Connection) -> None:
        """Write-ahead logging. SQLite does not wait for the lock that the change needs, so this does."""
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                mode = connection.execute("pragma journal_mode = wal").fetchone()[0]
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
                continue
            if mode != "wal":
                log.warning("%s stays in journal mode %s: readers will wait for writers", self.path, mode)
            return


def migrations() -> list[str]:
    """The scripts that lead from an empty file to today's tables, oldest first."""
    folder = files("ricordo.stores") / "migrations"
    scripts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return [script.read_text(encoding="utf-8") for script in scripts]


def _number(connection: Connection, pragma: str) -> int:
    return int(connection.execute(f"pragma {pragma}").fetchone()[0])


def among(connection: Connection, sql: str, values: Iterable[Any], *before: Any) -> Iterator[tuple[Any, ...]]:
    """The rows of a query whose `{}` stands for the marks of many values; `before` fills the marks ahead of it."""
    rest = list(values)
    for start in range(0, len(rest), CHUNK):
        part = rest[start : start + CHUNK]
        yield from connection.execute(sql.format(",".join("?" * len(part))), (*before, *part))


def many(connection: Connection, sql: str, rows: Sequence[Any]) -> None:
    """Runs the statement for each of the rows."""
    if rows:
        connection.executemany(sql, rows)


def number_of(connection: Connection, bank: str) -> int | None:
    """The number under which a bank's rows are kept."""
    row = connection.execute("select number from banks where id = ?", (pack(bank),)).fetchone()
    return None if row is None else int(row[0])
