"""Office files under a password: an OLE container around an encrypted package."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO
from typing import Any

from ricordo.parse.outcome import ReadError, damaged, locked, reader
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import Parsed, ParseStatus


@reader
def read(data: bytes, job: Job) -> Parsed:
    """What the decrypted file holds, NEEDS_PASSWORD without the right password."""
    if job.password is None:
        raise locked(job)
    try:
        library = import_module("msoffcrypto")
    except ModuleNotFoundError as error:
        raise ReadError(
            ParseStatus.UNSUPPORTED,
            f"{job.name!r} is encrypted, and using its password needs: pip install msoffcrypto-tool",
        ) from error
    return job.child(job.name, _decrypted(library, data, job))


def _decrypted(library: Any, data: bytes, job: Job) -> bytes:
    out = BytesIO()
    try:
        office = library.OfficeFile(BytesIO(data))
        office.load_key(password=job.password, verify_password=True)
        office.decrypt(out)
    except library.exceptions.InvalidKeyError as error:
        raise locked(job) from error
    except library.exceptions.DecryptionError as error:
        raise damaged(f"{job.name!r} cannot be decrypted: {error}") from error
    if out.tell() > job.limits.inflated_bytes:
        raise Exceeded(f"{job.name!r} is larger than {job.limits.inflated_bytes} bytes when decrypted")
    return out.getvalue()
