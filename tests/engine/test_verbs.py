from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from ricordo import Ricordo
from ricordo.errors import Conflict, Invalid, NotFound
from ricordo.types import Kind


async def test_an_update_changes_the_text_everywhere_and_keeps_what_it_was(bank):
    id = (await bank.add("the office is in Berlin", importance=0.4)).outcomes[0].memories[0]
    await bank.update(id[:8], text="the office is in Lisbon", data={"source": "mail"})
    assert (await bank.search("office Lisbon", limit=1)).hits[0].memory.data == {"source": "mail"}
    assert not (await bank.search("Berlin", arms=["words"])).hits
    (old,) = await bank.history(id)
    assert (old.text, old.importance, old.number) == ("the office is in Berlin", 0.4, 1)


async def test_an_unknown_id_is_an_error_that_names_it(bank):
    await bank.add("something")
    with pytest.raises(NotFound, match="ffff"):
        await bank.get("ffff")
    with pytest.raises(NotFound, match="no bank 'nowhere'"):
        await bank._ricordo.bank("nowhere").search("x")


async def test_an_ambiguous_beginning_of_an_id_is_an_error(bank):
    await bank.add([f"memory {n}" for n in range(40)])
    first = sorted(m.id for m in await bank.list())
    prefix = next(a[0] for a, b in pairwise(first) if a[0] == b[0])
    with pytest.raises(Conflict, match="give more of it"):
        await bank.get(prefix)


async def test_deleting_a_document_takes_all_its_parts_and_nothing_else(bank, handbook):
    kept = await bank.add("a bystander about leave", wait="vectors")
    id = (await bank.add(handbook, document="handbook", wait="vectors")).outcomes[0].memories[0]
    assert await bank.delete(id) > 3
    assert [m.id for m in await bank.list(kinds=list(Kind))] == list(kept.outcomes[0].memories)
    stats = await bank.stats()
    assert (stats.coverage.done, stats.coverage.total, stats.waiting) == (1, 1, 0)


async def test_forget_takes_exactly_what_its_criterion_names(bank):
    now = datetime.now(UTC)
    await bank.add("trivial", importance=0.1)
    await bank.add("weighty", importance=0.9)
    await bank.add("ancient", importance=0.9, at=now - timedelta(days=90))
    assert len(await bank.forget(below=0.2, dry_run=True)) == 1
    assert len(await bank.forget(below=0.2)) == 1
    assert len(await bank.forget(older_than=timedelta(days=30))) == 1
    assert [m.text for m in await bank.list()] == ["weighty"]
    await bank.add(["a", "b", "c"], importance=0.5)
    await bank.forget(keep=1)
    assert [m.text for m in await bank.list()] == ["weighty"]
    with pytest.raises(Invalid, match="what to forget"):
        await bank.forget()


async def test_consolidation_moves_what_matters_once_and_keeps_where_it_came_from(bank):
    id = (await bank.add("we signed the lease", kind="working", importance=0.8, session="s1")).outcomes[0].memories[0]
    await bank.add("small talk", kind="working", importance=0.2)
    assert await bank.consolidate() == [id]
    memory = await bank.get(id)
    assert (memory.kind, memory.session, memory.expires) == (Kind.EPISODIC, "s1", None)
    assert memory.data["consolidated_from"] == "working"
    assert [v.reason for v in await bank.history(id)] == ["consolidated into episodic"]
    assert await bank.consolidate() == []
    assert [m.text for m in await bank.list(kinds=["working"])] == ["small talk"]


async def test_an_export_read_back_is_the_same_bank(bank, ricordo, handbook):
    id = (
        (await bank.add("plain remark", tags=["a", "b"], data={"n": 1, "deep": {"x": [1, None, "é"]}}))
        .outcomes[0]
        .memories[0]
    )
    await bank.update(id, importance=0.9)
    await bank.add(handbook, document="handbook")
    lines = [line async for line in bank.export()]
    other = ricordo.bank("copy")
    await other.import_(lines, wait="vectors")
    again = [line async for line in other.export()]
    assert [line.replace('"bank":"notes"', '"bank":"copy"') for line in lines[1:]] == again[1:]
    with pytest.raises(Conflict, match="already holds memories"):
        await other.import_(lines)
    with pytest.raises(Invalid, match="line 2"):
        await ricordo.bank("third").import_([lines[0], "{}"])
    assert "third" not in [b.id for b in await ricordo.banks()]


async def test_another_model_is_built_beside_the_old_one_and_takes_its_place(bank, handbook):
    await bank.add(handbook, document="handbook", wait="vectors")
    before = (await bank.stats()).coverage
    assert await bank.reindex("none") == ""
    assert (await bank.stats()).coverage.model == "words only"
    assert (await bank.search("paid leave")).hits
    assert await bank.reindex("hash") == before.model
    assert (await bank.stats()).coverage == before


async def test_everything_is_still_there_after_a_restart(tmp_path, handbook):
    async with Ricordo(tmp_path, embedder="hash") as ricordo:
        await ricordo.bank().add(handbook, document="handbook", wait="vectors")
    async with Ricordo(tmp_path, embedder="hash") as ricordo:
        hit = (await ricordo.bank().search("how many days of leave", limit=1)).hits[0]
        assert "15 days" in hit.memory.text
        assert hit.memory.place.headings == ("Handbook", "Leave")


def test_callers_that_do_not_await_have_the_same_verbs(tmp_path):
    ricordo = Ricordo(tmp_path, embedder="hash")
    bank = ricordo.bank("notes").sync
    bank.add("the kettle is broken", wait="vectors")
    assert bank.search("kettle").hits[0].memory.text == "the kettle is broken"
    assert bank.stats().total == 1
    ricordo.sync.close()


async def test_the_sync_verbs_work_inside_a_running_loop(tmp_path):
    ricordo = Ricordo(tmp_path, embedder="hash")
    ricordo.bank().sync.add("called from a notebook")
    assert ricordo.bank().sync.search("notebook").hits
    ricordo.sync.close()


async def test_an_id_that_a_caller_chose_is_never_taken_for_the_beginning_of_another(bank):
    await bank.add("ten", id="abcd-10")
    await bank.add("one", id="abcd-1")
    assert await bank.delete("abcd-1") == 1
    with pytest.raises(NotFound):
        await bank.delete("abcd-1")
    assert (await bank.get("abcd-10")).text == "ten"


async def test_a_part_is_changed_or_deleted_only_with_its_document(bank, handbook):
    id = (await bank.add(handbook, document="handbook")).outcomes[0].memories[0]
    chunk = (await bank.list(kinds=["chunk"]))[0].id
    for wrong in (
        bank.delete(chunk),
        bank.update(chunk, text="x"),
        bank.update(id, text="x"),
        bank.update(id, tags=["x"]),
    ):
        with pytest.raises(Invalid, match="document"):
            await wrong
    assert "".join(m.text for m in await bank.list(kinds=["chunk"], order="position", descending=False)) == handbook


async def test_what_a_caller_says_of_a_document_cannot_replace_what_is_kept_of_it(bank, handbook, tmp_path):
    await bank.add(handbook, document="handbook", data={"source": "slack", "content": "x", "team": "blue"})
    again = await bank.add(handbook, document="handbook", data={"source": "slack", "content": "x", "team": "blue"})
    assert again.outcomes[0].status == "merged"
    assert (await bank.list(kinds=["document"]))[0].data["team"] == "blue"
    assert (await bank.plan(tmp_path)).gone == ()
