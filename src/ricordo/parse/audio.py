"""Sound: speech into text by a recogniser on this machine, each passage with its time. Never a web service."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from ricordo.parse.budget import Budget
from ricordo.parse.outcome import PARSER, damaged, finish, reader
from ricordo.parse.reading import Job
from ricordo.parse.sound import Sound, sound_of
from ricordo.types import Block, BlockKind, Parsed, ParseStatus

_PAUSE_SECONDS = 2.0
_LONGEST_SECONDS = 60.0


@reader
def read(data: bytes, job: Job) -> Parsed:
    sound = sound_of(data)
    lacking = _lacking(job)
    if lacking:
        reason = f"{job.name!r} ({sound}) needs transcription: {lacking}"
        return Parsed(parser=PARSER, status=ParseStatus.NEEDS_TRANSCRIPTION, warnings=(reason,))
    from ricordo.parse.speech import SoundDamaged, transcribe

    try:
        spoken = transcribe(data, Path(job.speech_model or ""), Budget(job.limits))
    except SoundDamaged as error:
        raise damaged(f"{job.name!r} ({sound}) cannot be decoded: {error}") from error
    if not spoken.passages:
        reason = f"no speech was heard in {job.name!r} ({sound})"
        return Parsed(parser=PARSER, status=ParseStatus.EMPTY, warnings=(reason,))
    return finish(_blocks(spoken.passages), job, warnings=_notes(sound, spoken.heard), partial=spoken.heard is not None)


def _lacking(job: Job) -> str:
    """What must be installed or given before speech can be read; "" when nothing is missing."""
    if not find_spec("faster_whisper"):
        return "pip install 'ricordo[speech]' and give the folder of a Whisper model for CTranslate2"
    if not job.speech_model:
        return "give the folder of a Whisper model for CTranslate2 (the setting speech_model)"
    if not (Path(job.speech_model) / "model.bin").is_file():
        return f"the folder {job.speech_model!r} holds no model.bin"
    return ""


def _notes(sound: Sound, heard: float | None) -> list[str]:
    notes = [f"transcribed by a speech model from {sound}; names and numbers may be misheard"]
    if heard is not None:
        notes.append(f"only the first {clock(heard)} were transcribed: the time for one file was used up")
    return notes


def _blocks(passages: Iterable[tuple[float, float, str]]) -> list[Block]:
    """Passages as paragraphs, broken at pauses and after a minute; `part` is the time at which each begins and ends."""
    groups: list[list[tuple[float, float, str]]] = []
    for start, end, text in passages:
        fresh = not groups or start - groups[-1][-1][1] > _PAUSE_SECONDS or end - groups[-1][0][0] > _LONGEST_SECONDS
        if fresh:
            groups.append([])
        groups[-1].append((start, end, text))
    return [
        Block(
            kind=BlockKind.PARAGRAPH,
            text=_joined([text for _, _, text in group]),
            part=f"{clock(group[0][0])}-{clock(group[-1][1])}",
        )
        for group in groups
    ]


def _joined(texts: list[str]) -> str:
    """Passages side by side, with a space where a script has one."""
    text = ""
    for passage in texts:
        gap = " " if text and text[-1].isascii() and passage[:1].isascii() else ""
        text += gap + passage
    return text


def clock(seconds: float) -> str:
    """1:02:03, or 02:03 within the first hour."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"
