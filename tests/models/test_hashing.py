import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.errors import Invalid
from ricordo.models.hashing import HashEmbedder

PINNED = [0.167, -0.333, -0.5, -0.167, 0.333, -0.167, -0.667, 0.0]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=8), st.sampled_from([2, 3, 64, 384]))
async def test_any_text_has_a_finite_vector_of_length_one_at_any_dimension(texts, dimension):
    rows = await HashEmbedder(dimension).embed(texts)
    assert rows.shape == (len(texts), dimension)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


async def test_vectors_are_the_same_on_every_machine():
    (row,) = await HashEmbedder(8).embed(["记忆 memory"])
    assert row.tolist() == pytest.approx(PINNED, abs=1e-3)


async def test_common_pieces_of_words_bring_texts_together():
    rows = await HashEmbedder().embed(
        ["数据库索引", "索引数据库的方法", "天气很好", "Indexing databases", "index a DATABASE"]
    )
    near = rows @ rows.T
    assert near[0, 1] > near[0, 2] + 0.2
    assert near[3, 4] > near[2, 4] + 0.2


def test_a_dimension_below_two_is_refused():
    with pytest.raises(Invalid, match="got 1"):
        HashEmbedder(1)
