"""The learning assistant: its sample run, and its page driven over loopback."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hello_agents.memory.engine import close_engines

ROOT = Path(__file__).parents[2]
PDF = str(ROOT / "src/ricordo/samples/harvest-report-2025.pdf")
FOLDER = ROOT / "examples/learning_assistant"


def module(name):
    spec = importlib.util.spec_from_file_location(f"learning_{name}", FOLDER / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(autouse=True)
def _offline(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RICORDO_EMBEDDER", "hash")
    for name in ("LLM_API_KEY", "LLM_BASE_URL", "OPENAI_API_KEY", "EMBED_BASE_URL", "EMBED_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield
    close_engines()


@pytest.fixture
def assistant(tmp_path):
    return module("assistant").PDFLearningAssistant(user_id="test_user")


def test_a_question_before_any_document_is_a_warning_and_not_counted(assistant):
    assert assistant.ask("春茶哪天开采？").startswith("⚠️ 请先加载文档")
    assert assistant.get_stats()["提问次数"] == 0


def test_the_sample_run_loads_asks_notes_recalls_counts_and_reports(assistant, tmp_path):
    loaded = assistant.load_document(PDF)
    assert loaded["success"] is True
    assert re.search(r"《harvest-report-2025\.pdf》，耗时 \d+\.\d 秒", loaded["message"])
    answer = assistant.ask("春茶哪天开采？")
    assert "3月17日" in answer
    assert "harvest-report-2025.pdf" in answer
    assert assistant.add_note("炒茶的锅温是180度", concept="炒制").startswith("✅")
    assert "炒茶的锅温是180度" in assistant.recall("锅温")
    assert assistant.get_stats() == {
        "会话时长": assistant.get_stats()["会话时长"],
        "加载文档": 1,
        "提问次数": 1,
        "学习笔记": 1,
        "当前文档": "harvest-report-2025.pdf",
    }
    report = assistant.generate_report()
    saved = json.loads((tmp_path / f"learning_report_{assistant.session_id}.json").read_text("utf-8"))
    assert saved == report
    assert saved["learning_metrics"] == {"documents_loaded": 1, "questions_asked": 1, "concepts_learned": 1}
    assert saved["rag_status"].startswith("📊 **RAG 知识库统计**")
    assert saved["memory_summary"].startswith("📊 记忆系统摘要")
    written = Path(saved["markdown_file"]).read_text("utf-8")
    assert "| 提问次数 | 1 |" in written


def test_a_document_that_cannot_be_read_is_not_counted(assistant):
    loaded = assistant.load_document("missing.pdf")
    assert (loaded["success"], loaded["message"]) == (False, "加载失败: ❌ 文件不存在: missing.pdf")
    assert assistant.get_stats()["加载文档"] == 0
    assert assistant.get_stats()["当前文档"] == "未加载"


def test_answers_are_remembered_also_by_the_next_assistant_of_the_same_user(assistant):
    assistant.load_document(PDF)
    assistant.ask("春茶哪天开采？")
    close_engines()
    again = module("assistant").PDFLearningAssistant(user_id="test_user")
    assert "关于“春茶哪天开采？”的学习" in again.recall("春茶 开采")
    other = module("assistant").PDFLearningAssistant(user_id="someone_else")
    assert "春茶" not in other.recall("开采 学习").partition("'")[2].partition("'")[2]


@pytest.fixture
def page(tmp_path):
    pytest.importorskip("gradio", reason="the page needs the extra assistant (gradio)")
    pytest.importorskip("gradio_client")
    environ = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1", "NO_PROXY": "127.0.0.1"}
    script = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import page\n"
        f"_, url, _ = page.launch({str(tmp_path / 'data')!r}, prevent_thread_lock=True, quiet=True)\n"
        "print('URL', url, flush=True); sys.stdin.read()\n"
    )
    log = (tmp_path / "page.log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env=environ,
    )
    try:
        url = next((line.split()[1] for line in server.stdout if line.startswith("URL")), None)
        assert url, (tmp_path / "page.log").read_text()
        yield url
    finally:
        server.stdin.close()
        server.wait(20)
        server.stdout.close()
        log.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_the_page_serves_each_visitor_an_assistant_of_their_own(page):
    from gradio_client import Client, handle_file

    assert page.startswith("http://127.0.0.1:")
    alice, bob = Client(page, verbose=False), Client(page, verbose=False)
    assert alice.predict(None, api_name="/load") == "⚠️ 请先选择一个 PDF 文件。"
    assert "加载成功" in alice.predict(handle_file(PDF), api_name="/load")
    talk, cleared = alice.predict("春茶哪天开采？", [], api_name="/ask")
    assert cleared == ""
    assert "3月17日" in str(talk)
    assert "请先加载文档" in str(bob.predict("春茶哪天开采？", [], api_name="/ask"))
    assert alice.predict("锅温180度", "炒制", api_name="/note").startswith("✅")
    assert "锅温180度" in alice.predict("锅温", api_name="/recall")
    assert "180度" not in bob.predict("锅温", api_name="/recall")
    assert alice.predict(api_name="/stats")["学习笔记"] == 1
    assert bob.predict(api_name="/stats")["学习笔记"] == 0
    text, files = alice.predict(api_name="/report")
    assert "| 学习笔记 | 1 |" in str(text)
    assert sorted(Path(f).suffix for f in files) == [".json", ".md"]
