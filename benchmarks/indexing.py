"""Indexing 4 MB of Markdown, beside LangChain, in one run with one free embedder.

    python benchmarks/indexing.py [--peer-python PYTHON]

PYTHON is that of an environment with langchain-classic, langchain-text-splitters, langchain-qdrant and qdrant-client;
without it only Ricordo is measured. CPU seconds are of the whole process, all threads; "own" leaves the embedder out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from corpus import EVAL, write  # noqa: E402 - the folder is put on the path above
from ricordo.models.hashing import HashEmbedder  # noqa: E402

QUESTIONS = [
    "Where was the director born?",
    "这部电影的导演是谁？",
    "population of the city",
    "哪一年成立的",
    "river and bridge",
]


class Clock:
    """Adds up the CPU time of one thread's calls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> None:
        self.began = time.thread_time()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.thread_time() - self.began


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def ricordo_side(folder: Path, data: Path) -> dict[str, Any]:
    from ricordo import Ricordo, registry

    clock = Clock()

    class Timed(HashEmbedder):
        def _rows(self, texts: Any) -> Any:
            with clock:
                return super()._rows(texts)

    registry.add("embedder", "timed", Timed)
    began = time.process_time()
    async with Ricordo(data, embedder="timed") as ricordo:
        await ricordo.bank().index(folder, wait="vectors")
        first = time.process_time() - began
        embedding = clock.seconds
        stats = await ricordo.bank().stats()
    async with Ricordo(data, embedder="timed") as ricordo:
        bank = ricordo.bank()
        await bank.plan(folder)
        again = []
        for _ in range(5):
            began = time.process_time()
            report = await bank.index(folder)
            again.append(time.process_time() - began)
        assert report.plan.unchanged == 99
        searches = await _searches(lambda q: bank.search(q, limit=5), clock)
        counts = [len((await bank.search(q, limit=5)).hits) for q in QUESTIONS]
    file = next(folder.glob("document-000.md"))
    text = file.read_text("utf-8")
    file.write_text(text.replace("\n\n", "\n\nA sentence that was not here before.\n\n", 1), "utf-8")
    async with Ricordo(data, embedder="timed") as ricordo:
        await ricordo.bank().index(folder)
        edited = (await ricordo.bank().stats()).waiting
        await ricordo.bank().wait()
    return {
        "chunks": stats.kinds["chunk"][0],
        "own CPU s": first - embedding,
        "embedding CPU s": embedding,
        "unchanged run CPU s": statistics.median(again),
        "search CPU ms p50": statistics.median(searches) * 1000,
        "contexts for k=5": statistics.mean(counts),
        "embeddings after an edit": edited,
        "peak MB": peak_mb(),
        "disk MB": sum(f.stat().st_size for f in data.rglob("*") if f.is_file()) / 1e6,
    }


async def _searches(search: Any, clock: Clock) -> list[float]:
    took = []
    for question in QUESTIONS * 6:
        began, embedded = time.process_time(), clock.seconds
        await search(question)
        took.append(time.process_time() - began - (clock.seconds - embedded))
    return took


async def langchain_side(folder: Path, _: Path) -> dict[str, Any]:
    from langchain_classic.retrievers import ParentDocumentRetriever
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.stores import InMemoryStore
    from langchain_qdrant import QdrantVectorStore
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    from qdrant_client import QdrantClient
    from qdrant_client.models import Distance, VectorParams

    clock, hashing = Clock(), HashEmbedder()

    class Free(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            with clock:
                return hashing._rows(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    began = time.process_time()
    client = QdrantClient(":memory:")
    client.create_collection("c", VectorParams(size=384, distance=Distance.COSINE))
    separators = ["\n\n", "\n", "。", "！", "？", " ", ""]
    retriever = ParentDocumentRetriever(
        vectorstore=QdrantVectorStore(client=client, collection_name="c", embedding=Free()),
        docstore=InMemoryStore(),
        child_splitter=RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=0, separators=separators),
        parent_splitter=RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=0, separators=separators),
        search_kwargs={"k": 5},
    )
    documents = [
        Document(page_content=p.read_text("utf-8"), metadata={"source": p.name}) for p in sorted(folder.iterdir())
    ]
    for document in documents:
        retriever.add_documents([document])
    first, embedding = time.process_time() - began, clock.seconds
    chunks = client.count("c").count

    async def search(question: str) -> int:
        return len(retriever.invoke(question))

    searches = await _searches(search, clock)
    counts = [await search(q) for q in QUESTIONS]
    began, embedded = time.process_time(), clock.seconds
    for document in documents:
        retriever.add_documents([document])
    return {
        "chunks": chunks,
        "own CPU s": first - embedding,
        "embedding CPU s": embedding,
        "unchanged run CPU s": time.process_time() - began - (clock.seconds - embedded),
        "search CPU ms p50": statistics.median(searches) * 1000,
        "contexts for k=5": statistics.mean(counts),
        "embeddings after an edit": "the whole file, the old blocks stay",
        "peak MB": peak_mb(),
        "disk MB": "nothing is kept",
    }


SIDES = {"ricordo": ricordo_side, "langchain": langchain_side}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer-python")
    options.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    options.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.side:
        with tempfile.TemporaryDirectory() as data:
            print(json.dumps(asyncio.run(SIDES[given.side](given.folder, Path(data)))))
        return
    if not EVAL.is_dir():
        sys.exit(f"the corpus is made from sets that are not there: {EVAL}")
    pythons = {"ricordo": sys.executable} | ({"langchain": given.peer_python} if given.peer_python else {})
    folder = Path(tempfile.mkdtemp())
    results = {}
    try:
        size = write(folder)
        for side, python in pythons.items():
            command = [python, __file__, "--side", side, "--folder", str(folder)]
            results[side] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    finally:
        shutil.rmtree(folder)
    print(f"{size / 1e6:.2f} MB in 99 Markdown files\n")
    print(f"| | {' | '.join(results)} |\n|---|{'---|' * len(results)}")
    for row in results["ricordo"]:
        cells = [results[side][row] for side in results]
        print(f"| {row} | {' | '.join(f'{c:.3g}' if isinstance(c, float) else str(c) for c in cells)} |")


if __name__ == "__main__":
    main()
