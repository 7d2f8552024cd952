"""One tree of errors. Each says what was wrong, with which input, and what to do; each knows its HTTP status."""

from __future__ import annotations


class RicordoError(Exception):
    """The base. `status`: what an HTTP edge answers with. `transient`: whether trying again may help."""

    status = 500
    transient = False


class Invalid(RicordoError, ValueError):
    """The caller's input cannot be used."""

    status = 422


class NotFound(RicordoError, LookupError):
    status = 404


class Conflict(RicordoError):
    """The request contradicts what is already there."""

    status = 409


class Changed(Conflict):
    """Another writer came in between reading and writing; read again and decide again."""

    transient = True


class Denied(RicordoError):
    status = 403


class TooLarge(RicordoError):
    status = 413


class Unreadable(RicordoError):
    """A file could not be turned into text; the message says why."""

    status = 422


class Busy(RicordoError):
    """Another writer holds the store, or a queue is full; trying again may help."""

    status = 503
    transient = True


class Unavailable(RicordoError):
    """A service that was configured does not answer."""

    status = 503
    transient = True


class Closed(Unavailable):
    """Used after its end; another one must be opened."""


class ModelFailed(RicordoError):
    """A model answered with something that cannot be used."""

    status = 502


class MissingExtra(RicordoError, ImportError):
    """A back-end was chosen whose library is not installed; the message names what to install."""

    status = 501


class Corrupt(RicordoError):
    """A store's content contradicts itself, or was written by a newer release."""
