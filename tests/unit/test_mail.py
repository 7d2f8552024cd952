"""Mails and mailboxes in any charset, with what is attached."""

import base64
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_jobs import headings, job, text
from ricordo.parse import mail
from ricordo.parse.reading import Limits
from ricordo.types import BlockKind, Parsed, ParseStatus


def read(data, kind="eml", **more):
    return mail.read(data if isinstance(data, bytes) else data.encode(), job(f"x.{kind}", kind, **more))


def b64(text, charset):
    return base64.b64encode(text.encode(charset)).decode()


def test_headers_stand_in_one_block_and_the_subject_is_the_title():
    parsed = read(
        "From: a@b.c\nX-Spam: no\nTo: d@e.f\nCc: g@h.i\nSubject: Hi\n there\n"
        "Date: Wed, 10 Jan 2024 16:20:31 +0800\n\nBody\n"
    )
    assert parsed.blocks[0].kind is BlockKind.HEADER
    assert text(parsed) == (
        "Subject: Hi there\nFrom: a@b.c\nTo: d@e.f\nCc: g@h.i\nDate: Wed, 10 Jan 2024 16:20:31 +0800\n\nBody\n\n"
    )
    assert parsed.title == "Hi there"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (f"=?gb2312?B?{b64('朱镕晖', 'gbk')}?= <z@e.cn>", "朱镕晖 <z@e.cn>"),
        ("=?utf-8?Q?=E6=8A=A5?= =?utf-8?Q?=E4=BB=B7?=", "报价"),
        ("=?utf-8?B?5oql5Lu?= =?utf-8?B?3?=", None),
        ("=?gb2312?B?sai827WluPzQwqO6x+s=?=\n =?gb2312?B?1tzLxNaux7DIt8jP?=", "报价单更新：请周四之前确认"),
        (f"=?iso-2022-jp?B?{b64('会議', 'iso2022_jp')}?=", "会議"),
        ("=?x-unknown?B?5oql?=", "报"),
        ("=?utf-8?B?!!!?=", None),
        ("plain", "plain"),
    ],
)
def test_encoded_words_are_read(header, expected):
    parsed = read(f"Subject: {header}\nFrom: a@b.c\n\nBody\n")
    assert "Body" in text(parsed)
    if expected:
        assert parsed.title == expected


def test_a_sign_cut_in_two_by_encoded_words_is_joined():
    raw = "报价单".encode("gb2312")
    words = " ".join(f"=?gb2312?B?{base64.b64encode(part).decode()}?=" for part in (raw[:3], raw[3:]))
    assert read(f"Subject: {words}\nFrom: a\n\nx\n").title == "报价单"


@pytest.mark.parametrize("charset", ["utf-8", "gb18030", "big5"])
def test_raw_bytes_in_headers_are_judged(charset):
    assert read("Subject: 會議記錄：請於週四前確認\n\nx\n".encode(charset)).title == "會議記錄：請於週四前確認"


@pytest.mark.parametrize(
    ("label", "stored"),
    [
        ("gb2312", "gb18030"),
        ("shift_jis", "cp932"),
        ("us-ascii", "utf-8"),
        ("iso-2022-jp", "iso2022_jp"),
        ("utf-16", "utf-16-le"),
    ],
)
def test_a_body_is_read_by_its_charset(label, stored):
    words = "髙橋の会議は10時です" if stored in ("cp932", "utf-8") else "会議は10時です"
    source = f"Subject: x\nContent-Type: text/plain; charset={label}\nContent-Transfer-Encoding: base64\n\n"
    source += f"{b64(words, stored)}\n"
    assert words in text(read(source))


def alternative(plain, html):
    message = EmailMessage()
    message["Subject"] = "x"
    message.set_content(plain)
    message.add_alternative(html, subtype="html")
    return bytes(message)


def test_one_body_is_kept_plain_before_html():
    parsed = text(read(alternative("总价48万元，请确认。", "<p>总价48万元，请确认。</p>")))
    assert parsed.count("48万元") == 1
    assert "<p>" not in parsed


@pytest.mark.parametrize("stub", ["", "This is an HTML mail."])
def test_the_html_body_is_kept_where_the_plain_one_says_nothing(stub):
    parsed = read(alternative(stub, f"<style>NO</style><h2>标题</h2><p>{'正文' * 100}</p>"))
    assert "正文" in text(parsed)
    assert "NO" not in text(parsed)
    assert headings(parsed) == [(2, "标题")]


def test_attachments_are_read_as_files_of_their_own():
    message = EmailMessage()
    message["Subject"] = "x"
    message.set_content("见附件")
    message.add_attachment("# 内部\n\n附件正文\n".encode(), "text", "markdown", filename="说明.md")
    message.add_attachment(b"\x00\x01\x02", "application", "octet-stream", filename="../../../etc/什么.bin")
    inner = EmailMessage()
    inner["Subject"] = "转发的邮件"
    inner.set_content("里面的话")
    message.add_attachment(inner)
    parsed = read(bytes(message))
    assert "Attachments: 说明.md, etc/什么.bin, 转发的邮件.eml" in text(parsed)
    assert headings(parsed) == [(1, "说明.md"), (2, "内部"), (1, "转发的邮件.eml")]
    assert {block.part for block in parsed.blocks} == {None, "说明.md", "转发的邮件.eml"}
    assert "里面的话" in text(parsed)
    assert parsed.status is ParseStatus.PARTIAL
    assert "etc/什么.bin: unsupported" in parsed.warnings[0]


@pytest.mark.parametrize(
    "disposition",
    [
        "attachment; filename*=gb18030''%CB%B5%C3%F7%E9%46.txt",
        "attachment; filename*0*=gb18030''%CB%B5; filename*1*=%C3%F7%E9%46.txt",
        "attachment; filename*=''%E8%AF%B4%E6%98%8E%E9%95%95.txt",
        f'attachment; filename="=?gb2312?B?{b64("说明镕.txt", "gbk")}?="',
        'attachment; filename="说明镕.txt"',
    ],
)
def test_names_of_attachments_are_read_in_every_way_they_are_written(disposition):
    source = (
        "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nbody\n--b\n"
        f"Content-Type: text/plain\nContent-Disposition: {disposition}\n\ninner words\n--b--\n"
    )
    assert "Attachments: 说明镕.txt\n" in text(read(source))
    assert "inner words" in text(read(source))


def test_a_picture_inside_the_body_without_ocr_is_named_and_no_fault():
    message = EmailMessage()
    message["Subject"] = "x"
    message.set_content("see below")
    message.add_alternative("<p>see <img src=cid:logo></p>", subtype="html")
    picture = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    )
    message.get_payload()[1].add_related(
        picture, "image", "png", cid="<logo>", filename="logo.png", disposition="inline"
    )
    unread = Parsed(parser="native", status=ParseStatus.NEEDS_OCR)
    parsed = read(bytes(message), child=lambda name, data: unread)
    assert "see below" in text(parsed)
    assert [block.text for block in parsed.blocks if block.kind is BlockKind.PICTURE] == ["logo.png"]
    assert parsed.status is ParseStatus.OK


def test_lines_that_were_broken_to_fit_are_joined():
    source = (
        "Subject: x\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n这一句被 \n断开了。\n下一行\n"
    )
    assert "这一句被断开了。\n下一行" in text(read(source))


def test_a_mailbox_gives_every_mail():
    box = (
        "From a@b Mon Jan  1 00:00:00 2024\nSubject: =?utf-8?B?5LiA?=\nFrom: a@b.c\n\n第一封\n>From the start\n\n"
        "From the sea came a letter\n\nFrom a@b Mon Jan  1 00:00:00 2024\nSubject: two\n\nsecond\n"
    )
    parsed = read(box, "mbox")
    assert headings(parsed) == [(1, "一"), (1, "two")]
    assert "\nFrom the start" in text(parsed)
    assert "From the sea" in text(parsed)
    assert {block.part for block in parsed.blocks} == {"message 1", "message 2"}


def test_mails_inside_mails_end_at_the_depth_limit():
    message = EmailMessage()
    message.set_content("level 0")
    for level in range(1, 7):
        outer = EmailMessage()
        outer.set_content(f"level {level}")
        outer.add_attachment(message)
        message = outer
    parsed = read(bytes(message), limits=Limits(depth=3))
    assert "level 6" in text(parsed)
    assert parsed.status in ParseStatus


@pytest.mark.parametrize(
    "source",
    [
        "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nlost end",
        "Subject: x\nContent-Type: multipart/mixed\n\nno boundary",
        "Subject: x\nContent-Type: text/plain; charset=\n\nempty charset",
        "Subject: x\nContent-Type: ;;;\nContent-Transfer-Encoding: nonsense\n\nodd headers",
        "Subject: x\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n!!!!not base64",
        "Subject: x\nContent-Type: message/rfc822\n\nSubject: y\n\ninner",
        "no headers at all",
    ],
)
def test_broken_mails_keep_their_words(source):
    assert source.rsplit("\n", maxsplit=1)[-1][-5:].strip("!") in text(read(source)) or "base64" in source


@settings(deadline=None, max_examples=80)
@given(st.lists(st.sampled_from(
    ["Subject: ", "=?gb2312?B?", "?=", "\n", "\n\n", "Content-Type: multipart/alternative; boundary=b", "--b", "--b--",
     "Content-Type: text/html", "Content-Disposition: attachment; filename*0*=x''%",
     "\nContent-Transfer-Encoding: base64",
     "From ", "From: ", "中", "\ud800", "message/rfc822", "; charset=utf-16"]), max_size=25))  # fmt: skip
def test_any_pieces_of_mail_end_in_a_status(pieces):
    data = "".join(pieces).encode("utf-8", "surrogatepass")
    assert read(data).status in ParseStatus
    assert read(data, "mbox").status in ParseStatus


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 600))
def test_a_mail_cut_off_anywhere_ends_in_a_status(at):
    whole = alternative("总价48万元，请确认。" * 5, "<p>总价48万元，请确认。</p>")
    assert read(whole[:at]).status in ParseStatus
