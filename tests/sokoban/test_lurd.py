"""Solutions in LURD notation: reading, writing, playing and checking."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoverworld import sokoban
from shoverworld.games.sokoban import lurd
from shoverworld.games.sokoban.rle import RLEError, expand, shorten
from shoverworld.sokoban import Level, LevelError, check, replay

CORRIDOR = Level.parse("""
    #######
    #@ $ .#
    #######
""")
CORNER = Level.parse("""
    ######
    #.   #
    # $  #
    #@   #
    ######
""")


def board(text):
    return "\n".join(line.strip() for line in text.strip().split("\n"))


def test_a_solution_solves_its_level():
    assert check(CORRIDOR, "rRR") == sokoban.Checked(moves=3, pushes=2, solved=True)
    # Move below the box, push it up, walk around it, and push it left.
    assert check(CORNER, "rUruL") == sokoban.Checked(moves=5, pushes=2, solved=True)


def test_a_push_moves_the_box_and_is_counted():
    game = replay(CORRIDOR, "rR")
    assert str(game) == board("""
        #######
        #  @$.#
        #######
    """)
    assert (game.moves, game.pushes, game.lurd, game.solved) == (2, 1, "rR", False)
    assert game.go("r") == "R"  # the letter for a push is uppercase
    assert game.solved
    assert str(game) == board("""
        #######
        #   @*#
        #######
    """)


def test_a_target_stays_when_the_player_or_a_box_leaves_it():
    level = Level.parse("""
        ######
        #+*$ #
        ######
    """)
    assert check(level, "R").error == "letter 1 is 'R'; right from row 1, column 1: the box is against another box"
    level = Level.parse("""
        #######
        #+* $ #
        #######
    """)
    assert str(replay(level, "R")) == board("""
        #######
        #.+$$ #
        #######
    """)


def test_an_incomplete_solution_is_legal_but_does_not_solve_the_level():
    result = check(CORRIDOR, "r")
    assert (result.moves, result.pushes, result.solved, result.error, result.place) == (1, 0, False, "", None)
    assert not check(CORRIDOR, "").solved


def test_the_solution_to_an_already_solved_level_is_empty():
    assert check(Level.parse("#####\n#@ *#\n#####"), "").solved


@pytest.mark.parametrize(
    ("letters", "place", "moves", "why"),
    [
        ("u", 1, 0, "letter 1 is 'u'; up from row 1, column 1: there is a wall"),
        ("rRRR", 4, 3, "letter 4 is 'R'; right from row 1, column 4: the box is against a wall"),
        (
            "rr",
            2,
            1,
            "letter 2 is 'r'; right from row 1, column 2: there is a box to push, so the letter should be 'R'",
        ),
        (
            "R",
            1,
            0,
            "letter 1 is 'R'; right from row 1, column 1: there is no box to push, so the letter should be 'r'",
        ),
        ("rlx", 3, 2, "letter 3 is 'x'; expected one of l u r d L U R D"),
        ("2(rl)u", 5, 4, "letter 5 is 'u'; up from row 1, column 1: there is a wall"),
    ],
)
def test_the_error_names_the_first_illegal_letter(letters, place, moves, why):
    result = check(CORRIDOR, letters)
    assert (result.place, result.moves, result.solved, result.error) == (place, moves, False, why)
    with pytest.raises(LevelError, match="the solution: letter"):
        replay(CORRIDOR, letters)


def test_the_case_of_letters_is_ignored_unless_strict_is_set():
    assert check(CORRIDOR, "rrr", strict=False).solved
    assert check(CORRIDOR, "RRR", strict=False).pushes == 2
    assert check(CORRIDOR, "rrrr", strict=False).place == 4


def test_with_fixed_targets_every_box_must_be_on_its_own_target():
    text = """
        #######
        #.$@$.#
        #######
        Box numbers: {}
        Target numbers: 1 2
    """.replace("        ", "")
    assert check(Level.parse(text.format("1 2")), "LrR").solved
    assert not check(Level.parse(text.format("2 1")), "LrR").solved


def test_a_level_for_two_players_raises_an_error():
    with pytest.raises(LevelError, match="for one player"):
        check(Level.parse("######\n#@@$.#\n######"), "r")


def test_run_lengths_and_whitespace_are_accepted():
    assert lurd.read_lurd(" 3r 2(uL)\n d ") == "rrruLuLd"
    assert lurd.read_lurd("2(l2(r)U)") == "lrrUlrrU"
    assert lurd.write_lurd("rrrUd", rle=True) == "3rUd"
    assert lurd.write_lurd("3rU") == "rrrU"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("rr3", "the number 3 has nothing to repeat"),
        ("2(rr", "'(' without a matching ')'"),
        ("rr)", "')' without a matching '('"),
        ("2(r3)", "unexpected number 3 before ')'"),
        ("0r", "the repeat count is 0"),
        ("999999999999r", "longer than"),
        ("9999(9999(9999(r)))", "longer than"),
        ("(" * 50 + "r" + ")" * 50, "nested groups"),
        ("rq", "letter 2 is 'q'"),
        ("\0", "letter 1 is"),
        ("²r", "letter 1 is"),
    ],
)
def test_malformed_solutions_raise_an_error(text, what):
    with pytest.raises(LevelError) as caught:
        lurd.read_lurd(text)
    assert what in str(caught.value)
    result = check(CORRIDOR, text)
    assert result.error
    assert not result.solved


@given(st.text(alphabet="lurdLURD", max_size=60))
def test_solutions_round_trip_through_text(letters):
    assert lurd.read_lurd(lurd.write_lurd(letters)) == letters
    assert lurd.read_lurd(lurd.write_lurd(letters, rle=True)) == letters


@given(st.text(alphabet="ab|#()12 0", max_size=30))
def test_expanding_run_lengths_gives_plain_text_or_raises_an_error(text):
    try:
        plain = expand(text, 1000)
    except RLEError as reason:
        assert 0 <= reason.place <= len(text)
    else:
        assert len(plain) <= 1000
        assert expand(shorten(plain), 1000) == plain


@given(st.text(alphabet="lurdLURD", max_size=60))
def test_a_series_of_unobstructed_moves_is_legal(letters):
    game = sokoban.LurdGame(CORNER)
    for letter in letters:
        if not game.obstacle(letter):
            game.go(letter)
        else:
            with pytest.raises(ValueError, match="cannot go"):
                game.go(letter)
    result = check(CORNER, game.lurd)
    assert (result.moves, result.pushes, result.solved, result.error) == (game.moves, game.pushes, game.solved, "")
    assert len(game.boxes) == 1


def test_the_engine_agrees_with_the_lurd_notation():
    """In random walks, every action has the effect of its LURD letter, or no effect if the letter is illegal."""
    levels = [
        CORNER,
        Level.parse("#####\n# .##\n#*$ #\n#@  #\n#  ##\n#####"),
        Level.parse("########\n#+ $  .#\n# $#*  #\n#   $ .#\n########"),
    ]
    rng = random.Random(1)
    pushed = 0
    for level in levels:
        env = sokoban.SokobanEnv(level, render_mode="ansi", moves="four", max_steps=10**6)
        for _ in range(20):
            env.reset()
            game = sokoban.LurdGame(level)
            for _ in range(100):
                action = rng.randrange(4)
                letter = "udlr"[action]
                if not game.obstacle(letter):
                    game.go(letter)
                _, _, solved, _, info = env.step(action)
                assert str(env.render()).strip() == str(game)
                assert (info["pushes"], solved) == (game.pushes, game.solved)
                if solved:
                    break
            pushed += game.pushes
    assert pushed > 100
