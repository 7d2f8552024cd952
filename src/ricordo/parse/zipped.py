"""Archives: every file inside, read by its own reader, under limits that are counted while inflating."""

from __future__ import annotations

import re
from dataclasses import replace

from ricordo.parse.decode import decode
from ricordo.parse.nested import Children, safe_name
from ricordo.parse.outcome import finish, locked, reader
from ricordo.parse.package import Entry, EntryError, Package
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import Parsed, ParseStatus

_NOISE = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._[^/]*$)", re.IGNORECASE)
_METHODS = (0, 8)
_MAX_BOMBS = 8


@reader
def read(data: bytes, job: Job) -> Parsed:
    """The files in the archive's order. One that cannot be read is a warning, and the rest is kept."""
    package = Package(data, job.limits)
    names = _names(package.entries)
    wanted = [
        (name, e) for name, e in zip(names, package.entries, strict=True) if not e.folder and not _NOISE.search(name)
    ]
    if wanted and all(entry.encrypted for _, entry in wanted):
        raise locked(job)
    children = Children(job=job)
    warnings = _read_all(data, package, wanted, children)
    partial = bool(warnings) or not children.complete
    result = finish(children.blocks, job, warnings=(*warnings, *children.warnings), partial=partial)
    return result if result.blocks else replace(result, status=_why_nothing(children.statuses, warnings))


def _read_all(data: bytes, package: Package, wanted: list[tuple[str, Entry]], children: Children) -> list[str]:
    """What was left out or repaired."""
    limits = children.job.limits
    warnings = list(package.warnings)
    ceiling = min(limits.inflated_bytes, max(limits.ratio_floor_bytes, limits.ratio * len(data)))
    inflated = bombs = 0
    for name, entry in wanted:
        seen = len(package.warnings)
        try:
            content = _inflated(package, entry, ceiling - inflated)
        except EntryError as error:
            warnings.append(f"{name}: {error}")
            continue
        except Exceeded as error:
            children.statuses.append(ParseStatus.TOO_LARGE)
            warnings.append(f"{name}: {error}; it was left out")
            bombs += 1
            if bombs == _MAX_BOMBS:
                return [*warnings, "too many entries go beyond the limits; the rest was left out"]
            package = Package(data, limits)  # one that counts from nothing
            continue
        warnings += package.warnings[seen:]
        inflated += len(content)
        children.add(name, content)
        if children.full:
            break
    return warnings


def _why_nothing(statuses: list[ParseStatus], warnings: list[str]) -> ParseStatus:
    """The status of an archive that gave no text: what most of its files ended with."""
    told = [status for status in statuses if status is not ParseStatus.EMPTY]
    if told:
        return max(set(told), key=lambda status: (told.count(status), status))
    return ParseStatus.DAMAGED if warnings else ParseStatus.EMPTY


def _inflated(package: Package, entry: Entry, left: int) -> bytes:
    if entry.encrypted:
        raise EntryError("it is encrypted; take it out with its password and add it by itself")
    if entry.method not in _METHODS:
        raise EntryError(f"compression method {entry.method} is not supported; pack it with Deflate")
    content = package.inflate(entry)
    if len(content) > left:
        raise Exceeded("with this entry the archive inflates beyond its limits")
    return content


def _names(entries: list[Entry]) -> list[str]:
    """Names by their flag, else in one charset for all of them: together they tell more than each alone."""
    unflagged = [entry.raw for entry in entries if not entry.utf8]
    told = decode(b"\n".join(raw.replace(b"\n", b"_") for raw in unflagged)).text.split("\n")
    if len(told) != len(unflagged):
        told = [decode(raw).text for raw in unflagged]
    remaining = iter(told)
    return [safe_name(entry.raw.decode("utf-8", "replace") if entry.utf8 else next(remaining)) for entry in entries]
