"""Levels: reading files, error messages, and round trips."""

import os
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoverworld
from shoverworld import sokoban
from shoverworld.core.files import LARGEST_FILE
from shoverworld.games import game_named
from shoverworld.games.sokoban import formats
from shoverworld.sokoban import Level, LevelError, levels_text, parse_levels, read_levels, write_levels
from tests.paths import ROOT

SHARED = ROOT.parent / "shared" / "data" / "sokoban"
GOOD = "; a\n#####\n#@$.#\n#####\n\n; b\n"  # a level appended to this text becomes level 2 and starts on line 7


def drawn(text):
    """Return a drawing without its indentation."""
    lines = text.strip("\n").rstrip().split("\n")
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    return "\n".join(line[indent:] for line in lines)


def everything(level):
    return level, level.title, level.author, level.comment, level.solution, level.players


# --- Boards


def test_a_board_is_parsed():
    level = Level.parse("""
        #######
        #+ $* #
        #######
    """)
    assert (level.rows, level.cols, level.box_count, level.players) == (3, 7, 2, ((1, 1),))
    assert level.walls[1].tolist() == [True, False, False, False, False, False, True]
    assert level.targets[1].tolist() == [0, 1, 0, 0, 1, 0, 0]
    assert level.boxes[1].tolist() == [0, 0, 0, 1, 1, 0, 0]
    assert (level.walls.dtype, level.targets.dtype, level.boxes.dtype) == (bool, np.uint8, np.uint8)
    assert not level.fixed
    with pytest.raises(ValueError, match="read-only"):
        level.boxes[1, 1] = 1


def test_cells_outside_the_room_become_walls():
    level = Level.parse("""
          ####
        ###  #
        #@ $.#
        ######
    """)
    assert str(level) == drawn("""
        ######
        ###  #
        #@ $.#
        ######
    """)


def test_rooms_that_the_player_cannot_reach_are_kept():
    board = drawn("""
        #########
        #@$.#   #
        #########
    """)
    assert str(Level.parse(board)) == board


def test_alternative_floor_and_piece_characters_are_accepted():
    assert Level.parse("#######\n#@-$_.#\n#######") == Level.parse("#######\n#@ $ .#\n#######")
    assert Level.parse("########\n#p b B o#".replace(" o", "o") + "\n########") == Level.parse(
        "########\n#@ $ *.#\n########"
    )
    assert Level.parse("#####\n#Pb #\n#####") == Level.parse("#####\n#+$ #\n#####")


def test_run_length_encoded_boards_are_expanded():
    assert Level.parse("7#|#@-$2-.#|8#") == Level.parse("########\n#@ $  .#\n########")
    assert Level.parse("7#\n#@-$-.#\n7#|") == Level.parse("#######\n#@ $ .#\n#######")
    assert Level.parse("9#|#@2($.)3-#|9#") == Level.parse("#########\n#@$.$.  #\n#########".replace("  #", "  -#"))


def test_levels_with_equal_boards_are_equal():
    one, other = Level.parse("; x\n#####\n#@$.#\n#####"), Level.parse("#####\n#@$.#\n#####\nTitle: y")
    assert one == other
    assert hash(one) == hash(other)
    assert one.title != other.title
    assert one != Level.parse("#####\n#@.$#\n#####")
    assert one != "level"


def test_a_level_can_be_created_from_arrays():
    walls = np.ones((3, 5), bool)
    walls[1, 1:4] = False
    boxes, targets = np.zeros((3, 5), int), np.zeros((3, 5), int)
    boxes[1, 2] = targets[1, 3] = 1
    level = Level(walls, targets, boxes, ((1, 1),), title=" two\n lines ")
    assert level == Level.parse("#####\n#@$.#\n#####")
    assert level.title == "two lines"
    boxes[1, 2] = 0  # the level holds a copy of the array
    assert level.box_count == 1


# --- Metadata in files


def test_titles_and_notes_above_boards_are_read():
    levels = parse_levels("""My levels

; one
#####
#@$.#
#####
; a note about one

; two

#####
#.$@#
#####
Author: Somebody
Date: today
""")
    assert [level.title for level in levels] == ["one", "two"]
    assert [level.comment for level in levels] == ["a note about one", "Date: today"]
    assert [level.author for level in levels] == ["", "Somebody"]
    assert [level.number for level in levels] == [1, 2]


def test_titles_below_boards_are_read():
    levels = parse_levels("#####\n#@$.#\n#####\n; one\n\n#####\n#.$@#\n#####\n; two\n; a note\n")
    assert [(level.title, level.comment) for level in levels] == [("one", ""), ("two", "a note")]


def test_properties_above_boards_are_read():
    levels = parse_levels("Title: one\nAuthor: A\n#####\n#@$.#\n#####\n\nTitle: two\nAuthor: B\n#####\n#.$@#\n#####\n")
    assert [(level.title, level.author) for level in levels] == [("one", "A"), ("two", "B")]


def test_the_author_of_a_file_is_the_default_author_of_its_levels():
    levels = parse_levels(
        "Title: All\nAuthor: A\n\n#####\n#@$.#\n#####\nTitle: one\n\n#####\n#.$@#\n#####\nAuthor: B\n"
    )
    assert [(level.title, level.author) for level in levels] == [("one", "A"), ("", "B")]


def test_comments_and_solutions_are_read():
    level = Level.parse("""
#####
#@$.#
#####
Comment:
this is
#### not a board ####
#####
Comment-End:
Comment: and more
Solution/Moves:
R
""")
    assert level.comment == "this is\n#### not a board ####\n#####\nand more"
    assert level.solution == "R"
    assert sokoban.check(level, level.solution).solved
    assert Level.parse("#####\n#@$.#\n#####\nSolution: 3r2(uL)").solution == "rrruLuL"
    assert Level.parse("#####\n#@$.#\n#####\nSolution: see my page").comment == "Solution: see my page"


def test_all_line_endings_and_a_byte_order_mark_are_accepted(tmp_path):
    for ends in ("\n", "\r\n", "\r"):
        file = tmp_path / "level.txt"
        file.write_bytes(b"\xef\xbb\xbf" + "; é\n#####\n#@$.#\n#####\n".replace("\n", ends).encode())
        (level,) = read_levels(file)
        assert level.title == "é"
        assert str(level) == "#####\n#@$.#\n#####"


def test_two_players_and_fixed_targets_are_read():
    text = "########\n#@$..$@#\n########\nBox numbers: 2 1\nTarget numbers: 1 2\nPlayer order: 2 1\n"
    (level,) = parse_levels(text, players=2)
    assert level.players == ((1, 6), (1, 1))
    assert level.boxes[1].tolist() == [0, 0, 2, 0, 0, 1, 0, 0]
    assert level.fixed
    assert levels_text([level]) == text
    assert len(parse_levels(text, players=None)[0].players) == 2


# --- Errors


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("#####\n# $.#\n#####", 7, "there is no player"),
        ("######\n#@@$.#\n######", 8, "there are two players (@); expected one"),
        ("#######\n#@@@$.#\n#######", 8, "there are 3 players"),
        ("#####\n#@$ #\n#####", 7, "boxes: 1, targets: 0; expected equal numbers of boxes and targets"),
        ("#####\n#@  #\n#####", 7, "there is no box"),
        ("#####\n#@$.#\n### #", 8, "the walls have a gap: the player can leave the board"),
        ("#####\n#@$.\n#####", 8, "the walls have a gap"),
        ("#####\n@$.\n#####", 8, "the walls have a gap"),
        ("#####\n#@ ##\n#####\n  $.", 10, "the walls do not enclose this box"),
        ("#####\n#@$*#\n#####\n  .", 10, "the walls do not enclose this target"),
        ("##\n##", 7, "the size is 2 x 2; expected 3 to 64 rows and columns"),
        ("#\n" * 65, 7, "the size is 65 x 1"),
        ("#\n" * 500, None, "more than 64 rows"),
        ("#" * 65 + "\n#@$.#\n#####", 7, "the size is 3 x 65"),
        ("#" * 100000, 7, "too many for a board"),
        ("#####\n#@$x#\n#####", 8, "'x' in column 4"),
        ("#####\n#@\t.#\n#####", 8, "'\\t' in column 3"),
        ("#####\n#@$.#\n####3", 9, "invalid run-length encoding in column 5: the number 3 has nothing to repeat"),
        ("5#|#@$.#|2(5#", 7, "invalid run-length encoding in column 10: '(' without a matching ')'"),
        ("5#|#@$.#|5#)", 7, "invalid run-length encoding in column 12: ')' without a matching '('"),
        ("5#|#@$.#|99999999999#", 7, "invalid run-length encoding in column 10: longer than"),
        ("5#|#@$.#|0#", 7, "invalid run-length encoding in column 10: the repeat count is 0"),
        ("#####\n#@$.#\n#####\nBox numbers: 2", 10, "the numbers of the boxes must be 1 to 1"),
        ("#####\n#@$.#\n#####\nBox numbers: x", 10, "expected `box numbers:` followed by positive integers"),
        ("#######\n#@$$..#\n#######\nBox numbers: 2 1", 10, "the numbers of the targets must be 1 to 2"),
    ],
)
def test_level_errors_name_the_file_and_the_level_and_the_line(tmp_path, text, line, what):
    file = tmp_path / "bad.txt"
    file.write_text(GOOD + text + "\n")
    with pytest.raises(LevelError) as caught:
        read_levels(file)
    error = caught.value
    assert what in str(error)
    assert str(error).startswith(f"{file}, level 2, line {line or error.line}: ")
    assert (error.source, error.number) == (str(file), 2)
    assert line is None or error.line == line


def test_a_level_for_one_player_raises_an_error_if_two_players_are_expected():
    with pytest.raises(LevelError, match=r"text, level 1, line 2: there is one player \(@\); expected two"):
        parse_levels("#####\n#@$.#\n#####", players=2)


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"", None, "no level found"),
        (b"hello\n", None, "no level found"),
        (b"#####\n#@$.#\n#####\n\xff\n", 4, "the file is not UTF-8 text"),
        (b"\x7fELF\n\0\0\0", 2, "the file contains a NUL byte, so it is not a text file"),
        (bytes(range(256)) * 10, 1, "the file contains a NUL byte, so it is not a text file"),
    ],
)
def test_files_without_levels_raise_an_error(tmp_path, data, line, what):
    file = tmp_path / "junk.txt"
    file.write_bytes(data)
    with pytest.raises(LevelError, match=what) as caught:
        read_levels(file)
    assert caught.value.line == line
    assert str(file) in str(caught.value)


def test_a_file_over_the_size_limit_raises_an_error(tmp_path):
    file = tmp_path / "huge.txt"
    with open(file, "wb") as out:
        out.truncate(LARGEST_FILE + 1)  # a sparse file, which takes no space on the disk
    with pytest.raises(LevelError, match="larger than 32 MiB"):
        read_levels(file)


def test_invalid_paths_raise_an_error(tmp_path):
    with pytest.raises(sokoban.LevelNotFound, match="the level file or folder does not exist") as caught:
        read_levels(tmp_path / "none.txt")
    assert isinstance(caught.value, FileNotFoundError)
    for path in (3.5, None, "a\0b"):
        with pytest.raises(LevelError):
            read_levels(path)  # pyright: ignore[reportArgumentType]
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(LevelError, match="not a regular file"):
        read_levels(tmp_path / "pipe.txt")
    with pytest.raises(LevelError, match="this folder contains no levels"):
        read_levels(tmp_path)


def test_invalid_arrays_raise_an_error():
    good = Level.parse("#####\n#@$.#\n#####")
    parts = {"walls": good.walls, "targets": good.targets, "boxes": good.boxes, "players": good.players}
    numbered = good.boxes * 7
    for change, what in [
        ({"players": ()}, "no player"),
        ({"players": ((1, 1), (1, 1))}, "same cell"),
        ({"players": ((9, 9),)}, "outside the 3 x 5 board"),
        ({"players": ((0, 0),)}, "in a wall"),
        ({"players": ((1, 2),)}, "in the same cell as a box"),
        ({"players": 3}, r"must be one or two \(row, col\) pairs"),
        ({"walls": good.walls | (good.boxes != 0)}, "a box is in a wall"),
        ({"walls": good.walls | (good.targets != 0)}, "a target is in a wall"),
        ({"walls": good.walls[:2]}, "differ in shape"),
        ({"boxes": numbered}, "must be 1 to 1, each exactly once"),
        ({"boxes": good.boxes * 1000.5}, "must be a 2-D array of integers"),
        ({"boxes": good.boxes.astype(int) * 1000}, "values outside the range 0 to 255"),
        ({"boxes": "$"}, "must be a 2-D array"),
    ]:
        with pytest.raises(LevelError, match=what):
            Level(**(parts | change))


def test_parse_accepts_exactly_one_level():
    with pytest.raises(LevelError, match="there are 2 levels; expected one"):
        Level.parse(GOOD + "#####\n#@$.#\n#####")


def test_the_public_names_exist():
    assert shoverworld.LevelError is LevelError
    assert issubclass(LevelError, ValueError)
    for name in sokoban.__all__:
        assert getattr(sokoban, name)


# --- Files and folders


def test_the_files_in_a_folder_are_read_in_order(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.xsb").write_text(GOOD)
    (tmp_path / "deep" / "a.SOK").write_text("#####\n#@$.#\n#####\n\n#####\n#.$@#\n#####\n")
    (tmp_path / "readme.txt").write_text("Levels of mine.\n")
    (tmp_path / "LICENSE").write_bytes(b"\0")
    levels = read_levels(tmp_path)
    assert [(Path(level.source).name, level.number) for level in levels] == [("b.xsb", 1), ("a.SOK", 1), ("a.SOK", 2)]
    (tmp_path / "bad.txt").write_text("#####\n")
    with pytest.raises(LevelError, match=r"bad\.txt, level 1, line 1: the size is 1 x 5"):
        read_levels(tmp_path)


def test_levels_are_written_to_a_file(tmp_path):
    levels = parse_levels("; a\n#####\n#@$.#\n#####\n")
    write_levels(tmp_path / "out.txt", levels)
    assert (tmp_path / "out.txt").read_text() == "; a\n#####\n#@$.#\n#####\n"
    write_levels(tmp_path / "out.txt", levels, rle=True)
    assert (tmp_path / "out.txt").read_text() == "; a\n5#|#@$.#|5#\n"
    with pytest.raises(shoverworld.ShoverWorldError, match=r"no.out\.txt cannot be written: "):
        write_levels(tmp_path / "no" / "out.txt", levels)


words = st.one_of(st.text(max_size=12), st.sampled_from(["", "x", "; y", "Title: z", "#####", "Comment:", "3#"]))


@st.composite
def some_levels(draw):
    """Generate random levels of any shape, enclosed by walls."""
    rows, cols = draw(st.integers(3, 9)), draw(st.integers(5, 12))
    inside = [(r, c) for r in range(1, rows - 1) for c in range(1, cols - 1)]
    order = draw(st.permutations(inside))
    players = draw(st.integers(1, 2))
    count = draw(st.integers(1, max(1, (len(inside) - players) // 2)))
    fixed = draw(st.booleans())
    rest = order[players:]
    boxes, targets = np.zeros((rows, cols), np.uint8), np.zeros((rows, cols), np.uint8)
    places = draw(st.permutations(order))[:count]  # cells of the targets, which may be under boxes and players
    for number, (box, target) in enumerate(zip(rest[:count], places, strict=True), 1):
        boxes[box], targets[target] = (number, number) if fixed else (1, 1)
    walls = np.ones((rows, cols), bool)
    walls[1:-1, 1:-1] = draw(st.booleans())
    for cell in order[: max(players, len(order) // 2)] + places + rest[:count]:
        walls[cell] = False
    return Level(
        walls,
        targets,
        boxes,
        tuple(order[:players]),
        title=draw(words),
        author=draw(words),
        comment="\n".join(draw(st.lists(words, max_size=3))),
        solution=draw(st.text(alphabet="lurdLURD", max_size=9)),
    )


@settings(max_examples=80, deadline=None)
@given(st.lists(some_levels(), min_size=1, max_size=4), st.booleans())
def test_levels_round_trip_through_text(levels, rle):
    again = parse_levels(levels_text(levels, rle), players=None)
    assert [everything(level) for level in again] == [everything(level) for level in levels]


# --- Fuzzing


FUZZ_FROM = [
    GOOD + "########\n#@-$_. #\n########\nAuthor: me\n",
    "5#|#@$.#|5#\nTitle: x\nSolution: R\n\n7#|#@2($.)#|7#\n",
    "  ####\n###  #\n#@ $.#\n######\nComment:\nfoo\nComment-End:\nBox numbers: 1\nTarget numbers: 1\n",
    "; 0\n##########\n#   .   ##\n# $  @ ###\n#. ## . ##\n# $## $ ##\n##########\n\n; 1\n#####\n#Pb #\n#####\n",
]
PIECES = [
    b"#",
    b" ",
    b"$",
    b".",
    b"@",
    b"*",
    b"\n",
    b"|",
    b"9",
    b"(",
    b")",
    b";",
    b"\0",
    b"\xff",
    b"\r",
    b"\t",
    "é".encode(),
]
PIECES += [
    b"99999999#",
    b"Comment:\n",
    b"Box numbers: 9\n",
    b"Solution: 9(",
    b"Title:",
    b"#####\n",
    b"Player order: 2 1\n",
]


def fuzzed(rng):
    """Return the bytes of a valid file with random errors or, one time in ten, random bytes."""
    if rng.random() < 0.1:
        return rng.randbytes(rng.randrange(200)) if rng.random() < 0.5 else b"".join(rng.choices(PIECES, k=60))
    data = rng.choice(FUZZ_FROM).encode()
    for _ in range(rng.randrange(1, 5)):
        place, length = rng.randrange(len(data) + 1), rng.randrange(4)
        match rng.randrange(4):
            case 0:
                data = data[:place] + rng.choice(PIECES) + data[place:]
            case 1:
                data = data[:place] + data[place + length :]
            case 2:
                data = data[:place] + rng.choice(PIECES) + data[place + 1 :]
            case _:
                data = data[:place] + data[max(0, place - 12 * length) :]
    return data


def test_fuzzed_files_raise_only_level_errors(tmp_path):
    rng = random.Random(5)
    file = tmp_path / "fuzzed.txt"
    read = rejected = 0
    for number in range(10_000):
        data = fuzzed(rng)
        try:
            if number % 50:
                levels = formats.decode_levels(data, str(file), players=None)
            else:  # parsing bytes is much faster than reading a file, and runs the same code
                file.write_bytes(data)
                levels = read_levels(file, players=None)
        except LevelError as error:
            rejected += 1
            assert str(error).startswith(str(file))
            assert error.source == str(file)
        else:
            read += 1
            assert parse_levels(levels_text(levels), players=None) == levels
    assert read > 500  # both outcomes are common
    assert rejected > 3000


# --- Shared files, which are not part of the repository


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared levels are not available")
@pytest.mark.parametrize(
    ("name", "count", "first", "last"),
    [
        ("microban_1.txt", 155, "1", "155"),
        ("boxoban/unfiltered/valid/000.txt", 1000, "0", "999"),
        ("boxoban/medium/valid/000.txt", 1000, "0", "999"),
    ],
)
def test_the_shared_level_files_are_read(name, count, first, last):
    levels = read_levels(SHARED / name)
    assert len(levels) == count
    assert (levels[0].title, levels[-1].title) == (first, last)
    assert not any(level.comment for level in levels)
    for rle in (False, True):
        again = parse_levels(levels_text(levels, rle))
        assert [everything(level) for level in again] == [everything(level) for level in levels]
    if "boxoban" in name:
        assert {(level.rows, level.cols, level.box_count) for level in levels} == {(10, 10, 4)}
        assert levels_text(levels).strip() == (SHARED / name).read_text().strip()  # all characters are equal


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared levels are not available")
def test_reading_a_folder_gives_every_level_in_every_file():
    """Each level has exactly one player, so the number of player characters in the files is the number of levels."""
    folder = SHARED / "boxoban" / "medium" / "valid"
    players = sum(file.read_text(encoding="utf-8").count("@") for file in folder.rglob("*.txt"))
    assert len(read_levels(folder)) == players >= 1000


def test_the_documentation_example_runs(tmp_path):
    page = (ROOT / "docs" / "sokoban-levels.md").read_text(encoding="utf-8")
    example = page.split("```python\n")[1].split("```")[0]
    exec(example.replace('"levels.txt"', repr(str(tmp_path / "levels.txt"))), {})


# --- the rules of a level

PULLING = "; First\n#####\n#@$.#\n#####\nAuthor: Ann\nRules: pull, max_steps=50\nComment: hello\n"


@pytest.mark.parametrize("rle", [False, True])
def test_a_level_that_is_written_and_read_keeps_its_rules(rle, tmp_path):
    plain = "; Second\n#####\n#@$.#\n#####\n"
    levels = sokoban.parse_levels(PULLING + "\n" + plain)
    assert [level.rules for level in levels] == ["pull, max_steps=50", None]
    assert (levels[0].author, levels[0].comment) == ("Ann", "hello")
    sokoban.write_levels(tmp_path / "levels.xsb", levels, rle)
    again = sokoban.read_levels(tmp_path / "levels.xsb")
    assert [level.rules for level in again] == ["pull, max_steps=50", None]
    board = game_named("sokoban").levels.boards(str(tmp_path / "levels.xsb"))[0]
    assert board.preset == "pull, max_steps=50"
    rules = game_named("sokoban").levels.environment(board, board.preset).rules
    assert (rules.pull, rules.max_steps) == (True, 50)


def test_invalid_rules_in_a_level_file_are_reported_with_their_line_number():
    with pytest.raises(LevelError, match=r"levels.xsb, level 1, line 6: rules='pul'.*did you mean 'pull'"):
        sokoban.parse_levels(PULLING.replace("pull", "pul"), "levels.xsb")
