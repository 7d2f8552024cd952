"""The memory tool: every action of the interface, as a call to the memory manager and a line of text."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar

from hello_agents.memory.config import MemoryConfig
from hello_agents.memory.items import KINDS, aware
from hello_agents.memory.manager import MemoryManager
from hello_agents.memory.perceptual import modality_of
from hello_agents.tools.base import Tool, ToolParameter, tool_action
from hello_agents.tools.result import ToolResult
from ricordo.errors import Invalid

log = logging.getLogger(__name__)

P = ParamSpec("P")
N = TypeVar("N", int, float)

LABELS = {"working": "工作记忆", "episodic": "情景记忆", "semantic": "语义记忆", "perceptual": "感知记忆"}
DEFAULT_TYPES = ("working", "episodic", "semantic")
ACTIONS = ("add", "search", "summary", "stats", "update", "remove", "forget", "consolidate", "clear_all")
SHORT_ID = 8
LONG_ANSWER = 100

_BREAKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def answering(failure: str) -> Callable[[Callable[P, ToolResult]], Callable[P, ToolResult]]:
    """Makes an action answer with a line in any case: what went wrong is told and not raised."""

    def wrap(action: Callable[P, ToolResult]) -> Callable[P, ToolResult]:
        @wraps(action)
        def answered(*args: P.args, **kwargs: P.kwargs) -> ToolResult:
            try:
                return action(*args, **kwargs)
            except (ValueError, TypeError) as error:
                return ToolResult.failed(f"❌ {failure}: {error}", str(error))
            except Exception as error:
                log.warning("%s", failure, exc_info=True)
                return ToolResult.failed(f"❌ {failure}: {error}", str(error))

        return answered

    return wrap


class MemoryTool(Tool):
    """Remembers for one user. Every call answers with text that has fields, and none raises.

    Without `memory_types`, working, episodic and semantic memories are enabled, and perceptual ones when one is added
    or there. Threads may share a tool.
    """

    def __init__(
        self,
        user_id: str = "default_user",
        memory_config: MemoryConfig | None = None,
        memory_types: list[str] | None = None,
        expandable: bool = False,
    ) -> None:
        super().__init__("memory", "记住、查找、整理对话和知识：工作、情景、语义、感知四种记忆", expandable)
        self.user_id = user_id
        self.memory_config = memory_config or MemoryConfig()
        self.memory_types = list(memory_types or DEFAULT_TYPES)
        self._by_default = memory_types is None
        self._looked = False
        self.memory_manager = MemoryManager(
            self.memory_config, user_id, enable_working=False, enable_episodic=False, enable_semantic=False
        )
        for kind in self.memory_types:
            self.memory_manager.enable(kind)
        self.current_session_id: str | None = None
        self.conversation_count = 0

    def run(self, parameters: Mapping[str, Any] | str | None = None, /, **more: Any) -> ToolResult:
        """`run({"action": "add", ...})`, `run("add", content=...)` and `run(action="add", ...)` are one."""
        given: dict[str, Any] = {"action": parameters} if isinstance(parameters, str) else dict(parameters or {})
        return self.execute(**{**given, **more})

    def execute(self, action: str | None = None, /, **arguments: Any) -> ToolResult:
        """Does the action; see `get_parameters` for what each takes."""
        name = action if action is not None else arguments.pop("action", None)
        if not name:
            return ToolResult.failed("❌ 参数验证失败：缺少必需的参数")
        if name not in ACTIONS:
            return ToolResult.failed(f"❌ 不支持的操作: {name}。支持的操作: {', '.join(ACTIONS)}")
        answer: ToolResult = getattr(self, f"_{name}")(**{str(key): value for key, value in arguments.items()})
        return answer

    @tool_action("memory_add", "记住一条内容")
    @answering("添加记忆失败")
    def _add(
        self,
        content: Annotated[str, "要记住的内容"] = "",
        memory_type: Annotated[str, "working、episodic、semantic 或 perceptual"] = "working",
        importance: Annotated[float, "重要性，0 到 1"] = 0.5,
        file_path: Annotated[str | None, "感知记忆的文件"] = None,
        modality: Annotated[str | None, "text、image、audio 或 video"] = None,
        **metadata: Any,
    ) -> ToolResult:
        if isinstance(metadata.get("metadata"), Mapping):
            metadata |= metadata.pop("metadata")
        metadata.setdefault("session_id", self._session())
        if file_path is not None:
            metadata["raw_data" if memory_type == "perceptual" else "file_path"] = str(file_path)
            modality = modality or modality_of(str(file_path))
        if modality is not None:
            metadata["modality"] = str(modality)
        if memory_type == "perceptual":
            self._enable_by_default("perceptual")
        added = self.memory_manager.remember(
            text_of(content),
            str(memory_type),
            number(float, "importance", importance),
            metadata,
            at=moment_of(metadata.get("timestamp")),
        )
        lines = [f"✅ 记忆已添加 (ID: {added.id[:SHORT_ID]}...)", *(f"⚠️ {missing}" for missing in added.missing)]
        return ToolResult("\n".join(lines), id=added.id, memory_id=added.id, memory_type=added.memory_type)

    @tool_action("memory_search", "按意思和字词查找记忆")
    @answering("搜索记忆失败")
    def _search(
        self,
        query: Annotated[str, "要找什么"] = "",
        limit: Annotated[int, "最多几条"] = 5,
        memory_types: Annotated[list[str] | None, "只找这些类型"] = None,
        memory_type: Annotated[str | None, "只找这一种类型"] = None,
        min_importance: Annotated[float, "最低重要性"] = 0.1,
        time_range: Any = None,
        session_id: str | None = None,
    ) -> ToolResult:
        if not text_of(query).strip():
            raise Invalid("缺少要查找的内容 (query)")
        self._enable_what_is_there()
        kinds = [*types_of(memory_types), *types_of(memory_type)]
        if "perceptual" in kinds:
            self._enable_by_default("perceptual")
        found, notes = self.memory_manager.search(
            text_of(query),
            kinds,
            number(int, "limit", limit),
            number(float, "min_importance", min_importance),
            time_range,
            session_id,
        )
        memories = [self.memory_manager.memory_types[one.memory.kind].item(one).model_dump() for one in found]
        warnings = [f"⚠️ {note}" for note in notes]
        if not found:
            lines = [f"🔍 未找到与 '{one_line(text_of(query))}' 相关的记忆", *warnings]
            return ToolResult("\n".join(lines), count=0, ids=[], memories=[])
        lines = [f"🔍 找到 {len(found)} 条相关记忆:"]
        for place, one in enumerate(found, 1):
            memory = one.memory
            shown = shortened(memory.text, 80)
            lines.append(f"{place}. [{LABELS[memory.kind]}] {shown} (重要性: {memory.importance:.2f})")
        ids = [one.memory.id for one in found]
        lines.append("🆔 " + ", ".join(f"{n}={id[:SHORT_ID]}" for n, id in enumerate(ids, 1)))
        return ToolResult("\n".join([*lines, *warnings]), count=len(found), ids=ids, memories=memories)

    @tool_action("memory_summary", "记忆的概况和最重要的几条")
    @answering("获取摘要失败")
    def _summary(self, limit: Annotated[int, "列出几条重要记忆"] = 10) -> ToolResult:
        self._enable_what_is_there()
        counts = self.memory_manager.count()
        important = self.memory_manager.important(number(int, "limit", limit))
        lines = [
            "📊 记忆系统摘要",
            f"总记忆数: {sum(count for count, _ in counts.values())}",
            f"当前会话: {self.current_session_id or '未开始'}",
            f"对话轮次: {self.conversation_count}",
            "",
            "📋 记忆类型分布:",
            *(f"  • {LABELS[kind]}: {count} 条 (平均重要性: {mean:.2f})" for kind, (count, mean) in counts.items()),
        ]
        if important:
            lines += ["", f"⭐ 重要记忆 (前{len(important)}条):"]
            lines += [
                f"  {n}. {shortened(item.content, 60)} (重要性: {item.importance:.2f})"
                for n, item in enumerate(important, 1)
            ]
        counted = {kind: count for kind, (count, _) in counts.items()}
        return ToolResult(
            "\n".join(lines), total=sum(counted.values()), counts=counted, ids=[item.id for item in important]
        )

    @tool_action("memory_stats", "记忆系统的统计")
    @answering("获取统计信息失败")
    def _stats(self) -> ToolResult:
        self._enable_what_is_there()
        counts = {kind: count for kind, (count, _) in self.memory_manager.count().items()}
        lines = [
            "📈 记忆系统统计",
            f"总记忆数: {sum(counts.values())}",
            f"启用的记忆类型: {', '.join(self.memory_types)}",
            f"会话ID: {self.current_session_id or '未开始'}",
            f"对话轮次: {self.conversation_count}",
        ]
        return ToolResult("\n".join(lines), total=sum(counts.values()), counts=counts)

    @tool_action("memory_update", "改一条记忆")
    @answering("更新记忆失败")
    def _update(
        self,
        memory_id: Annotated[str, "记忆的 ID，或能分辨它的开头"] = "",
        content: Annotated[str | None, "新的内容"] = None,
        importance: Annotated[float | None, "新的重要性"] = None,
        **metadata: Any,
    ) -> ToolResult:
        self._enable_what_is_there()
        new = None if importance is None else number(float, "importance", importance)
        text = None if content is None else text_of(content)
        if not self.memory_manager.update_memory(id_of(memory_id), text, new, metadata):
            return ToolResult.failed("⚠️ 未找到要更新的记忆")
        return ToolResult("✅ 记忆已更新")

    @tool_action("memory_remove", "删除一条记忆")
    @answering("删除记忆失败")
    def _remove(self, memory_id: Annotated[str, "记忆的 ID，或能分辨它的开头"] = "") -> ToolResult:
        self._enable_what_is_there()
        if not self.memory_manager.remove_memory(id_of(memory_id)):
            return ToolResult.failed("⚠️ 未找到要删除的记忆")
        return ToolResult("✅ 记忆已删除")

    @tool_action("memory_forget", "按重要性、时间或容量遗忘")
    @answering("遗忘记忆失败")
    def _forget(
        self,
        strategy: Annotated[str, "importance_based、time_based 或 capacity_based"] = "importance_based",
        threshold: Annotated[float, "低于它的遗忘"] = 0.1,
        max_age_days: Annotated[float, "早于这么多天的遗忘"] = 30,
    ) -> ToolResult:
        self._enable_what_is_there()
        gone = self.memory_manager.forget_memories(
            strategy, number(float, "threshold", threshold), number(float, "max_age_days", max_age_days)
        )
        return ToolResult(f"🧹 已遗忘 {gone} 条记忆（策略: {strategy}）", count=gone)

    @tool_action("memory_consolidate", "把重要的短期记忆变为长期记忆")
    @answering("整合记忆失败")
    def _consolidate(
        self,
        from_type: Annotated[str, "来源类型"] = "working",
        to_type: Annotated[str, "目标类型"] = "episodic",
        importance_threshold: Annotated[float, "不低于它的移动"] = 0.7,
    ) -> ToolResult:
        self._enable_what_is_there()
        threshold = number(float, "importance_threshold", importance_threshold)
        moved = self.memory_manager.consolidate(from_type, to_type, threshold)
        text = f"🔄 已整合 {len(moved)} 条记忆为长期记忆（{from_type} → {to_type}，阈值={threshold}）"
        return ToolResult(text, count=len(moved), ids=moved)

    @tool_action("memory_clear", "清空这个用户的记忆")
    @answering("清空记忆失败")
    def _clear_all(self) -> ToolResult:
        self._enable_what_is_there()
        return ToolResult("🧽 已清空所有记忆", count=self.memory_manager.clear_all_memories())

    def get_parameters(self) -> list[ToolParameter]:
        return [
            ToolParameter("action", "string", f"要做什么: {', '.join(ACTIONS)}"),
            ToolParameter("content", "string", "记忆内容 (add, update)", required=False),
            ToolParameter("query", "string", "要找什么 (search)", required=False),
            ToolParameter("memory_type", "string", f"记忆类型: {', '.join(KINDS)}", required=False, default="working"),
            ToolParameter("importance", "number", "重要性，0 到 1", required=False),
            ToolParameter("limit", "integer", "最多几条", required=False, default=5),
            ToolParameter("memory_id", "string", "记忆的 ID 或其开头 (update, remove)", required=False),
            ToolParameter("file_path", "string", "感知记忆的文件", required=False),
            ToolParameter("modality", "string", "感知记忆的模态: text, image, audio, video", required=False),
            ToolParameter("strategy", "string", "怎样遗忘", required=False, default="importance_based"),
            ToolParameter("threshold", "number", "遗忘的重要性界限", required=False, default=0.1),
            ToolParameter("max_age_days", "integer", "遗忘的天数界限", required=False, default=30),
            ToolParameter("from_type", "string", "整合的来源", required=False, default="working"),
            ToolParameter("to_type", "string", "整合的目标", required=False, default="episodic"),
            ToolParameter("importance_threshold", "number", "整合的界限", required=False, default=0.7),
        ]

    def auto_record_conversation(self, user_input: str, agent_response: str) -> None:
        """Keeps both sides as working memories, and the whole as an episode when it is long or asks to be kept."""
        self.conversation_count += 1
        turn = self.conversation_count
        self._add(f"用户: {user_input}", importance=0.6, type="user_input", conversation_id=turn)
        self._add(f"助手: {agent_response}", importance=0.7, type="agent_response", conversation_id=turn)
        if len(agent_response) > LONG_ANSWER or "重要" in user_input or "记住" in user_input:
            both = f"对话 - 用户: {user_input}\n助手: {agent_response}"
            self._add(both, memory_type="episodic", importance=0.8, type="interaction", conversation_id=turn)

    def add_knowledge(self, content: str, importance: float = 0.9) -> ToolResult:
        return self._add(content, memory_type="semantic", importance=importance, knowledge_type="factual")

    def get_context_for_query(self, query: str, limit: int = 3) -> str:
        """What is remembered of the query, for a prompt; empty when nothing is."""
        result = self._search(query, limit=limit, min_importance=0.3)
        memories = result.get("memories", [])
        return "\n".join(["相关记忆:", *(f"- {memory['content']}" for memory in memories)]) if memories else ""

    def clear_session(self) -> None:
        """Ends the session; its working memories go with it."""
        self.current_session_id = None
        self.conversation_count = 0
        if "working" in self.memory_manager.memory_types:
            self.memory_manager.memory_types["working"].clear()

    def consolidate_memories(self) -> ToolResult:
        return self._consolidate()

    def forget_old_memories(self, max_age_days: float = 30) -> ToolResult:
        return self._forget("time_based", max_age_days=max_age_days)

    def _session(self) -> str:
        if self.current_session_id is None:
            self.current_session_id = f"session_{datetime.now().astimezone():%Y%m%d_%H%M%S}"
        return self.current_session_id

    def _enable_by_default(self, kind: str) -> None:
        """Turns a kind on that is off only because nobody chose."""
        if self._by_default and kind not in self.memory_types:
            self.memory_manager.enable(kind)
            self.memory_types.append(kind)

    def _enable_what_is_there(self) -> None:
        """Looks once whether an earlier process left perceptions."""
        if self._by_default and not self._looked:
            if self.memory_manager.has("perceptual"):
                self._enable_by_default("perceptual")
            self._looked = True


def number(type_: type[N], name: str, value: Any) -> N:
    """The value as a number: a model may have written it as text."""
    try:
        return type_(float(value)) if type_ is int else type_(value)
    except (TypeError, ValueError, OverflowError):
        raise Invalid(f"{name} 应为数字，得到 {value!r}") from None


def text_of(value: Any) -> str:
    if isinstance(value, int | float):
        return str(value)
    if not isinstance(value, str):
        raise Invalid(f"应为文本，得到 {type(value).__name__}: {value!r}")
    return value


def id_of(value: Any) -> str:
    if not text_of(value).strip():
        raise Invalid("缺少记忆的 ID (memory_id)")
    return str(value)


def types_of(value: str | Iterable[str] | None) -> list[str]:
    """A name, several with commas between, or a list of them."""
    names = value.split(",") if isinstance(value, str) else value or ()
    return [name.strip() for name in names]


def moment_of(value: Any) -> datetime | None:
    """When it happened, if the metadata say so in a form that can be read."""
    if not isinstance(value, str | datetime):
        return None
    try:
        return aware(value)
    except ValueError:
        return None


def one_line(text: str) -> str:
    """The text without line breaks and control characters, so that it cannot pass for another line of the answer."""
    return _BREAKS.sub(" ", text).strip()


def shortened(text: str, length: int) -> str:
    line = one_line(text[: 4 * length])
    return f"{line[:length]}..." if len(line) > length or len(text) > 4 * length else line
