"""The language model of a pipeline: the caller's, else the environment's, else none."""

from __future__ import annotations

import logging
from typing import Any, Protocol

log = logging.getLogger(__name__)


class Speaker(Protocol):
    def invoke(self, messages: list[dict[str, str]], **options: Any) -> str: ...


def environment_llm() -> Any:
    """The model that the environment names; it may lack a key or an address, see `missing`."""
    from hello_agents.core.llm import HelloAgentsLLM

    return HelloAgentsLLM()


def missing(llm: Any) -> str | None:
    """What the model still needs before it can be asked; None when nothing."""
    return getattr(llm, "missing", None)


def told(llm: Speaker | None, system: str, user: str, **options: Any) -> str:
    """The model's answer; "" when there is no model or it fails, which the log then says."""
    try:
        chosen = environment_llm() if llm is None else llm
        return "" if missing(chosen) else asked(chosen, system, user, **options)
    except Exception:  # an edge: the model may be any object of the caller's, and the search goes on without it
        log.warning("the language model failed", exc_info=True)
        return ""


def asked(llm: Speaker, system: str, user: str, **options: Any) -> str:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    return (llm.invoke(messages, **options) or "").strip()
