import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ricordo.engine.index import plan, scan
from ricordo.errors import Conflict, Invalid
from ricordo.types import Kind, Status


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "documents"
    (made / "deep" / "中文").mkdir(parents=True)
    (made / "a.md").write_text("# Alpha\n\nThe first document speaks of herons and their nests.\n", "utf-8")
    (made / "deep" / "b.txt").write_text("The second document speaks of otters and their dens.\n", "utf-8")
    (made / "deep" / "中文" / "报告.md").write_text("# 报告\n\n第三份文件讲的是白鹭和它们的巢。\n", "utf-8")
    long_ago = time.time() - 100
    for path in made.rglob("*.*"):
        os.utime(path, (long_ago, long_ago))
    return made


async def documents(bank):
    return {m.data["source"]["path"].rpartition("/")[2] for m in await bank.list(kinds=["document"])}


async def test_a_folder_is_indexed_and_the_second_run_reads_nothing(bank, folder):
    report = await bank.index(folder, wait="vectors")
    assert [o.status for o in report.outcomes] == [Status.STORED] * 3
    assert await documents(bank) == {"a.md", "b.txt", "报告.md"}
    assert (await bank.search("白鹭", limit=1)).hits[0].title == "报告"
    again = await bank.index(folder)
    assert (again.plan.unchanged, again.outcomes) == (3, ())


async def test_a_touched_file_is_read_but_nothing_is_written(bank, folder):
    await bank.index(folder, wait="vectors")
    before = await bank.list(kinds=[Kind.CHUNK, Kind.SECTION])
    os.utime(folder / "a.md", (1, 1))
    report = await bank.index(folder)
    assert [o.status for o in report.outcomes] == [Status.MERGED]
    assert await bank.list(kinds=[Kind.CHUNK, Kind.SECTION]) == before
    assert (await bank.plan(folder)).unchanged == 3


async def test_an_edit_is_found_and_a_rename_needs_no_new_vector(bank, folder):
    await bank.index(folder, wait="vectors")
    (folder / "a.md").write_text("# Alpha\n\nNow it speaks of kingfishers.\n", "utf-8")
    (folder / "deep" / "b.txt").rename(folder / "deep" / "c.txt")
    todo = await bank.plan(folder)
    assert (len(todo.changed), len(todo.moved), len(todo.gone)) == (1, 1, 0)
    await bank.index(folder)
    stats = await bank.stats()
    assert stats.waiting <= 1
    assert await documents(bank) == {"a.md", "c.txt", "报告.md"}
    assert not (await bank.search("herons nests", arms=["words"])).hits


async def test_gone_files_stay_until_they_are_pruned(bank, folder):
    await bank.index(folder)
    (folder / "a.md").unlink()
    report = await bank.index(folder)
    assert len(report.plan.gone) == 1
    assert "a.md" in await documents(bank)
    report = await bank.index(folder, prune=True)
    assert [p.rpartition("/")[2] for p in report.removed] == ["a.md"]
    assert await documents(bank) == {"b.txt", "报告.md"}


async def test_pruning_stops_when_most_files_are_gone(bank, folder):
    await bank.index(folder)
    for path in (folder / "a.md", folder / "deep" / "b.txt"):
        path.unlink()
    with pytest.raises(Conflict, match="2 of 3 indexed files are gone"):
        await bank.index(folder, prune=True)
    assert len(await documents(bank)) == 3
    await bank.index(folder, prune=True, force=True)
    assert await documents(bank) == {"报告.md"}
    with pytest.raises(Invalid, match="does not exist"):
        await bank.index(folder / "nowhere")


async def test_indexing_a_part_never_deletes_outside_it(bank, folder):
    await bank.index(folder)
    (folder / "a.md").unlink()
    report = await bank.index(folder / "deep", prune=True)
    assert report.removed == ()
    assert "a.md" in await documents(bank)


async def test_equal_files_have_lives_of_their_own(bank, folder):
    (folder / "copy.md").write_bytes((folder / "a.md").read_bytes())
    await bank.index(folder, wait="vectors")
    hit = (await bank.search("herons", limit=5)).hits[0]
    assert len(hit.also) == 1
    (folder / "copy.md").unlink()
    await bank.index(folder, prune=True)
    assert (await bank.search("herons", limit=1)).hits
    assert (await bank.stats()).coverage.complete


async def test_one_bad_file_is_named_with_its_reason_and_stops_no_other(bank, folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 not really")
    (folder / "zero.txt").write_bytes(b"")
    (folder / "link.md").symlink_to(folder / "a.md")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    for path in (folder / "broken.pdf", folder / "zero.txt"):
        os.utime(path, (1, 1))
    report = await bank.index(folder)
    by_name = {o.item.rpartition("/")[2]: o for o in report.outcomes}
    assert by_name["broken.pdf"].status is Status.SKIPPED
    assert "damaged" in by_name["broken.pdf"].reason
    assert "empty" in by_name["zero.txt"].reason
    assert by_name["a.md"].status is Status.STORED
    assert [p.rpartition("/")[2] for p, _ in report.plan.passed_over] == ["link.md"]
    assert (await bank.plan(folder)).to_read == []


async def test_a_file_that_can_no_longer_be_read_keeps_what_was_read_before(bank, folder):
    await bank.index(folder)
    (folder / "a.md").write_bytes(b"%PDF-1.4 overwritten by mistake")
    report = await bank.index(folder)
    assert report.outcomes[0].status is Status.FAILED
    assert "kept" in report.outcomes[0].reason
    assert (await bank.search("herons nests", arms=["words"])).hits


async def test_an_emptied_file_leaves_nothing_to_find(bank, folder):
    await bank.index(folder, wait="vectors")
    (folder / "a.md").write_text("", "utf-8")
    await bank.index(folder)
    assert not (await bank.search("herons nests", arms=["words"])).hits


async def test_other_tags_read_an_unchanged_file_again(bank, folder):
    await bank.index(folder)
    report = await bank.index(folder, tags=("new",))
    assert [o.status for o in report.outcomes] == [Status.STORED] * 3
    assert len(await bank.list(kinds=["document"], tags=["new"])) == 3
    assert (await bank.index(folder, tags=("new",))).plan.unchanged == 3


async def test_another_chunk_size_reads_an_unchanged_file_again(bank, folder):
    await bank.index(folder)
    settings = replace(bank.parts.settings, chunk_size=bank.parts.settings.chunk_size // 2)
    todo = await plan(replace(bank.parts, settings=settings), bank.name, [folder])
    assert len(todo.changed) == 3


async def test_a_file_that_vanishes_during_the_scan_is_passed_over(folder, monkeypatch):
    walk = os.walk

    def listed_and_gone(root, **options):
        for where, folders, names in walk(root, **options):
            yield where, folders, [*names, "vanished.md"]

    monkeypatch.setattr(os, "walk", listed_and_gone)
    found = scan([folder])
    assert len(found.files) == 3
    assert {Path(p).name for p, _ in found.passed_over} == {"vanished.md"}


async def test_a_document_that_another_process_pruned_is_no_error(bank, folder):
    await bank.index(folder)
    (folder / "a.md").unlink()
    todo = await bank.plan(folder)
    await bank.delete(todo.gone[0].id)
    assert (await bank.carry_out(todo, prune=True)).failed == []


async def test_a_document_whose_source_is_no_mapping_stops_no_plan(bank, folder):
    await bank.add("# Remark\n\nIt came from the web.", document="web", data={"source": "https://example.org"})
    assert len((await bank.plan(folder)).new) == 3
