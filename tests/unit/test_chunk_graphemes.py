"""What a reader sees as one character is told from neighbours."""

import pytest

from ricordo.chunk.graphemes import joined, untorn


@pytest.mark.parametrize(
    "character",
    [
        "👨\u200d👩\u200d👧",
        "e\u0301\u0323",
        "👍🏽",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "🏴\U000e0067\U000e007f",
        "🇨🇳",
        "\r\n",
        "\ud83d\ude00",
        "नि",
    ],
)
def test_a_visible_character_is_joined_inside_and_only_there(character):
    text = f"字{character}字"
    assert [joined(text, at) for at in range(len(text) + 1)] == [
        False, False, *[True] * (len(character) - 1), False, False
    ]  # fmt: skip


def test_flags_in_a_row_are_joined_in_pairs():
    assert [joined("🇨🇳🇯🇵🇫🇷", at) for at in range(1, 6)] == [True, False, True, False, True]


def test_a_cut_goes_back_to_the_edge_of_a_word():
    assert untorn("字字word字", 1, 4, 7) == 2
    assert untorn("字字word字", 1, 6, 7) == 6


def test_a_word_is_torn_before_a_character_and_a_character_only_where_there_is_no_other_place():
    assert untorn("longword", 1, 4, 8) == 4
    assert untorn("e\u0301e\u0301", 1, 3, 4) == 2
    assert untorn("e\u0301\u0301\u0301x", 1, 2, 5) == 4
    assert untorn("e\u0301\u0301\u0301x", 1, 2, 3) == 2
