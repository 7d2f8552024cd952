"""Index folders: scan, compare with what is stored, plan, then do; unchanged files cost a stat."""

from __future__ import annotations

import asyncio
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from ricordo.engine.commits import Commits
from ricordo.engine.edit import delete
from ricordo.engine.parts import Parts, ensure_bank
from ricordo.engine.reading import Ready
from ricordo.engine.reading import _recipe as recipe_of
from ricordo.engine.retain import read_item
from ricordo.errors import Conflict, Invalid, NotFound
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
        read = source.get("read")
        settled = isinstance(read, int) and read - self.mtime > SETTLED_NS
        return settled and _stat_of(source) == (self.inode, self.size, self.mtime)


def _stat_of(source: Json) -> tuple[object, object, object]:
    return source.get("inode"), source.get("size"), source.get("mtime")


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What a run would do. `moved` pairs a new file with the document of the path that it left."""

    new: tuple[Found, ...] = ()
    changed: tuple[Found, ...] = ()
    moved: tuple[tuple[Found, Memory], ...] = ()
    gone: tuple[Memory, ...] = ()
    same: tuple[tuple[Found, Memory], ...] = ()
    passed_over: tuple[tuple[str, str], ...] = ()

    @property
    def unchanged(self) -> int:
        return len(self.same)

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
            try:
                info = path.lstat() if path != root else path.stat()
            except OSError as error:
                result.passed_over.append((str(path), f"it cannot be read: {error.strerror}"))
                continue
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
        stored = {path: m for m in documents if (path := _path_of(m))}
    here = {f.path for f in found.files}
    below = [r.as_posix() for r in roots]
    gone = {path: m for path, m in stored.items() if path not in here and _below(path, below)}
    left: dict[object, str] = {_stat_of(m.data["source"]): p for p, m in gone.items()}
    new, changed, moved, same = [], [], [], []
    for file in found.files:
        known = stored.get(file.path)
        if known is not None:
            if file.same_as(known.data["source"]):
                same.append((file, known))
            else:
                changed.append(file)
        elif origin := left.pop((file.inode, file.size, file.mtime), None):
            moved.append((file, gone.pop(origin)))
        else:
            new.append(file)
    todo = Plan(
        new=tuple(new),
        changed=tuple(changed),
        moved=tuple(moved),
        gone=tuple(gone.values()),
        same=tuple(same),
        passed_over=tuple(found.passed_over),
    )
    return _with_recipe(parts, todo, None)


def _path_of(document: Memory) -> str | None:
    source = document.data.get("source")
    path = source.get("path") if isinstance(source, dict) else None
    return path if isinstance(path, str) else None


def _with_recipe(parts: Parts, todo: Plan, tags: Sequence[str] | None) -> Plan:
    """The plan with those files read again that other settings, or other tags than each has, read otherwise."""
    same, changed = [], list(todo.changed)
    for file, known in todo.same:
        item = Item(content="", tags=known.tags if tags is None else tuple(tags))
        if known.data.get("recipe") == recipe_of(parts, item):
            same.append((file, known))
        else:
            changed.append(file)
    return replace(todo, same=tuple(same), changed=tuple(changed))


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
    todo = _with_recipe(parts, todo, tags)
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
    for memory in doomed:
        with suppress(NotFound):  # another process took it away first
            await delete(parts, bank_id, [memory.id])
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
