"""The 4 MB of Markdown, Chinese and English, that the benchmarks index: made from ../shared/eval, always the same."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

EVAL = Path(__file__).resolve().parents[2] / "shared" / "eval"
ENGLISH = ("en-hotpot", "en-2wiki", "en-musique")
CHINESE_PARTS = 6
"""Chinese paragraphs come around this often, in other orders, so that they are a good part of the whole."""


def paragraphs(name: str) -> list[str]:
    with (EVAL / name / "corpus.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def documents(count: int = 99, size: int = 4_000_000) -> Iterator[tuple[str, str]]:
    """(name, Markdown) of documents with headings, lists and code, about `size` bytes of UTF-8 together."""
    dice = random.Random(20261130)
    pool = [text for name in ENGLISH for text in paragraphs(name)] + paragraphs("zh-cmrc") * CHINESE_PARTS
    dice.shuffle(pool)
    fill = iter(pool * 3)
    for number in range(count):
        parts, length = [f"# Document {number}\n"], 0
        while length < size / count:
            section = [next(fill) for _ in range(dice.randint(2, 5))]
            parts.append(f"## {section[0][:24].strip()}\n")
            parts += [text + "\n" for text in section]
            if dice.random() < 0.1:
                parts.append("```python\n" + "\n".join(f"value_{i} = {i} * {number}" for i in range(6)) + "\n```\n")
            if dice.random() < 0.2:
                parts.append("\n".join(f"- {text[:60]}" for text in section) + "\n")
            length = sum(len(part.encode()) for part in parts)
        yield f"document-{number:03}.md", "\n".join(parts)


def write(folder: Path) -> int:
    """Writes the documents into the folder; gives their bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, text in documents():
        (folder / name).write_text(text, "utf-8")
        total += len(text.encode())
    return total
