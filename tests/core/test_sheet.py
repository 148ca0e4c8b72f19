"""Phrases and sheets: sentences and pictures as rows of numbers, read back by a view."""

import pytest

from shoverworld.core import sheet as sheets
from shoverworld.core.phrases import PhraseTable, number_text
from shoverworld.core.sheet_reader import SheetReader
from shoverworld.core.ui import Act, Figure, Mark, Motion, MoveText, Place, Say, Score, SpecialMove, Sprite, Walk

PHRASES = PhraseTable(way=("up", "right", "down", "left"))
PUSH = PHRASES("Push {0:box|boxes} {1:way}")
CLICK = PHRASES("Click: ~")
SENTENCE = PHRASES("so: ^")
BURNS = PHRASES("{0?it burns|the front box burns} ({1:+} stamina)")
NUMBER = PHRASES("{0}")
PLAYER = PHRASES("{0:name} wins")
COUNTER = PHRASES("{0:,}")


def sheet_with(*writes):
    """Return a reader for a sheet on which these functions have written."""
    sheet = sheets.new_sheet(50)
    for write, *arguments in writes:
        write(sheet, *arguments)
    return SheetReader(sheet, PHRASES, {"name": ("Ada", "Grace")})


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([(PUSH, 1, 0)], "Push 1 box up"),
        ([(PUSH, 1200, 3)], "Push 1,200 boxes left"),
        ([(CLICK,), (PUSH, 2, 2)], "Click: push 2 boxes down"),
        ([(SENTENCE,), (BURNS, 1, 40)], "so: It burns (+40 stamina)"),
        ([(BURNS, 3, -2.5)], "the front box burns (-2.5 stamina)"),
        ([(PLAYER, 1)], "Grace wins"),
        ([(COUNTER, 12345)], "12,345"),
    ],
)
def test_phrases_are_completed_with_numbers(rows, text):
    assert sheet_with(*((sheets.text, *row) for row in rows)).text() == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(3, "3"), (3.0, "3"), (-0.0, "0"), (1.5, "1.5"), (1 / 3, "0.333333"), (-7, "-7"), (1e6, "1000000")],
)
def test_numbers_are_written_as_people_write_them(number, text):
    assert number_text(number) == text


def test_equal_phrases_have_one_number():
    table = PhraseTable()
    assert table("a") == table("a") != table("b")


def test_a_figure_has_a_label_and_a_value():
    reader = sheet_with(
        (sheets.figure, PUSH, sheets.GOOD, 0.5, True, False, sheets.rgb(1, 2, 3), 2, 1),
        (sheets.text, NUMBER, 40),
        (sheets.text, BURNS, 1, 40),
        (sheets.figure, NUMBER),
        (sheets.text, NUMBER, 7),
    )
    assert reader.figures() == [
        Figure("Push 2 boxes right", "40it burns (+40 stamina)", 0.5, "good", (1, 2, 3), True),
        Figure("0", "7"),
    ]


def test_marks_have_short_texts_of_their_own_and_long_texts_in_the_rows_after_them():
    reader = sheet_with(
        (sheets.mark, sheets.SHADE, 1, 2, sheets.rgb(9, 8, 7), 1, 1, 0, 0.25, sheets.CORNER, NUMBER, 12),
        (sheets.mark, sheets.FRAME, 0, 0, 0, 2, 3),
        (sheets.text, PUSH, 1, 1),
    )
    assert reader.marks() == [
        Mark("shade", (1, 2), (9, 8, 7), "12", strength=0.25, style="corner"),
        Mark("frame", (0, 0), (0, 0, 0), "Push 1 box right", 2, 3),
    ]


def test_a_motion_has_tiles_and_sprites():
    reader = sheet_with(
        (sheets.row, sheets.MOTION, 0.14), (sheets.row, sheets.TILE, 1, 2, 5), (sheets.sprite, 30, 1, 2, 1, 2.5, 1, 0)
    )
    assert reader.motion() == Motion({(1, 2): 5}, (Sprite(30, (1, 2), (1, 2.5), (1.0, 0.0)),), 0.14)
    assert sheet_with((sheets.sprite, 1, 0, 0, 0, 0)).motion() is None


@pytest.mark.parametrize(
    ("writes", "numbers", "intent"),
    [
        ([(sheets.row, sheets.ACT, 1, 2, 3)], 3, Act((1, 2, 3))),
        ([(sheets.row, sheets.ACT, 4)], 1, Act(4)),
        ([(sheets.row, sheets.PLACE, 5, 6)], 3, Place((5, 6))),
        ([(sheets.row, sheets.WALK, 1), (sheets.row, sheets.WALK, 2)], 1, Walk((1, 2))),
        ([(sheets.row, sheets.SAY), (sheets.text, PUSH, 1, 0)], 1, Say("Push 1 box up")),
        ([(sheets.text, PUSH, 1, 0)], 1, None),
    ],
)
def test_intents(writes, numbers, intent):
    assert sheet_with(*writes).intent(numbers) == intent


def test_moves_specials_buttons_and_scores():
    assert sheet_with((sheets.row, sheets.MOVE, sheets.BURN), (sheets.text, BURNS, 1, 40)).move() == MoveText(
        "burn", "it burns (+40 stamina)"
    )
    assert sheet_with((sheets.row, sheets.SPECIAL, 1), (sheets.text, NUMBER, 3)).specials("bh") == (
        SpecialMove("h", "3"),
    )
    assert sheet_with((sheets.row, sheets.BUTTON, 4, -1, 1, 1), (sheets.text, NUMBER, 3)).buttons() == [
        (4, (-1, 1), True, "3")
    ]
    assert sheet_with((sheets.row, sheets.SCORE, 8, -40), (sheets.text, NUMBER, 8)).score(2) == Score((8, -40), "8")


def test_a_full_sheet_ignores_further_rows():
    sheet = sheets.new_sheet(2)
    for number in range(5):
        sheets.text(sheet, NUMBER, number)
    assert SheetReader(sheet, PHRASES).text() == "01"
