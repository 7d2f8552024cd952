"""Topics are told apart by vectors; cuts keep to their sizes."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.chunk.semantic import SemanticChunker
from ricordo.chunk.topics import best_cuts, depths, similarities
from ricordo.errors import Invalid

TOPICS = ("猫", "股", "star", "bread")


class TopicEmbedder:
    """A direction for each topic's word, and a little of another that depends on the text's length."""

    name = "topics"
    max_characters = 60

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def dimension(self) -> int:
        return len(TOPICS) + 3

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> np.ndarray:
        assert all(0 < len(text) <= self.max_characters for text in texts)
        self.seen += texts
        rows = np.zeros((len(texts), len(TOPICS) + 3), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[: len(TOPICS)] = [topic in text for topic in TOPICS]
            row[len(TOPICS) + len(text) % 3] = 0.3
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def about(topic: str, count: int) -> str:
    if topic.isascii():
        return "".join(f"Here the {topic} number {n} is{' really' * (n % 3)} told of. " for n in range(count))
    return "".join(f"这里是第{n}次说到{topic}，{'真的' * (n % 3)}是一个足够长的完整的句子。" for n in range(count))


@pytest.fixture
def embedder() -> TopicEmbedder:
    return TopicEmbedder()


def pieces_of(text, sections):
    return [text[section.start : section.end] for section in sections]


async def test_chunks_end_where_the_topic_changes(embedder):
    parts = [about("猫", 9), about("star", 8), about("股", 10), about("bread", 7)]
    text = "".join(parts)
    assert pieces_of(text, await SemanticChunker(embedder).split(text)) == parts


async def test_a_threshold_cuts_below_a_cosine(embedder):
    parts = [about("猫", 9), about("star", 8)]
    text = "".join(parts)
    chunker = SemanticChunker(embedder, window=1, threshold=0.5)
    assert pieces_of(text, await chunker.split(text)) == parts
    assert len(await SemanticChunker(embedder, window=1, threshold=-1.0).split(text)) == 1


async def test_sentences_of_many_texts_are_embedded_once_in_one_batch(embedder):
    texts = [about("猫", 5), "", about("star", 4), about("猫", 5), " \n "]
    many = await SemanticChunker(embedder).split_many(texts)
    assert len(embedder.seen) == len(set(embedder.seen)) == 9
    assert many[1] == []
    assert many[0] == many[3]
    for text, sections in zip(texts, many, strict=True):
        assert "".join(pieces_of(text, sections)) == text
        assert sections == await SemanticChunker(TopicEmbedder()).split(text)


async def test_a_text_for_each_list_of_anchors(embedder):
    (sections,) = await SemanticChunker(embedder).split_many([about("猫", 5)], [[(0, 1, "Cats")]])
    assert sections[0].headings == ("Cats",)
    with pytest.raises(ValueError, match="argument 2"):
        await SemanticChunker(embedder).split_many(["a", "b"], [()])


async def test_the_size_is_a_hard_limit_and_the_least_size_holds_where_it_can(embedder):
    text = about("猫", 60)
    lengths = [s.end - s.start for s in await SemanticChunker(embedder, size=300, least=100).split(text)]
    assert max(lengths) <= 300
    assert min(lengths) >= 100


async def test_a_heading_is_cut_at_though_the_topic_stays(embedder):
    text = about("猫", 8) + "\n\n# 标题\n\n" + about("猫", 8)
    assert text.index("# 标题") in {section.start for section in await SemanticChunker(embedder).split(text)}


async def test_chunks_are_grouped_under_a_parent(embedder):
    text = "".join(about(topic, 8) for topic in TOPICS)
    flat = await SemanticChunker(embedder, size=400).split(text)
    grouped = await SemanticChunker(embedder, size=400, parent=800).split(text)
    assert [(c.start, c.end) for s in grouped for c in s.children] == [(s.start, s.end) for s in flat]
    assert len(grouped) < len(flat)
    assert max(s.end - s.start for s in grouped) <= 800


async def test_lines_of_code_are_embedded_together(embedder):
    text = "```\n" + "".join(f"value_{number} = compute(number)\n" for number in range(60)) + "```\n"
    await SemanticChunker(embedder, size=400).split(text)
    assert len(embedder.seen) < 15


@pytest.mark.parametrize("wrong", [{"window": 0}, {"threshold": 1.5}, {"size": 0}])
def test_settings_out_of_range_are_refused(embedder, wrong):
    with pytest.raises(Invalid):
        SemanticChunker(embedder, **wrong)


def test_similarity_compares_what_is_before_a_gap_with_what_is_after():
    east, north = np.eye(2, dtype=np.float32)
    rows = np.array([east, east, north, north, north * 0])
    assert similarities(rows, 1).tolist() == [1, 0, 1, 1]
    assert similarities(rows, 2) == pytest.approx([2**-0.5, 0, 2**-0.5, 1])


def test_depth_is_the_climb_to_both_peaks():
    assert depths(np.array([0.9, 0.5, 0.7, 0.2, 0.8])) == pytest.approx([0, 0.6, 0, 1.1, 0])


@given(
    st.lists(st.tuples(st.integers(1, 50), st.floats(-1, 1)), min_size=1, max_size=9),
    st.integers(0, 40),
    st.integers(50, 120),
)
def test_the_best_cuts_are_the_best_of_all(steps, least, limit):
    sizes, gains = [size for size, _ in steps], [gain for _, gain in steps][:-1]
    marks = np.cumsum([0, *sizes]).tolist()

    def rank(ends):
        parts = np.diff([0, *(marks[end] for end in ends)])
        return (-(parts < least).sum(), sum(gains[end - 1] for end in ends[:-1])) if max(parts) <= limit else None

    every = [
        [*(end for end in range(1, len(sizes)) if chosen >> (end - 1) & 1), len(sizes)]
        for chosen in range(1 << (len(sizes) - 1))
    ]
    best = max(filter(None, map(rank, every)))
    assert rank(best_cuts(marks, gains, least, limit)) == pytest.approx(best)
