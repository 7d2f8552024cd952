"""Tesseract as a program of its own: picture in by a pipe, words with boxes out by a pipe, no file left behind."""

from __future__ import annotations

import io
import math
import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, median

from PIL import Image, ImageFilter, ImageOps

from ricordo.parse.ocr import OcrFailed, Seen, in_chinese
from ricordo.parse.pdf_layout import Word

_ROTATE = re.compile(rb"Rotate: (\d+)")
_TRUST = re.compile(rb"Orientation confidence: ([\d.]+)")
_CERTAIN = 2.0
"""Orientation confidence from which tesseract is believed."""
_FAIR = 75.0
"""Trust below which the picture is looked at again in other ways."""
_DOUBTFUL = 65.0
"""Trust below which the picture may lie on its side."""
_NOISE = 15.0
_SMALL = 1_000
_SPARSE = 11
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
        os.putenv("OMP_THREAD_LIMIT", "1")  # its threads wait for each other in busy loops: twice the CPU, no gain
        try:
            told = subprocess.run(  # noqa: S603  found on the PATH, no shell
                [program, "--list-langs"], capture_output=True, check=True, timeout=30, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError):
            return None
        languages = frozenset(told.stdout.decode("utf-8", "replace").split("\n")[1:]) - {""}
        return cls(program, languages) if languages - {"osd"} else None

    def read(self, picture: Image.Image, languages: str, seconds: float) -> Seen:
        end = time.monotonic() + seconds
        chosen = self._choose(languages)
        grey = ImageOps.autocontrast(picture.convert("L"))
        scale = 2 if max(grey.size) < _SMALL else 1
        if scale > 1:
            grey = grey.resize((grey.width * scale, grey.height * scale), Image.Resampling.BICUBIC)
        turn = self._orientation(grey, seconds)
        best = _seen(self._marks(grey, turn, chosen, 3, seconds), turn, scale)
        for again, mode, smooth in _attempts(turn):
            if best.trust >= (_FAIR if again == best.turned else _DOUBTFUL) or end <= time.monotonic():
                break
            other = grey.filter(ImageFilter.MedianFilter(3)) if smooth else grey
            seen = _seen(self._marks(other, again, chosen, mode, end - time.monotonic()), again, scale)
            if seen.worth > best.worth:
                best = seen
        return best

    def _choose(self, languages: str) -> str:
        """The languages asked for that are installed; all that are, where none is."""
        there = [language for language in languages.split("+") if language in self._languages]
        return "+".join(there or sorted(self._languages - {"osd"}))

    def _orientation(self, grey: Image.Image, seconds: float) -> int:
        """By how much the picture must be turned counter-clockwise to stand upright, 0 where tesseract is not sure."""
        if "osd" not in self._languages:
            return 0
        small = grey.copy()
        small.thumbnail((1600, 1600))
        try:
            told = self._run(small, ["--psm", "0", "-l", "osd"], seconds)
        except OcrFailed:
            return 0
        rotate, trust = _ROTATE.search(told), _TRUST.search(told)
        if not rotate or not trust or float(trust[1]) < _CERTAIN:
            return 0
        return -int(rotate[1]) % 360

    def _marks(self, grey: Image.Image, turn: int, languages: str, mode: int, seconds: float) -> list[_Mark]:
        upright = grey.rotate(turn, expand=True) if turn else grey
        told = self._run(upright, ["-l", languages, "--psm", str(mode), "tsv"], seconds).decode("utf-8", "replace")
        marks = []
        for row in told.splitlines()[1:]:
            cells = row.split("\t")
            if len(cells) == 12 and cells[0] == _WORD_LEVEL and cells[11].strip() and float(cells[10]) > _NOISE:
                left, top, width, height = map(float, cells[6:10])
                marks.append(
                    _Mark(tuple(cells[1:5]), left, top, left + width, top + height, float(cells[10]), cells[11].strip())
                )
        return marks

    def _run(self, picture: Image.Image, arguments: list[str], seconds: float) -> bytes:
        if seconds <= 0:
            raise OcrFailed("no time is left for OCR")
        raw = io.BytesIO()
        picture.save(raw, "PPM")
        try:
            done = subprocess.run(  # noqa: S603  our own words only, no shell; the picture goes through a pipe
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


def _attempts(turn: int) -> list[tuple[int, int, bool]]:
    """What else to try: (turn, tesseract's segmentation mode, smoothed), the likeliest first."""
    others = [(turn + by) % 360 for by in (180, 90, 270)]
    return [(turn, 3, True), (turn, _SPARSE, False), *((other, 3, False) for other in others)]


def _seen(marks: list[_Mark], turn: int, scale: int) -> Seen:
    letters = sum(len(mark.text) for mark in marks)
    trust = sum(mark.trust * len(mark.text) for mark in marks) / max(letters, 1)
    words = [
        word._replace(
            left=word.left / scale,
            top=word.top / scale,
            right=word.right / scale,
            bottom=word.bottom / scale,
            size=word.size / scale,
        )
        for word in _words(marks)
    ]
    return Seen(words, turn, trust)


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
        before = ""
        for mark in line:
            text = in_chinese(before + mark.text)[len(before) :]
            before = text[-1]
            words.append(Word(text, mark.left, level - height / 2, mark.right, level + height / 2, 0.9 * size))
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
