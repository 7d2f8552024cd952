"""What DrawingML, charts, SmartArt and equations say, for Word and PowerPoint alike."""

from __future__ import annotations

from ricordo.parse.blocks import Rows, squeeze
from ricordo.parse.ooxml import attribute, child, name_of, number
from ricordo.parse.package import Element

_FINEST, _LARGEST = 4, 1e15
_OPERATORS = {"f": "/", "sSup": "^", "sSub": "_"}


def chart_rows(root: Element) -> tuple[str, Rows]:
    """A chart's title and its data: the categories in the first column, a column a series."""
    title = squeeze("".join(t.text or "" for t in _under(child(root, "chart", "title"), "t")))
    names: list[str] = []
    columns: list[dict[int, str]] = []
    labels: dict[int, str] = {}
    for series in root.iter("{*}ser"):
        columns.append(_points(child(series, "val"), child(series, "yVal")))
        names.append(_series_name(series, len(columns)))
        labels = labels or _points(child(series, "cat"), child(series, "xVal"))
    if not columns:
        return title, ()
    places = max((_decimals(value) for column in columns for value in column.values()), default=0)
    indexes = sorted(set(labels).union(*columns))
    body = ((labels.get(i, str(i + 1)), *(_figure(column.get(i, ""), places) for column in columns)) for i in indexes)
    return title, (("", *names), *body)


def _series_name(series: Element, position: int) -> str:
    name = child(series, "tx")
    cached = squeeze(" ".join(_points(name).values()))
    literal = child(name, "v")
    return cached or squeeze((literal.text or "") if literal is not None else "") or str(position)


def _points(*sources: Element | None) -> dict[int, str]:
    for source in sources:
        points = {number(p, "idx"): _tidy(p.findtext("{*}v") or "") for p in _under(source, "pt")}
        if points:
            return points
    return {}


def _tidy(value: str) -> str:
    """A number as a person would write it: 4.3, not 4.2999999999999998; anything else as it is."""
    try:
        return f"{float(value):.12g}" if "." in value or "E" in value.upper() else value
    except ValueError:
        return value


def _decimals(value: str) -> int:
    whole, point, decimals = value.partition(".")
    return len(decimals) if point and whole.lstrip("-").isdigit() and decimals.isdigit() else 0


def _figure(value: str, places: int) -> str:
    """A value of a chart with as many decimals as the chart's finest: its values are read against each other."""
    try:
        figure = float(value)
    except ValueError:
        return value
    return f"{figure:.{places}f}" if places <= _FINEST and abs(figure) < _LARGEST else value


def diagram_texts(root: Element) -> list[str]:
    """The labels of a SmartArt diagram, in its order."""
    texts = [squeeze("".join(t.text or "" for t in point.iter("{*}t"))) for point in root.iter("{*}pt")]
    return [text for text in texts if text]


def alternative_text(drawing: Element) -> str:
    """What the author says that a picture shows; program-made names say nothing and are left out."""
    for properties in drawing.iter("{*}docPr", "{*}cNvPr"):
        text = attribute(properties, "descr") or attribute(properties, "title")
        if text:
            return squeeze(text)
    return ""


def equation(element: Element) -> str:
    """An equation on one line, with a/b, a^b and a_b for what stands above and below."""
    name = name_of(element)
    if name == "t":
        return element.text or ""
    if name.endswith("Pr"):
        return ""
    parts = [equation(part) for part in element]
    if name in _OPERATORS:
        return _OPERATORS[name].join(_grouped(part) for part in parts if part)
    if name == "rad":
        return f"√({parts[-1]})"
    if name == "d":
        return f"({''.join(parts)})"
    if name == "nary":
        sign = attribute(child(element, "naryPr", "chr")) or "∫"
        lower, upper, body = (
            equation(part) if (part := child(element, n)) is not None else "" for n in ("sub", "sup", "e")
        )
        bounds = f"_{_grouped(lower)}" * bool(lower) + f"^{_grouped(upper)}" * bool(upper)
        return f"{sign}{bounds} {body}"
    return "".join(parts)


def _grouped(text: str) -> str:
    closed = text.startswith("(") and text.find(")") == len(text) - 1
    return text if closed or len(text) == 1 or text.isalnum() else f"({text})"


def _under(element: Element | None, name: str) -> list[Element]:
    return [] if element is None else list(element.iter(f"{{*}}{name}"))
