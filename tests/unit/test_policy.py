"""The rows of the kinds against the published formulas, computed by hand."""

from datetime import timedelta
from math import exp

import pytest

from ricordo.rank.policy import HIGHEST, POLICIES
from ricordo.types import SEARCHABLE_KINDS, Kind

NEW = timedelta(0)


def near(value):
    return pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("hours", "importance", "score"),
    [(0, 0.5, 0.6), (6, 0.5, 0.6 * 0.95), (24, 1.0, 0.6 * 0.95**4 * 1.2), (10_000, 0.0, 0.6 * 0.1 * 0.8)],
)
def test_working_memory_fades_by_a_twentieth_every_six_hours_down_to_a_tenth(hours, importance, score):
    assert POLICIES[Kind.WORKING].weigh(0.6, timedelta(hours=hours), importance) == near(score)


@pytest.mark.parametrize("kind", [Kind.EPISODIC, Kind.PERCEPTUAL])
@pytest.mark.parametrize(
    ("days", "importance", "score"),
    [
        (0, 0.5, 0.8 * 0.6 + 0.2),
        (3, 0.9, (0.8 * 0.6 + 0.2 * exp(-0.3)) * (0.8 + 0.4 * 0.9)),
        (400, 0.0, (0.8 * 0.6 + 0.2 * 0.1) * 0.8),
    ],
)
def test_episodic_and_perceptual_memory_mix_a_fifth_of_recency_in(kind, days, importance, score):
    assert POLICIES[kind].weigh(0.6, timedelta(days=days), importance) == near(score)


def test_semantic_memory_mixes_the_graph_in_and_does_not_age():
    semantic = POLICIES[Kind.SEMANTIC]
    assert semantic.weigh(0.6, timedelta(days=900), 0.7, graph=0.4) == near((0.7 * 0.6 + 0.3 * 0.4) * 1.08)
    assert semantic.weigh(0.6, NEW, 0.7, graph=0.0) == near(0.7 * 0.6 * 1.08)
    assert semantic.weigh(0.6, NEW, 0.7) == near(0.6 * 1.08)


def test_a_chunk_of_common_importance_scores_its_relevance():
    assert POLICIES[Kind.CHUNK].weigh(0.6, timedelta(days=900), 0.5) == near(0.6)


def test_what_is_still_to_come_is_not_faded():
    assert POLICIES[Kind.EPISODIC].recency(timedelta(days=-3)) == 1.0


def test_recency_halves_with_every_half_life():
    policy = POLICIES[Kind.EPISODIC]
    assert policy.recency(policy.half_life) == near(0.5)
    assert policy.recency(2 * policy.half_life) == near(0.25)


def test_no_score_exceeds_the_highest():
    for kind in SEARCHABLE_KINDS:
        assert POLICIES[kind].weigh(1.0, NEW, 1.0, graph=1.0) <= HIGHEST + 1e-12


def test_every_kind_has_a_row_and_only_text_that_answers_is_searched():
    assert set(POLICIES) == set(Kind)
    assert {kind for kind, policy in POLICIES.items() if policy.searchable} == set(SEARCHABLE_KINDS)


def test_only_working_memory_is_bounded():
    bounded = {kind for kind, policy in POLICIES.items() if policy.capacity is not None or policy.ttl is not None}
    assert bounded == {Kind.WORKING}
    assert (POLICIES[Kind.WORKING].capacity, POLICIES[Kind.WORKING].ttl) == (50, timedelta(minutes=60))
