"""Office files under a password: what is needed to open them, and what to say when it is not there."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO

from ricordo.parse.outcome import ReadError, damaged, locked, reader
from ricordo.parse.reading import Exceeded, Job
from ricordo.types import Parsed, ParseStatus


@reader
def read(data: bytes, job: Job) -> Parsed:
    """What the decrypted file holds; NEEDS_PASSWORD without the right password."""
    return job.child(job.name, unlocked(data, job))


def unlocked(data: bytes, job: Job) -> bytes:
    """The bytes of an encrypted Office file, old or new, without its encryption."""
    if job.password is None:
        raise locked(job)
    try:
        library = import_module("msoffcrypto")
    except ModuleNotFoundError as error:
        raise ReadError(
            ParseStatus.UNSUPPORTED,
            f"{job.name!r} is encrypted, and using its password needs: pip install 'ricordo[passwords]'",
        ) from error
    faults = library.exceptions
    out = BytesIO()
    try:
        office = library.OfficeFile(BytesIO(data))
        office.load_key(password=job.password)
        office.decrypt(out)
    except faults.InvalidKeyError as error:
        raise locked(job) from error
    except (faults.DecryptionError, faults.ParseError, faults.FileFormatError) as error:
        raise damaged(f"{job.name!r} cannot be decrypted: {error}") from error
    if out.tell() > job.limits.inflated_bytes:
        raise Exceeded(f"{job.name!r} is larger than {job.limits.inflated_bytes} bytes when decrypted")
    return out.getvalue()
