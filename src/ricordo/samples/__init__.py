"""Short documents of our own, in Chinese and English, and questions that they answer: `ricordo demo` reads them."""

from pathlib import Path

FOLDER = Path(__file__).parent
QUESTIONS = FOLDER / "questions.json"


def documents() -> list[Path]:
    return sorted(path for path in FOLDER.iterdir() if path.suffix in (".md", ".html", ".txt", ".pdf"))
