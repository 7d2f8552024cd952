import subprocess
import sys

import ricordo


def test_the_front_is_short_and_everything_on_it_is_there():
    assert ricordo.__all__ == sorted(ricordo.__all__, key=lambda name: name)
    assert len(ricordo.__all__) <= 25
    for name in ricordo.__all__:
        assert getattr(ricordo, name).__name__ == name


def test_importing_costs_nothing_heavy():
    code = (
        "import sys, ricordo; print(*[m for m in ('numpy', 'httpx', 'rich', 'click', 'asyncio') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


def test_importing_every_module_reads_no_environment_and_opens_no_socket():
    code = """
import os, pkgutil, importlib, socket, ricordo
def refuse(*_, **__): raise AssertionError("a socket was opened")
socket.socket.connect = refuse
for module in pkgutil.walk_packages(ricordo.__path__, "ricordo."):
    if not module.name.endswith("worker"):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            assert (error.name or "").partition(".")[0] != "ricordo", error
print("done")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "done", done.stderr
