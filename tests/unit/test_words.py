"""Segments and BM25 against the plain reference, through any history of writes, merges and deletes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.errors import Corrupt
from ricordo.stores import segment as segments_module
from ricordo.stores.words import Segment, bm25, bm25_reference, merge_plan

VOCABULARY = ["alpha", "beta", "running", "咖啡", "喜欢", "茶", "foo_bar", "the", "我爱茶"]
TEXT = st.lists(st.sampled_from(VOCABULARY), max_size=8).map(" ".join)
STEP = st.one_of(
    st.tuples(st.just("write"), st.lists(TEXT, min_size=1, max_size=4)),
    st.tuples(st.just("change"), TEXT),
    st.tuples(st.just("delete"), st.integers(0, 50)),
    st.tuples(st.just("merge"), st.tuples(st.integers(0, 5), st.integers(1, 5))),
    st.tuples(st.just("reload"), st.none()),
)


class Bank:
    """Texts by row, and the segments that a store would keep of them."""

    def __init__(self):
        self.texts, self.segments, self.next = {}, [], 0

    @property
    def alive(self):
        return np.array(sorted(self.texts), np.int64)

    def write(self, texts):
        rows = {self.next + number: text for number, text in enumerate(texts)}
        self.next += len(rows)
        self._add(rows)

    def change(self, text):
        if self.texts:
            self._add({max(self.texts): text})

    def _add(self, rows):
        self.texts |= rows
        self.segments.append(Segment.build(rows.items()))

    def delete(self, number):
        if self.texts:
            del self.texts[sorted(self.texts)[number % len(self.texts)]]

    def merge(self, span):
        part = slice(span[0], span[0] + span[1])
        if self.segments[part]:
            self.segments[part] = [Segment.merge(self.segments[part], self.alive)]

    def reload(self, _):
        self.segments = [Segment.load(segment.dump()) for segment in self.segments]

    def scores(self, query):
        newest = {int(row): number for number, segment in enumerate(self.segments) for row in segment.docs}
        dense = {row: place for place, row in enumerate(sorted(self.texts))}
        pairs = []
        for number, segment in enumerate(self.segments):
            places = [dense.get(row, -1) if newest[row] == number else -1 for row in segment.docs.tolist()]
            pairs.append((segment, np.array(places, np.int64)))
        return bm25(pairs, query, len(dense))


@given(st.lists(STEP, max_size=14), TEXT)
def test_scores_equal_the_reference_after_any_history(steps, query):
    bank = Bank()
    for name, argument in steps:
        getattr(bank, name)(argument)
    wanted = bm25_reference({str(row): text for row, text in bank.texts.items()}, query)
    np.testing.assert_allclose(bank.scores(query), [wanted.get(str(row), 0.0) for row in sorted(bank.texts)], atol=1e-9)


def test_a_merge_forgets_the_terms_of_the_dead():
    old = Segment.build([(1, "secret alpha"), (2, "beta"), (5, "alpha")])
    new = Segment.build([(2, "gamma")])
    merged = Segment.merge([old, new], np.array([2, 5]))
    fresh = Segment.build([(2, "gamma"), (5, "alpha")])
    assert merged.dump() == fresh.dump()


def test_merging_nothing_that_lives_gives_an_empty_segment():
    merged = Segment.merge([Segment.build([(1, "alpha")])], np.empty(0, np.int64))
    assert len(merged) == len(merged.terms) == len(Segment.load(merged.dump())) == 0


def test_the_order_in_which_docs_are_given_does_not_matter():
    docs = [(3, "alpha beta"), (1, "咖啡"), (2, "beta")]
    assert Segment.build(docs).dump() == Segment.build(docs[::-1]).dump()


def test_a_segment_comes_back_as_it_was():
    segment = Segment.build([(7, "alpha alpha 咖啡"), (70_000_000_000, "the"), (8, "")])
    again = Segment.load(segment.dump())
    for name in Segment.__slots__:
        mine, theirs = getattr(segment, name), getattr(again, name)
        assert mine.dtype == theirs.dtype
        assert mine.tolist() == theirs.tolist()


@pytest.mark.parametrize("place", [0, 4, 8, 20, 40, -1])
def test_a_damaged_segment_is_refused(place):
    blob = bytearray(Segment.build([(1, "alpha beta 咖啡"), (2, "gamma")]).dump())
    blob[place] ^= 1
    with pytest.raises(Corrupt, match="rebuild"):
        Segment.load(bytes(blob))


@pytest.mark.parametrize("length", [0, 3, 10, 50])
def test_a_shortened_segment_is_refused(length):
    with pytest.raises(Corrupt, match="rebuild"):
        Segment.load(Segment.build([(1, "alpha beta")]).dump()[:length])


def test_a_segment_of_another_edition_is_refused(monkeypatch):
    blob = Segment.build([(1, "alpha")]).dump()
    monkeypatch.setattr(segments_module, "EDITION", segments_module.EDITION + 1)
    with pytest.raises(Corrupt, match="edition"):
        Segment.load(blob)


def test_a_rarer_word_a_fuller_text_and_a_shorter_text_score_higher():
    docs = {"rare": "zebra word", "common": "apple word", "twice": "apple apple", "long": "apple " + "filler " * 40}
    assert bm25_reference(docs, "zebra")["rare"] > bm25_reference(docs, "apple")["common"]
    scores = bm25_reference(docs, "apple")
    assert scores["twice"] > scores["common"] > scores["long"] > 0


def test_a_word_of_the_query_counts_as_often_as_it_is_said():
    docs = {"a": "coffee", "b": "tea"}
    assert bm25_reference(docs, "coffee coffee")["a"] == pytest.approx(2 * bm25_reference(docs, "coffee")["a"])


@pytest.mark.parametrize("query", ["", "???", "unknown"])
def test_a_query_that_no_text_answers_scores_nothing(query):
    segment = Segment.build([(0, "alpha")])
    assert bm25([(segment, segment.docs)], query, 1).tolist() == [0.0]
    assert bm25([], query, 0).tolist() == []


def test_segments_stay_few_and_copies_rare_when_docs_come_one_by_one():
    sizes, copied, most = [], 0, 0
    for _ in range(100_000):
        sizes.append(1)
        while plan := merge_plan(sizes):
            total = sum(sizes[plan.start : plan.stop])
            copied += total
            sizes[plan.start : plan.stop] = [total]
        most = max(most, len(sizes))
    assert sum(sizes) == 100_000
    assert most <= 25
    assert copied <= 16 * 100_000


@given(st.lists(st.integers(1, 5000), max_size=120))
def test_a_merge_plan_always_ends_and_bounds_the_segments_of_batches(batches):
    sizes = []
    for batch in batches:
        sizes.append(batch)
        while plan := merge_plan(sizes):
            assert plan.stop == len(sizes)
            assert len(plan) > 1
            sizes[plan.start :] = [sum(sizes[plan.start :])]
    assert sum(sizes) == sum(batches)
    assert len(sizes) <= 7 * (1 + max(sum(batches), 1).bit_length())
