"""Documents into a namespace, one or many, and the lines that say what became of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from hello_agents.memory.rag.library import Namespace, item_of
from hello_agents.tools.result import ToolResult
from ricordo.errors import Invalid
from ricordo.types import Item, Outcome, Status, Strategy, content_digest

NAMES = 100_000


def ms_since(began: float) -> int:
    """Milliseconds since a time.perf_counter()."""
    return round((time.perf_counter() - began) * 1000)


def added(space: Namespace, item: Item, done: str, failure: str) -> ToolResult:
    """Stores one document; `done` is the first line when it is stored."""
    began = time.perf_counter()
    [outcome] = space.add([item])
    if outcome.status is Status.FAILED:
        return ToolResult.failed(f"❌ {failure}: {outcome.reason}", outcome.reason)
    if outcome.status is Status.SKIPPED:
        name = item.data["source_name"]
        return ToolResult.failed(f"⚠️ 未能从文件解析内容: {name}（{outcome.reason}）", outcome.reason)
    problem = space.finish()
    count, ms = _chunks(space, outcome), ms_since(began)
    lines = [done, f"📊 分块数量: {count}", f"⏱️ 处理时间: {ms}ms", f"📝 命名空间: {space.name}"]
    lines += [*(f"⚠️ {warning}" for warning in outcome.warnings), *_without_vectors(problem)]
    data: dict[str, Any] = {"document_id": item.document, "id": outcome.memories[0], "status": str(outcome.status)}
    return ToolResult("\n".join(lines), **data, chunks=count, time_ms=ms, namespace=space.name)


def added_many(space: Namespace, items: Sequence[Item], unread: dict[str, str], done: str) -> ToolResult:
    """Stores what can be stored, and names the rest with its reason; `unread` never came as far as an item."""
    began = time.perf_counter()
    outcomes = space.add(items) if items else []
    problem = space.finish() if items else ""
    failed = {**unread, **{o.item: o.reason for o in outcomes if o.status in (Status.FAILED, Status.SKIPPED)}}
    stored = [o for o in outcomes if o.item not in failed]
    chunks, total = sum(_chunks(space, o) for o in stored), len(items) + len(unread)
    lines = [done, f"📊 成功文件: {len(stored)}/{total}", f"📊 总分块数: {chunks}", f"⏱️ 处理时间: {ms_since(began)}ms"]
    lines += [*(f"❌ {name}: {reason}" for name, reason in failed.items()), *_without_vectors(problem)]
    fields = {"documents": [o.item for o in stored], "chunks": chunks, "failed": failed, "namespace": space.name}
    return ToolResult("\n".join(lines), success=not failed, error="; ".join(failed.values()) or None, **fields)


def text_items(space: Namespace, texts: Sequence[str], keys: Sequence[str] | None, strategy: Strategy) -> list[Item]:
    """The texts as documents; those without a key get a name of their own."""
    if keys is not None and len(keys) != len(texts):
        raise Invalid(f"document_ids 与 texts 的数量不同: {len(keys)} 与 {len(texts)}")
    taken: dict[str, str] = {}
    named = keys or [text_name(space, text, taken) for text in texts]
    return [item_of(text, key, strategy) for text, key in zip(texts, named, strict=True)]


def text_name(space: Namespace, text: str, taken: dict[str, str]) -> str:
    """text_ and five digits of the text's digest; where another text has them, the next that are free.

    taken: names that were given and are not stored yet, with their texts' digests; this one is put there.
    """
    digest = content_digest(text)
    for step in range(NAMES):
        key = f"text_{(int(digest[:10], 16) + step) % NAMES:05d}"
        other = space.named(key)
        holder = taken.get(key) or (other.data["content"] if other else digest)
        if holder == digest:
            taken[key] = digest
            return key
    raise Invalid(f"{NAMES:,} 个名称都已被占用；请给出 document_id")


def _chunks(space: Namespace, outcome: Outcome) -> int:
    """Of what was stored now they are in the outcome; an unchanged document names only itself there."""
    return len(outcome.memories) - 1 or space.count(outcome.memories[0])


def _without_vectors(problem: str) -> list[str]:
    return [f"⚠️ 内容已保存，但暂时只能按词语检索: {problem}"] if problem else []
