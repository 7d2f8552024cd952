"""The value of a spreadsheet's cell as text: dates as dates, numbers without the noise of binary fractions."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_FIGURE = re.compile(r"[-+(]?[¥￥$€£]?\s?\d[\d\s.,:/%\-)TEe+]*|[¥￥$€£]|TRUE|FALSE")


def text_of(value: object) -> str:
    match value:
        case str():
            return _unescaped(value).strip() if "_x" in value else value.strip()
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return number_text(value)
        case datetime():
            return _day_and_time(value)
        case date():
            return value.isoformat()
        case time():
            return _clock(value.hour * 3600 + value.minute * 60 + value.second)
        case timedelta():
            return _clock(round(value.total_seconds()))
        case None:
            return ""
    return str(value)


def number_text(value: float) -> str:
    """15 significant digits, which is what spreadsheets hold: 0.3, not 0.30000000000000004; 9400, not 9400.0."""
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def is_figure(text: str) -> bool:
    """Whether a cell holds a number, a date or a truth value rather than words."""
    return _FIGURE.fullmatch(text) is not None


def _day_and_time(value: datetime) -> str:
    value += timedelta(microseconds=500_000)  # a day's fraction is a float: 08:29:59.999 is meant as 08:30
    if value.hour == value.minute == value.second == 0:
        return value.date().isoformat()
    return value.strftime("%Y-%m-%d %H:%M:%S" if value.second else "%Y-%m-%d %H:%M")


def _clock(seconds: int) -> str:
    sign, seconds = "-" * (seconds < 0), abs(seconds)
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{sign}{hours:02d}:{minutes:02d}" + (f":{rest:02d}" if rest else "")


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text).replace("\r\n", "\n")
