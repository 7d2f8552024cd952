"""A learning assistant: reads a PDF, answers questions about it, and remembers what was asked and noted."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from hello_agents.memory import MemoryConfig
from hello_agents.tools import MemoryTool, RAGTool

NOT_LOADED = "⚠️ 请先加载文档，再提问。"


class PDFLearningAssistant:
    """One learner's assistant. With a language model it answers in its words, without one with passages.

    folder: where memories and documents lie; another assistant of the same user_id goes on with them. reports: where
    reports are written.
    """

    def __init__(self, user_id: str = "default_user", folder: str | Path = ".", reports: str | Path = ".") -> None:
        self.user_id = user_id
        self.session_id = f"session_{datetime.now().astimezone():%Y%m%d_%H%M%S}"
        self.reports = Path(reports)
        self.memory_tool = MemoryTool(
            user_id=user_id, memory_config=MemoryConfig(storage_path=str(Path(folder) / "memory_data"))
        )
        self.rag_tool = RAGTool(
            knowledge_base_path=str(Path(folder) / "knowledge_base"), rag_namespace=f"pdf_{user_id}"
        )
        self.stats = {
            "session_start": datetime.now().astimezone(),
            "documents_loaded": 0,
            "questions_asked": 0,
            "concepts_learned": 0,
        }
        self.current_document: str | None = None

    def load_document(self, pdf_path: str) -> dict[str, Any]:
        """{success, message}, and for a document that was read its name, seconds and chunks."""
        began = time.perf_counter()
        result = self.rag_tool.execute("add_document", file_path=pdf_path, chunk_size=1000, chunk_overlap=200)
        if not result.get("success", False):
            return {"success": False, "message": f"加载失败: {result.get('error', '未知错误')}"}
        seconds = time.perf_counter() - began
        name = Path(pdf_path).name
        self.current_document = name
        self.stats["documents_loaded"] += 1
        self._remember(f"加载了文档《{name}》", "episodic", 0.9, event_type="document_loaded", document=name)
        message = f"加载成功！《{name}》，耗时 {seconds:.1f} 秒，{result['chunks']} 个分块"
        told = {"document": name, "seconds": seconds, "chunks": result["chunks"]}
        return {"success": True, "message": message, **told}

    def ask(self, question: str, use_advanced_search: bool = True) -> str:
        """The answer with its sources; question and answer are remembered."""
        if not question.strip():
            return "⚠️ 请输入问题。"
        if not self.current_document:
            return NOT_LOADED
        self._remember(f"提问: {question}", "working", 0.6, document=self.current_document)
        answer = self.rag_tool.execute(
            "ask", question=question, limit=5, enable_advanced_search=use_advanced_search, include_citations=True
        )
        if answer.get("success"):
            self.stats["questions_asked"] += 1
            said = answer.get("answer") or str(answer)
            self._remember(
                f"关于“{question}”的学习: {said}", "episodic", 0.7, event_type="qa", document=self.current_document
            )
        return str(answer)

    def add_note(self, content: str, concept: str | None = None) -> str:
        """What became of the note, in one line."""
        if not content.strip():
            return "⚠️ 笔记内容不能为空。"
        result = self._remember(content, "semantic", 0.8, concept=concept or "general", event_type="note")
        if result.get("success"):
            self.stats["concepts_learned"] += 1
        return str(result)

    def recall(self, query: str, limit: int = 5) -> str:
        """What was asked, answered and noted before about the query."""
        if not query.strip():
            return "⚠️ 请输入要回顾的内容。"
        return str(self.memory_tool.execute("search", query=query, limit=limit))

    def get_stats(self) -> dict[str, Any]:
        return {
            "会话时长": f"{self._seconds():.0f} 秒",
            "加载文档": self.stats["documents_loaded"],
            "提问次数": self.stats["questions_asked"],
            "学习笔记": self.stats["concepts_learned"],
            "当前文档": self.current_document or "未加载",
        }

    def generate_report(self, save_to_file: bool = True) -> dict[str, Any]:
        """The session in numbers and texts; saved as JSON and as Markdown, whose paths it then holds."""
        report: dict[str, Any] = {
            "session_info": {
                "session_id": self.session_id,
                "user_id": self.user_id,
                "start_time": self.stats["session_start"].isoformat(),
                "duration_seconds": self._seconds(),
            },
            "learning_metrics": {k: v for k, v in self.stats.items() if k != "session_start"},
            "memory_summary": str(self.memory_tool.execute("summary", limit=10)),
            "rag_status": str(self.rag_tool.execute("stats")),
        }
        if save_to_file:
            path = self.reports / f"learning_report_{self.session_id}.json"
            report |= {"report_file": str(path), "markdown_file": str(path.with_suffix(".md"))}
            self.reports.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(report, ensure_ascii=False, indent=2), "utf-8")
            path.with_suffix(".md").write_text(as_markdown(report), "utf-8")
        return report

    def _seconds(self) -> float:
        return (datetime.now().astimezone() - self.stats["session_start"]).total_seconds()

    def _remember(self, content: str, kind: str, importance: float, **metadata: Any) -> Any:
        return self.memory_tool.execute(
            "add",
            content=content,
            memory_type=kind,
            importance=importance,
            session_id=self.session_id,
            **metadata,
        )


def as_markdown(report: Mapping[str, Any]) -> str:
    """A report that people read."""
    session, metrics = report["session_info"], report["learning_metrics"]
    names = {"documents_loaded": "加载文档", "questions_asked": "提问次数", "concepts_learned": "学习笔记"}
    rows = "\n".join(f"| {names[name]} | {metrics[name]} |" for name in names)
    return (
        f"# 学习报告\n\n- 会话: {session['session_id']}\n- 用户: {session['user_id']}\n"
        f"- 开始: {session['start_time']}\n- 时长: {session['duration_seconds']:.0f} 秒\n\n"
        f"| 指标 | 数量 |\n|---|---|\n{rows}\n\n"
        f"## 记忆\n\n```\n{report['memory_summary']}\n```\n\n## 知识库\n\n```\n{report['rag_status']}\n```\n"
    )
