"""Solutions in letters: read, written, played and checked."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoverworld import sokoban
from shoverworld.games.sokoban import lurd
from shoverworld.games.sokoban.rle import BrokenRuns, expand, shorten
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


def test_a_solution_solves():
    assert check(CORRIDOR, "rRR") == sokoban.Checked(moves=3, pushes=2, solved=True)
    # Under the box, push it up; around it, push it left.
    assert check(CORNER, "rUruL") == sokoban.Checked(moves=5, pushes=2, solved=True)


def test_what_a_push_does():
    game = replay(CORRIDOR, "rR")
    assert str(game) == board("""
        #######
        #  @$.#
        #######
    """)
    assert (game.moves, game.pushes, game.lurd, game.solved) == (2, 1, "rR", False)
    assert game.go("r") == "R"  # written as what it was
    assert game.solved
    assert str(game) == board("""
        #######
        #   @*#
        #######
    """)


def test_player_and_box_uncover_their_targets():
    level = Level.parse("""
        ######
        #+*$ #
        ######
    """)
    assert check(level, "R").error == "letter 1 is 'R'; right from row 1, column 1 the box is against another box"
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


def test_a_game_that_is_not_solved_is_legal_all_the_same():
    result = check(CORRIDOR, "r")
    assert (result.moves, result.pushes, result.solved, result.error, result.place) == (1, 0, False, "", None)
    assert not check(CORRIDOR, "").solved


def test_a_level_that_is_solved_needs_no_letters():
    assert check(Level.parse("#####\n#@ *#\n#####"), "").solved


@pytest.mark.parametrize(
    ("letters", "place", "moves", "why"),
    [
        ("u", 1, 0, "letter 1 is 'u'; up from row 1, column 1 there is a wall"),
        ("rRRR", 4, 3, "letter 4 is 'R'; right from row 1, column 4 the box is against a wall"),
        ("rr", 2, 1, "letter 2 is 'r'; right from row 1, column 2 there is a box to push, so it should be 'R'"),
        ("R", 1, 0, "letter 1 is 'R'; right from row 1, column 1 there is no box to push, so it should be 'r'"),
        ("rlx", 3, 2, "letter 3 is 'x'; expected one of l u r d L U R D"),
        ("2(rl)u", 5, 4, "letter 5 is 'u'; up from row 1, column 1 there is a wall"),
    ],
)
def test_the_first_illegal_letter_is_named(letters, place, moves, why):
    result = check(CORRIDOR, letters)
    assert (result.place, result.moves, result.solved, result.error) == (place, moves, False, why)
    with pytest.raises(LevelError, match="the solution: letter"):
        replay(CORRIDOR, letters)


def test_only_directions_count_if_not_strict():
    assert check(CORRIDOR, "rrr", strict=False).solved
    assert check(CORRIDOR, "RRR", strict=False).pushes == 2
    assert check(CORRIDOR, "rrrr", strict=False).place == 4


def test_with_fixed_targets_a_box_must_be_on_its_own():
    text = """
        #######
        #.$@$.#
        #######
        Box numbers: {}
        Target numbers: 1 2
    """.replace("        ", "")
    assert check(Level.parse(text.format("1 2")), "LrR").solved
    assert not check(Level.parse(text.format("2 1")), "LrR").solved


def test_letters_are_for_one_player():
    with pytest.raises(LevelError, match="for one player"):
        check(Level.parse("######\n#@@$.#\n######"), "r")


def test_runs_and_white_space():
    assert lurd.read_lurd(" 3r 2(uL)\n d ") == "rrruLuLd"
    assert lurd.read_lurd("2(l2(r)U)") == "lrrUlrrU"
    assert lurd.write_lurd("rrrUd", rle=True) == "3rUd"
    assert lurd.write_lurd("3rU") == "rrrU"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("rr3", "the number 3 has nothing to repeat"),
        ("2(rr", "'(' without its ')'"),
        ("rr)", "')' without its '('"),
        ("2(r3)", "the number 3 before ')'"),
        ("0r", "0 times is not a run"),
        ("999999999999r", "longer than"),
        ("9999(9999(9999(r)))", "longer than"),
        ("(" * 50 + "r" + ")" * 50, "groups in each other"),
        ("rq", "letter 2 is 'q'"),
        ("\0", "letter 1 is"),
        ("²r", "letter 1 is"),
    ],
)
def test_broken_solutions(text, what):
    with pytest.raises(LevelError) as caught:
        lurd.read_lurd(text)
    assert what in str(caught.value)
    result = check(CORRIDOR, text)
    assert result.error
    assert not result.solved


@given(st.text(alphabet="lurdLURD", max_size=60))
def test_writing_and_reading_gives_the_same_letters(letters):
    assert lurd.read_lurd(lurd.write_lurd(letters)) == letters
    assert lurd.read_lurd(lurd.write_lurd(letters, rle=True)) == letters


@given(st.text(alphabet="ab|#()12 0", max_size=30))
def test_runs_expand_or_are_refused(text):
    try:
        plain = expand(text, 1000)
    except BrokenRuns as reason:
        assert 0 <= reason.place <= len(text)
    else:
        assert len(plain) <= 1000
        assert expand(shorten(plain), 1000) == plain


@given(st.text(alphabet="lurdLURD", max_size=60))
def test_a_game_that_goes_where_it_can_is_always_legal(letters):
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


def test_the_engine_plays_the_same_game():
    """Random walks: every action of the environment does what the letter does here, or nothing where that is illegal."""
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
