"""A wrong call says what is wrong with which argument, and nothing is stored."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from ricordo.errors import Invalid, RicordoError


@pytest.mark.parametrize(
    ("content", "fields", "says"),
    [
        (None, {}, "only text"),
        (5, {}, "only text"),
        (b"x", {}, "only text"),
        ({"a": 1}, {}, "only text"),
        (["good", None], {}, "only text"),
        ("t", {"importance": "a"}, "importance must be of type int or float"),
        ("t", {"importance": True}, "importance must be"),
        ("t", {"importance": 7}, "between 0 and 1"),
        ("t", {"expires": "x"}, "expires must be of type datetime"),
        ("t", {"at": date(2026, 1, 1)}, "at must be of type datetime"),
        ("t", {"at": datetime(2026, 1, 1)}, "time zone"),
        ("t", {"at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))}, "outside of the years"),
        ("t", {"data": [1]}, "data must be of type Mapping"),
        ("t", {"session": 5}, "session must be of type str"),
        ("t", {"document": 5}, "document must be of type str"),
        ("t", {"tags": "abc"}, "tags is a list of texts"),
        ("t", {"tags": [1]}, "each of tags"),
        ("t", {"colour": 1}, "colour"),
    ],
)
async def test_what_cannot_be_stored(bank, content, fields, says):
    async def reason():
        return (await bank.add(content, **fields)).outcomes[0].reason

    try:
        told = await reason()
    except Invalid as error:
        told = str(error)
    assert says in told
    assert not await bank._ricordo.banks() or await bank.list() == []


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (None, {}),
        ("x", {"limit": "3"}),
        ("x", {"limit": None}),
        ("x", {"limit": 1.5}),
        ("x", {"max_tokens": "a"}),
        ("x", {"since": "2020"}),
        ("x", {"since": date(2020, 1, 1)}),
        ("x", {"at": 5}),
        ("x", {"where": [1]}),
        ("x", {"where": "n=1"}),
        ("x", {"where": {1: 1}}),
        ("x", {"tags": [1]}),
        ("x", {"session": 5}),
        ("x", {"min_importance": "a"}),
        ("x", {"arms": "words"}),
    ],
)
async def test_what_cannot_be_searched(bank, text, options):
    await bank.add("something")
    with pytest.raises(RicordoError):
        await bank.search(text, **options)


async def test_times_of_any_zone_come_back_the_same_moment(bank):
    at = datetime(2026, 3, 29, 2, 30, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))
    stored = await bank.add("far away", at=at)
    assert (await bank.get(stored.outcomes[0].memories[0])).at == at.astimezone(UTC)
