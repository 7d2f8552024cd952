"""Files under the digest of their content: in a folder, or in memory."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from pathlib import Path

from ricordo.errors import Corrupt, Invalid, NotFound, Unavailable
from ricordo.types import content_digest

_KEY = re.compile("[0-9a-f]{32}")


def _checked(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise Invalid(f"{key!r} is not the key of a blob: 32 hexadecimal digits, as put gave it")
    return key


class FolderBlobs:
    """One file a blob, two folders deep. A blob is whole or absent, whenever the process or the machine stops."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def put(self, data: bytes) -> str:
        return await asyncio.to_thread(self._put, data)

    async def get(self, key: str) -> bytes:
        return await asyncio.to_thread(self._get, key)

    async def delete(self, key: str) -> None:
        file = self._file(key)
        await asyncio.to_thread(file.unlink, missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._path / _checked(key)[:2] / key[2:4] / key

    def _put(self, data: bytes) -> str:
        key = content_digest(data)
        file = self._file(key)
        try:
            if not (file.exists() and content_digest(file.read_bytes()) == key):
                _write_whole(self._path, file, data)
        except OSError as error:
            raise Unavailable(f"a blob of {len(data)} bytes cannot be written to {self._path}: {error}") from error
        return key

    def _get(self, key: str) -> bytes:
        file = self._file(key)
        try:
            data = file.read_bytes()
        except FileNotFoundError as error:
            raise NotFound(f"there is no blob {key}") from error
        except OSError as error:
            raise Unavailable(f"the blob {file} cannot be read: {error}") from error
        if content_digest(data) != key:
            raise Corrupt(f"the file {file} no longer holds what was put; restore it from a backup or put it again")
        return data


def _write_whole(root: Path, file: Path, data: bytes) -> None:
    """Writes beside, then renames: a stopped writer leaves a stray temporary file and no half blob."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".new-", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    for folder in (file.parent, file.parent.parent, root):
        _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    """Makes new names in the folder durable, where the system lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class MemoryBlobs:
    def __init__(self, path: Path | None = None) -> None:  # noqa: ARG002 - every factory takes a directory
        self._blobs: dict[str, bytes] = {}

    async def put(self, data: bytes) -> str:
        key = content_digest(data)
        self._blobs[key] = bytes(data)
        return key

    async def get(self, key: str) -> bytes:
        if _checked(key) not in self._blobs:
            raise NotFound(f"there is no blob {key}")
        return self._blobs[key]

    async def delete(self, key: str) -> None:
        self._blobs.pop(_checked(key), None)
