"""Every chunker fills the text with sections, and each section with chunks, whatever the text."""

from collections.abc import Callable
from inspect import signature

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.protocols import Chunker
from ricordo.registry import load, names

TEXTS = st.one_of(
    st.lists(
        st.sampled_from(
            [
                "一个句子。",
                "A sentence. ",
                "\n\n",
                "\r\n",
                "## 标题\n",
                "word " * 60,
                "字" * 300,
                "```\nx\n```\n",
                "👨‍👩‍👧",
            ]
        ),
        max_size=40,
    ).map("".join),
    st.text(st.characters(codec=None), max_size=400),
)


@pytest.fixture(params=names("chunker"))
def make(request: pytest.FixtureRequest) -> Callable[..., Chunker]:
    factory = load("chunker", request.param)
    given_embedder = "embedder" in signature(factory).parameters

    def build(**options: object) -> Chunker:
        if given_embedder:
            options["embedder"] = load("embedder", "hash")()
        return factory(**options)

    return build


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(text=TEXTS, size=st.integers(1, 300), times=st.integers(0, 5))
async def test_nothing_is_lost_and_no_limit_is_passed(make, text, size, times):
    at = 0
    for section in await make(size=size, parent=size * times).split(text):
        assert section.start == at < section.end
        assert section.end - section.start <= size * (times or 1)
        assert times or len(section.children) == 1
        for child in section.children:
            assert child.start == at < child.end
            assert child.end - child.start <= size
            at = child.end
        assert section.end == at
    assert at == len(text)


async def test_no_text_has_no_sections(make):
    assert await make().split("") == []


async def test_the_same_text_is_always_cut_alike(make):
    text = "# 标题\n\n" + "他今天去了城里。She stayed at home. " * 60
    assert await make(size=200, parent=1000).split(text) == await make(size=200, parent=1000).split(text)


async def test_sizes_can_count_tokens(make):
    text = "他今天去了城里。 She stayed at home. " * 60
    sections = await make(size=40, parent=160, unit="tokens", count=lambda part: len(part) // 2 + 1).split(text)
    assert all(section.end - section.start < 320 for section in sections)
    assert all(child.end - child.start < 80 for section in sections for child in section.children)
    assert sections[-1].end == len(text)


async def test_chunks_stand_under_the_headings_of_the_text_or_of_the_caller(make):
    part = "这是一句足够长的话，用来填满一个片段。" * 12
    text = f"# 甲\n\n{part}\n\n# 乙\n\n{part}"
    second = text.index("# 乙")
    for anchors, paths in (
        ((), {("甲",), ("乙",)}),
        (((0, 1, "A"), (second, 2, "B")), {("A",), ("A", "B")}),
    ):
        sections = await make(size=250, parent=500).split(text, anchors)
        children = [child for section in sections for child in section.children]
        assert {child.headings for child in children} == paths
        assert any(child.start == second for child in children)


async def test_a_heading_does_not_end_a_chunk(make):
    text = "".join(f"## 第{number}节\n\n" + "这里说的是别的事情，和前面没有关系。" * 5 + "\n\n" for number in range(9))
    for section in await make(size=200, parent=600).split(text):
        for child in section.children:
            assert not text[child.start : child.end].rstrip().splitlines()[-1].startswith("#")


@pytest.mark.parametrize("wrong", [{"size": 0}, {"size": 200, "parent": 100}, {"unit": "tokens"}, {"unit": "lines"}])
def test_sizes_that_contradict_each_other_are_refused(make, wrong):
    with pytest.raises(ValueError, match=r"size|parent|unit"):
        make(**wrong)
