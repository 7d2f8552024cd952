import pytest

from ricordo.models.schema import find_json, violations

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "pattern": "^[A-Z]"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "kind": {"enum": ["cat", "dog"]},
        "version": {"const": 2},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "friend": {"anyOf": [{"$ref": "#/$defs/friend"}, {"type": "null"}]},
    },
    "required": ["name"],
    "additionalProperties": {"type": "number"},
    "$defs": {
        "friend": {"type": "object", "required": ["name"], "additionalProperties": False, "properties": {"name": {}}}
    },
}


@pytest.mark.parametrize(
    "value",
    [
        {"name": "Tom"},
        {"name": "Tom", "age": 3, "kind": "cat", "version": 2, "tags": ["a", "b"], "weight": 4.5},
        {"name": "Tom", "friend": {"name": "Jerry"}},
        {"name": "Tom", "friend": None},
    ],
)
def test_what_fits_has_no_violations(value):
    assert list(violations(value, PERSON)) == []


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ([], "$ must be object, not list"),
        ({}, "$.name is missing"),
        ({"name": 1}, "$.name must be string, not int"),
        ({"name": ""}, "$.name has 0 items or characters, out of bounds"),
        ({"name": "tom"}, "$.name does not match '^[A-Z]'"),
        ({"name": "Tom", "age": True}, "$.age must be integer, not bool"),
        ({"name": "Tom", "age": 1.5}, "$.age must be integer, not float"),
        ({"name": "Tom", "age": -1}, "$.age is -1, out of bounds"),
        ({"name": "Tom", "kind": "cow"}, "$.kind must be one of ['cat', 'dog'], not 'cow'"),
        ({"name": "Tom", "version": 3}, "$.version must be one of [2], not 3"),
        ({"name": "Tom", "tags": ["a", 1]}, "$.tags[1] must be string, not int"),
        ({"name": "Tom", "tags": ["a", "b", "c"]}, "$.tags has 3 items or characters, out of bounds"),
        ({"name": "Tom", "friend": {}}, "$.friend.name is missing"),
        ({"name": "Tom", "friend": {"name": 1, "x": 1}}, "$.friend.x is not in the schema"),
        ({"name": "Tom", "weight": "4"}, "$.weight must be number, not str"),
    ],
)
def test_each_violation_says_where_and_what(value, wrong):
    assert wrong in list(violations(value, PERSON))


def test_all_of_the_parts_must_hold():
    schema = {"allOf": [{"minimum": 1}, {"maximum": 3}]}
    assert list(violations(2, schema)) == []
    assert list(violations(5, schema)) == ["$ is 5, out of bounds"]


def test_type_may_be_a_list():
    assert list(violations(None, {"type": ["string", "null"]})) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [('{"a": 1}', {"a": 1}), ("x [1, 2] y", [1, 2]), ('{bad {"a": {"b": []}}', {"a": {"b": []}}), (" 7 ", 7)],
)
def test_json_is_found_in_text(text, found):
    assert find_json(text) == found


@pytest.mark.parametrize("text", ["", "nothing here", '{"a": 1'])
def test_text_without_json_is_an_error(text):
    with pytest.raises(ValueError, match="Expecting"):
        find_json(text)
