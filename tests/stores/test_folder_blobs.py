"""What a folder of blobs does when files are damaged, stray or refused."""

import pytest

from ricordo.errors import Corrupt, NotFound, Unavailable
from ricordo.stores.blobs import FolderBlobs


@pytest.fixture
def blobs(tmp_path):
    return FolderBlobs(tmp_path / "blobs")


def files(tmp_path):
    return [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]


async def test_a_blob_is_one_file_two_folders_deep(blobs, tmp_path):
    key = await blobs.put(b"data")
    assert files(tmp_path) == [tmp_path / "blobs" / key[:2] / key[2:4] / key]
    assert files(tmp_path)[0].stat().st_mode & 0o077 == 0


async def test_a_changed_file_is_corrupt_until_it_is_put_again(blobs, tmp_path):
    key = await blobs.put(b"data")
    files(tmp_path)[0].write_bytes(b"dat")
    with pytest.raises(Corrupt, match=key):
        await blobs.get(key)
    assert await blobs.put(b"data") == key
    assert await blobs.get(key) == b"data"


async def test_what_a_stopped_writer_left_is_never_read(blobs, tmp_path):
    key = await blobs.put(b"data")
    stray = files(tmp_path)[0].with_name(".new-stray")
    stray.write_bytes(b"half")
    await blobs.delete(key)
    assert await blobs.put(b"data") == key
    assert await blobs.get(key) == b"data"


async def test_a_failed_put_leaves_nothing_behind(blobs, tmp_path):
    (tmp_path / "blobs").write_text("a file where the folder should be")
    with pytest.raises(Unavailable, match="blobs"):
        await blobs.put(b"data")
    (tmp_path / "blobs").unlink()
    with pytest.raises(NotFound):
        await blobs.get("0" * 32)


async def test_a_disk_that_fails_while_writing_leaves_no_file(blobs, tmp_path, monkeypatch):
    def fail(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(Unavailable, match="No space left"):
        await blobs.put(b"data")
    assert files(tmp_path) == []
