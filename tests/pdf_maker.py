"""PDF files for tests, drawn line by line, so that a test knows where everything stands."""

import io
import random

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4
WORDS = (
    "alder",
    "birch",
    "cedar",
    "maple",
    "willow",
    "spruce",
    "larch",
    "aspen",
    "hazel",
    "rowan",
    "juniper",
    "hawthorn",
)
SONG = "STSong-Light"

pdfmetrics.registerFont(UnicodeCIDFont(SONG))


def prose(count, seed=1):
    chosen = random.Random(seed)
    return " ".join(chosen.choice(WORDS) for _ in range(count))


class Maker:
    """A canvas whose y counts from the top."""

    def __init__(self, **settings):
        self._out = io.BytesIO()
        self.canvas = Canvas(self._out, pagesize=A4, **settings)

    def text(self, x, y, text, size=10, font="Helvetica"):
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, HEIGHT - y, text)

    def column(self, x, y, width, text, size=10, leading=12, font="Helvetica"):
        """Running text, justified but for its last line; gives the y below it."""
        lines, line = [], []
        for word in text.split():
            if pdfmetrics.stringWidth(" ".join([*line, word]), font, size) > width:
                lines.append(line)
                line = []
            line.append(word)
        for words in lines:
            slack = width - pdfmetrics.stringWidth(" ".join(words), font, size)
            self.canvas.setFont(font, size)
            spread = self.canvas.beginText(x, HEIGHT - y)
            spread.setWordSpace(slack / max(len(words) - 1, 1))
            spread.textLine(" ".join(words))
            self.canvas.drawText(spread)
            y += leading
        self.text(x, y, " ".join(line), size, font)
        return y + leading

    def grid(self, xs, ys):
        """Ruling lines at every x and y."""
        for x in xs:
            self.canvas.line(x, HEIGHT - ys[0], x, HEIGHT - ys[-1])
        for y in ys:
            self.canvas.line(xs[0], HEIGHT - y, xs[-1], HEIGHT - y)

    def page(self):
        self.canvas.showPage()

    def done(self):
        self.canvas.save()
        return self._out.getvalue()
