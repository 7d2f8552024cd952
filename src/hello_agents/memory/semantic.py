"""What is known: facts, and the entities that they connect."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from hello_agents.memory import formulas
from hello_agents.memory.base import BaseMemory
from hello_agents.memory.items import MemoryItem, item_of
from hello_agents.memory.user_bank import Found
from ricordo import blocking
from ricordo.types import Entity, Relation

LOWEST = 0.1
POOL = 3
"""Candidates of each side for every result."""


class SemanticMemory(BaseMemory):
    kind = "semantic"
    label = "enhanced_semantic"

    def retrieve(self, query: str, limit: int = 5, **options: Any) -> list[MemoryItem]:
        """By words and vectors and by the graph, mixed by the published formula; what scores under 0.1 is left out.

        A fact that one side alone finds has 0 of the other. `probability` compares the items that are left.
        """
        filters = self._filters(options)
        liked = self.storage.search(query, [self.kind], limit * POOL, **filters).found
        tied = self.storage.search(query, [self.kind], limit * POOL, arms=["graph"], **filters).found
        graph = {found.memory.id: found.graph for found in tied}
        by_text: dict[str, MemoryItem] = {}
        for found in [*liked, *(replace(one, relevance=0.0) for one in tied)]:
            by_text.setdefault(found.memory.text, self.item(replace(found, graph=graph.get(found.memory.id, 0.0))))
        items = sorted(by_text.values(), key=lambda item: (-item.metadata["combined_score"], item.id))
        items = [item for item in items if item.metadata["combined_score"] >= LOWEST][:limit]
        shares = formulas.softmax([item.metadata["combined_score"] for item in items])
        return [
            replace(item, metadata={**item.metadata, "probability": share})
            for item, share in zip(items, shares, strict=True)
        ]

    def item(self, found: Found) -> MemoryItem:
        score = formulas.semantic_score(found.relevance, found.graph, found.memory.importance)
        return item_of(
            found.memory,
            self.storage.user_id,
            combined_score=score,
            vector_score=found.relevance,
            graph_score=found.graph,
        )

    def _graph(self) -> tuple[list[Entity], list[Relation]]:
        handle = self.storage.handle
        return blocking.run(handle.parts.graph.dump(handle.name))

    def get_entity(self, entity_id: str) -> Entity | None:
        """By id or by name."""
        folded = entity_id.casefold()
        return next(
            (e for e in self._graph()[0] if e.id == entity_id or folded in (e.name.casefold(), *e.aliases)), None
        )

    def search_entities(self, query: str, limit: int = 10) -> list[Entity]:
        """Entities whose name or alias holds the query."""
        folded = query.casefold()
        found = [e for e in self._graph()[0] if any(folded in name.casefold() for name in (e.name, *e.aliases))]
        return found[:limit]

    def get_related_entities(
        self, entity_id: str, relation_types: list[str] | None = None, max_hops: int = 2
    ) -> list[dict[str, Any]]:
        """What is within so many steps: entity, relation, the memory that says so, and its strength."""
        start = self.get_entity(entity_id)
        if start is None:
            return []
        handle = self.storage.handle
        relations = blocking.run(handle.parts.graph.walk(handle.name, [start.id], hops=max_hops))
        entities = {entity.id: entity for entity in self._graph()[0]}
        found: dict[str, dict[str, Any]] = {}
        for relation in relations:
            if relation_types and relation.label not in relation_types:
                continue
            for end in (relation.source, relation.target):
                if end != start.id and end in entities and end not in found:
                    found[end] = {
                        "entity": entities[end],
                        "relation_type": relation.label,
                        "strength": relation.weight,
                        "memory_id": relation.memory,
                    }
        return list(found.values())

    def export_knowledge_graph(self) -> dict[str, Any]:
        entities, relations = self._graph()
        return {
            "entities": {entity.id: asdict(entity) for entity in entities},
            "relations": [asdict(relation) for relation in relations],
            "graph_stats": {"total_nodes": len(entities), "total_edges": len(relations)},
        }

    def get_stats(self) -> dict[str, Any]:
        stats = self.storage.handle.sync.stats()
        return {
            **super().get_stats(),
            "entities_count": stats.entities,
            "relations_count": stats.relations,
            "graph_nodes": stats.entities,
            "graph_edges": stats.relations,
        }
