"""How much text fits."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKENS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U000323af]|[^\W_]{1,6}|[^\w\s]|_")


def approx_tokens(text: str) -> int:
    """About as many tokens as a language model's tokenizer makes: one a Chinese character, one every six letters."""
    return len(_TOKENS.findall(text))


def trim(texts: Sequence[str], max_tokens: int) -> int:
    """How many of the texts, from the first, fit into the budget; the first always does."""
    spent = 0
    for number, text in enumerate(texts):
        spent += approx_tokens(text)
        if spent > max_tokens:
            return max(1, number)
    return len(texts)
