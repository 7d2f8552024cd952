"""The tool `rag`: documents in, passages and answers out, namespace by namespace."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from hello_agents.memory.rag.answer import answered, average, context_of, extract, sources
from hello_agents.memory.rag.expand import expanded
from hello_agents.memory.rag.library import Found, Library, Namespace, cutting, item_of
from hello_agents.memory.rag.llm import Speaker, environment_llm, missing
from hello_agents.memory.rag.pipeline import file_item, pipeline_of
from hello_agents.memory.rag.snippets import merge_snippets
from hello_agents.tools.base import Tool, ToolParameter, tool_action
from hello_agents.tools.dispatch import dispatch, reported
from hello_agents.tools.rag_adding import added, added_many, ms_since, text_items, text_name
from hello_agents.tools.rag_lines import (
    CHUNK_OVERLAP,
    CHUNK_SIZE,
    PARAMETERS,
    about,
    hit_lines,
    nothing_found,
    reference_line,
    stats_lines,
)
from hello_agents.tools.result import ToolResult
from ricordo.errors import Invalid, NotFound, RicordoError
from ricordo.types import Item, Strategy

log = logging.getLogger(__name__)

REWRITES = 2
POOL_PER_RESULT = 4

_ACTIONS = {
    "add_document": "add_document",
    "add_text": "add_text",
    "ask": "ask",
    "search": "search",
    "list": "list_documents",
    "stats": "stats",
    "update": "update_document",
    "delete": "delete_document",
    "clear": "clear",
}


class RAGTool(Tool):
    """Construction never raises: what went wrong is in `init_error`, and every action then says it.

    The data lies in a folder of its own under knowledge_base_path; other files there are never touched. No action needs
    a language model: without one, `ask` answers with passages, word for word.
    """

    def __init__(
        self,
        knowledge_base_path: str = "./knowledge_base",
        qdrant_url: str | None = None,
        qdrant_api_key: str | None = None,
        collection_name: str = "rag_knowledge_base",
        rag_namespace: str = "default",
        *,
        expandable: bool = False,
        llm: Speaker | None = None,
    ) -> None:
        description = "知识库工具：读入各种格式的文档，按内容检索，并依据文档回答问题、注明出处"
        super().__init__("rag", description, expandable)
        self.knowledge_base_path = knowledge_base_path
        self.qdrant_url = qdrant_url
        self.qdrant_api_key = qdrant_api_key
        self.collection_name = collection_name
        self.rag_namespace = rag_namespace
        self.initialized = False
        self.init_error: str | None = None
        self._llm = llm
        self._pipelines: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._naming = threading.Lock()
        try:
            Path(knowledge_base_path).mkdir(parents=True, exist_ok=True)
            self._library = Library(knowledge_base_path, collection_name)
            self._pipelines[rag_namespace] = pipeline_of(self._library, rag_namespace)
            self.initialized = True
            print(f"✅ RAG工具初始化成功: namespace={rag_namespace}, collection={collection_name}")
        except (RicordoError, OSError) as error:
            self.init_error = str(error)
            print(f"❌ RAG工具初始化失败: {error}")

    @property
    def llm(self) -> Any:
        """The one given, else the environment's, made when it is first asked for."""
        if self._llm is None:
            self._llm = environment_llm()
        return self._llm

    @llm.setter
    def llm(self, llm: Any) -> None:
        self._llm = llm

    def run(self, parameters: dict[str, Any] | str | None = None, **more: Any) -> ToolResult:
        """{"action": ..., ...}, or the action's name with its arguments."""
        given = {"action": parameters} if isinstance(parameters, str) else dict(parameters or {})
        return dispatch(self, _ACTIONS, {**given, **more})

    def execute(self, action: str = "", **parameters: Any) -> ToolResult:
        return dispatch(self, _ACTIONS, {"action": action, **parameters})

    def get_parameters(self) -> list[ToolParameter]:
        return [ToolParameter(*row) for row in PARAMETERS]

    def _space(self, namespace: str | None) -> Namespace:
        name = namespace or self.rag_namespace
        with self._lock:
            if name not in self._pipelines:
                self._pipelines[name] = pipeline_of(self._library, name)
        return self._library.namespace(name)

    @tool_action("rag_add_document", "把一个文档读入知识库")
    @reported("添加文档失败")
    def add_document(
        self,
        file_path: str,
        namespace: str | None = None,
        document_id: str | None = None,
        chunk_size: int = CHUNK_SIZE,
        chunk_overlap: int = CHUNK_OVERLAP,
    ) -> ToolResult:
        """把一个文档读入知识库；同一文件再次读入即替换。

        Args:
            file_path: 文档的路径
            namespace: 命名空间
            document_id: 文档的名称
            chunk_size: 每个分块最多多少个词元
            chunk_overlap: 相邻分块重叠多少个词元
        """
        if not file_path or not Path(file_path).is_file():
            return ToolResult.failed(f"❌ 文件不存在: {file_path}")
        item = file_item(file_path, document_id, chunk_size, chunk_overlap)
        return added(self._space(namespace), item, f"✅ 文档已添加到知识库: {Path(file_path).name}", "添加文档失败")

    @tool_action("rag_add_text", "把一段文本存入知识库")
    @reported("添加文本失败")
    def add_text(
        self,
        text: str,
        namespace: str | None = None,
        document_id: str | None = None,
        chunk_size: int = CHUNK_SIZE,
        chunk_overlap: int = CHUNK_OVERLAP,
        metadata: dict[str, Any] | None = None,
    ) -> ToolResult:
        """把一段文本存入知识库；同名文档再次存入即替换。

        Args:
            text: 文本
            namespace: 命名空间
            document_id: 文档的名称
            chunk_size: 每个分块最多多少个词元
            chunk_overlap: 相邻分块重叠多少个词元
            metadata: 随文档保存的其他信息
        """
        if not (text or "").strip():
            return ToolResult.failed("❌ 文本内容不能为空")
        space = self._space(namespace)
        with nullcontext() if document_id else self._naming:
            key = document_id or text_name(space, text, {})
            item = item_of(text, key, cutting(chunk_size, chunk_overlap), metadata=metadata)
            return added(space, item, f"✅ 文本已添加到知识库: {key}", "添加文本失败")

    @tool_action("rag_search", "在知识库中查找相关内容")
    @reported("搜索失败")
    def search(
        self,
        query: str = "",
        namespace: str | None = None,
        limit: int = 5,
        *,
        min_score: float = 0.1,
        enable_advanced_search: bool | None = None,
        max_chars: int = 1200,
        include_citations: bool = True,
        enable_mqe: bool | None = None,
        enable_hyde: bool | None = None,
    ) -> ToolResult:
        """在知识库中查找相关内容。默认不调用语言模型。

        Args:
            query: 要查找的内容
            namespace: 命名空间
            limit: 最多返回多少条
            min_score: 低于此分数的结果不返回
            enable_advanced_search: 是否让语言模型改写问题、假设答案，以便找到更多
            max_chars: 全部结果文本的最大长度，供程序读取
            include_citations: 是否给出章节
            enable_mqe: 是否改写问题
            enable_hyde: 是否假设答案
        """
        if not (query or "").strip():
            return ToolResult.failed("❌ 搜索查询不能为空")
        wide = bool(enable_advanced_search)
        mqe, hyde = _either(enable_mqe, wide), _either(enable_hyde, wide)
        hits, notes = self._find(query, namespace, limit, min_score=min_score, mqe=mqe, hyde=hyde)
        if not hits:
            return ToolResult(f"🔍 未找到与 '{query}' 相关的内容", results=[], notes=list(notes))
        lines = ["搜索结果：", *hit_lines(hits, headings=include_citations)]
        lines += [f"⚠️ {note}" for note in notes]
        return ToolResult("\n".join(lines), results=hits, context=merge_snippets(hits, max_chars), notes=list(notes))

    @tool_action("rag_ask", "依据知识库回答问题，并注明出处")
    @reported("智能问答失败")
    def ask(
        self,
        question: str = "",
        namespace: str | None = None,
        query: str = "",
        limit: int = 5,
        *,
        enable_advanced_search: bool = True,
        include_citations: bool = True,
        max_chars: int = 1200,
        enable_mqe: bool | None = None,
        enable_hyde: bool | None = None,
    ) -> ToolResult:
        """依据知识库回答问题，并注明出处；没有语言模型时给出原文摘录。

        Args:
            question: 问题
            namespace: 命名空间
            query: 问题（与 question 相同）
            limit: 最多依据多少段内容
            enable_advanced_search: 是否让语言模型改写问题、假设答案，以便找到更多
            include_citations: 是否列出参考来源
            max_chars: 给语言模型的内容的最大长度
            enable_mqe: 是否改写问题
            enable_hyde: 是否假设答案
        """
        asked = (question or query or "").strip()
        if not asked:
            return ToolResult.failed("❌ 请提供要询问的问题")
        began = time.perf_counter()
        mqe, hyde = _either(enable_mqe, enable_advanced_search), _either(enable_hyde, enable_advanced_search)
        hits, notes = self._find(asked, namespace, limit, mqe=mqe, hyde=hyde)
        searched = ms_since(began)
        if not hits:
            return ToolResult(nothing_found(asked), answer="", sources=[], mode="none", notes=list(notes))
        began = time.perf_counter()
        answer, mode = self._answer(asked, hits, max_chars)
        if not answer:
            return ToolResult.failed("❌ LLM未能生成有效答案，请稍后重试", sources=sources(hits))
        lines = ["🤖 **智能问答结果**", "", answer, ""]
        if include_citations:
            lines += ["📚 **参考来源**", *map(reference_line, range(1, len(hits) + 1), hits), ""]
        lines.append(f"⚡ 检索: {searched}ms | 生成: {ms_since(began)}ms | 平均相似度: {average(hits):.3f}")
        lines += [f"⚠️ {note}" for note in notes]
        return ToolResult("\n".join(lines), answer=answer, sources=sources(hits), mode=mode, notes=list(notes))

    def _find(
        self,
        query: str,
        namespace: str | None,
        limit: int,
        *,
        min_score: float = 0.0,
        mqe: bool = False,
        hyde: bool = False,
    ) -> tuple[list[Found], tuple[str, ...]]:
        if limit < 1:
            raise Invalid(f"limit 应为 1 或更大的整数，得到 {limit}")
        space = self._space(namespace)
        if not (mqe or hyde):
            found, notes = space.search([query], limit)
        else:
            queries = expanded(query, mqe=REWRITES if mqe else 0, hyde=hyde, llm=self.llm)
            share = max(limit, limit * POOL_PER_RESULT // len(queries))
            found, notes = space.search(queries, limit, share)
        return [hit for hit in found if hit["score"] >= min_score], notes

    def _answer(self, question: str, hits: Sequence[Found], max_chars: int) -> tuple[str, str]:
        """The answer and how it was made: "llm" or "extractive"."""
        try:
            why = missing(self.llm)
            if not why:
                return answered(self.llm, question, context_of(hits, max_chars)), "llm"
        except Exception as error:  # an edge: the passages are there, whatever the model does
            log.warning("the language model failed", exc_info=True)
            why = str(error)
        return f"⚠️ {why}。以下为原文摘录：\n\n{extract(hits)}", "extractive"

    def get_relevant_context(
        self, query: str, limit: int = 3, max_chars: int = 1200, namespace: str | None = None
    ) -> str:
        """Numbered passages for a prompt; "" when nothing was found."""
        found = self.search(query, namespace, limit)
        return context_of(found.get("results", []), max_chars)

    @reported("获取文档列表失败")
    def list_documents(self, namespace: str | None = None) -> ToolResult:
        """列出知识库中的文档。"""
        space = self._space(namespace)
        documents = [about(memory, space.count(memory.id)) for memory in space.documents()]
        lines = [f"📚 知识库文档（命名空间：{space.name}）: {len(documents)} 个"]
        for number, one in enumerate(documents, 1):
            lines.append(
                f"{number}. {one['name']} (ID: {one['id'][:8]}...) | 分块: {one['chunks']} | {one['document_id']}"
            )
        return ToolResult("\n".join(lines), documents=documents, namespace=space.name)

    @reported("更新文档失败")
    def update_document(
        self,
        document_id: str,
        namespace: str | None = None,
        text: str | None = None,
        file_path: str | None = None,
        chunk_size: int = CHUNK_SIZE,
        chunk_overlap: int = CHUNK_OVERLAP,
    ) -> ToolResult:
        """用新的文本或文件替换一个文档，旧的分块不再保留。"""
        try:
            old = self._space(namespace).document(document_id)
        except NotFound as error:
            return ToolResult.failed(f"⚠️ 未找到要更新的文档: {document_id}", str(error))
        key = old.data["document_id"]
        if file_path:
            return self.add_document(file_path, namespace, key, chunk_size, chunk_overlap)
        return self.add_text(text or "", namespace, key, chunk_size, chunk_overlap, old.data["metadata"])

    @reported("删除文档失败")
    def delete_document(self, document_id: str, namespace: str | None = None) -> ToolResult:
        """删除一个文档和它的全部分块。"""
        space = self._space(namespace)
        try:
            document = space.document(document_id)
        except NotFound as error:
            return ToolResult.failed(f"⚠️ 未找到要删除的文档: {document_id}", str(error))
        told = about(document, space.count(document.id))
        space.delete(document.id)
        lines = [f"✅ 文档已删除: {told['name']}", f"📊 删除分块数: {told['chunks']}", f"📝 命名空间: {space.name}"]
        return ToolResult("\n".join(lines), **told, namespace=space.name)

    @tool_action("rag_stats", "查看知识库的统计信息")
    @reported("获取统计信息失败")
    def stats(self, namespace: str | None = None) -> ToolResult:
        """查看知识库的统计信息。

        Args:
            namespace: 命名空间
        """
        space = self._space(namespace)
        found = self._pipelines[space.name]["get_stats"]()
        lines = stats_lines(found, self.knowledge_base_path, self._llm_state())
        if self.qdrant_url:
            lines.append(f"⚠️ 未使用 Qdrant（{self.qdrant_url}）：数据保存在本地，不需要服务器")
        return ToolResult("\n".join(lines), **found, namespace=space.name)

    def _llm_state(self) -> str:
        try:
            why = missing(self.llm)
        except RicordoError as error:
            why = str(error)
        return f"未配置，问答以原文摘录作答（{why}）" if why else "已配置"

    @tool_action("rag_clear", "清空知识库的一个命名空间")
    @reported("清空知识库失败")
    def clear(self, confirm: bool = False, namespace: str | None = None) -> ToolResult:
        """清空知识库的一个命名空间；不影响其他命名空间。

        Args:
            confirm: 必须为 true 才会清空
            namespace: 命名空间
        """
        space = self._space(namespace)
        if confirm is not True:
            warning = f"⚠️ 危险操作：将删除命名空间 {space.name} 中的全部文档，无法恢复。确认请传入 confirm=true"
            return ToolResult.failed(warning, "not confirmed")
        gone = space.clear()
        lines = [f"✅ 知识库已成功清空（命名空间：{space.name}）", f"📊 删除分块数: {gone}"]
        return ToolResult("\n".join(lines), chunks=gone, namespace=space.name)

    @reported("清空知识库失败")
    def clear_all_namespaces(self) -> ToolResult:
        """Clears every namespace of this collection; other collections stay."""
        names = self._library.namespaces()
        gone = sum(self._library.namespace(name).clear() for name in names)
        lines = [f"✅ 所有命名空间已清空: {len(names)} 个", f"📊 删除分块数: {gone}"]
        return ToolResult("\n".join(lines), chunks=gone, namespaces=names)

    @reported("批量添加失败")
    def batch_add_texts(
        self,
        texts: Sequence[str],
        document_ids: Sequence[str] | None = None,
        chunk_size: int = CHUNK_SIZE,
        chunk_overlap: int = CHUNK_OVERLAP,
        namespace: str | None = None,
    ) -> ToolResult:
        """Many texts at once; the vectors are made together at the end."""
        return self._add_texts("✅ 批量添加完成", texts, document_ids, namespace, cutting(chunk_size, chunk_overlap))

    @reported("批量添加失败")
    def add_texts_batch(
        self, texts: Sequence[str], namespace: str | None = None, document_ids: Sequence[str] | None = None
    ) -> ToolResult:
        cut = cutting(CHUNK_SIZE, CHUNK_OVERLAP)
        return self._add_texts("📊 **批量文本处理完成**", texts, document_ids, namespace, cut)

    def _add_texts(
        self, done: str, texts: Sequence[str], keys: Sequence[str] | None, namespace: str | None, cut: Strategy
    ) -> ToolResult:
        space = self._space(namespace)
        with self._naming:
            return added_many(space, text_items(space, texts, keys, cut), {}, done)

    @reported("批量添加失败")
    def add_documents_batch(self, file_paths: Sequence[str], namespace: str | None = None) -> ToolResult:
        """Many files at once; one that cannot be read does not keep the others out."""
        items: list[Item] = []
        unread: dict[str, str] = {}
        for path in file_paths:
            try:
                items.append(file_item(path, None, CHUNK_SIZE, CHUNK_OVERLAP))
            except RicordoError as error:
                unread[str(path)] = str(error)
        return added_many(self._space(namespace), items, unread, "📊 **批量处理完成**")


def _either(chosen: bool | None, otherwise: bool) -> bool:
    return otherwise if chosen is None else chosen
