"""One engine for each data folder of this process, shared by every tool and thread that uses the folder."""

from __future__ import annotations

import atexit
import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hello_agents.memory.embedding import engine_settings
from ricordo import blocking
from ricordo.errors import RicordoError
from ricordo.types import content_digest

if TYPE_CHECKING:
    from ricordo.engine.engine import Ricordo

log = logging.getLogger(__name__)

_lock = threading.Lock()
_open: dict[tuple[Path, str], Ricordo] = {}


def engine_at(folder: str | Path, **settings: Any) -> Ricordo:
    """The engine over a data folder, opened when it is first asked for; the embedder is that of the environment."""
    given = {**engine_settings(), **settings}
    key = (Path(folder).expanduser().resolve(), repr(sorted(given.items(), key=lambda pair: pair[0])))
    with _lock:
        if key not in _open:
            if not _open:
                atexit.register(_stop_followers)
            from ricordo.engine.engine import Ricordo  # a third of a second that importing a tool need not pay

            _open[key] = Ricordo(key[0], **given)
        return _open[key]


def close_engines() -> None:
    """Closes every engine of this process; what had no vector yet gets it when the folder is next used."""
    with _lock:
        engines = list(_open.values())
        _open.clear()
        atexit.unregister(_stop_followers)
    for engine in engines:
        try:
            engine.sync.close()
        except (RicordoError, RuntimeError) as error:
            log.warning("%s was not closed: %s", engine.settings.data, error)


def _stop_followers() -> None:
    """At the end of a process its threads are gone, and the stores with them; the followers' tasks alone are left."""
    for engine in _open.values():
        blocking.spawn(engine.follower.stop()).result(timeout=5)


def bank_name(user_id: str) -> str:
    """The bank of a user: another for every other user, and never one that is not a user's."""
    name = "".join(c if c.isprintable() and c not in "%/:" else f"%{ord(c):x};" for c in user_id) or "%"
    if len(name.encode("utf-8")) > 192:
        return f"{name[:40]}%{content_digest(user_id)}"
    return name
