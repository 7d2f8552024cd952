"""The learning assistant as a web page: python examples/learning_assistant/page.py [--port 7860] [--data FOLDER]

Needs the extra `assistant` (pip install 'ricordo[assistant]'). Only this machine can open the page.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import gradio as gr

sys.path.insert(0, str(Path(__file__).parent))
from assistant import PDFLearningAssistant

LOOPBACK = "127.0.0.1"
UNREAD = "⚠️ 请先选择一个 PDF 文件。"


def build(data: str | Path) -> gr.Blocks:
    """The page. Each visitor gets an assistant of their own, whose documents and memories no other visitor sees."""

    def mine(assistant: PDFLearningAssistant | None) -> PDFLearningAssistant:
        if assistant is not None:
            return assistant
        visitor = f"visitor_{uuid4().hex}"
        return PDFLearningAssistant(visitor, folder=data, reports=Path(data) / "reports" / visitor)

    def load(assistant: PDFLearningAssistant | None, path: str | None) -> tuple[PDFLearningAssistant, str]:
        assistant = mine(assistant)
        if not path:
            return assistant, UNREAD
        told = assistant.load_document(path)
        return assistant, f"{'✅' if told['success'] else '❌'} {told['message']}"

    def ask(
        assistant: PDFLearningAssistant | None, question: str, history: list[dict[str, Any]]
    ) -> tuple[PDFLearningAssistant, list[dict[str, Any]], str]:
        assistant = mine(assistant)
        answer = assistant.ask(question or "")
        asked = [{"role": "user", "content": question or ""}, {"role": "assistant", "content": answer}]
        return assistant, [*(history or []), *asked], ""

    def note(assistant: PDFLearningAssistant | None, content: str, concept: str) -> tuple[PDFLearningAssistant, str]:
        assistant = mine(assistant)
        return assistant, assistant.add_note(content or "", concept or None)

    def recall(assistant: PDFLearningAssistant | None, query: str) -> tuple[PDFLearningAssistant, str]:
        assistant = mine(assistant)
        return assistant, assistant.recall(query or "")

    def stats(assistant: PDFLearningAssistant | None) -> tuple[PDFLearningAssistant, dict[str, Any]]:
        assistant = mine(assistant)
        return assistant, assistant.get_stats()

    def report(assistant: PDFLearningAssistant | None) -> tuple[PDFLearningAssistant, str, list[str]]:
        assistant = mine(assistant)
        made = assistant.generate_report()
        text = Path(made["markdown_file"]).read_text("utf-8")
        return assistant, text, [made["report_file"], made["markdown_file"]]

    with gr.Blocks(title="PDF 学习助手", analytics_enabled=False) as page:
        visitor = gr.State(None)
        gr.Markdown("# PDF 学习助手\n读一份 PDF，提问、记笔记、回顾，最后得到学习报告。")
        with gr.Tab("文档"):
            file = gr.File(label="PDF", file_types=[".pdf"], type="filepath")
            loaded = gr.Textbox(label="结果", interactive=False)
            gr.Button("加载", variant="primary").click(load, [visitor, file], [visitor, loaded], api_name="load")
        with gr.Tab("提问"):
            talk = gr.Chatbot(label="问答", height=420)
            question = gr.Textbox(label="问题", placeholder="这份文档讲了什么？")
            question.submit(ask, [visitor, question, talk], [visitor, talk, question], api_name="ask")
        with gr.Tab("笔记"):
            content = gr.Textbox(label="笔记", lines=3)
            concept = gr.Textbox(label="概念（可不填）")
            noted = gr.Textbox(label="结果", interactive=False)
            gr.Button("保存").click(note, [visitor, content, concept], [visitor, noted], api_name="note")
        with gr.Tab("回顾"):
            query = gr.Textbox(label="回顾什么")
            recalled = gr.Textbox(label="记得的内容", lines=8, interactive=False)
            query.submit(recall, [visitor, query], [visitor, recalled], api_name="recall")
        with gr.Tab("统计"):
            numbers = gr.JSON(label="学习统计")
            gr.Button("刷新").click(stats, [visitor], [visitor, numbers], api_name="stats")
        with gr.Tab("报告"):
            text = gr.Markdown()
            files = gr.Files(label="下载（JSON 与 Markdown）")
            gr.Button("生成报告").click(report, [visitor], [visitor, text, files], api_name="report")
    return page


def launch(data: str | Path, port: int | None = None, **options: Any) -> Any:
    """Serves the page on this machine alone."""
    Path(data).mkdir(parents=True, exist_ok=True)
    allowed = [str((Path(data) / "reports").resolve())]
    return build(data).launch(server_name=LOOPBACK, server_port=port, allowed_paths=allowed, share=False, **options)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, default=7860)
    options.add_argument("--data", default="./learning_assistant_data")
    given = options.parse_args()
    launch(given.data, given.port)
