"""Index folders: scan, compare with what is stored, plan, then do; unchanged files cost a stat."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ricordo.engine.commits import Commits
from ricordo.engine.edit import delete
from ricordo.engine.parts import Parts, ensure_bank
from ricordo.engine.reading import Ready
from ricordo.engine.retain import read_item
from ricordo.errors import Conflict, Invalid
from ricordo.parse.reading import Limits
from ricordo.types import Bank, File, Filter, Item, Json, Kind, Memory, Outcome, Status

SETTLED_NS = 2_000_000_000
"""A file changed less than this before it was read may have changed again within the clock's step."""
MASS_DELETION = 0.5


@dataclass(frozen=True, slots=True)
class Found:
    """A file as the folder has it now."""

    path: str
    size: int
    mtime: int
    inode: int

    @property
    def as_json(self) -> Json:
        return {"path": self.path, "size": self.size, "mtime": self.mtime, "inode": self.inode}

    def same_as(self, source: Json) -> bool:
        """True when the stored stat proves that the content is what was read."""
        return (self.size, self.mtime, self.inode) == (
            source.get("size"),
            source.get("mtime"),
            source.get("inode"),
        ) and source.get("read", 0) - self.mtime > SETTLED_NS


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What a run would do. `moved` pairs a new file with the document of the path that it left."""

    new: tuple[Found, ...] = ()
    changed: tuple[Found, ...] = ()
    moved: tuple[tuple[Found, Memory], ...] = ()
    gone: tuple[Memory, ...] = ()
    unchanged: int = 0
    passed_over: tuple[tuple[str, str], ...] = ()

    @property
    def to_read(self) -> list[Found]:
        return [*self.new, *self.changed, *(found for found, _ in self.moved)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    plan: Plan
    outcomes: tuple[Outcome, ...]
    removed: tuple[str, ...] = ()

    @property
    def failed(self) -> list[Outcome]:
        return [o for o in self.outcomes if o.status is Status.FAILED]


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Handed to the caller for each file, once what it brought is durable."""

    done: int
    total: int
    outcome: Outcome


@dataclass(slots=True)
class _Scan:
    files: list[Found] = field(default_factory=list)
    passed_over: list[tuple[str, str]] = field(default_factory=list)


def scan(roots: Sequence[Path]) -> _Scan:
    """Every regular file below the roots, once; hidden names and links are passed over, links with their reason."""
    result = _Scan()
    seen: set[tuple[int, int]] = set()
    for root in roots:
        if not root.exists():
            raise Invalid(f"nothing to index at {root}: it does not exist")
        for path in [root] if root.is_file() else _walk(root, result):
            info = path.lstat() if path != root else path.stat()
            if stat.S_ISLNK(info.st_mode):
                result.passed_over.append((str(path), "it is a symbolic link"))
            elif not stat.S_ISREG(info.st_mode):
                result.passed_over.append((str(path), "it is not a regular file"))
            elif (info.st_dev, info.st_ino) not in seen or not info.st_ino or info.st_nlink > 1:
                seen.add((info.st_dev, info.st_ino))
                result.files.append(Found(path.as_posix(), info.st_size, info.st_mtime_ns, info.st_ino))
    return result


def _walk(root: Path, result: _Scan) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        result.passed_over.append((str(error.filename), f"the folder cannot be read: {error.strerror}"))

    for folder, folders, names in os.walk(root, onerror=unreadable):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _below(path: str, roots: Sequence[str]) -> bool:
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


async def plan(parts: Parts, bank_id: str, paths: Sequence[Path]) -> Plan:
    """What indexing these paths would do; nothing is written."""
    roots = [p.expanduser().resolve() for p in paths]
    found = await asyncio.to_thread(scan, roots)
    stored: dict[str, Memory] = {}
    if await parts.banks.get(bank_id):
        documents = await parts.records.find(Filter(bank=bank_id, kinds=(Kind.DOCUMENT,), expired=True), limit=2**31)
        stored = {m.data["source"]["path"]: m for m in documents if (m.data.get("source") or {}).get("path")}
    here = {f.path for f in found.files}
    below = [r.as_posix() for r in roots]
    gone = {path: m for path, m in stored.items() if path not in here and _below(path, below)}
    left = {
        (m.data["source"]["inode"], m.data["source"]["size"], m.data["source"]["mtime"]): p for p, m in gone.items()
    }
    new, changed, moved, unchanged = [], [], [], 0
    for file in found.files:
        known = stored.get(file.path)
        if known is not None:
            if file.same_as(known.data["source"]):
                unchanged += 1
            else:
                changed.append(file)
        elif origin := left.pop((file.inode, file.size, file.mtime), None):
            moved.append((file, gone.pop(origin)))
        else:
            new.append(file)
    return Plan(
        new=tuple(new),
        changed=tuple(changed),
        moved=tuple(moved),
        gone=tuple(gone.values()),
        unchanged=unchanged,
        passed_over=tuple(found.passed_over),
    )


def check_prune(todo: Plan) -> None:
    """Conflict when pruning would take away more than half: an unmounted folder looks just like an emptied one."""
    stored = len(todo.gone) + len(todo.changed) + len(todo.moved) + todo.unchanged
    if todo.gone and len(todo.gone) > stored * MASS_DELETION:
        raise Conflict(
            f"{len(todo.gone)} of {stored} indexed files are gone; if that is meant, prune again with force,"
            " if not, check that the folder is there and mounted"
        )


async def index(
    parts: Parts,
    bank_id: str,
    todo: Plan,
    *,
    prune: bool = False,
    force: bool = False,
    tags: Sequence[str] = (),
    progress: Callable[[Progress], None] | None = None,
) -> Report:
    """Carries a plan out. Each file ends in one outcome, and one bad file does not stop the rest."""
    if prune and not force:
        check_prune(todo)
    bank = await ensure_bank(parts, bank_id)
    files = todo.to_read
    outcomes: dict[int, Outcome] = {}

    def done(number: int, outcome: Outcome) -> None:
        outcomes[number] = outcome
        if progress:
            progress(Progress(done=len(outcomes), total=len(files), outcome=outcome))

    commits = Commits(parts, bank, done)
    queue = iter(enumerate(files))

    async def worker() -> None:
        for number, file in queue:
            await commits.add(number, await _read(parts, bank, file, tags))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(len(files), parts.settings.parse_workers)):
            group.create_task(worker())
    await commits.flush()
    ended = [outcomes[number] for number in range(len(files))]
    kept = {o.item for o in ended if o.status is not Status.FAILED}
    doomed = [m for file, m in todo.moved if file.path in kept]
    doomed += todo.gone if prune else ()
    if doomed:
        await delete(parts, bank_id, [m.id for m in doomed])
    return Report(plan=todo, outcomes=tuple(ended), removed=tuple(m.data["source"]["path"] for m in doomed))


async def _read(parts: Parts, bank: Bank, file: Found, tags: Sequence[str]) -> Ready:
    most = Limits().file_bytes
    if file.size > most:
        reason = f"too_large; it has {file.size:,} bytes, and at most {most:,} are read"
        return Ready(outcome=Outcome(item=file.path, status=Status.SKIPPED, reason=reason))
    try:
        data = await asyncio.to_thread(Path(file.path).read_bytes)
    except OSError as error:
        reason = f"it cannot be read: {error.strerror}"
        return Ready(outcome=Outcome(item=file.path, status=Status.FAILED, reason=reason))
    item = Item(
        content=File(name=file.path, data=data),
        document=file.path,
        tags=tuple(tags),
        source={**file.as_json, "read": time.time_ns()},
    )
    return await read_item(parts, bank, item)
