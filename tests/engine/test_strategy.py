from itertools import pairwise

import pytest

from ricordo import Item
from ricordo.rank.budget import approx_tokens
from ricordo.types import Kind, Strategy

LONG = "\n\n".join(f"第{n}段：" + "春茶在三月采摘。" * 12 for n in range(30))


async def chunks_of(bank, document):
    return sorted(await bank.list(kinds=["chunk"], document=document, limit=1000), key=lambda m: m.place.start)


async def test_a_document_may_be_cut_otherwise_than_the_settings_say(bank):
    strategy = Strategy(chunk_size=300, section_size=0, chunk_unit="tokens", chunk_overlap=40)
    plain, cut = (
        await bank.add([Item(content=LONG, document="a"), Item(content=LONG, document="b", strategy=strategy)])
    ).outcomes
    assert await bank.list(kinds=[Kind.SECTION], document=plain.memories[0])
    assert not await bank.list(kinds=[Kind.SECTION], document=cut.memories[0])
    chunks = await chunks_of(bank, cut.memories[0])
    assert all(f"{LONG}\n"[c.place.start : c.place.end] == c.text for c in chunks)
    assert max(approx_tokens(c.text) for c in chunks) <= 300 < approx_tokens(LONG)
    reached = [approx_tokens(LONG[after.place.start : before.place.end]) for before, after in pairwise(chunks)]
    assert max(reached) <= 40
    assert any(reached)


async def test_the_same_text_under_another_strategy_is_cut_again(bank):
    small, large = (Strategy(chunk_size=size, section_size=0) for size in (60, 400))
    id = (await bank.add(LONG, document="a", strategy=small)).outcomes[0].memories[0]
    before = len(await chunks_of(bank, id))
    assert (await bank.add(LONG, document="a", strategy=small)).outcomes[0].status == "merged"
    assert (await bank.add(LONG, document="a", strategy=large)).outcomes[0].status == "stored"
    assert len(await chunks_of(bank, id)) < before


@pytest.mark.parametrize(
    ("strategy", "reason"),
    [
        (Strategy(chunk_overlap=150), "overlap must lie between 0 and half"),
        (Strategy(chunk_size=0), "size must be 1 or more"),
        (Strategy(chunker="semantic", chunk_overlap=10), "has no overlap"),
        (Strategy(chunker="magic"), "unknown chunker 'magic'"),
    ],
)
async def test_a_strategy_that_contradicts_itself_is_a_failure_that_says_so(bank, strategy, reason):
    (outcome,) = (await bank.add(LONG, document="a", strategy=strategy)).outcomes
    assert outcome.status == "failed"
    assert reason in outcome.reason
