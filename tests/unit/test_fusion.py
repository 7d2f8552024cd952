"""Fusion: by value, judged per query, fair to what one arm did not find."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.rank.fusion import fuse

BAND = [0.86, 0.80, 0.79, 0.785, 0.78, 0.775, 0.77, 0.765]


def scored(scores, names="abcdefgh"):
    return list(zip(names, scores, strict=False))


def ranking(arms):
    return [one.id for one in fuse(arms)]


def by_id(arms):
    return {one.id: one for one in fuse(arms)}


def test_no_arms_give_no_candidates():
    assert fuse({}) == fuse({"words": [], "vectors": []}) == []


def test_the_best_of_every_arm_scores_one():
    best = fuse({"words": scored([9.0, 2.0, 1.0]), "vectors": scored([0.9, 0.8, 0.7])})[0]
    assert (best.id, best.score) == ("a", 1.0)


def test_one_candidate_scores_one():
    (only,) = fuse({"vectors": [("a", 0.75)]})
    assert only.score == 1.0


def test_candidates_that_an_arm_scores_alike_keep_one_score_and_go_by_id():
    fused = fuse({"words": [("b", 0.1 + 0.2), ("a", 0.3), ("c", 0.3)]})
    assert [(one.id, one.score) for one in fused] == [("a", 1.0), ("b", 1.0), ("c", 1.0)]


def test_an_arm_that_found_nothing_changes_nothing():
    alone = fuse({"words": scored([9.0, 4.0, 1.0])})
    assert fuse({"words": scored([9.0, 4.0, 1.0]), "vectors": []}) == alone


def test_neither_unit_nor_offset_of_an_arm_matters():
    words = scored([9.0, 3.0, 1.0, 0.5])
    narrow = ranking({"words": words, "vectors": scored(BAND, "dcbaefgh")})
    wide = ranking({"words": words, "vectors": scored([(s - 0.7) * 10 for s in BAND], "dcbaefgh")})
    assert narrow == wide


def test_a_peaked_arm_outweighs_a_flat_one():
    flat = scored([5.2, 5.1, 5.0, 4.9, 4.8, 4.7, 4.6, 4.5], "abcdefgh")
    peaked = scored([0.90, 0.74, 0.738, 0.736, 0.734, 0.732, 0.73, 0.728], "hgfedcba")
    assert ranking({"words": flat, "vectors": peaked})[0] == "h"
    assert (
        ranking({"words": scored([9.0, 2.0, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4]), "vectors": scored(BAND[1:], "hgfedcb")})[0]
        == "a"
    )


def test_what_a_dense_arm_did_not_reach_counts_as_its_last():
    fused = by_id({"words": scored([5.0, 4.0, 3.0, 2.0], "wxyz"), "vectors": scored([0.9, 0.8, 0.7], "abc")})
    assert fused["w"].arms["vectors"].score is None
    assert fused["w"].arms["vectors"].share == pytest.approx(fused["c"].arms["vectors"].share, abs=2e-6)


def test_what_the_words_did_not_match_has_nothing_from_them():
    fused = by_id({"words": [("a", 5.0)], "vectors": scored([0.84, 0.83, 0.82, 0.81], "bacd")})
    assert fused["b"].arms["words"].share == 0.0
    assert fused["a"].score > fused["b"].score


def test_a_full_list_of_words_leaves_its_last_to_what_it_cut_off():
    fused = by_id({"words": scored([5.0, 4.0, 3.0], "abc"), "vectors": scored([0.9, 0.8, 0.7], "dab")})
    assert fused["d"].arms["words"].share == pytest.approx(fused["c"].arms["words"].share, abs=2e-6)


def test_two_arms_that_agree_beat_each_alone():
    words = scored([6.0, 5.8, 1.0, 0.9, 0.8], "abcde")
    vectors = scored([0.90, 0.895, 0.75, 0.74, 0.73], "fbcde")
    assert ranking({"words": words, "vectors": vectors})[0] == "b"


def test_few_vectors_of_a_bank_that_is_still_being_embedded_do_not_drag_the_words_down():
    words = scored([9.0, 3.0, 2.0, 1.5, 1.0, 0.8], "abcdef")
    assert ranking({"words": words, "vectors": [("f", 0.81), ("e", 0.80)]})[0] == "a"


ARM = st.dictionaries(st.sampled_from("abcdefghij"), st.floats(0.001, 100), max_size=10).map(
    lambda scores: sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
)


@given(st.fixed_dictionaries({"words": ARM, "vectors": ARM, "graph": ARM}))
def test_scores_lie_in_order_between_zero_and_one_and_are_the_sum_of_their_shares(arms):
    fused = fuse(arms)
    assert {one.id for one in fused} == {id for found in arms.values() for id, _ in found}
    assert [(-one.score, one.id) for one in fused] == sorted((-one.score, one.id) for one in fused)
    for one in fused:
        assert 0.0 <= one.score <= 1.0
        assert one.score == pytest.approx(sum(part.share for part in one.arms.values()), abs=3e-6)
        for arm, part in one.arms.items():
            assert part.score == dict(arms[arm]).get(one.id)


@given(ARM)
def test_one_arm_alone_keeps_its_order(arm):
    place = {id: number for number, (id, _) in enumerate(arm)}
    fused = fuse({"words": arm})
    assert all(place[one.id] < place[other.id] or one.score == other.score for one, other in pairwise(fused))


def test_of_two_candidates_the_second_keeps_half_since_two_say_little_of_their_spread():
    assert [one.score for one in fuse({"vectors": [("a", 0.86), ("b", 0.73)]})] == [1.0, 0.5]


def test_a_word_that_one_memory_alone_holds_outweighs_a_nearer_vector():
    vectors = scored([0.86, 0.83, 0.79, 0.785, 0.78, 0.775, 0.77, 0.765])
    assert ranking({"words": [("c", 5.0)], "vectors": vectors})[0] == "c"
