"""Writes the PDF among the sample documents: python examples/make_sample_pdf.py (needs reportlab).

The Chinese font is one that every PDF viewer has, so that none is shipped; the same bytes come out on each run.
"""

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

TARGET = Path(__file__).parents[1] / "src/ricordo/samples/harvest-report-2025.pdf"
CHINESE, LATIN, BOLD = "STSong-Light", "Helvetica", "Helvetica-Bold"
LEFT, TOP = 64, 770

PAGES = (
    (
        CHINESE,
        CHINESE,
        (
            ("2025年春茶采制报告", 20),
            ("青岚茶社茶厂，2025年5月30日", 11),
            ("一、采摘", 15),
            ("今年春茶于3月17日开采，比去年早6天，5月8日结束。", 11),
            ("共采鲜叶4120公斤，其中北坡2860公斤，南坡1260公斤。", 11),
            ("采摘工最多的一天有73人，每公斤鲜叶的采摘费为38元。", 11),
            ("二、加工", 15),
            ("明前茶全部手工炒制，一锅不超过250克，锅温180度。", 11),
            ("每4.4公斤鲜叶制成1公斤干茶，成品茶合计936公斤。", 11),
            ("4月12日停电3小时，一批52公斤的鲜叶改做了红茶。", 11),
            ("三、检验", 15),
            ("送检农药残留项目共64项，全部未检出。水分为5.8%。", 11),
            ("评审小组给头采茶打93分，是2019年以来的最高分。", 11),
        ),
    ),
    (
        LATIN,
        BOLD,
        (
            ("Spring harvest 2025 in short", 20),
            ("For partners abroad. Figures are the same as in the Chinese report.", 11),
            ("Picking", 15),
            ("Picking began on 17 March, six days earlier than last year, and ended on 8 May.", 11),
            ("The north slope gave 2,860 kilograms of fresh leaf, the south slope 1,260.", 11),
            ("Prices", 15),
            ("The first picking sells at 2,400 yuan a kilogram, the last at 360 yuan.", 11),
            ("Partners who ordered before 15 February keep the price of 2024.", 11),
            ("Shipping", 15),
            ("The first boxes left the port of Ningbo on 2 June and need 34 days by sea.", 11),
            ("Each carton holds 12 tins and a card that changes colour above 25 degrees.", 11),
            ("Outlook", 15),
            ("The south slope will rest in 2026; we expect a harvest smaller by a quarter.", 11),
        ),
    ),
)


def main() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    canvas = Canvas(str(TARGET), pagesize=A4, invariant=1)
    canvas.setTitle("2025年春茶采制报告")
    for font, heading_font, lines in PAGES:
        at = TOP
        for text, size in lines:
            heading = size > 11
            at -= size * (2.2 if heading else 1.8)
            canvas.setFont(heading_font if heading else font, size)
            canvas.drawString(LEFT, at, text)
        canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    main()
