"""The published samples, each with the result that they promise."""

import re
from datetime import datetime, timedelta

PEOPLE = [
    ("用户张三是一名Python开发者，专注于机器学习和数据分析", 0.7),
    ("李四是前端工程师，擅长React和Vue.js开发", 0.8),
    ("王五是产品经理，负责用户体验设计和需求分析", 0.6),
]


def with_people(tool):
    return [
        tool.execute("add", content=text, memory_type="semantic", importance=importance) for text, importance in PEOPLE
    ]


def test_three_facts_are_stored_found_and_summed_up(tool):
    for line in with_people(tool):
        assert re.fullmatch(r"✅ 记忆已添加 \(ID: [0-9a-f]{8}\.\.\.\)", line)
    found = tool.execute("search", query="前端工程师", limit=3).splitlines()
    assert re.fullmatch(r"🔍 找到 \d 条相关记忆:", found[0])
    assert found[1] == "1. [语义记忆] 李四是前端工程师，擅长React和Vue.js开发 (重要性: 0.80)"
    summary = tool.execute("summary", limit=10)
    assert summary.startswith("📊 记忆系统摘要\n总记忆数: 3\n当前会话: session_")
    assert "\n对话轮次: 0\n\n📋 记忆类型分布:\n" in summary
    assert "\n  • 语义记忆: 3 条 (平均重要性: 0.70)\n" in summary
    assert summary.endswith(
        "\n\n⭐ 重要记忆 (前3条):\n"
        "  1. 李四是前端工程师，擅长React和Vue.js开发 (重要性: 0.80)\n"
        "  2. 用户张三是一名Python开发者，专注于机器学习和数据分析 (重要性: 0.70)\n"
        "  3. 王五是产品经理，负责用户体验设计和需求分析 (重要性: 0.60)"
    )


def test_four_kinds_keep_their_metadata_over_a_restart(open_memory):
    tool = open_memory()
    added = [
        tool.execute("add", content="用户刚才询问了关于Python函数的问题", memory_type="working", importance=0.6),
        tool.execute(
            "add",
            content="2024年3月15日，用户张三完成了第一个Python项目",
            memory_type="episodic",
            importance=0.8,
            event_type="milestone",
            location="在线学习平台",
        ),
        tool.execute(
            "add",
            content="Python是一种解释型、面向对象的编程语言",
            memory_type="semantic",
            importance=0.9,
            knowledge_type="factual",
        ),
        tool.execute(
            "add",
            content="用户上传了一张Python代码截图，包含函数定义",
            memory_type="perceptual",
            importance=0.7,
            modality="image",
            file_path="./uploads/code_screenshot.png",
        ),
    ]
    assert all(line.startswith("✅ 记忆已添加") for line in added)
    assert "⚠️ 文件不存在: ./uploads/code_screenshot.png" in added[3]
    assert "⚠️ image" in added[3]
    open_memory.restart()
    again = open_memory()
    kept = {m["memory_type"]: m["metadata"] for m in again.run("search", query="Python", limit=10)["memories"]}
    assert set(kept) == {"working", "episodic", "semantic", "perceptual"}
    assert (kept["episodic"]["event_type"], kept["episodic"]["location"]) == ("milestone", "在线学习平台")
    assert kept["semantic"]["knowledge_type"] == "factual"
    assert kept["perceptual"]["modality"] == "image"
    assert kept["perceptual"]["raw_data"] == "./uploads/code_screenshot.png"
    assert kept["perceptual"]["file_missing"] is True
    assert all(metadata["session_id"].startswith("session_") for metadata in kept.values())


def test_search_gives_only_what_was_asked_for(tool):
    tool.run("add", content="Python编程基础学习笔记", memory_type="episodic", importance=0.4)
    tool.run("add", content="学习Python编程的计划", memory_type="working", importance=0.9)
    tool.run("add", content="Python编程语言的知识", memory_type="semantic", importance=0.7)
    tool.run("add", content="今天的天气很好", memory_type="semantic", importance=0.9)
    everything = tool.execute("search", query="Python编程", limit=5)
    assert "今天的天气" not in everything.splitlines()[1]
    episodic = tool.execute("search", query="学习", memory_type="episodic", limit=3)
    assert [m["memory_type"] for m in episodic["memories"]] == ["episodic"]
    two = tool.execute("search", query="Python", memory_types=["semantic", "episodic"], min_importance=0.5, limit=5)
    assert {m["memory_type"] for m in two["memories"]} == {"semantic"}
    assert all(m["importance"] >= 0.5 for m in two["memories"])


def stored(tool):
    return {m.text for m in tool.memory_manager.storage.list(["working", "episodic", "semantic", "perceptual"])}


def test_forgetting_by_importance_takes_exactly_what_is_below(tool):
    for importance in (0.0, 0.1, 0.19, 0.2, 0.9):
        tool.run("add", content=f"重要性 {importance}", memory_type="episodic", importance=importance)
    result = tool.execute("forget", strategy="importance_based", threshold=0.2)
    assert result == "🧹 已遗忘 3 条记忆（策略: importance_based）"
    assert stored(tool) == {"重要性 0.2", "重要性 0.9"}


def test_forgetting_by_time_takes_exactly_what_is_older(tool):
    for days in (0, 29, 31, 400):
        at = datetime.now() - timedelta(days=days)
        tool.run("add", content=f"{days} 天前", memory_type="episodic", timestamp=at.isoformat())
    assert tool.execute("forget", strategy="time_based", max_age_days=30).startswith("🧹 已遗忘 2 条记忆")
    assert stored(tool) == {"0 天前", "29 天前"}


def test_forgetting_by_capacity_keeps_the_most_important(open_memory):
    tool = open_memory(max_capacity=3)
    for n in range(6):
        tool.run("add", content=f"第 {n} 条", memory_type="semantic", importance=n / 10)
    assert (
        tool.execute("forget", strategy="capacity_based", threshold=0.3) == "🧹 已遗忘 3 条记忆（策略: capacity_based）"
    )
    assert stored(tool) == {"第 3 条", "第 4 条", "第 5 条"}


def test_consolidation_moves_with_everything_and_only_once(tool):
    first = tool.run("add", content="重要的经历", importance=0.95, topic="旅行")
    tool.run("add", content="不重要的事", importance=0.5)
    line = tool.execute("consolidate", from_type="working", to_type="episodic", importance_threshold=0.7)
    assert line == "🔄 已整合 1 条记忆为长期记忆（working → episodic，阈值=0.7）"
    [episode] = tool.memory_manager.memory_types["episodic"].get_all()
    assert (episode.id, episode.importance) == (first["id"], 1.0)
    assert episode.metadata["topic"] == "旅行"
    assert episode.metadata["session_id"] == tool.current_session_id
    assert tool.execute("consolidate")["count"] == 0
    assert tool.execute("consolidate", from_type="episodic", to_type="semantic", importance_threshold=0.8)["count"] == 1
    assert tool.execute("consolidate", from_type="episodic", to_type="semantic", importance_threshold=0.8)["count"] == 0
    assert tool.run("stats")["counts"] == {"working": 1, "episodic": 0, "semantic": 1}


def test_consolidation_raises_importance_by_a_tenth(tool):
    tool.run("add", content="经历", importance=0.8)
    tool.execute("consolidate")
    [episode] = tool.memory_manager.memory_types["episodic"].get_all()
    assert episode.importance == 0.8 * 1.1


def test_the_classes_take_the_published_arguments(open_memory, tmp_path):
    from hello_agents.memory import (
        EpisodicMemory,
        MemoryConfig,
        MemoryManager,
        PerceptualMemory,
        SemanticMemory,
        WorkingMemory,
    )

    config = MemoryConfig(working_memory_ttl=30, working_memory_capacity=7, database_path=str(tmp_path / "d/memory.db"))
    assert config.storage_path == str(tmp_path / "d")
    assert config.working_memory_ttl_minutes == 30
    for kind in (WorkingMemory, EpisodicMemory, SemanticMemory, PerceptualMemory):
        assert kind(config).get_stats()["count"] == 0
    manager = MemoryManager(config, user_id="u", enable_perceptual=True)
    assert {name: type(memory).__name__ for name, memory in manager.memory_types.items()} == {
        "working": "WorkingMemory",
        "episodic": "EpisodicMemory",
        "semantic": "SemanticMemory",
        "perceptual": "PerceptualMemory",
    }
