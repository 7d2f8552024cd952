"""Forgetting and consolidation beside a model of what they promise: nothing outside the criterion changes."""

import tempfile
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

KINDS = st.sampled_from(["working", "episodic", "semantic"])
IMPORTANCE = st.sampled_from([0.0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.75, 0.8, 0.95, 1.0])
CAPACITY = 4


class Memories(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        from hello_agents.memory.config import MemoryConfig
        from hello_agents.tools.memory_tool import MemoryTool

        config = MemoryConfig(storage_path=tempfile.mkdtemp(), max_capacity=CAPACITY)
        self.tool = MemoryTool(user_id="me", memory_config=config)
        self.other = MemoryTool(user_id="other", memory_config=config)
        self.other.run("add", content="nobody touches this", memory_type="semantic", importance=0.0)
        self.model = {}
        self.count = 0

    @rule(some=st.lists(st.tuples(KINDS, IMPORTANCE, st.integers(0, 90)), min_size=2, max_size=6))
    def add(self, some):
        for kind, importance, age in some:
            self.count += 1
            at = datetime.now() - timedelta(days=age, minutes=1)
            text = f"memory {self.count}"
            result = self.tool.run(
                "add", content=text, memory_type=kind, importance=importance, timestamp=at, n=self.count
            )
            assert result.success, result
            self.model[result["id"]] = (kind, importance, age, self.count)

    @rule(threshold=IMPORTANCE)
    def forget_by_importance(self, threshold):
        doomed = {id for id, (_, importance, _, _) in self.model.items() if importance < threshold}
        self.gone(doomed, self.tool.run("forget", strategy="importance_based", threshold=threshold))

    @rule(days=st.integers(0, 90))
    def forget_by_time(self, days):
        doomed = {id for id, (_, _, age, _) in self.model.items() if age >= days}
        self.gone(doomed, self.tool.run("forget", strategy="time_based", max_age_days=days))

    @rule()
    def forget_by_capacity(self):
        doomed = set()
        for kind in ("working", "episodic", "semantic"):
            mine = [(importance, -age, n, id) for id, (k, importance, age, n) in self.model.items() if k == kind]
            doomed |= {id for *_, id in sorted(mine, reverse=True)[CAPACITY:]}
        self.gone(doomed, self.tool.run("forget", strategy="capacity_based"))

    def gone(self, doomed, result):
        assert result["count"] == len(doomed)
        for id in doomed:
            del self.model[id]

    @rule(source=KINDS, goal=KINDS, threshold=IMPORTANCE)
    def consolidate(self, source, goal, threshold):
        result = self.tool.run("consolidate", from_type=source, to_type=goal, importance_threshold=threshold)
        if source == goal:
            assert not result.success
            return
        moved = {
            id for id, (kind, importance, _, _) in self.model.items() if kind == source and importance >= threshold
        }
        assert set(result["ids"]) == moved
        for id in moved:
            _, importance, age, n = self.model[id]
            self.model[id] = (goal, min(1.0, importance * 1.1), age, n)
        again = self.tool.run("consolidate", from_type=source, to_type=goal, importance_threshold=threshold)
        assert again["count"] == 0

    @invariant()
    def the_store_is_the_model(self):
        kinds = ["working", "episodic", "semantic"]
        stored = {m.id: (str(m.kind), m.importance, m.data["n"]) for m in self.tool.memory_manager.storage.list(kinds)}
        assert stored == {id: (kind, importance, n) for id, (kind, importance, _, n) in self.model.items()}
        assert self.other.run("stats")["total"] == 1

    def teardown(self):
        from hello_agents.memory.engine import close_engines

        close_engines()


@pytest.mark.usefixtures("open_memory")
def test_forgetting_and_consolidating_change_what_they_name_and_nothing_else():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Memories,
        settings=settings(
            max_examples=12, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
