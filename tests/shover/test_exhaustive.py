"""The exhaustive search against boards solved by hand, and against the slow twin trying everything."""

import copy
import random
from itertools import islice

import pytest

from shoverworld import Map, Rules
from tests.oracles.shover_exhaustive import exhaustive
from tests.oracles.shover_twin import Twin
from tests.oracles.small_boards import ODD, THEMES, small_boards, themed_boards

SYMBOLS = {".": 0, "A": 0, "B": 10, "#": 100, "L": -100}
PRESETS = ("milestone1", "walker", "phase2")


class QuietTwin(Twin):
    """The twin without its reports: nobody reads them here, and they take most of its time."""

    def observation(self):
        return None

    def info(self):
        return None

    def sister(self) -> "QuietTwin":
        sister = copy.copy(self)
        sister.grid = [list(line) for line in self.grid]
        sister.ages, sister.moved = dict(self.ages), dict(self.moved)
        return sister


def twin_of(board: str, rules: Rules) -> QuietTwin:
    lines = board.split()
    start = next((row, line.index("A")) for row, line in enumerate(lines) if "A" in line)
    return QuietTwin(rules, rules.reward, [[SYMBOLS[symbol] for symbol in line] for line in lines], start)


# --- 1. Solved by hand. A push costs 10 a box and 40 more from rest; a box burnt gives 40 back; a step without one costs 1.


def solved(board: str, preset: str = "milestone1", **changes) -> tuple | None:
    """(fewest steps, greatest stamina), or None when it cannot be done. 200 stamina and 12 steps, unless told."""
    rules = Rules.preset(preset, **{"initial_stamina": 200, "max_timestep": 12, **changes})
    answer = exhaustive(board.replace(" ", "\n"), rules)
    assert answer.exhausted
    return (answer.steps, answer.stamina) if answer.solvable else None


def test_a_box_into_lava():
    assert solved("AB.L") == (2, 200 - 50 - 10 + 40)
    assert solved("BAL") == (2, 200 - 50 - 10 + 40)  # one who leaps needs no room behind the box
    assert solved("BA") is None
    assert solved("BA", edge="lava") == (1, 200 - 50 + 40)
    assert solved("AB#L") is None


def test_the_three_ends_in_their_order():
    assert solved("AB.L", initial_stamina=50) is None
    assert solved("AB.L", initial_stamina=51) == (2, 51 - 50 - 10 + 40)
    assert solved("ABL", initial_stamina=5) == (1, 5 - 50 + 40)  # cleared comes before exhausted
    assert solved("AB.L", max_timestep=2) == (2, 180)  # and before the time is up
    assert solved("AB.L", max_timestep=1) is None


def test_who_pays_the_initial_force():
    # The hind box runs into the front one: it is moving, the front one is not.
    assert solved("AB.BL", stationary="contact") == (3, 200 - 50 - 20 + 40 - 10 + 40)
    assert solved("AB.BL", stationary="front") == (3, 200 - 50 - 60 + 40 - 10 + 40)
    # Two boxes, the same direction: only the last push remembers from one to the other.
    assert solved("ABL .BL", stationary="contact") == (2, 200 - 50 + 40 - 50 + 40)
    assert solved("ABL .BL", stationary="last_push") == (2, 200 - 50 + 40 - 10 + 40)


def test_a_walker_has_to_get_behind_the_box():
    assert solved("A.BL", "walker") == (2, 200 - 1 - 50 + 40)
    assert solved("BAL", "walker") is None
    # two pushes to the left are the shortest; to go up and left and push down saves one
    assert solved("... .BA", "walker", edge="lava") == (2, 200 - 2 - 50 + 40)
    assert solved("..# .BA #..", "walker", max_timestep=30) is None
    # round the box, four steps, then two pushes to the right
    assert solved("...# .BAL ....", "walker") == (6, 200 - 4 - 50 - 10 + 40)


def test_squares_are_used_or_dissolve():
    assert solved("BB. BBA") == (1, 200 - 1 + 4)
    assert solved("BB. BBA", barrier_stamina=0, step_cost=0) == (1, 200)
    assert solved("BB. BBB A..") is None  # five boxes are no square and cannot become fewer
    # Squares first: what dissolves in this step is not there any more for the special.
    assert solved("BB. BBA", order="squares_first", perf_sq_initial_age=1) == (1, 200 - 1)
    # One push makes the square; with age 0 it is gone in the same step, with 2 there is time for the barrier maker.
    assert solved("BB. B.B A..", perf_sq_initial_age=0) == (1, 200 - 50)
    assert solved("BB. B.B A..", perf_sq_initial_age=2) == (2, 200 - 50 - 1 + 4)
    assert solved("BB. B.B A..", order="squares_first", perf_sq_initial_age=1) == (2, 200 - 50 - 1)


def test_one_may_have_to_wait():
    # The square that a push has made dissolves in the next step, before any special; another push would spoil it.
    rules = Rules(initial_stamina=200, max_timestep=12, order="squares_first", perf_sq_initial_age=1)
    assert exhaustive("BB.\nB.B\nA..", rules).steps == 2
    assert not exhaustive("BB.\nB.B\nA..", rules, allowed=lambda deed, gone: deed != "wait").solvable


def test_a_clever_way_out():
    # Five boxes and little stamina. The fifth runs into the row of two, all three go on, and the first of them, still
    # moving, is pushed on into the lava. The other two stand where the first two stood: a square for the barrier maker.
    board, changes = "L.BB.B #.BB.A", {"unit_force": 1, "step_cost": 0, "initial_stamina": 45}
    assert solved(board, max_timestep=4, **changes) == (4, 45 - 41 - 3 - 1 + 40 + 4)


def test_hellify_makes_the_lava_that_is_missing():
    board = "BBB.B BBB.. BBB.A"
    assert solved(board, hellify="interior") == (5, 200 - 1 - 50 - 10 - 10 - 50 + 40)
    assert solved(board, hellify="whole") == (3, 200 - 1 - 50 - 10 + 40)


def test_which_square_is_picked():
    board, changes = "BBB.BB BBB.BB BBB.A.", {"max_timestep": 1, "perf_sq_initial_age": 1}  # the other one dissolves
    assert solved(board, pick="oldest", **changes) == (1, 200 - 1 + 9)  # equally old: row-major
    assert solved(board, pick="smallest", **changes) == (1, 200 - 1 + 4)


def test_fewest_steps_and_greatest_stamina_can_be_two_plans():
    # To turn takes two steps and pays the initial force twice; to go straight takes three and pays it once.
    answer = exhaustive("AB..L\n..L..", Rules(initial_stamina=200, max_timestep=9))
    assert (answer.steps, answer.stamina) == (2, 200 - 50 - 10 - 10 + 40)
    assert (len(answer.shortest), len(answer.richest)) == (2, 3)


def test_the_later_and_richer_of_two_equal_states_counts():
    # Two boxes as above. When the first is gone the board is the same either way, later with 30 stamina more.
    board = "AB..L ..L.. .B..L"
    assert solved(board) == (2 + 2, 200 - 30 - 30)
    # With 100 the shortest plan is too dear: 100 - 60 is not enough for the second box. 100 - 30 is.
    assert solved(board, initial_stamina=100) == (3 + 2, 100 - 30 - 30)


def test_out_of_budget_is_no_answer():
    answer = exhaustive("AB..L", Rules(), budget=2)
    assert not answer.exhausted and not answer.solvable


# --- 2. The twin tries every action at every step. Nothing is dropped but a game that is the same in all respects.


def by_brute_force(board: str, rules: Rules) -> tuple:
    first = twin_of(board, rules)
    everywhere = [(row, col) for row in range(first.rows) for col in range(first.cols)]
    layer, steps, stamina = [first], None, None
    for timestep in range(1, rules.max_timestep + 1):
        following = {}
        for twin in layer:
            for z in first.all_z():
                aimed = rules.actor != "walk" and 0 <= z - rules.z_base < 4  # else the position is only recorded
                for row, col in everywhere if aimed else [(0, 0)]:
                    child = twin.sister()
                    child.step(row, col, z)
                    if child.outcome == "cleared":
                        steps = steps or timestep
                        stamina = child.stamina if stamina is None else max(stamina, child.stamina)
                    elif child.outcome is None:
                        following.setdefault(child.key(), child)
        layer = list(following.values())
    return steps, stamina


def tiny_case(rng: random.Random) -> tuple[str, Rules]:
    """A board so small, and so few steps, that the twin can try everything."""
    rows, cols = rng.choice(((1, 4), (1, 5), (2, 2), (2, 3), (2, 3), (2, 4), (3, 3)))
    cells = rng.choices("B.#L", (5, 5, 1, 1), k=rows * cols)
    if rows > 1 and rng.random() < 0.5:  # a square, or what may soon be one
        for cell in (0, 1, cols, cols + 1):
            cells[cell] = "B" if rng.random() < 0.9 else "."
    cells[0], cells[-1] = "B", "A"
    changes = {name: rng.choice(words) for name, words in ODD.items() if rng.random() < 0.5}
    changes |= {"z_base": 1, "initial_stamina": rng.choice((30, 60.5, 120, 1000)), "max_timestep": rng.choice((3, 4))}
    rules = Rules.preset(rng.choice(PRESETS), **changes)
    if rules.actor == "walk":
        rules = rules.change(max_timestep=7)
    return "\n".join("".join(cells[row * cols : (row + 1) * cols]) for row in range(rows)), rules


@pytest.mark.parametrize("part", range(4))
def test_it_finds_what_brute_force_finds(part):
    rng = random.Random(f"tiny {part}")
    outcomes = set()
    for _ in range(15):
        board, rules = tiny_case(rng)
        answer = exhaustive(board, rules)
        assert (answer.steps, answer.stamina) == by_brute_force(board, rules), f"{board}\n{rules}"
        outcomes.add(answer.steps)
    assert None in outcomes and len(outcomes) > 2  # some cannot be cleared, and not all in one step


# --- 3. The small boards: what is claimed can be played, and they are worth playing.

ROUNDS = 12  # of all themes; what these hold, the first 300 hold


@pytest.fixture(scope="module")
def answers():
    return [(board, rules, exhaustive(board, rules)) for board, rules in small_boards(ROUNDS * len(THEMES))]


def played(board: str, rules: Rules, plan) -> QuietTwin:
    twin = twin_of(board, rules)
    for action in plan:
        twin.step(*action)
    return twin


def test_every_plan_can_be_played(answers):
    for board, rules, answer in answers:
        if answer.solvable:
            shortest, richest = played(board, rules, answer.shortest), played(board, rules, answer.richest)
            assert shortest.outcome == richest.outcome == "cleared", f"{board}\n{rules}"
            assert (shortest.timestep, richest.stamina) == (answer.steps, answer.stamina), f"{board}\n{rules}"


def test_the_small_boards_are_worth_a_look(answers):
    assert all(answer.exhausted for _, _, answer in answers)
    solvable = [(board, rules, answer) for board, rules, answer in answers if answer.solvable]
    assert len(answers) - len(solvable) >= 60
    assert sum(len(answer.richest) > answer.steps for _, _, answer in solvable) >= 10
    # A push takes one box at most; what takes more is a special, or a square that dissolves.
    need_squares = (
        case for *case, _ in solvable if not exhaustive(*case, allowed=lambda deed, gone: gone < 2).solvable
    )
    assert len(list(islice(need_squares, 25))) == 25


def test_small_boards_are_the_same_for_the_same_seed():
    assert list(small_boards(30, seed=5)) == list(small_boards(60, seed=5))[:30] != list(small_boards(30, seed=6))
    for theme, board, rules in themed_boards(2 * len(THEMES), seed=5):
        m = Map.parse(board)
        assert m.agent and (m.grid == 10).any() and isinstance(rules, Rules), theme
