import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("indexing_process.py")
NAMES = ("heron", "otter", "badger", "falcon", "lynx", "viper", "walrus", "gecko", "puffin", "mantis", "ibex", "tapir")


def start(data, folder):
    return subprocess.Popen([sys.executable, SCRIPT, data, folder], stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("documents")
    words = random.Random(7)
    for name in NAMES:
        body = "\n\n".join(
            f"## 第{part}节 Part {part}\n\n"
            + " ".join(words.choice(["河流", "bridge", "茶叶", "ledger"]) for _ in range(60))
            for part in range(12)
        )
        (made / f"{name}.md").write_text(f"# {name}\n\n{body}\n", "utf-8")
    return made


def check(data, folder):
    process = start(data, folder)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    result = json.loads(out.splitlines()[-1])
    assert result["texts"] == {p.name: p.read_text("utf-8") for p in folder.iterdir()}
    assert result["ids"]
    assert all([Path(path).name for path in c] == [name] for name, c in result["words"].items())
    done, total, waiting = result["covered"]
    assert done == total > 100
    assert waiting == 0
    assert result["wrong"] == []


@pytest.fixture(scope="module")
def length(folder, tmp_path_factory):
    """How long a run takes from its being ready to its end."""
    process = start(tmp_path_factory.mktemp("whole") / "data", folder)
    assert process.stdout.readline() == "ready\n"
    began = time.monotonic()
    process.communicate(timeout=120)
    return time.monotonic() - began


def kill_once(seed, data, folder, length):
    """Kills a run at its seeded point; True when it was still running."""
    process = start(data, folder)
    assert process.stdout.readline() == "ready\n"
    time.sleep(random.Random(seed).uniform(0, 0.8 * length))
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    return alive


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("seed", range(3))
def test_a_killed_run_is_finished_by_the_next(seed, tmp_path, folder, length):
    kill_once(seed, tmp_path / "data", folder, length)
    check(tmp_path / "data", folder)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_no_kill_at_any_of_a_hundred_points_loses_or_doubles_anything(tmp_path, folder, length):
    killed = 0
    for seed in range(100):
        killed += kill_once(seed, tmp_path / str(seed), folder, length)
        check(tmp_path / str(seed), folder)
    assert killed > 70
