"""Whisper models on CTranslate2, the extra `speech`; the model is a folder on this machine, nothing is fetched."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from av.error import FFmpegError
from faster_whisper import WhisperModel, decode_audio

from ricordo.parse.budget import Budget

_RATE = 16_000
_CHINESE_PAD = 1_000
"""Milliseconds kept around Chinese speech: cut closer, Mandarin was seen to come out in traditional signs."""
_SILENT = 0.6
_UNSURE = -1.0


class SoundDamaged(Exception):
    """The bytes hold no sound that can be decoded."""


@dataclass(slots=True)
class Spoken:
    """(start, end, text) of each passage, in seconds. heard: where the time ran out, None at the end of the sound."""

    passages: list[tuple[float, float, str]] = field(default_factory=list)
    heard: float | None = None


@lru_cache(maxsize=1)
def _model(folder: Path) -> WhisperModel:
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1, local_files_only=True)


def transcribe(data: bytes, folder: Path, budget: Budget) -> Spoken:
    """What is said, as far as the budget goes; SoundDamaged when the bytes cannot be decoded."""
    try:
        samples = decode_audio(io.BytesIO(data), sampling_rate=_RATE)
    except (FFmpegError, ValueError, IndexError, OSError) as error:
        raise SoundDamaged(str(error)) from error
    spoken = Spoken()
    if not len(samples):
        return spoken
    hear = partial(_model(folder).transcribe, samples, vad_filter=True, condition_on_previous_text=False)
    passages, about = hear()
    if about.language == "zh":
        passages, _ = hear(language="zh", vad_parameters={"speech_pad_ms": _CHINESE_PAD})
    for passage in passages:
        text = passage.text.strip()
        invented = passage.no_speech_prob > _SILENT and passage.avg_logprob < _UNSURE
        if text and not invented:
            spoken.passages.append((passage.start, passage.end, text))
        if budget.left() <= 0:
            if passage.end < len(samples) / _RATE - 1.0:
                spoken.heard = passage.end
            break
    return spoken
