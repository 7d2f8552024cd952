"""What was seen and heard: by its text, its modality and its metadata. The file itself is named, and not copied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hello_agents.memory.base import BaseMemory
from hello_agents.memory.episodic import scored_by_time, store_stats
from hello_agents.memory.formulas import recency
from hello_agents.memory.items import MemoryItem
from hello_agents.memory.user_bank import Found

_EXTENSIONS = {
    **dict.fromkeys(("png", "jpg", "jpeg", "bmp", "gif", "webp"), "image"),
    **dict.fromkeys(("mp3", "wav", "flac", "m4a", "ogg"), "audio"),
}


def modality_of(path: str) -> str:
    """By the extension: image, audio, or else text."""
    return _EXTENSIONS.get(Path(path).suffix.lower().lstrip("."), "text")


def perceived(content: str, metadata: Mapping[str, Any]) -> tuple[str, dict[str, Any], list[str]]:
    """What is stored of a perception, its metadata, and what is missing of it.

    A file without a description is found by its name.
    """
    described = dict(metadata)
    path = described.get("raw_data") or described.get("file_path")
    missing = []
    if isinstance(path, str) and path:
        described["raw_data"] = path
        described.setdefault("modality", modality_of(path))
        if not content.strip():
            content = Path(path).name
        try:
            there = Path(path).is_file()
        except (OSError, ValueError):
            there = False
        if not there:
            described["file_missing"] = True
            missing.append(f"文件不存在: {path}（已记入元数据）")
    described.setdefault("modality", "text")
    if described["modality"] != "text":
        missing.append(f"{described['modality']} 内容没有向量：按文字描述、模态和元数据检索")
    return content, described, missing


class PerceptualMemory(BaseMemory):
    kind = "perceptual"

    def add(self, memory_item: MemoryItem) -> str:
        content, metadata, _ = perceived(memory_item.content, memory_item.metadata)
        modality = metadata["modality"]
        if modality not in self.supported_modalities:
            raise ValueError(f"modality {modality!r} is not among {', '.join(self.supported_modalities)}")
        given = {**vars(memory_item), "content": content, "metadata": metadata}
        return super().add(MemoryItem(**given))

    @property
    def supported_modalities(self) -> list[str]:
        return list(self.config.perceptual_memory_modalities)

    def item(self, found: Found) -> MemoryItem:
        return scored_by_time(found, self.storage.user_id)

    def cross_modal_search(
        self, query: str, query_modality: str = "text", target_modality: str | None = None, limit: int = 5
    ) -> list[MemoryItem]:
        """Perceptions of a modality that a text describes. ValueError for a query that is not text."""
        if query_modality != "text":
            raise ValueError(f"a query must be text, got {query_modality}: there are no vectors of pictures or sounds")
        return self.retrieve(query, limit, target_modality=target_modality)

    def get_by_modality(self, modality: str, limit: int = 10) -> list[MemoryItem]:
        """Newest first."""
        return self._items(self.storage.list([self.kind], modality=modality, limit=limit))

    def generate_content(self, prompt: str, target_modality: str = "text") -> str | None:
        """What is remembered of the prompt, as text; None when nothing is."""
        if target_modality != "text":
            raise ValueError(f"only text can be made from memories, not {target_modality}")
        found = self.retrieve(prompt, 3)
        return "\n".join(f"- {item.content}" for item in found) if found else None

    def get_stats(self) -> dict[str, Any]:
        memories = self.storage.list([self.kind])
        stats = store_stats(self.storage.handle.sync.stats())
        return {
            **super().get_stats(),
            "perceptions_count": len(memories),
            "modality_counts": dict(Counter(memory.modality for memory in memories)),
            "supported_modalities": self.supported_modalities,
            "vector_stores": {"text": stats["vector_store"]},
            "document_store": stats["document_store"],
        }

    def _calculate_recency_score(self, timestamp: Any) -> float:
        return recency(timestamp)
