"""Programs of the chapter's first pages, as they are printed there in shape, against a scripted model."""

import json

import pytest

from hello_agents import HelloAgentsLLM, SimpleAgent, ToolRegistry
from hello_agents.tools import MemoryTool, RAGTool
from servers.openai_server import OpenAIServer

ENV = """\
LLM_MODEL_ID=test
LLM_API_KEY=your_api_key
LLM_BASE_URL={url}
LLM_TIMEOUT=
QDRANT_URL=
QDRANT_API_KEY=
NEO4J_URI=bolt://localhost:7687
NEO4J_USERNAME=neo4j
NEO4J_PASSWORD=your_password
EMBED_MODEL_TYPE=tfidf
EMBED_MODEL_NAME=
EMBED_API_KEY=
EMBED_BASE_URL=
"""


@pytest.fixture
def server():
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def lesson(monkeypatch, tmp_path, server):
    """A folder with a `.env`, as a reader has it."""
    for name in (line.partition("=")[0] for line in ENV.splitlines()):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(ENV.format(url=server.url), "utf-8")
    return tmp_path


def test_two_agents_share_no_history(lesson, server):
    server.answers.extend(["你好，张三", "我不知道你的名字"])
    first = SimpleAgent(name="学习助手", llm=HelloAgentsLLM())
    first.run("我叫张三，正在学习Python")
    second = SimpleAgent(name="学习助手", llm=HelloAgentsLLM())
    assert second.run("你还记得我吗？") == "我不知道你的名字"
    assert len(server.bodies("completions")[1]["messages"]) == 2
    server.answers.append("记得")
    second.run("真的吗？")
    assert [m["content"] for m in server.bodies("completions")[2]["messages"][1:3]] == [
        "你还记得我吗？",
        "我不知道你的名字",
    ]


def test_placeholders_and_empty_values_stop_nothing(lesson, server):
    llm = HelloAgentsLLM()
    assert (llm.model, llm.base_url, llm.timeout) == ("test", server.url, 60)
    assert MemoryTool(user_id="user123").run({"action": "add", "content": "你好"}).startswith("✅")


@pytest.mark.parametrize(
    "call",
    [
        "[TOOL_CALL:memory:action=add,content=用户叫张三, 是一名Python开发者,memory_type=semantic,importance=0.9]",
        '[TOOL_CALL:memory:{"action": "add", "content": "用户叫张三, 是一名Python开发者", "memory_type": "semantic"}]',
        "[TOOL_CALL:memory:store=用户叫张三, 是一名Python开发者]",
    ],
)
def test_an_agent_whose_tools_come_after_construction_remembers_a_name(lesson, server, capsys, call):
    agent = SimpleAgent(name="智能助手", llm=HelloAgentsLLM(), system_prompt="你是一个有记忆和知识检索能力的AI助手")
    tool_registry = ToolRegistry()
    memory_tool = MemoryTool(user_id="user123")
    tool_registry.register_tool(memory_tool)
    rag_tool = RAGTool(knowledge_base_path="./knowledge_base")
    tool_registry.register_tool(rag_tool)
    agent.tool_registry = tool_registry
    server.answers.extend([call, "你好张三，我记住了！"])
    assert agent.run("你好！请记住我叫张三，我是一名Python开发者") == "你好张三，我记住了！"
    shown = capsys.readouterr().out
    assert "✅ 工具 'memory' 已注册。" in shown
    assert "✅ 工具 'rag' 已注册。" in shown
    assert "用户叫张三, 是一名Python开发者" in memory_tool.run({"action": "search", "query": "名字叫什么 张三"})
    assert "总记忆数: 1" in memory_tool.run({"action": "stats"})
    told = server.bodies("completions")[1]["messages"][-1]["content"]
    assert told.startswith("🔧 工具 memory 执行结果：\n✅ 记忆已添加")


def test_a_registry_runs_both_tools_from_text(lesson):
    registry = ToolRegistry()
    registry.register_tool(MemoryTool(user_id="u"))
    registry.register_tool(RAGTool())
    assert registry.execute_tool("memory", "action=add,content=苹果, 梨").startswith("✅")
    assert "苹果, 梨" in registry.execute_tool("memory", "苹果")
    assert registry.execute_tool("rag", "text=Python 由 Guido 创造, 语法简洁").startswith("✅")
    assert "Guido" in registry.execute_tool("rag", "search=Python 语法")


def test_expanded_tools_have_the_published_names(lesson):
    registry = ToolRegistry()
    registry.register_tool(MemoryTool(user_id="u", expandable=True))
    registry.register_tool(RAGTool(expandable=True))
    assert {
        *("memory_add", "memory_search", "memory_summary", "memory_stats", "memory_update", "memory_remove"),
        *("memory_forget", "memory_consolidate", "memory_clear"),
        *("rag_add_document", "rag_add_text", "rag_ask", "rag_search", "rag_stats", "rag_clear"),
    } <= set(registry.list_tools())
    assert registry.execute_tool("memory_add", {"content": "红色", "mood": "好"}).startswith("✅")
    assert "红色" in registry.execute_tool("memory_search", "query=红色,limit=2")
    assert json.dumps(registry.to_openai_schemas())
