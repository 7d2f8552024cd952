"""Tesseract as a program of its own: picture in by a pipe, words with boxes out by a pipe, no file left behind."""

from __future__ import annotations

import io
import math
import re
import shutil
import subprocess
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, median
from typing import TYPE_CHECKING

from ricordo.parse.ocr import OcrFailed, Seen
from ricordo.parse.pdf_layout import Word

if TYPE_CHECKING:
    from PIL.Image import Image

_ROTATE = re.compile(rb"Rotate: (\d+)")
_TRUST = re.compile(rb"Orientation confidence: ([\d.]+)")
_SURE = 2.0
_GOOD = 65.0
_NOISE = 15.0
_WORD_LEVEL = "5"


@dataclass(frozen=True, slots=True)
class _Mark:
    """One word as tesseract gives it: its line, its box in pixels, its confidence from 0 to 100."""

    line: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float
    trust: float
    text: str


class Tesseract:
    name = "tesseract"

    def __init__(self, program: str, languages: frozenset[str]) -> None:
        self._program = program
        self._languages = languages

    @classmethod
    def find(cls) -> Tesseract | None:
        """The program on the PATH with its languages, None where it is missing or knows none."""
        program = shutil.which("tesseract")
        if program is None:
            return None
        try:
            told = subprocess.run(
                [program, "--list-langs"], capture_output=True, check=True, timeout=30, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError):
            return None
        languages = frozenset(told.stdout.decode("utf-8", "replace").split("\n")[1:]) - {""}
        return cls(program, languages) if languages - {"osd"} else None

    def read(self, picture: Image, languages: str, seconds: float) -> Seen:
        chosen = self._choose(languages)
        grey = picture.convert("L")
        first = self._orientation(grey, seconds) if "osd" in self._languages else 0
        best = self._marks(grey, first, chosen, seconds)
        best_turn = first
        if not _is_good(best):
            for turn in (180, 90, 270):
                marks = self._marks(grey, (first + turn) % 360, chosen, seconds)
                if _score(marks) > 1.2 * _score(best):
                    best, best_turn = marks, (first + turn) % 360
                if _is_good(best):
                    break
        width, height = grey.size if best_turn in (0, 180) else grey.size[::-1]
        return Seen(_words(best), best_turn, width, height)

    def _choose(self, languages: str) -> str:
        """The languages asked for that are installed; all that are, where none is."""
        there = [language for language in languages.split("+") if language in self._languages]
        return "+".join(there or sorted(self._languages - {"osd"}))

    def _orientation(self, grey: Image, seconds: float) -> int:
        """By how much the picture must be turned counter-clockwise to stand upright, 0 where tesseract is not sure."""
        small = grey.copy()
        small.thumbnail((1600, 1600))
        try:
            told = self._run(small, ["--psm", "0", "-l", "osd"], seconds)
        except OcrFailed:
            return 0
        rotate, trust = _ROTATE.search(told), _TRUST.search(told)
        if not rotate or not trust or float(trust[1]) < _SURE:
            return 0
        return -int(rotate[1]) % 360

    def _marks(self, grey: Image, turn: int, languages: str, seconds: float) -> list[_Mark]:
        upright = grey.rotate(turn, expand=True) if turn else grey
        told = self._run(upright, ["-l", languages, "--psm", "3", "tsv"], seconds).decode("utf-8", "replace")
        marks = []
        for row in told.splitlines()[1:]:
            cells = row.split("\t")
            if len(cells) == 12 and cells[0] == _WORD_LEVEL and cells[11].strip() and float(cells[10]) > _NOISE:
                left, top, width, height = map(float, cells[6:10])
                marks.append(
                    _Mark(tuple(cells[1:5]), left, top, left + width, top + height, float(cells[10]), cells[11].strip())
                )
        return marks

    def _run(self, picture: Image, arguments: list[str], seconds: float) -> bytes:
        if seconds <= 0:
            raise OcrFailed("no time is left for OCR")
        raw = io.BytesIO()
        picture.save(raw, "PPM")
        try:
            done = subprocess.run(
                [self._program, "-", "-", "--dpi", "300", *arguments],
                input=raw.getvalue(),
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise OcrFailed(f"tesseract was stopped after {seconds:.0f} s") from late
        except OSError as error:
            raise OcrFailed(f"tesseract cannot be run: {error}") from error
        if done.returncode:
            reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise OcrFailed(f"tesseract ended with {done.returncode}: {' '.join(reason[-1:])}")
        return done.stdout


def _score(marks: list[_Mark]) -> float:
    return sum(mark.trust * len(mark.text) for mark in marks if mark.trust > 40)


def _is_good(marks: list[_Mark]) -> bool:
    letters = sum(len(mark.text) for mark in marks)
    return letters >= 4 and sum(mark.trust * len(mark.text) for mark in marks) >= _GOOD * letters


def _words(marks: list[_Mark]) -> list[Word]:
    """Words on level lines, though the picture may lie askew."""
    lines = [list(line) for _, line in groupby(marks, key=lambda mark: mark.line)]
    if not lines:
        return []
    slope = _slope(lines)
    usual = median(_height(line) for line in lines for _ in line)
    words: list[Word] = []
    for line in lines:
        level = fmean((mark.top + mark.bottom) / 2 - slope * (mark.left + mark.right) / 2 for mark in line)
        height = _height(line)
        size = usual if 0.7 * usual < height < 1.4 * usual else height
        for mark in line:
            words.append(Word(mark.text, mark.left, level - height / 2, mark.right, level + height / 2, 0.9 * size))
    return words


def _height(line: list[_Mark]) -> float:
    return max(median(sorted(mark.bottom - mark.top for mark in line)[len(line) // 2 :]), 1.0)


def _slope(lines: list[list[_Mark]]) -> float:
    """By how many pixels a line sinks for each pixel that it goes to the right."""
    slopes = []
    for line in lines:
        first, last = line[0], line[-1]
        run = (first.left + first.right) / 2 - (last.left + last.right) / 2
        if len(line) >= 4 and abs(run) > 8 * _height(line):
            slopes.append(((first.top + first.bottom) / 2 - (last.top + last.bottom) / 2) / run)
    slope = median(slopes) if slopes else 0.0
    return slope if abs(slope) < math.tan(math.radians(15)) else 0.0
