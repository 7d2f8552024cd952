"""One reader over many files, in its own process: paths come as JSON on stdin, one JSON line a file goes to stdout.

Run by parsing.py, with the interpreter that has the reader: python parsing_peer.py TOOL
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

Read = Callable[[Path, str], dict[str, Any]]


def _markitdown() -> Read:
    from markitdown import MarkItDown

    tool = MarkItDown(enable_plugins=False)
    return lambda path, _: {"text": tool.convert(path).markdown}


def _kreuzberg() -> Read:
    from kreuzberg import ExtractionConfig, PageConfig, extract_file_sync

    config = ExtractionConfig(
        use_cache=False, disable_ocr=True, output_format="markdown", pages=PageConfig(extract_pages=True)
    )

    def read(path: Path, media_type: str) -> dict[str, Any]:
        result = extract_file_sync(str(path), mime_type=media_type, config=config)
        pages = {page["page_number"]: page["content"] for page in result.pages or ()}
        return {"text": result.content, "pages": pages}

    return read


def _pypdfium2() -> Read:
    import pypdfium2

    def read(path: Path, media_type: str) -> dict[str, Any]:
        if media_type != "application/pdf":
            raise NotImplementedError("it reads PDF only")
        pages = {n: page.get_textpage().get_text_bounded() for n, page in enumerate(pypdfium2.PdfDocument(path), 1)}
        return {"text": "\n\n".join(pages.values()), "pages": pages}

    return read


def _ricordo() -> Read:
    from ricordo.parse.opening import Order, open_file
    from ricordo.parse.render import anchors, render

    def read(path: Path, media_type: str) -> dict[str, Any]:
        parsed = open_file(path.read_bytes(), Order(name=path.name, media_type=media_type))
        rendered = render(parsed)
        pages: dict[int | None, str] = defaultdict(str)
        for start, end, block in rendered.spans:
            pages[block.page] += rendered.text[start:end]
        titles = [title for _, _, title in anchors(rendered)]
        return {"text": rendered.text, "pages": pages, "titles": titles, "status": parsed.status}

    return read


TOOLS: dict[str, Callable[[], Read]] = {
    "ricordo": _ricordo,
    "pypdfium2": _pypdfium2,
    "markitdown": _markitdown,
    "kreuzberg": _kreuzberg,
}


def main() -> None:
    logging.disable(logging.CRITICAL)
    files = json.load(sys.stdin)
    began = time.process_time()
    read = TOOLS[sys.argv[1]]()
    print(json.dumps({"import": time.process_time() - began}), flush=True)
    for path, media_type in files:
        began = time.process_time()
        try:
            result = read(Path(path), media_type)
        except Exception as error:  # noqa: BLE001  a reader that fails on a file is a result
            result = {"text": "", "error": f"{type(error).__name__}: {error}"[:200]}
        seconds = time.process_time() - began
        print(json.dumps({**result, "path": path, "cpu": seconds, "memory": _peak()}), flush=True)


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
