"""Another model for a bank: built beside the old index, taken up again after a stop, switched at the end."""

import asyncio

import pytest

from ricordo import Ricordo, registry
from ricordo.engine import banks
from ricordo.errors import ModelFailed, Unavailable
from ricordo.models.hashing import HashEmbedder


class Refusing(HashEmbedder):
    """A model that answers so often, then no more."""

    def __init__(self, times):
        super().__init__(64)
        self.name = "refusing"
        self.left = times

    async def embed(self, texts, *, query=False):
        self.left -= 1
        if self.left < 0:
            raise Unavailable("the model is gone; start it again")
        return await super().embed(texts, query=query)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(registry, "BACKENDS", {seam: dict(found) for seam, found in registry.BACKENDS.items()})
    registry.add("embedder", "small", lambda: HashEmbedder(64))
    return "small"


async def test_a_change_that_was_stopped_goes_on_and_the_old_index_answers_meanwhile(tmp_path, small):
    async with Ricordo(tmp_path, embedder="hash") as ricordo:
        await ricordo.bank().add([f"memory number {n}" for n in range(30)], wait="vectors")
        await banks.start_reindex(ricordo.parts, "default", small)
    async with Ricordo(tmp_path, embedder="hash") as ricordo:
        bank = ricordo.bank()
        stats = await bank.stats()
        assert (stats.building, stats.waiting, stats.coverage.model) == ("hash-64", 30, "hash-384")
        assert len((await bank.search("memory number 7", arms=["vectors"])).hits) == 10
        assert await bank.reindex(small) == "hash-64"
        assert (await bank.stats()).coverage.complete


async def test_what_is_written_during_a_change_reaches_both_models(tmp_path, small):
    async with Ricordo(tmp_path, embedder="hash") as ricordo:
        bank = ricordo.bank()
        await bank.add("before", wait="vectors")
        await banks.start_reindex(ricordo.parts, "default", small)
        await bank.add("while it changes")
        assert await bank.reindex(small) == "hash-64"
        found = await bank.search("while it changes", arms=["vectors"], limit=1)
        assert found.hits[0].memory.text == "while it changes"


async def test_a_model_that_fails_is_told_and_loses_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "BACKENDS", {seam: dict(found) for seam, found in registry.BACKENDS.items()})
    registry.add("embedder", "refusing", lambda: Refusing(0))
    async with Ricordo(tmp_path, embedder="refusing") as ricordo:
        bank = ricordo.bank()
        with pytest.raises(Unavailable, match="the model is gone"):
            await bank.add("kept all the same", wait="vectors")
        found = await bank.search("kept")
        assert found.hits[0].memory.text == "kept all the same"
        assert "words alone" in found.notes[0]
        assert (await bank.stats()).waiting == 1
    registry.add("embedder", "refusing", lambda: Refusing(100))
    async with Ricordo(tmp_path) as ricordo:
        assert (await ricordo.bank().wait()).complete


async def test_another_engine_for_the_same_vectors_keeps_them_all(tmp_path, small):
    registry.add("embedder", "twin", lambda: HashEmbedder(384))
    async with Ricordo(tmp_path, embedder="hash") as ricordo:
        bank = ricordo.bank()
        await bank.add(["one", "two", "three"], wait="vectors")
        assert await bank.reindex("twin") == "hash-384"
        assert (await bank.stats()).coverage.complete
        assert (await bank.stats()).settings["model"]["profile"] == "twin"


async def test_what_a_folder_brings_during_a_change_has_its_vectors_in_the_end(tmp_path, small):
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(40):
        (folder / f"n{number}.md").write_text(f"# Note {number}\n\nIt speaks of matter number {number}.\n", "utf-8")
    async with Ricordo(tmp_path / "data", embedder="hash") as ricordo:
        bank = ricordo.bank()
        await bank.add("first")
        await asyncio.gather(bank.index(folder), bank.reindex(small))
        covered = await bank.wait()
        assert (covered.done, covered.model) == (41, "hash-64")


async def test_a_model_that_fails_keeps_no_other_bank_waiting(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "BACKENDS", {seam: dict(found) for seam, found in registry.BACKENDS.items()})
    registry.add("embedder", "refusing", lambda: Refusing(0))
    async with Ricordo(tmp_path, embedder="refusing") as ricordo:
        await ricordo.bank("ill").add("waits")
    async with Ricordo(tmp_path, embedder="hash") as ricordo:
        await ricordo.catch_up()
        assert (await ricordo.bank("well").add("goes on", wait="vectors")).coverage.complete
        with pytest.raises(Unavailable, match="the model is gone"):
            await ricordo.bank("ill").wait()


async def test_closing_ends_the_wait_for_vectors(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "BACKENDS", {seam: dict(found) for seam, found in registry.BACKENDS.items()})

    class Slow(HashEmbedder):
        async def embed(self, texts, *, query=False):
            await asyncio.sleep(0.3)
            return await super().embed(texts, query=query)

    registry.add("embedder", "slow", Slow)
    ricordo = Ricordo(tmp_path, embedder="slow")
    await ricordo.bank().add([f"text {n}" for n in range(40)])
    waiting = asyncio.ensure_future(ricordo.bank().wait())
    await asyncio.sleep(0.1)
    await ricordo.close()
    with pytest.raises(Unavailable, match="closed"):
        await waiting


async def test_a_text_that_the_model_refuses_is_told_with_its_outcome(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "BACKENDS", {seam: dict(found) for seam, found in registry.BACKENDS.items()})

    class Picky(HashEmbedder):
        async def embed(self, texts, *, query=False):
            if any("poison" in text for text in texts):
                raise ModelFailed("it does not like this text")
            return await super().embed(texts, query=query)

    registry.add("embedder", "picky", Picky)
    async with Ricordo(tmp_path, embedder="picky") as ricordo:
        stored = await ricordo.bank().add(["sound", "poison"], wait="vectors")
        assert [bool(o.warnings) for o in stored.outcomes] == [False, True]
        assert "does not like" in stored.outcomes[1].warnings[0]
        assert (stored.coverage.done, stored.coverage.total) == (1, 2)
