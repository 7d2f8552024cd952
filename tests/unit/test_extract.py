"""What the light extractor finds in single sentences, and what it leaves alone."""

from datetime import UTC, datetime

import pytest

from ricordo.extract.light import LightExtractor, names_in
from ricordo.extract.links import MOST_ENTITIES, MOST_RELATIONS, NAMED, TOGETHER, entity_id
from ricordo.extract.mentions import sentences
from ricordo.types import Kind, Memory

NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)

CHINESE = {
    "李四是前端工程师，擅长JavaScript和React。": "李四 JavaScript React",
    "张三喜欢吃火锅": "张三",
    "王小明在北京大学学习计算机": "王小明 北京大学",
    "我在阿里巴巴公司工作，同事是陈静": "阿里巴巴公司 陈静",
    "他毕业于清华大学，现在就职于腾讯科技有限公司": "清华大学 腾讯科技有限公司",
    "马云创立了阿里巴巴集团": "马云 阿里巴巴集团",
    "昨天和欧阳娜娜去上海看了《流浪地球》": "欧阳娜娜 上海 流浪地球",
    "王老师说下周一考试": "王老师",
    "张伟教授发表了论文": "张伟",
    "小王和老李周末去杭州": "小王 老李 杭州",
    "我们使用 docker 和 GitHub Actions 部署": "docker GitHub_Actions",
    "项目代号“晨星计划”由赵敏负责": "晨星计划 赵敏",
    "中国科学院计算技术研究所位于北京市海淀区": "中国科学院计算技术研究所 北京",
    "史蒂夫·乔布斯创办了苹果公司": "史蒂夫·乔布斯 苹果公司",
    "深圳市的房价很高，超市在门口": "深圳",
    "我叫刘洋，来自湖北省黄冈市": "刘洋 湖北 黄冈市",
    "我的朋友张伟和李娜结婚了": "张伟 李娜",
    "用户张三是Python开发者，专注于机器学习和数据分析": "张三 Python",
    "产品经理王五负责项目规划": "王五",
    "他在上海交通大学附属医院当医生，该公司很大": "上海交通大学附属医院",
    "高兴的是，方法很好": "",
    "每周一开会，周围很安静": "",
    "何时开始，时间安排": "",
    "会议在3km外，价格20USD": "",
    "这家公司很大，我们公司很小": "",
    "“我不知道”是他的回答": "",
    "见 https://example.com/Foo 与 a@bar.com": "",
}
ENGLISH = {
    "Alice likes tea and Bob works at Google.": "Alice Bob Google",
    "Yesterday Dr. Jane Smith met J. K. Rowling in London.": "Jane_Smith J._K._Rowling London",
    "The meeting with Acme Corp. is on Monday, March 3.": "Acme_Corp",
    "I'm using an iPhone and PostgreSQL": "iPhone PostgreSQL",
    "University of Oxford and Bank of America signed a deal.": "University_of_Oxford Bank_of_America",
    "Ludwig van Beethoven was born in Bonn.": "Ludwig_van_Beethoven Bonn",
    "Alice's sister Carol moved to New York in May 2024.": "Alice Carol New_York",
    "Don't call Peter O'Brien.": "Peter_O'Brien",
    "Yes, Caroline went to the LGBTQ support group.": "Caroline LGBTQ",
    "It's GPT-4 by OpenAI.": "GPT-4 OpenAI",
    "The United States of America joined NATO in 1949.": "United_States_of_America NATO",
    "Ask Tom about C++ and Node.js.": "Tom C++ Node.js",
    "We told Mr. Brown on Friday.": "Brown",
    "Marie Curie discovered radium": "Marie_Curie",
    "The café in Zürich belongs to Señora Núñez": "Zürich Señora_Núñez",
    "Passwords are changed every ninety days.": "",
    "Coffee, tea and water.": "",
    "WE ARE CLOSED TODAY": "",
    "Leave that is not taken by March expires.": "",
    "However, I think it will rain on Monday.": "",
    "Remember what we've said": "",
    "See https://Example.com/Foo and a@Bar.com.": "",
}


def named(sentence):
    return " ".join(mention.name.replace(" ", "_") for mention in names_in(sentence))


@pytest.mark.parametrize(("sentence", "names"), [*CHINESE.items(), *ENGLISH.items()])
def test_a_sentence_names_these_and_no_others(sentence, names):
    assert named(sentence) == names


@pytest.mark.parametrize("sentence", [*CHINESE, *ENGLISH])
def test_a_mention_stands_where_it_says(sentence):
    for mention in names_in(sentence):
        assert sentence[mention.start : mention.end] == mention.name


@pytest.mark.parametrize(
    ("sentence", "types"),
    [
        ("张三在清华大学读《红楼梦》，住在南京", ["person", "organisation", "work", "place"]),
        ("Dr. Smith left Harvard University and crossed Baker Street", ["person", "organisation", "place"]),
    ],
)
def test_a_mention_has_the_type_that_the_text_gives_it(sentence, types):
    found = [mention.type for mention in names_in(sentence)]
    assert found == types


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Smith came. He left!", ["Mr. Smith came.", "He left!"]),
        ("张三来了。李四走了！", ["张三来了。", "李四走了！"]),
        ("J. K. Rowling writes", ["J. K. Rowling writes"]),
        ("one\ntwo\n\n", ["one", "two"]),
        ("Version 3.5 is out. Try it", ["Version 3.5 is out.", "Try it"]),
        (" \n ", []),
    ],
)
def test_text_falls_into_its_sentences(text, expected):
    assert list(sentences(text)) == expected


async def extract(text, bank="bank"):
    return await LightExtractor().extract(
        Memory(id="m", bank=bank, kind=Kind.SEMANTIC, text=text, at=NOON, created=NOON)
    )


async def test_names_of_one_sentence_are_tied_with_the_memory_as_evidence():
    entities, [tie] = await extract("Alice works with Bob.")
    assert [e.name for e in entities] == ["Alice", "Bob"]
    assert {tie.source, tie.target} == {e.id for e in entities}
    assert (tie.label, tie.memory, tie.bank) == (TOGETHER, "m", "bank")


async def test_names_of_two_sentences_are_not_tied_but_each_to_its_memory():
    _, ties = await extract("张三来了。李四走了。")
    assert [(tie.label, tie.source == tie.target) for tie in ties] == [(NAMED, True)] * 2


async def test_nearer_and_more_often_weighs_more():
    weights = {}
    entities, ties = await extract("Alice knows Bob, and long after that and many words more there was Carl.")
    names = {e.id: e.name for e in entities}
    for tie in ties:
        weights[frozenset((names[tie.source], names[tie.target]))] = tie.weight
    assert weights[frozenset(("Alice", "Bob"))] > weights[frozenset(("Alice", "Carl"))]
    [once], [twice] = [(await extract("Alice knows Bob. " * times))[1] for times in (1, 2)]
    assert twice.weight == pytest.approx(2 * once.weight, rel=1e-3)


async def test_an_entity_is_one_whatever_its_case_and_another_in_another_bank():
    entities, _ = await extract("We use GitHub. We like GITHUB.")
    assert len(entities) == 1
    assert entities[0].id == entity_id("bank", "github") != entity_id("other", "github")


async def test_a_memory_has_no_more_than_so_many_entities_and_relations():
    entities, ties = await extract("We met " + " and ".join(f"Tom{n}" for n in range(200)) + ".")
    assert len(entities) == MOST_ENTITIES
    assert MOST_RELATIONS <= len(ties) <= MOST_RELATIONS + MOST_ENTITIES


@pytest.mark.parametrize("text", ["", " ", "\ud800\0", "。。。", "·" * 50, "(" * 3000, "公司" * 2000, "A" * 5000])
async def test_odd_text_is_no_reason_to_fail(text):
    entities, ties = await extract(text)
    assert len(entities) <= MOST_ENTITIES
    assert all(tie.memory == "m" for tie in ties)
