"""The published formulas, against values worked out by hand."""

import math
from datetime import datetime, timedelta

import pytest

from hello_agents.memory import formulas


def near(value):
    return pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("importance", "weight"), [(0, 0.8), (0.5, 1.0), (1, 1.2), (0.7, 1.08)])
def test_importance_weighs_from_four_fifths_to_six_fifths(importance, weight):
    assert formulas.importance_weight(importance) == near(weight)


@pytest.mark.parametrize(("hours", "decay"), [(0, 1), (6, 0.95), (12, 0.9025), (24, 0.81450625), (10_000, 0.1)])
def test_working_memories_fade_by_a_twentieth_in_six_hours(hours, decay):
    assert formulas.time_decay(hours) == near(decay)


@pytest.mark.parametrize(("days", "recency"), [(0, 1), (1, math.exp(-0.1)), (10, math.exp(-1)), (100, 0.1)])
def test_recency_falls_exponentially_to_a_floor(days, recency):
    now = datetime(2026, 5, 1, 12)
    assert formulas.recency(now - timedelta(days=days), now) == near(recency)
    assert formulas.recency((now - timedelta(days=days)).isoformat(), now) == near(recency)


@pytest.mark.parametrize("unreadable", ["yesterday", None, 17])
def test_a_time_that_cannot_be_read_counts_half(unreadable):
    assert formulas.recency(unreadable) == 0.5


def test_a_query_inside_the_content_scores_by_its_share_of_the_length():
    assert formulas.keyword_score("Python", "Python编程") == near(6 / 8)


def test_other_queries_score_by_the_terms_they_share_in_chinese_too():
    assert formulas.keyword_score("red tea", "tea and green leaves") == near(0.8 * 1 / 4)
    assert formulas.keyword_score("Python编程", "Python是编程语言") > 0.1
    assert formulas.keyword_score("天气", "Python是编程语言") == 0.0


def test_working_memory_mixes_tfidf_and_keywords():
    assert formulas.working_score(0.6, 0.5, 0.9025, 0.7) == near((0.7 * 0.6 + 0.3 * 0.5) * 0.9025 * 1.08)
    assert formulas.working_score(0.0, 0.5, 1.0, 0.5) == near(0.5)


def test_episodes_mix_likeness_and_recency():
    assert formulas.episodic_score(0.6, 0.4, 0.7) == near((0.8 * 0.6 + 0.2 * 0.4) * 1.08)


def test_facts_mix_likeness_and_graph():
    assert formulas.semantic_score(0.6, 0.4, 0.7) == near((0.7 * 0.6 + 0.3 * 0.4) * 1.08)


def test_the_graph_counts_shared_entities_and_how_connected_a_memory_is():
    assert formulas.graph_score(1, 2, 5, 2) == near(0.6 * 0.5 + 0.2 * 0.5 + 0.2 * 0.4)


def test_probabilities_are_a_softmax():
    assert formulas.softmax([1.0, 0.0]) == [near(math.e / (math.e + 1)), near(1 / (math.e + 1))]
    assert formulas.softmax([]) == []


def test_results_carry_scores_that_follow_the_formula(tool):
    tool.run("add", content="三天前去了北京", memory_type="episodic", importance=0.7,
             timestamp=(datetime.now() - timedelta(days=3)).isoformat())  # fmt: skip
    [item] = tool.memory_manager.retrieve_memories("北京")
    told = item.metadata
    assert told["recency_score"] == pytest.approx(math.exp(-0.3), rel=1e-4)
    assert told["relevance_score"] == near((0.8 * told["vector_score"] + 0.2 * told["recency_score"]) * 1.08)
