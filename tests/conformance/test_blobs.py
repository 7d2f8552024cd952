"""What every BlobStore promises."""

import asyncio

import pytest

from ricordo.errors import Invalid, NotFound
from ricordo.registry import load, names
from ricordo.types import content_digest


@pytest.fixture(params=names("blobs"))
def blobs(request, tmp_path):
    return load("blobs", request.param)(tmp_path / "blobs")


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"x" * 1_000_000], ids=len)
async def test_bytes_come_back_under_the_digest_of_their_content(blobs, data):
    key = await blobs.put(data)
    assert key == content_digest(data)
    assert await blobs.get(key) == data


async def test_the_same_bytes_have_one_key(blobs):
    assert await blobs.put(b"same") == await blobs.put(b"same")


async def test_an_unknown_key_is_not_found(blobs):
    with pytest.raises(NotFound):
        await blobs.get(content_digest(b"never put"))


async def test_a_deleted_blob_is_gone_and_deleting_again_is_fine(blobs):
    key, other = await blobs.put(b"one"), await blobs.put(b"two")
    for _ in range(2):
        await blobs.delete(key)
    with pytest.raises(NotFound):
        await blobs.get(key)
    assert await blobs.get(other) == b"two"


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "a" * 31, "A" * 32, "/" * 32, "0" * 31 + "\n", "0" * 33])
async def test_a_key_that_is_no_digest_is_refused(blobs, key):
    for call in (blobs.get, blobs.delete):
        with pytest.raises(Invalid):
            await call(key)


async def test_many_puts_of_the_same_bytes_at_once_leave_one_whole_blob(blobs):
    keys = await asyncio.gather(*(blobs.put(b"z" * 50_000) for _ in range(12)))
    assert len(set(keys)) == 1
    assert await blobs.get(keys[0]) == b"z" * 50_000
