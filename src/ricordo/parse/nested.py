"""Files inside a file: what a child gave, set under a heading with its name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ricordo.parse.blocks import heading
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import READABLE, Block, BlockKind, Parsed, ParseStatus

_UNFIT = re.compile("[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@dataclass(kw_only=True, slots=True)
class Children:
    """Reads children one by one. After a limit is reached the rest is left out, and said to be."""

    job: Job
    level: int = 1
    blocks: list[Block] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    statuses: list[ParseStatus] = field(default_factory=list)
    full: bool = False

    def add(self, name: str, data: bytes) -> ParseStatus:
        """How the child ended; `full` is set once nothing more may be read."""
        self.statuses.append(self._read(name, data))
        return self.statuses[-1]

    @property
    def complete(self) -> bool:
        return all(status in (ParseStatus.OK, ParseStatus.EMPTY) for status in self.statuses)

    def _read(self, name: str, data: bytes) -> ParseStatus:
        try:
            parsed = self.job.child(name, data)
        except Exceeded as error:
            self.full = True
            self.warnings.append(f"{name}: {error}; it and what follows were left out")
            return ParseStatus.TOO_LARGE
        if parsed.status in READABLE:
            self._set(name, parsed)
            self.warnings += [f"{name}: {warning}" for warning in parsed.warnings]
        else:
            reason = "; ".join(parsed.warnings)
            self.warnings.append(f"{name}: {parsed.status.value.replace('_', ' ')}{': ' if reason else ''}{reason}")
        return parsed.status

    def _set(self, name: str, parsed: Parsed) -> None:
        self.blocks.append(heading(name, self.level, part=name))
        for block in parsed.blocks:
            part = f"{name} > {block.part}" if block.part else name
            level = min(block.level + self.level, 6) if block.kind is BlockKind.HEADING else block.level
            self.blocks.append(replace(block, part=part, level=level))
        last = self.blocks[-1]
        if last.text.endswith("\n") and not last.text.endswith("\n\n"):  # the next child begins after an empty line
            self.blocks[-1] = replace(last, text=f"{last.text}\n")


def safe_name(name: str) -> str:
    """A name to show: no way out of a folder, no drive, no signs that hide or reorder what is read."""
    parts = _UNFIT.sub("", name).replace("\\", "/").split("/")
    kept = [part for part in parts if part not in ("", ".", "..") and not re.fullmatch(r"[A-Za-z]:", part)]
    return "/".join(kept)[-255:] or "unnamed"
