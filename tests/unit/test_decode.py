"""Bytes of every charset that people send, short and long, labelled and not."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ricordo.parse.decode import clean, decode, encoding_of

CHINESE = (
    "合同资料",
    "我的",
    "测试",
    "新建文本文档",
    "第一章 总则",
    "备注：无\n",
    "价格12,客户名称",
    "报价单更新：请周四之前确认",
    "饕餮盛宴琳琅满目",
    "琥珀 翡翠 玛瑙 珊瑚",
    "云杉科技差旅与报销管理办法。第一条 为规范员工差旅费用管理，依据公司财务制度，制定本办法。",
)
TRADITIONAL = (
    "合約資料",
    "會議記錄：請於週四前確認",
    "臺北市政府公告",
    "客戶名稱,金額\n王大明,100",
    "這是一個測試檔案，請勿刪除。",
)
JAPANESE = (
    "議事録",
    "こんにちは",
    "名前,年齢,住所\n佐藤太郎,30,東京",
    "第12回 定例会議 議事録",
    "会議は来週の月曜日に行います。資料を準備してください。",
)
KOREAN = ("안녕하세요", "회의록", "이름,나이\n김철수,30", "한국어 문서입니다. 확인 부탁드립니다.")
WESTERN = (
    "café",
    "Müller",
    "Größe: 5 µm",
    "50 €",
    "100 °C",
    "déjà vu à l’été",
    "Åse Ødegård",
    "Ação não é só coração, mãe",
    "Estimada señora Núñez: São Paulo £4,250 ± 3 %",
    "naïve façade — “quoted” …",
)
TABLE = {
    "gb18030": CHINESE,
    "gbk": CHINESE,
    "big5": TRADITIONAL,
    "cp932": (*JAPANESE, "カタカナ", "髙橋部長は㈱東雲製作所の﨑山氏と①10時に会いました。"),
    "euc_jp": JAPANESE,
    "euc_kr": KOREAN,
    "cp1252": WESTERN,
    "utf-8": (*CHINESE, *JAPANESE, *KOREAN, *WESTERN, "中", "é", "Привет"),
    "utf-16-le": (*CHINESE, *JAPANESE, *KOREAN, *WESTERN, "hello", "a", "Привет, мир"),
    "utf-16-be": (*CHINESE, *JAPANESE, *KOREAN, *WESTERN, "hello", "a", "Привет, мир"),
    "utf-32-le": ("hello", "你好"),
    "utf-32-be": ("hello", "你好"),
}
LONG_PREFIX = "the quick brown fox jumps over it, 1234567890.\n" * 2200
CASES = [
    (encoding, text)
    for encoding, texts in TABLE.items()
    for text in texts
    if not (encoding.startswith("utf-16") and text == "测试")  # these four bytes are valid UTF-8 for something else
]


@pytest.mark.parametrize(("encoding", "text"), CASES)
@pytest.mark.parametrize("prefix", ["", "id=7 ", LONG_PREFIX], ids=["alone", "after a word", "after 100 kB of ASCII"])
def test_every_charset_is_told_without_a_label(encoding, text, prefix):
    decoded = decode((prefix + text).encode(encoding))
    assert decoded.text == prefix + text
    assert not decoded.damaged


@pytest.mark.parametrize("encoding", TABLE)
def test_a_sentence_is_told_with_certainty(encoding):
    assert decode(max(TABLE[encoding], key=len).encode(encoding)).sure


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        ("\ufeff".encode("gb18030"), "gb18030"),
    ],
)
def test_a_mark_decides_and_is_not_part_of_the_text(mark, encoding):
    decoded = decode(mark + "标题,é".encode(encoding), label="shift_jis")
    assert (decoded.text, decoded.encoding, decoded.sure) == ("标题,é", encoding, True)


@pytest.mark.parametrize(
    ("text", "stored", "label"),
    [
        ("朱镕基与堃泰", "gbk", "gb2312"),
        ("𠮷田", "gb18030", "GBK"),
        ("髙橋﨑①㈱", "cp932", "Shift_JIS"),
        ("碁石裏", "cp950", "big5"),
        ("똠방각하", "cp949", "euc-kr"),
        ("“quoted” €5", "cp1252", "iso-8859-1"),
        ("ığş", "cp1254", "iso-8859-9"),
        ("会議の議事録", "iso2022_jp", "iso-2022-jp"),
        ("会議の議事録", "iso2022_jp", None),
        ("你好", "hz", "hz-gb-2312"),
        ("é中", "utf-8", "gbk"),
        ("é中", "utf-8", "no-such-charset"),
        ("你好，世界", "gbk", "us-ascii"),
    ],
)
def test_a_label_is_read_as_browsers_read_it_and_valid_utf8_wins(text, stored, label):
    assert decode(text.encode(stored), label).text == text


def test_one_broken_byte_does_not_turn_the_rest_into_another_charset():
    chinese = "云杉科技差旅与报销管理办法，第一条，规范员工差旅费用。" * 3
    for encoding in ("utf-8", "gb18030"):
        raw = chinese.encode(encoding)
        decoded = decode(raw + b"\xff" + b"\n" + raw)
        assert decoded.text.startswith(chinese)
        assert decoded.text.endswith(chinese)
        assert decoded.damaged == 1
        assert "1 signs" in decoded.warnings[0]


def test_a_file_cut_off_inside_a_sign_keeps_its_charset():
    for encoding in ("utf-8", "gb18030", "utf-16-le"):
        decoded = decode("第一条，规范员工差旅费用".encode(encoding)[:-1])
        assert decoded.text.startswith("第一条，规范员工差旅费")
        assert decoded.damaged


@pytest.mark.parametrize("data", [b"\xff", "中文".encode("big5")], ids=["one byte", "kana in another charset"])
def test_what_cannot_be_told_says_so(data):
    decoded = decode(data)
    assert not decoded.sure
    assert "charset unsure" in decoded.warnings[0]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Привет, как дела? Мы отправили документы в понедельник, ответ будет завтра утром."),
        ("koi8_r", "Привет, как дела? Мы отправили документы в понедельник, ответ будет завтра утром."),
        ("cp1253", "Καλημέρα, στείλαμε τα έγγραφα τη Δευτέρα και περιμένουμε απάντηση."),
    ],
)
def test_an_alphabet_without_a_candidate_is_guessed_and_said_to_be_unsure(encoding, text):
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert not decoded.sure


def test_ascii_with_a_stray_nul_is_not_utf16():
    assert decode(b"abc\x00def").text == "abc\x00def"


@pytest.mark.parametrize(
    "label", ["utf-16", "utf-7", "unicode_escape", "base64", "rot13", "", " ", None, "\x00", "idna"]
)
def test_no_label_reaches_a_codec_that_is_no_charset(label):
    assert encoding_of(label) is None
    assert decode("é\\n+ADw-".encode(), label).text == "é\\n+ADw-"


def test_clean_text_can_be_stored():
    assert clean("a\r\nb\x00\ud83d\ude00\ud800") == "a\nb\U0001f600\ufffd"


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=400), st.sampled_from([None, "gbk", "shift_jis", "latin-1", "utf-16", "big5", "x"]))
def test_it_never_raises(data, label):
    decoded = decode(data, label)
    clean(decoded.text).encode()


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_utf8_always_comes_back(text):
    assert decode(text.encode()).text == text.removeprefix("\ufeff")
