"""Sound without a recogniser says what it is and what it needs; headers tell its length."""

import io
import struct
import wave
from importlib.util import find_spec

import pytest

from reading_jobs import job
from ricordo.parse import audio
from ricordo.parse.sound import Sound, sound_of
from ricordo.types import ParseStatus


def tone(seconds=2, rate=8000):
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(2 * rate * seconds))
    return out.getvalue()


def flac(seconds=3, rate=44_100):
    packed = (rate << 44) | (1 << 41) | (15 << 36) | (rate * seconds)
    return b"fLaC\x00\x00\x00\x22" + bytes(10) + packed.to_bytes(8, "big") + bytes(16)


def opus(seconds=4):
    first = b"OggS\x00\x02" + struct.pack("<q", 0) + bytes(12) + b"\x01\x13OpusHead" + bytes(11)
    return first + b"OggS\x00\x04" + struct.pack("<q", 48_000 * seconds) + bytes(13)


def movie(seconds=5):
    head = b"\x00\x00\x00\x10ftypM4A \x00\x00\x00\x00"
    return head + b"\x00\x00\x00\x6cmoov" + b"\x00\x00\x00\x64mvhd" + struct.pack(">IIIII", 0, 0, 0, 600, 600 * seconds)


@pytest.mark.parametrize(
    ("data", "sound"),
    [
        (tone(), Sound("WAV", 2.0)),
        (flac(), Sound("FLAC", 3.0)),
        (opus(), Sound("Ogg Opus", 4.0)),
        (movie(), Sound("MP4", 5.0)),
        (b"ID3\x04" + bytes(40), Sound("MP3")),
        (b"fLaC", Sound("FLAC")),
        (b"RIFF\x00\x00\x00\x00WAVE", Sound("WAV")),
        (b"what", Sound("sound")),
    ],
)
def test_format_and_length_come_from_the_header(data, sound):
    assert sound_of(data) == sound


def test_without_a_recogniser_sound_needs_transcription():
    parsed = audio.read(tone(), job("talk.wav", "audio"))
    assert (parsed.status, parsed.blocks) == (ParseStatus.NEEDS_TRANSCRIPTION, ())
    assert "WAV, 2.0 s" in parsed.warnings[0]
    assert "model" in parsed.warnings[0]


@pytest.mark.skipif(not find_spec("faster_whisper"), reason="the extra 'speech' is not installed")
def test_a_folder_without_a_model_is_named(tmp_path):
    parsed = audio.read(tone(), job("talk.wav", "audio", speech_model=str(tmp_path)))
    assert parsed.status is ParseStatus.NEEDS_TRANSCRIPTION
    assert str(tmp_path) in parsed.warnings[0]


def test_passages_become_paragraphs_with_their_times():
    spoken = [(0.0, 3.0, "Good morning."), (3.2, 5.0, "Welcome."), (9.0, 12.0, "大家好。"), (12.1, 75.0, "欢迎。")]
    blocks = audio._blocks(spoken)
    assert [(block.part, block.text) for block in blocks] == [
        ("00:00-00:05", "Good morning. Welcome."),
        ("00:09-00:12", "大家好。"),
        ("00:12-01:15", "欢迎。"),
    ]


@pytest.mark.parametrize(("seconds", "text"), [(0, "00:00"), (75.4, "01:15"), (3725, "1:02:05")])
def test_times_are_written_as_a_clock_shows_them(seconds, text):
    assert audio.clock(seconds) == text
