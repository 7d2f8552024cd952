"""The lines in which the tool `rag` answers, and the parameters that it declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hello_agents.memory.rag.answer import source_of
from hello_agents.memory.rag.library import Found
from hello_agents.memory.rag.ranking import content_of
from ricordo.types import Memory

CHUNK_SIZE, CHUNK_OVERLAP = 800, 100
SHOWN = 200

PARAMETERS = (
    ("action", "string", "操作：add_document, add_text, ask, search, list, stats, update, delete, clear", True, None),
    (
        "file_path",
        "string",
        "add_document、update：文档的路径（PDF、Word、Excel、PPT、网页、文本、图片、音频等）",
        False,
        None,
    ),
    ("text", "string", "add_text、update：要保存的文本", False, None),
    ("question", "string", "ask：要回答的问题", False, None),
    ("query", "string", "search：要查找的内容", False, None),
    ("document_id", "string", "文档的名称；再次添加同名文档即替换；update、delete 用它指明文档", False, None),
    ("namespace", "string", "知识库的命名空间；不填则用工具自己的", False, None),
    ("limit", "integer", "最多返回多少条", False, 5),
    ("min_score", "number", "search：低于此分数的结果不返回", False, 0.1),
    ("include_citations", "boolean", "是否给出来源", False, True),
    ("enable_advanced_search", "boolean", "是否让语言模型改写问题、假设答案，以便找到更多", False, None),
    ("chunk_size", "integer", "每个分块最多多少个词元", False, CHUNK_SIZE),
    ("chunk_overlap", "integer", "相邻分块重叠多少个词元", False, CHUNK_OVERLAP),
    ("confirm", "boolean", "clear：确认清空", False, False),
)
"""name, type, description, required, default"""


def hit_lines(hits: Sequence[Found], *, headings: bool) -> list[str]:
    lines = []
    for number, found in enumerate(hits, 1):
        lines += ["", f"{number}. 文档: **{source_of(found)}** (相似度: {found['score']:.3f})"]
        lines.append(f"   {' '.join(content_of(found).split())[:SHOWN]}...")
        if headings and (path := found["metadata"].get("heading_path")):
            lines.append(f"   章节: {path}")
    return lines


def reference_line(number: int, found: Found) -> str:
    score = found["score"]
    mark = "🟢" if score > 0.8 else "🟡" if score > 0.6 else "🔵"
    return f"{mark} [{number}] {source_of(found)} (相似度: {score:.3f})"


def nothing_found(question: str) -> str:
    hints = ("换一种说法再问", "确认相关文档已添加到这个命名空间", "用更具体的词语提问")
    return f"🤔 抱歉，知识库中没有找到与「{question}」相关的内容。\n" + "\n".join(f"• {hint}" for hint in hints)


def about(document: Memory, chunks: int) -> dict[str, Any]:
    names = ("document_id", "source_path", "parser", "metadata")
    told = {name: document.data.get(name) for name in names}
    return {"id": document.id, "name": document.data["source_name"], "title": document.text, "chunks": chunks, **told}


def stats_lines(found: dict[str, Any], path: str, llm: str) -> list[str]:
    return [
        "📊 **RAG 知识库统计**",
        f"📝 命名空间: {found['rag_namespace']}",
        f"📋 集合名称: {found['collection_name']}",
        f"📂 存储根路径: {path}",
        "📦 存储类型: ricordo（本地 SQLite）",
        f"📊 文档分块数: {found['points_count']}",
        f"🔢 向量维度: {found['config']['vector_size'] or '无（仅按词语检索）'}",
        f"📎 距离度量: {found['config']['distance']}",
        "",
        "🟢 **系统状态**",
        "✅ RAG 管道: 正常",
        f"✅ LLM 连接: {llm}",
    ]
