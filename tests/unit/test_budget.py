"""Token budgets: nothing is cut in the middle, and the first always comes."""

import pytest

from ricordo.rank.budget import approx_tokens, trim


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("我喜欢喝咖啡", 6, 6),
        ("the quick brown fox jumps over the lazy dog", 9, 13),
        ("internationalisation of organisations", 5, 10),
        ("我用Python写代码", 6, 8),
        ("テストです", 5, 5),
        ("x" * 600, 90, 200),
    ],
)
def test_tokens_are_about_those_of_a_tokenizer(text, least, most):
    assert least <= approx_tokens(text) <= most


def test_as_many_texts_stay_as_fit_whole():
    texts = ["一二三", "四五六", "七八九"]
    assert [trim(texts, budget) for budget in (9, 8, 6, 5, 3)] == [3, 2, 2, 1, 1]


@pytest.mark.parametrize("budget", [0, 1, -5])
def test_the_first_stays_even_over_the_budget(budget):
    assert trim(["一二三四", "五"], budget) == 1


def test_a_short_text_after_one_that_does_not_fit_is_not_taken():
    assert trim(["一", "二三四五六七", "八"], 3) == 1


def test_no_texts_fit_of_none():
    assert trim([], 10) == 0
