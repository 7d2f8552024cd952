"""Tool calls written as text: where they end, and what their parameters are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.tools.base import Tool, ToolParameter
from hello_agents.tools.calls import find_calls, without_calls
from hello_agents.tools.parameters import parse_parameters


class Declared(Tool):
    def __init__(self, name, *parameters):
        super().__init__(name, "a tool that declares its parameters")
        self.parameters = list(parameters)

    def run(self, parameters):
        return json.dumps(parameters, ensure_ascii=False)

    def get_parameters(self):
        return self.parameters


def parameter(name, type="string", required=False):
    return ToolParameter(name, type, name, required)


MEMORY = Declared(
    "memory",
    parameter("action", required=True),
    parameter("content"),
    parameter("query"),
    parameter("importance", "number"),
    parameter("limit", "integer"),
)
RAG = Declared("rag", parameter("action", required=True), parameter("query"), parameter("text"), parameter("question"))
TYPED = Declared(
    "typed",
    parameter("s"),
    parameter("i", "integer"),
    parameter("n", "number"),
    parameter("b", "boolean"),
    parameter("a", "array"),
    parameter("o", "object"),
)


def found(text):
    return [(call.name, call.parameters) for call in find_calls(text)]


@pytest.mark.parametrize(
    ("text", "calls", "rest"),
    [
        ("没有调用", [], "没有调用"),
        ("[TOOL_CALL:memory:recall=名字]", [("memory", "recall=名字")], ""),
        ("好的。\n[TOOL_CALL:m:q=天气]\n请稍等", [("m", "q=天气")], "好的。\n\n请稍等"),
        ("[TOOL_CALL:m:q=天气] 请稍等", [("m", "q=天气")], "请稍等"),
        ("[TOOL_CALL:a:x][TOOL_CALL:b:y]", [("a", "x"), ("b", "y")], ""),
        ("[TOOL_CALL:a:x] 然后 [TOOL_CALL:b:y] 见 [1]", [("a", "x"), ("b", "y")], "然后  见 [1]"),
        ("[TOOL_CALL:m:content=列表 [1, 2] 和 a[0]]", [("m", "content=列表 [1, 2] 和 a[0]")], ""),
        ("[TOOL_CALL:m:content=见第三条] 的说明]", [("m", "content=见第三条] 的说明")], ""),
        ("[TOOL_CALL:m:content=第一行\n第二行]\n完", [("m", "content=第一行\n第二行")], "完"),
        ('[TOOL_CALL:m:{"content": "a] b\n[TOOL_CALL:x:y]"}]', [("m", '{"content": "a] b\n[TOOL_CALL:x:y]"}')], ""),
        ("[TOOL_CALL:memory_stats]", [("memory_stats", "")], ""),
        ("[TOOL_CALL: 天气 :北京]", [("天气", "北京")], ""),
    ],
)
def test_a_call_ends_where_it_should_and_what_is_around_it_stays(text, calls, rest):
    assert found(text) == calls
    assert without_calls(text, find_calls(text)) == rest


def test_a_call_that_was_cut_off_is_known_as_unfinished():
    (call,) = find_calls("好 [TOOL_CALL:memory:content=半句")
    assert not call.finished
    assert find_calls("[TOOL_CALL:a:1 [TOOL_CALL:b:2]")[0].finished is False


@given(st.text())
def test_any_content_survives_as_json(content):
    written = f"先说\n[TOOL_CALL:memory:{json.dumps({'content': content}, ensure_ascii=False)}]\n后说"
    (call,) = find_calls(written)
    assert parse_parameters(MEMORY, call.parameters) == {"action": "add", "content": content}
    assert without_calls(written, [call]) == "先说\n\n后说"


@given(st.text())
def test_any_text_can_be_searched_for_calls(text):
    for call in find_calls(text + "[TOOL_CALL:a:" + text):
        assert 0 <= call.start < call.end


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("action=add,content=我叫张三,importance=0.9", {"action": "add", "content": "我叫张三", "importance": 0.9}),
        (
            "action=add, content=苹果, 梨，桃, importance=1",
            {"action": "add", "content": "苹果, 梨，桃", "importance": 1.0},
        ),
        ("action=add,content=x=1, y=2 且 a==b", {"action": "add", "content": "x=1, y=2 且 a==b"}),
        (
            'action=add,content="a, importance=9",importance=0.2',
            {"action": "add", "content": "a, importance=9", "importance": 0.2},
        ),
        ('action=add,content="他说"好"，走了"', {"action": "add", "content": '"他说"好"，走了"'}),
        ("action=search，query=天气，limit=3", {"action": "search", "query": "天气", "limit": 3}),
        ("content=第一行\n第二行", {"action": "add", "content": "第一行\n第二行"}),
        ("recall=我的名字", {"action": "search", "query": "我的名字"}),
        ("store=我叫张三", {"action": "add", "content": "我叫张三"}),
        ("query=名字,limit=2", {"action": "search", "query": "名字", "limit": 2}),
        ("我的名字", {"action": "search", "query": "我的名字"}),
        ("E=mc² 是什么", {"action": "search", "query": "E=mc² 是什么"}),
        (
            '{"action": "add", "content": "a", "mood": "happy", "limit": null}',
            {"action": "add", "content": "a", "mood": "happy"},
        ),
        ("{'action': 'search', 'query': '名字', 'limit': '3'}", {"action": "search", "query": "名字", "limit": 3}),
        ('{"recall": "名字"}', {"action": "search", "query": "名字"}),
    ],
)
def test_memory_parameters_are_read_without_losing_any(text, parameters):
    assert parse_parameters(MEMORY, text) == parameters


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("search=向量", {"action": "search", "query": "向量"}),
        ("query=向量", {"action": "search", "query": "向量"}),
        ("text=Python 是语言", {"action": "add_text", "text": "Python 是语言"}),
        ("什么是向量？", {"action": "search", "query": "什么是向量？"}),
        ("action=ask,question=为什么", {"action": "ask", "question": "为什么"}),
    ],
)
def test_rag_parameters_imply_their_action(text, parameters):
    assert parse_parameters(RAG, text) == parameters


def test_text_for_other_tools_is_their_input():
    assert parse_parameters(TYPED, "a 和 b=c") == {"input": "a 和 b=c"}
    city = Declared("weather", parameter("city", required=True))
    assert parse_parameters(city, "北京") == {"city": "北京"}


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({"i": "3"}, 3),
        ({"i": 3.0}, 3),
        ({"n": "0.5"}, 0.5),
        ({"n": 2}, 2.0),
        ({"b": "True"}, True),
        ({"b": "否"}, False),
        ({"b": 1}, True),
        ({"a": "x, y，z"}, ["x", "y", "z"]),
        ({"a": '["x,y"]'}, ["x,y"]),
        ({"a": ["x"]}, ["x"]),
        ({"o": '{"k": 1}'}, {"k": 1}),
        ({"s": 42}, "42"),
        ({"s": {"k": "值"}}, '{"k": "值"}'),
        ({"other": 42}, 42),
    ],
)
def test_values_become_the_declared_type(given, value):
    assert list(parse_parameters(TYPED, given).values()) == [value]


@pytest.mark.parametrize(
    "given", [{"i": "三"}, {"i": 1.5}, {"n": "x"}, {"b": "maybe"}, {"o": "[]"}, {"a": 5}, {"i": "inf"}]
)
def test_a_value_of_the_wrong_type_is_named(given):
    with pytest.raises(HelloAgentsException, match=f"参数 {next(iter(given))} 应为"):
        parse_parameters(TYPED, given)


def test_what_a_model_leaves_empty_is_not_given():
    assert parse_parameters(TYPED, {"i": "", "b": None, "a": "", "s": ""}) == {"s": ""}


def test_json_that_is_none_is_said():
    with pytest.raises(HelloAgentsException, match="不是合法的 JSON"):
        parse_parameters(MEMORY, '{"action": "add", ')
