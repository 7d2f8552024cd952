"""What a tool answers: text for a model or a person to read, with fields for a program."""

from __future__ import annotations

from typing import Any, overload


class ToolResult(str):
    """A str in every respect; `.get("success")` and `["ids"]` read its fields, as a dict would.

    success: whether it was done. error: why not, else None. data: what was done, by name. Only texts are looked up
    as fields: numbers and slices index the text.
    """

    __slots__ = ("data", "error", "success")

    success: bool
    error: str | None
    data: dict[str, Any]

    def __new__(cls, text: str, *, success: bool = True, error: str | None = None, **data: Any) -> ToolResult:
        self = super().__new__(cls, text)
        self.success = success
        self.error = error
        self.data = data
        return self

    @classmethod
    def failed(cls, text: str, error: str | None = None, **data: Any) -> ToolResult:
        """A result that says why it is none; without an error, the text itself is the reason."""
        return cls(text, success=False, error=error or text, **data)

    def get(self, key: str, default: Any = None) -> Any:
        fields = {"success": self.success, "error": self.error, "data": self.data, "message": str(self), **self.data}
        found = fields.get(key)
        return default if found is None else found

    @overload
    def __getitem__(self, key: str) -> Any: ...
    @overload
    def __getitem__(self, key: Any) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        if key in self.data:
            return self.data[key]
        if key in ("success", "error", "data"):
            return getattr(self, key)
        if key == "message":
            return str(self)
        raise KeyError(key)
