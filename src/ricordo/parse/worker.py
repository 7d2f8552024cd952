"""The worker: a process that reads one file after another and says what was in them.

Started as `python -m ricordo.parse.worker FOLDER`; orders come on stdin and answers leave on stdout, see `wire`. What
libraries print goes nowhere near the answers.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from ricordo.parse import wire
from ricordo.parse.opening import Order, failed, open_file
from ricordo.parse.readers import BY_KIND
from ricordo.parse.sandbox import Watch, confine, let_reserve, memory_in_use, ration
from ricordo.types import Parsed, ParseStatus

_ORDER_BYTES = 1 << 32
_LOG_LINES, _LOG_CHARACTERS = 20, 4_000


class _Kept(logging.Handler):
    """Log records of one file, to be handed to the parent, who has handlers."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if len(self.lines) < _LOG_LINES:
            self.lines.append(self.format(record)[:_LOG_CHARACTERS])


def main() -> None:
    folder = Path(sys.argv[1])
    tempfile.tempdir = str(folder)
    orders, answers = _own_pipes()
    kept = _Kept()
    logging.getLogger().addHandler(kept)
    confine()
    watch = Watch(folder)
    try:
        while True:
            try:
                head, data = wire.receive(orders, _ORDER_BYTES)
            except wire.WireError:
                return
            _answer(answers, wire.order_from_json(head), data, watch, kept)
            _empty(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent, moved out of the way of whatever reads stdin or prints."""
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return orders, answers


def _answer(answers: BinaryIO, order: Order, data: bytes, watch: Watch, kept: _Kept) -> None:
    def before(kind: str) -> None:
        if BY_KIND[kind].reserves:
            let_reserve(order.limits)

    kept.lines.clear()
    ration(order.limits)
    watch.start(order.limits)
    try:
        head = wire.parsed_to_json(_fairly(open_file(data, order, before), order))
    except MemoryError:
        reason = f"{order.name!r} needs more memory than a file may use"
        head = wire.parsed_to_json(failed(ParseStatus.TOO_LARGE, reason))
    finally:
        watch.stop()
    wire.send(answers, {**head, "memory": memory_in_use(), "log": kept.lines})


def _fairly(parsed: Parsed, order: Order) -> Parsed:
    """A library that ran out of memory often calls the file damaged; it is too large."""
    if parsed.status is ParseStatus.DAMAGED and memory_in_use() > order.limits.memory_bytes * 0.8:
        reason = f"{order.name!r} needs more than {order.limits.memory_bytes} bytes of memory"
        return replace(parsed, status=ParseStatus.TOO_LARGE, warnings=(reason, *parsed.warnings))
    return parsed


def _empty(folder: Path) -> None:
    for left in folder.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
