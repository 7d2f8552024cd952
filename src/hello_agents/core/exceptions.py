"""The one error that the facade raises by itself."""

from __future__ import annotations

from ricordo.errors import RicordoError


class HelloAgentsException(RicordoError):
    """The message says what failed and why; the cause is kept as `__cause__`."""
