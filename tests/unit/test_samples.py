"""The sample documents: small, readable by our own parser, and each able to answer its question."""

import json
from importlib.resources import files

import pytest

from ricordo.parse.opening import Order, open_file
from ricordo.parse.render import render
from ricordo.types import ParseStatus

FOLDER = files("ricordo") / "samples"
QUESTIONS = json.loads((FOLDER / "questions.json").read_text(encoding="utf-8"))
DOCUMENTS = sorted(f.name for f in FOLDER.iterdir() if f.name.endswith((".md", ".txt", ".html", ".pdf")))


def text(name):
    parsed = open_file((FOLDER / name).read_bytes(), Order(name=name))
    assert parsed.status is ParseStatus.OK
    return render(parsed).text


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["question"])
def test_each_question_is_answered_by_its_document(row):
    assert row["answer"] in text(row["file"])


def test_every_document_has_a_question_and_all_are_small():
    assert {row["file"] for row in QUESTIONS} == set(DOCUMENTS)
    assert sum(len(text(name)) for name in DOCUMENTS) < 14_000
    assert len((FOLDER / "harvest-report-2025.pdf").read_bytes()) < 200_000
