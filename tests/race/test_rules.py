"""The rules of the grid race (docs/rules.md, section 3), each on a board drawn in the test.

Boards:  # off the track   . track   S start   F finish;  A, B, C are cars on plain track.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoverworld.core.errors import ActionError, ConfigError, ResetNeeded
from shoverworld.core.jit import kernel
from shoverworld.games.race.codes import FINISH, OFF
from shoverworld.games.race.config import FINISHES, LINES, RaceReward, RaceRules
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.lines import clear_line, passes_finish
from shoverworld.games.race.record import CarStanding
from shoverworld.games.race.tracks import Track

# The nine actions.
UP_LEFT, UP, UP_RIGHT, LEFT, KEEP, RIGHT, DOWN_LEFT, DOWN, DOWN_RIGHT = range(9)
EACH_LINE = pytest.mark.parametrize("line", LINES)


def rows_of(board):
    return [row.strip().replace(" ", "") for row in board.split("\n") if row.strip()]


class Race:
    """A race on a drawn board, with the results of its last step."""

    def __init__(self, board, **keywords):
        rows = rows_of(board)
        at = {letter: (x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter in "ABC"}
        plain = ["".join("." if letter in at else letter for letter in row) for row in rows]
        if not any("S" in row for row in plain):  # every track needs a start and a finish
            plain = [row + "###" for row in plain]
            plain[0] = plain[0][:-2] + "SF"
        starts = [at[letter] for letter in sorted(at)] or None
        self.env = RaceEnv(cars=len(at) or None, **keywords)
        _, self.info = self.env.reset(seed=0, options={"map": "\n".join(plain), "starts": starts})

    def do(self, *actions):
        for action in actions:
            _, self.reward, self.terminated, self.truncated, self.info = self.env.step(action)
        return self

    def car(self, who=0):
        """Return the position and the velocity of a car as (x, y, dx, dy)."""
        car = self.env.cars[who]
        return (car["col"], car["row"], car["dcol"], car["drow"])

    def __getattr__(self, name):
        """Return the values of a field for all cars as a list. If there is only one car, return its value."""
        values = self.env.cars[name].tolist()
        return values[0] if len(values) == 1 else values


# ---------------------------------------------------------------- moving


def test_a_move_differs_from_the_previous_move_by_at_most_one_cell_per_axis():
    race = Race("""
        # # # # # # # # #
        # A . . . . . . #
        # . . . . . . . #
        # . . . . . . . #
        # # # # # # # # #
    """)
    assert race.car() == (1, 1, 0, 0)
    assert race.do(RIGHT).car() == (2, 1, 1, 0)
    assert race.do(DOWN_RIGHT).car() == (4, 2, 2, 1)
    assert race.do(UP).car() == (6, 2, 2, 0)
    assert race.do(DOWN_LEFT).car() == (7, 3, 1, 1)
    assert race.do(UP_LEFT).car() == (7, 3, 0, 0)
    assert race.info["position"] == (7, 3)
    assert race.info["velocity"] == (0, 0)
    assert race.steps == race.info["steps"] == 5


@pytest.mark.parametrize("action", range(9))
def test_actions_0_to_8_select_the_landing_cell_in_reading_order(action):
    race = Race("""
        . . . . .
        . . . . .
        . . A . .
        . . . . .
        . . . . .
    """)
    x, y = action % 3 - 1, action // 3 - 1
    assert race.do(action).car() == (2 + x, 2 + y, x, y)
    assert race.info["last_action_valid"]


def test_a_car_can_stay_on_its_cell():
    race = Race("A . .").do(KEEP)
    assert race.car() == (0, 0, 0, 0)
    assert race.info["last_action_valid"]
    assert race.steps == 1


# ---------------------------------------------------------------- illegal moves


def test_an_illegal_move_stops_the_car_in_place_for_five_turns():
    race = Race("""
        # # # # # # #
        # A . . . # #
        # # # # # # #
    """).do(RIGHT, RIGHT)
    assert race.car() == (4, 1, 2, 0)
    race.do(KEEP)
    assert race.car() == (4, 1, 0, 0)
    assert race.info["fault"] == "off_track"
    assert not race.info["last_action_valid"]
    assert (race.steps, race.penalties, race.wait) == (2 + 1 + 5, 1, 0), (
        "turns that the only car skips pass immediately"
    )
    assert race.reward == -6
    assert race.info["round"] == 9
    assert race.do(LEFT).car() == (3, 1, -1, 0)
    assert race.reward == -1


@pytest.mark.parametrize("action", range(9))
def test_cells_beyond_the_edge_of_the_board_are_off_the_track(action):
    race = Race("A S F").do(action)
    assert race.info["fault"] == (None if action in (KEEP, RIGHT) else "off_track")


def test_the_length_of_the_penalty_can_be_set():
    for penalty in (0, 1, 9):
        race = Race("A . .", penalty=penalty).do(UP)
        assert race.steps == 1 + penalty
        assert race.reward == -1 - penalty


def test_a_move_onto_another_car_is_illegal():
    race = Race("""
        # # # # #
        # A B . #
        # # # # #
    """).do(RIGHT)
    assert race.info["fault"] == "occupied"
    assert race.car(0) == (1, 1, 0, 0)
    assert race.wait == [5, 0]
    race.do(RIGHT)
    assert race.info["last_action_valid"]
    assert race.car(1) == (3, 1, 1, 0)


def test_a_car_can_drive_through_another_car():
    """Only the landing cell must be free of cars."""
    race = Race("A . B . . .").do(RIGHT, KEEP, RIGHT)
    assert race.car(0) == (3, 0, 2, 0)
    race = Race("A . . B . .").do(RIGHT, KEEP, RIGHT)
    assert race.info["fault"] == "occupied"
    assert race.car(0) == (1, 0, 0, 0)


def test_a_car_can_move_to_a_cell_that_another_car_left_in_the_same_round():
    """Cars move one after another, so A has left the cell when B arrives."""
    race = Race("B A .").do(RIGHT, RIGHT)
    assert [race.car(0)[0], race.car(1)[0]] == [2, 1]


def test_the_line_of_a_move_is_checked_before_the_landing_cell_is_checked_for_cars():
    race = Race("A # B")
    state = race.env.get_state()
    state.cars["dcol"][0, 0] = 2
    race.env.set_state(state)
    assert race.do(KEEP).info["fault"] == "line"


# ---------------------------------------------------------------- the line


@kernel
def judge(cells, cols, y, x, to_y, to_x, kind):
    return clear_line(cells, cols, y, x, to_y, to_x, kind), passes_finish(cells, cols, y, x, to_y, to_x)


def is_clear(board, line):
    """Return whether the line from A to B is clear. The cells A and B are on the track."""
    rows = rows_of(board)
    (a,), (b,) = ([(y, row.index(letter)) for y, row in enumerate(rows) if letter in row] for letter in "AB")
    cells = np.array(
        [[OFF if letter == "#" else FINISH if letter == "F" else 0 for letter in row] for row in rows], np.int8
    )
    return judge(cells.ravel(), cells.shape[1], *a, *b, LINES.index(line))


# Each board, and the line rules under which the line from A to B is clear.
DRAWINGS = {
    "one of the two cells in a column is enough": (
        """
        A # . .
        . . # B
        """,
        {"valid_line", "landing"},
    ),
    "neither cell of a column is track": (
        """
        A # . .
        . # . B
        """,
        {"landing"},
    ),
    "one of the two cells in a row is enough": (
        """
        A .
        # .
        . #
        . B
        """,
        {"valid_line", "landing"},
    ),
    "neither cell of a row is track": (
        """
        A .
        # #
        . .
        . B
        """,
        {"landing"},
    ),
    "a line through the centre of a cell requires only that cell": (
        """
        A . . . .
        . . # . .
        . . . . B
        """,
        {"landing"},
    ),
    "cells beside such a centre are not checked": (
        """
        A . # . .
        . . . . .
        . . # . B
        """,
        {"valid_line", "supercover", "landing"},
    ),
    "a diagonal passes between two corners": (
        """
        A # #
        # . #
        # # B
        """,
        {"valid_line", "supercover", "landing"},
    ),
    "the middle of a diagonal must be track": (
        """
        A . .
        . # .
        . . B
        """,
        {"landing"},
    ),
    "adjacent cells have nothing between them": (
        """
        A #
        # B
        """,
        {"valid_line", "supercover", "landing"},
    ),
    "every cell of a straight line is checked": ("A . . # . B", {"landing"}),
    "a clear row": ("A . . . . B", {"valid_line", "supercover", "landing"}),
    "supercover: across the edge between two cells": (
        """
        A . #
        # . B
        """,
        {"valid_line", "supercover", "landing"},
    ),
    "supercover: every crossed cell": (
        """
        A # .
        . . B
        """,
        {"valid_line", "landing"},
    ),
    "valid_line can pass through both rows": (
        """
        A # . . .
        . . . # B
        """,
        {"valid_line", "landing"},
    ),
    "up and to the left": (
        """
        B . # #
        # # . A
        """,
        {"valid_line", "supercover", "landing"},
    ),
    "adjacent cells in a row": ("A B", {"valid_line", "supercover", "landing"}),
}


@EACH_LINE
@pytest.mark.parametrize("name", DRAWINGS)
def test_a_line_is_clear_under_exactly_the_listed_line_rules(name, line):
    board, clear_for = DRAWINGS[name]
    assert is_clear(board, line)[0] == (line in clear_for)


@pytest.mark.parametrize("name", DRAWINGS)
@EACH_LINE
def test_line_rules_are_symmetric_on_the_drawn_boards(name, line):
    rows = [list(row) for row in rows_of(DRAWINGS[name][0])]
    expected = is_clear(DRAWINGS[name][0], line)[0]
    swapped = [["AB"["BA".index(cell)] if cell in "AB" else cell for cell in row] for row in rows]
    for one in (rows, swapped):
        for board in (one, one[::-1], [row[::-1] for row in one], [list(col) for col in zip(*one, strict=True)]):
            assert is_clear("\n".join("".join(row) for row in board), line)[0] == expected


@st.composite
def boards(draw):
    """Draw a random board and two of its cells that are on the track."""
    rows, cols = draw(st.integers(1, 8)), draw(st.integers(2, 8))
    cells = draw(st.lists(st.sampled_from([OFF, 0, 0, FINISH]), min_size=rows * cols, max_size=rows * cols))
    first, second = draw(st.lists(st.integers(0, rows * cols - 1), min_size=2, max_size=2, unique=True))
    board = np.array(cells, np.int8)
    board[[first, second]] = 0
    return board.reshape(rows, cols), divmod(first, cols), divmod(second, cols)


@settings(max_examples=300, deadline=None)
@given(boards(), st.sampled_from(range(3)))
def test_line_rules_are_symmetric_and_ordered_by_strictness(drawn, kind):
    board, a, b = drawn
    rows, cols = board.shape

    def judged(board, a, b, kind=kind):
        return judge(np.ascontiguousarray(board).ravel(), board.shape[1], *a, *b, kind)

    verdict = judged(board, a, b)
    assert judged(board, b, a) == verdict
    assert judged(board[::-1], (rows - 1 - a[0], a[1]), (rows - 1 - b[0], b[1])) == verdict
    assert judged(board[:, ::-1], (a[0], cols - 1 - a[1]), (b[0], cols - 1 - b[1])) == verdict
    assert judged(board.T, a[::-1], b[::-1]) == verdict
    clear = [judged(board, a, b, LINES.index(line))[0] for line in ("supercover", "valid_line", "landing")]
    assert clear == sorted(clear)
    if clear[0] and verdict[1]:
        assert (board[min(a[0], b[0]) : max(a[0], b[0]) + 1, min(a[1], b[1]) : max(a[1], b[1]) + 1] == FINISH).any()


@EACH_LINE
def test_a_race_applies_its_line_rule(line):
    board = """
        S # # # # # # # # # # # #
        A . . . # . . . . . . . .
        # # # . . . . . . . . . F
    """
    race = Race(board, line=line).do(RIGHT, RIGHT)
    assert race.car() == (3, 1, 2, 0)
    race.do(DOWN_RIGHT)  # three cells right and one down, through (4, 1) and (5, 2)
    legal = line != "supercover"
    assert race.info["fault"] == (None if legal else "line")
    assert race.car() == ((6, 2, 3, 1) if legal else (3, 1, 0, 0))


MIRRORS = {
    "left and right": (lambda board: board[:, ::-1], lambda x, y, rows, cols: (cols - 1 - x, y), lambda k, m: (-k, m)),
    "top and bottom": (lambda board: board[::-1], lambda x, y, rows, cols: (x, rows - 1 - y), lambda k, m: (k, -m)),
    "rows and columns": (lambda board: board.T, lambda x, y, rows, cols: (y, x), lambda k, m: (m, k)),
}


@EACH_LINE
@pytest.mark.parametrize("mirror", MIRRORS)
@pytest.mark.parametrize("finish", FINISHES)
def test_a_mirrored_race_has_mirrored_results(line, mirror, finish):
    turned, place, push = MIRRORS[mirror]
    track = Track.parse("SSS.#..#..\n.#...#.#..\n..##...#..\n.#..F.#...\n....#F....")
    rules = {"cars": 3, "line": line, "finish": finish, "penalty": 1, "max_rounds": 60}
    one, other = RaceEnv(track, **rules), RaceEnv(Track(turned(track.cells)), **rules)
    rng = np.random.default_rng(3)
    faults = set()
    for _ in range(20):
        starts = [(0, 0), (1, 0), (2, 0)]
        one.reset(seed=0, options={"starts": starts})
        other.reset(seed=0, options={"starts": [place(x, y, track.rows, track.cols) for x, y in starts]})
        while one.outcome is None:
            legal = np.flatnonzero(one.action_mask())
            action = int(rng.choice(legal)) if len(legal) and rng.random() < 0.7 else int(rng.integers(9))
            k, m = push(action % 3 - 1, action // 3 - 1)
            *results, info = one.step(action)[1:]
            *expected, seen = other.step((m + 1) * 3 + k + 1)[1:]
            assert results == expected
            assert seen.pop("position") == place(*info.pop("position"), track.rows, track.cols)
            assert seen.pop("velocity") == push(*info.pop("velocity"))
            assert seen == info
            faults.add(info["fault"])
    assert faults == {None, "off_track", "line", "occupied"} - ({"line"} if line == "landing" else set())


# ---------------------------------------------------------------- the finish


def test_a_car_finishes_by_landing_on_a_finish_cell_and_leaves_the_track():
    race = Race("A . F B").do(RIGHT, KEEP, KEEP)
    assert race.info["finished"]
    assert race.info["place"] == 1
    assert race.place == [1, 0]
    assert not race.terminated
    assert race.env.turn == 1
    race.do(LEFT)
    assert race.info["finished"], "a finished car leaves the finish cell free"
    assert (race.terminated, race.truncated, race.info["outcome"]) == (True, False, "finished")
    with pytest.raises(ResetNeeded, match="finished"):
        race.do(KEEP)


def test_crossing_the_finish_counts_as_finishing_only_under_the_cross_rule():
    for finish in FINISHES:
        race = Race("A . F . . .", finish=finish).do(RIGHT, RIGHT)
        assert race.car() == (3, 0, 2, 0)
        assert race.terminated == (finish == "cross")
        assert race.steps == 2


def test_a_move_across_the_finish_must_be_legal():
    race = Race("A . F # .", finish="cross").do(RIGHT, RIGHT)
    assert (race.info["fault"], race.info["finished"]) == ("off_track", False)
    race = Race("A . F B .", finish="cross").do(RIGHT, KEEP, RIGHT)
    assert (race.info["fault"], race.info["finished"]) == ("occupied", False)


@pytest.mark.parametrize("finish", FINISHES)
def test_a_car_does_not_finish_if_a_wall_blocks_the_line_to_the_finish(finish):
    race = Race("A . # F .", finish=finish).do(RIGHT, RIGHT)
    assert (race.info["fault"], race.info["finished"]) == ("line", False)
    assert race.car() == (1, 0, 0, 0)
    race = Race("A . # F .", finish=finish, line="landing").do(RIGHT, RIGHT)
    assert race.terminated


def test_touching_the_corner_of_a_finish_cell_does_not_count_as_crossing_it():
    assert is_clear("A F\nF B", "landing") == (True, False)
    assert is_clear("A F .\n. . B", "landing") == (True, True)
    assert is_clear("A . .\n. F B", "landing") == (True, True)
    assert is_clear("A . .\nF . B", "landing") == (True, False)


@EACH_LINE
@pytest.mark.parametrize("finish", FINISHES)
def test_every_line_rule_works_with_every_finish_rule(line, finish):
    race = Race("A . F", line=line, finish=finish).do(RIGHT, KEEP)
    assert race.terminated
    assert race.reward == -1


# ---------------------------------------------------------------- turns, rounds and places


def test_cars_move_in_a_fixed_order_in_every_round():
    race = Race("A . . .\nB . . .\nC . . .")
    turns = []
    for _ in range(7):
        turns.append((race.env.turn, int(race.env.get_state().game["rounds"][0])))
        race.do(KEEP)
    assert turns == [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (0, 3)]
    assert race.steps == [3, 2, 2]


def test_a_waiting_car_is_skipped_and_its_skipped_turns_count_as_steps():
    race = Race("A . .\nB . .", penalty=2).do(UP)
    assert race.env.turn == 1
    turns = []
    for _ in range(6):
        turns.append(race.env.turn)
        race.do(KEEP)
    assert turns == [1, 1, 1, 0, 1, 0]
    assert race.steps == [1 + 2 + 2, 4]
    assert race.info["round"] == 5


def test_rounds_pass_immediately_while_all_cars_wait():
    race = Race("A . .\nB . .", penalty=3).do(UP)
    assert (race.steps, race.wait, race.info["round"]) == ([1, 0], [3, 0], 1)
    race.do(DOWN)
    assert (race.steps, race.wait, race.info["round"], race.env.turn) == ([4, 4], [0, 0], 5, 0)


def test_each_car_is_rewarded_for_all_its_turns_and_for_the_results_of_its_own_moves():
    """A car gets the step reward for every turn, including skipped turns, and the other rewards for its own moves."""
    race = Race("A . .\nB . .\n. . F", penalty=2, reward={"step": -1, "illegal": -10, "finish": 100}).do(UP)
    assert race.reward == -11
    assert race.env.rewards().tolist() == [-11, 0]
    race.do(RIGHT)  # A skips a turn
    assert race.reward == -1
    assert race.env.rewards().tolist() == [-1, -1]
    race.do(DOWN)  # A skips another turn
    assert race.reward == 99
    assert race.env.rewards().tolist() == [-1, 99]
    assert race.env.turn == 0
    race.do(KEEP)
    assert race.env.rewards().tolist() == [-1, 0]


def test_places_depend_on_steps_and_cars_with_the_same_number_of_steps_share_a_place():
    race = Race("A F . . .\n. B F . .\nC . . F .").do(RIGHT, RIGHT, RIGHT, RIGHT)
    assert race.terminated
    assert race.place == [1, 1, 3]
    assert race.env.ranking() == [
        CarStanding(1, 0, 1, 0, True), CarStanding(1, 1, 1, 0, True), CarStanding(3, 2, 2, 0, True),
    ]  # fmt: skip


def test_cars_that_have_not_finished_share_last_place():
    race = Race("A F\nB .\nC .", max_rounds=2).do(RIGHT, KEEP, LEFT, KEEP)
    assert (race.terminated, race.truncated, race.info["outcome"]) == (False, True, "timeout")
    assert race.env.ranking() == [
        CarStanding(1, 0, 1, 0, True), CarStanding(2, 1, 2, 0, False), CarStanding(2, 2, 2, 1, False),
    ]  # fmt: skip
    assert race.place == [1, 0, 0]


def test_the_race_ends_after_the_last_round():
    race = Race("A . .", max_rounds=3).do(KEEP, KEEP)
    assert not race.truncated
    race.do(KEEP)
    assert (race.terminated, race.truncated, race.info["outcome"], race.info["round"]) == (False, True, "timeout", 3)
    with pytest.raises(ResetNeeded, match="timeout"):
        race.do(KEEP)


def test_no_penalty_turns_are_counted_after_the_last_round():
    race = Race("A . .", max_rounds=4).do(KEEP, UP)
    assert race.truncated
    assert (race.steps, race.wait) == (4, 3)
    assert race.reward == -3


def test_a_finish_in_the_last_round_counts():
    race = Race("A . F", max_rounds=2).do(RIGHT, KEEP)
    assert race.terminated
    assert race.info["outcome"] == "finished"


def test_the_race_ends_when_the_last_car_finishes():
    race = Race("A F .\nB . F").do(RIGHT)
    assert not race.terminated
    race.do(RIGHT)
    assert race.env.turn == 1, "B is the only car left"
    race.do(KEEP)
    assert race.terminated


# ---------------------------------------------------------------- the start


def test_cars_start_on_distinct_random_start_cells():
    track = Track.parse("SSSS.F\nSS...F")
    seen = set()
    for seed in range(200):
        env = RaceEnv(track, cars=3)
        env.reset(seed=seed)
        cars = env.cars
        places = [(car["col"], car["row"]) for car in cars]
        assert len(set(places)) == 3
        assert set(places) <= set(track.starts)
        assert not cars["dcol"].any() and not cars["drow"].any()
        seen.add(tuple(places))
    assert len(seen) > 80, "most of the 120 possible placements occurred"
    for car in range(3):
        assert {places[car] for places in seen} == set(track.starts)


def test_all_start_cells_are_used_if_there_are_as_many_cars_as_start_cells():
    track = Track.parse("SSSSSF")
    env = RaceEnv(track, cars=5)
    for seed in range(20):
        env.reset(seed=seed)
        assert sorted(env.cars["col"].tolist()) == [0, 1, 2, 3, 4]


# ---------------------------------------------------------------- rule objects


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"cars": 0}, r"cars=0: must be an integer from 1"),
        ({"cars": 1.5}, r"cars=1\.5"),
        ({"line": "bresenham"}, r"line='bresenham': must be one of 'valid_line', 'supercover', 'landing'"),
        ({"finish": "touch"}, r"finish='touch': must be one of 'land', 'cross'"),
        ({"penalty": -1}, r"penalty=-1"),
        ({"penalty": True}, r"penalty=True"),
        ({"max_rounds": 0}, r"max_rounds=0"),
        ({"reward": 3}, r"reward=3: must be a RaceReward"),
    ],
)
def test_invalid_rules_raise_an_error(keywords, words):
    with pytest.raises(ConfigError, match=words):
        RaceRules(**keywords)


def test_rules_can_be_changed_and_an_unknown_name_raises_an_error():
    assert RaceRules().change(penalty=2, line="landing") == RaceRules(penalty=2, line="landing")
    with pytest.raises(ConfigError, match="did you mean 'penalty'"):
        RaceRules().change(penalti=2)
    with pytest.raises(ConfigError, match=r"RaceReward\.step"):
        RaceReward(step=float("nan"))


@pytest.mark.parametrize("action", [-1, 9, 1.0, "up", None, (0, 1)])
def test_an_action_outside_the_action_space_raises_an_error_and_changes_nothing(action):
    race = Race("A . F")
    before = race.env.state_hash()
    with pytest.raises(ActionError, match="0 to 8"):
        race.do(action)
    assert race.env.state_hash() == before
