"""The lines that the interface promises on stdout."""

from __future__ import annotations

import sys


def say(text: str = "", end: str = "\n") -> None:
    """Shows the text; signs that the console's encoding lacks, as a Chinese Windows console lacks emoji, become `?`."""
    try:
        print(text, end=end, flush=True)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding
        print(text.encode(encoding, "replace").decode(encoding), end=end, flush=True)
