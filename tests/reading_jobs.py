"""Jobs for readers that are called directly, with children read by the real frame."""

from ricordo.parse.opening import Order, open_file
from ricordo.parse.reading import Job, Limits
from ricordo.parse.render import anchors, render
from ricordo.types import Parsed


def job(name: str, kind: str, **more) -> Job:
    limits = more.pop("limits", Limits())
    more.setdefault("child", lambda inner, data: open_file(data, Order(name=inner, limits=limits)))
    return Job(name=name, kind=kind, limits=limits, **more)


def text(parsed: Parsed) -> str:
    return render(parsed).text


def headings(parsed: Parsed) -> list[tuple[int, str]]:
    return [(level, title) for _, level, title in anchors(render(parsed))]


def rows(parsed: Parsed) -> list[tuple[str, ...]]:
    return [row for block in parsed.blocks for row in block.rows]
