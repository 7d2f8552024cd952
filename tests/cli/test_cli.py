import json
import os
import subprocess
import sys

import pytest

RICORDO = [sys.executable, "-c", "from ricordo.cli import main; main()"]


@pytest.fixture
def ricordo(tmp_path):
    """Runs the command line in a process of its own, in an empty folder."""

    def run(*words, code=0, env=None, stdin=None, parse=False):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("RICORDO_")}
        done = subprocess.run(
            [*RICORDO, "--data", str(tmp_path / "data"), "--embedder", "hash", *(["--json"] if parse else []), *words],
            capture_output=True,
            encoding="utf-8",
            env={**clean, **(env or {})},
            input=stdin,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return json.loads(done.stdout) if parse else done.stdout + done.stderr

    return run


def test_a_remark_goes_in_and_comes_out(ricordo):
    assert "stored" in ricordo("add", "我喜欢喝咖啡", "--tag", "habit")
    assert "我喜欢喝咖啡" in ricordo("search", "咖啡")
    assert "merged" in ricordo("add", "我喜欢喝咖啡")
    found = ricordo("search", "咖啡", parse=True)
    assert found["hits"][0]["memory"]["tags"] == ["habit"]
    assert found["coverage"] == {"done": 1, "total": 1, "model": "hash-384"}
    assert "stored" in ricordo("add", "-", stdin="from standard input")


def test_a_folder_is_indexed_listed_shown_and_forgotten(ricordo, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "birds.md").write_text("# Birds\n\n## Herons\n\nHerons stand in shallow water and wait.\n", "utf-8")
    os.utime(docs / "birds.md", (1, 1))  # one just written might change again within the clock's step
    assert "new      " in ricordo("index", str(docs), "--dry-run")
    assert "no banks" in ricordo("status")
    assert "1 stored" in ricordo("index", str(docs))
    assert "1 unchanged" in ricordo("index", str(docs))
    assert "Birds › Herons" in ricordo("search", "where do herons stand")
    assert "Herons stand in shallow water" in ricordo("ask", "Where do herons stand?")
    (listed,) = ricordo("list", parse=True)
    assert "birds.md" in ricordo("show", listed["id"][:8])
    (docs / "birds.md").unlink()
    assert "are gone" in ricordo("index", str(docs))
    assert "1 of 1 indexed files are gone" in ricordo("index", str(docs), "--prune", code=1)
    assert "1 removed" in ricordo("index", str(docs), "--prune", "--force")
    assert ricordo("list", parse=True) == []


def test_forget_by_id_and_by_criterion(ricordo):
    stored = ricordo("add", "one", "two", "--importance", "0.1", parse=True)
    assert "forgot 1" in ricordo("forget", stored["outcomes"][0]["memories"][0][:8])
    assert "would forget 1" in ricordo("forget", "--below", "0.5", "--dry-run")
    assert ricordo("forget", "--below", "0.5", parse=True) == {"forgotten": 1, "matched": 1}


def test_a_bank_is_exported_and_read_back(ricordo, tmp_path):
    ricordo("add", "to be carried over", "--data", "colour=blue")
    ricordo("export", "-o", str(tmp_path / "bank.jsonl"))
    ricordo("--bank", "other", "import", str(tmp_path / "bank.jsonl"))
    assert "to be carried over" in ricordo("--bank", "other", "search", "carried", "--where", "colour=blue")
    assert "already holds memories" in ricordo("import", str(tmp_path / "bank.jsonl"), code=1)


def test_status_reindex_and_doctor_say_what_is(ricordo):
    ricordo("add", "something")
    assert "1 semantic" in ricordo("status")
    assert "served by words alone" in ricordo("reindex", "--to", "none")
    assert "served by hash-384" in ricordo("reindex", "--to", "hash")
    assert "all well" in ricordo("doctor")


def test_what_was_forgotten_and_vacuumed_leaves_no_byte(ricordo, tmp_path):
    stored = ricordo("add", "the canary sings", "a bystander stays", parse=True)
    ricordo("forget", stored["outcomes"][0]["memories"][0])
    assert "vacuumed" in ricordo("vacuum")
    bytes_kept = b"".join(p.read_bytes() for p in (tmp_path / "data").rglob("*") if p.is_file())
    assert b"canary" not in bytes_kept
    assert b"bystander" in bytes_kept


def test_init_writes_every_setting_and_does_not_overwrite(ricordo, tmp_path):
    ricordo("init")
    text = (tmp_path / "data" / "ricordo.toml").read_text("utf-8")
    assert "# chunk_size = 200" in text
    assert "already there" in ricordo("init", code=1)
    assert "no banks" not in ricordo("status")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["search", "x"], 1, "no bank 'default'"),
        (["index", "nowhere"], 1, "does not exist"),
        (["forget"], 2, "give ids"),
        (["add"], 2, "nothing to add"),
        (["search"], 2, "Missing argument"),
        (["list", "--since", "yesterday"], 2, "not a date"),
        (["forget", "--older-than", "soon"], 2, "not an age"),
        (["--config", "none.toml", "status"], 1, "no configuration file"),
        (["import", "none.jsonl"], 1, "cannot be read"),
        (["--bank", "a/b", "status"], 0, "no banks"),
        (["--bank", "a/b", "list"], 1, "no slash"),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(ricordo, words, code, says):
    assert says in ricordo(*words, code=code)


def test_chinese_comes_through_in_a_gbk_locale(ricordo, tmp_path):
    gbk = {"LC_ALL": "zh_CN.GBK", "PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0"}
    (tmp_path / "笔记.md").write_text("# 会议\n\n下周三上午十点在三号会议室。🙂\n", "utf-8")
    assert "1 stored" in ricordo("index", "笔记.md", env=gbk)
    assert "三号会议室" in ricordo("search", "会议室在哪里", env=gbk)


def test_nothing_needs_the_network(tmp_path):
    code = """
import socket, sys
def refuse(*_, **__): raise AssertionError("a socket was opened")
socket.socket.connect = socket.socket.bind = refuse
socket.getaddrinfo = refuse
from ricordo.cli import main
main()
"""
    for words in (["add", "kept without a network"], ["search", "network"], ["status"]):
        done = subprocess.run(
            [sys.executable, "-c", code, "--data", str(tmp_path), "--embedder", "hash", *words],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_parse_shows_what_would_be_kept(ricordo, tmp_path):
    path = tmp_path / "规定.html"
    path.write_bytes("<h1>报销</h1><p>每晚<b>四百</b>元。</p><script>x()</script>".encode("gbk"))
    assert "# 报销\n\n每晚四百元。" in ricordo("parse", str(path))
    assert "heading" in ricordo("parse", str(path), "--as", "blocks")
    shown = ricordo("parse", str(path), parse=True)
    assert [b["kind"] for b in shown["parsed"]["blocks"]] == ["heading", "paragraph"]
    assert shown["attempts"][0]["parser"] == "native"
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 no more")
    assert "damaged" in ricordo("parse", str(tmp_path / "broken.pdf"), code=1)
    assert "known are" in ricordo("parse", str(path), "--parser", "nobody", code=1)


def test_an_error_of_the_system_is_one_line_and_json_for_programs(ricordo):
    ricordo("add", "something")
    assert "error:" in ricordo("export", "-o", "nowhere/x.jsonl", code=1)
    said = ricordo("--json", "export", "-o", "nowhere/x.jsonl", code=1)
    assert "nowhere" in json.loads(said)["error"]
    assert "calendar" in ricordo("forget", "--older-than", "9999999999w", code=2)


def test_what_is_stored_cannot_steer_the_terminal(ricordo):
    ricordo("add", "a \x1b[31mred\x1b[0m \x07 remark")
    (listed,) = ricordo("list", parse=True)
    for words in (["list"], ["search", "remark"], ["ask", "remark"], ["show", listed["id"]]):
        shown = ricordo(*words)
        assert "remark" in shown
        assert "\x1b" not in shown
        assert "\x07" not in shown
    assert listed["text"] == "a \x1b[31mred\x1b[0m \x07 remark"
