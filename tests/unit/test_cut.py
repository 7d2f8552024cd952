"""Index terms: Chinese and English as equals, identifiers, and the fast path against the plain one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.stores.cut import cut, cut_all, cut_query, term_keys
from ricordo.stores.words import Segment, bm25

TEXTS = {
    "coffee": "我每天早上喜欢喝咖啡，不加糖。",
    "tea": "爷爷爱喝龙井茶，尤其是明前的。",
    "taipei": "台北101大楼曾经是世界上最高的建筑物。",
    "taiwan": "臺灣後來開放了兩岸探親，許多老兵返鄉。",
    "deploy": "用 Docker 部署 FastAPI 服务，端口是８０８０。",
    "python": "Python3.11 的异常组 ExceptionGroup 很好用。",
    "birthday": "妈妈的生日是1962年10月3日。",
    "allergy": "小明对花生过敏，吃了会起疹子。",
    "stock": "股票代码６００５１９在周五上涨了3.5%。",
    "noodle": "蘭州拉麵裡面要放香菜和辣椒油。",
    "poem": "床前明月光，疑是地上霜。",
    "bank": "会议改到下周三下午，地点在银行二楼。",
    "hair": "她剪了短头发，看起来很精神。",
    "law": "著作權法保護軟體與資料庫。",
    "tower": "東京タワーは1958年に完成した。",
    "korean": "저는 한국어를 공부하고 있습니다.",
    "mail": "请把发票寄到 billing@example.com，抬头写 Ricordo。",
    "config": "把 max_tokens 设成 4096，temperature 设成 0.2。",
}
CHINESE = [
    ("咖啡", "coffee", "tea"),
    ("喝咖啡", "coffee", "poem"),
    ("我喜欢喝什么", "coffee", "deploy"),
    ("加糖吗", "coffee", "allergy"),
    ("茶", "tea", "coffee"),
    ("龙井", "tea", "coffee"),
    ("龍井茶", "tea", "coffee"),
    ("爺爺愛喝什麼", "tea", "poem"),
    ("最高的建筑", "taipei", "poem"),
    ("最高的建築物", "taipei", "coffee"),
    ("台北", "taipei", "noodle"),
    ("臺北101", "taipei", "birthday"),
    ("台湾", "taiwan", "tea"),
    ("后来开放探亲", "taiwan", "coffee"),
    ("两岸", "taiwan", "taipei"),
    ("老兵返乡", "taiwan", "hair"),
    ("怎么部署docker", "deploy", "python"),
    ("ｄｏｃｋｅｒ", "deploy", "python"),
    ("8080端口", "deploy", "stock"),
    ("fastapi服務", "deploy", "mail"),
    ("python3.11", "python", "deploy"),
    ("异常", "python", "poem"),
    ("異常組", "python", "coffee"),
    ("生日", "birthday", "stock"),
    ("妈妈哪年出生 1962", "birthday", "noodle"),
    ("花生过敏", "allergy", "coffee"),
    ("過敏", "allergy", "coffee"),
    ("600519", "stock", "birthday"),
    ("股票３.５", "stock", "config"),
    ("兰州拉面", "noodle", "taipei"),
    ("面", "noodle", "coffee"),
    ("里面放香菜", "noodle", "tea"),
    ("明月", "poem", "bank"),
    ("霜", "poem", "tea"),
    ("銀行", "bank", "poem"),
    ("下周三的会议", "bank", "coffee"),
    ("頭髮", "hair", "coffee"),
    ("短头发", "hair", "taiwan"),
    ("著作权", "law", "python"),
    ("資料庫", "law", "taipei"),
    ("数据 资料库", "law", "deploy"),
    ("東京", "tower", "taipei"),
    ("东京タワー", "tower", "taipei"),
    ("한국어", "korean", "tower"),
    ("공부", "korean", "poem"),
    ("發票", "mail", "hair"),
    ("生日", "birthday", "allergy"),
    ("ricordo的发票", "mail", "bank"),
    ("billing@example.com", "mail", "config"),
    ("max_tokens", "config", "mail"),
    ("设成4096", "config", "deploy"),
]


@pytest.fixture(scope="module")
def index():
    return Segment.build(enumerate(TEXTS.values()))


@pytest.mark.parametrize(("query", "found", "not_found"), CHINESE)
def test_a_chinese_query_finds_its_text_first_and_leaves_another_alone(index, query, found, not_found):
    scores = dict(zip(TEXTS, bm25([(index, index.docs)], query, len(TEXTS)), strict=True))
    assert max(scores, key=lambda name: scores[name]) == found
    assert scores[not_found] == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("running", "runs"),
        ("Memories", "memory"),
        ("CAFÉ", "cafe"),
        ("Łódź", "lodz"),
        ("Caroline's", "caroline"),
        ("Caroline’s", "Caroline"),
        ("U.S.", "US"),
        ("1,428", "1428"),
        ("ＡＢＣ", "abc"),
        ("２０２３", "2023"),
        ("ﾃｽﾄ", "テスト"),
        ("Ricordo", "RICORDO"),
        ("zürich", "zu\u0308rich"),
        ("プ", "フ\u309a"),
    ],
)
def test_two_spellings_of_one_word_give_the_same_terms(one, other):
    assert cut(one) == cut(other)


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("foo_bar", "foo_bar", {"foo", "bar"}),
        ("getUserName()", "getusernam", {"get", "user", "name"}),
        ("HTTPServer", "httpserver", {"http", "server"}),
        ("v1.2.3", "v1.2.3", {"1.2.3"}),
        ("user@host.com", "user@host.com", {"user", "host", "com"}),
        ("state-of-the-art", "state-of-the-art", {"state", "art"}),
        ("2023-05-08", "2023-05-08", {"2023", "05", "08"}),
        ("O'Brien", "o'brien", {"brien"}),
        ("src/app/main.py", "src/app/main.py", {"src", "app", "main", "py"}),
        ("__init__", "__init__", {"init"}),
        ("C++", "c++", set()),
        ("C#", "c#", set()),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(text, whole, parts):
    terms = cut(text)
    assert terms[0] == whole
    assert parts <= set(terms)
    assert not {"of", "the", "o"} & set(terms)


def test_a_two_character_word_inside_a_sentence_is_a_term():
    assert {"咖啡", "我", "茶"} <= set(cut("我喜欢喝咖啡和茶"))


def test_stop_words_are_left_out_unless_there_is_nothing_else():
    assert cut("the cat and the hat") == ["cat", "hat"]
    assert cut("To be, or not to be") == ["to", "be", "or", "not", "to", "be"]


def test_a_query_leaves_out_characters_that_stand_everywhere_unless_there_is_nothing_else():
    assert cut_query("茶是什么") == ["茶", "茶是"]
    assert cut_query("谁") == ["谁"]
    assert cut_query("是什么") == ["是", "什", "么", "是什", "什么"]


def test_two_characters_by_themselves_are_one_word_of_a_query():
    assert cut_query("生日 咖啡怎么样") == ["生日", "咖", "啡", "样", "咖啡", "啡怎", "么样"]


def test_a_text_without_words_has_no_terms():
    assert cut("") == cut(" \n\t") == cut("，。！？…—「」") == cut("🙂 ---") == []


def test_a_long_blob_becomes_one_short_term():
    (term,) = cut("a" * 100_000)
    assert len(term) <= 64


def test_term_keys_are_the_same_in_every_release():
    assert term_keys(["coffee", "咖啡", "茶", "타"]).tolist() == [
        18164437768909109113,
        5393511875666064083,
        11399719684740689441,
        8697932864952346374,
    ]


def test_keys_of_different_terms_differ():
    singles = [chr(code) for code in range(0x4E00, 0x4F00)]
    terms = {*singles, *(a + b for a in singles for b in singles), *map(str, range(10_000))}
    assert len(set(term_keys(terms).tolist())) == len(terms)


ALPHABET = "茶咖啡臺灣里裡的 aBcé12_.'@-,’ \n\tカタﾃｽﾞ한국어\u1112\u1161\u3099สวั्हि🙂、。ａ１．豈⼈𠮷"
MIXED = st.text(st.sampled_from(ALPHABET), max_size=60)


@given(st.lists(st.one_of(MIXED, st.text(max_size=30)), max_size=6))
def test_cutting_many_texts_gives_the_terms_of_each(texts):
    keys, where = cut_all(texts)
    for number, text in enumerate(texts):
        assert np.sort(keys[where == number]).tolist() == np.sort(term_keys(cut(text))).tolist()
