"""The exhaustive search is compared with boards solved by hand and with brute force on the reference engine."""

import copy
import random
from itertools import islice

import pytest

from shoverworld import Map, Rules
from tests.oracles.shover_exhaustive import exhaustive
from tests.oracles.shover_twin import ShoverTwin
from tests.oracles.small_boards import ODD, THEMES, small_boards, themed_boards

SYMBOLS = {".": 0, "A": 0, "B": 10, "#": 100, "L": -100}
PRESETS = ("milestone1", "walker", "phase2")


class QuietTwin(ShoverTwin):
    """The reference engine without observation and info, which take most of its time."""

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


# --- 1. Solved by hand. A push costs 10 per box, and 40 more from rest; a burnt box returns 40; any other step costs 1.


def solved(board: str, preset: str = "milestone1", **changes) -> tuple | None:
    """Return (fewest steps, most stamina), or None if unsolvable. The defaults are 200 stamina and 12 steps."""
    rules = Rules.preset(preset, **{"initial_stamina": 200, "max_timestep": 12, **changes})
    answer = exhaustive(board.replace(" ", "\n"), rules)
    assert answer.exhausted
    return (answer.steps, answer.stamina) if answer.solvable else None


def test_a_box_is_pushed_into_lava():
    assert solved("AB.L") == (2, 200 - 50 - 10 + 40)
    assert solved("BAL") == (2, 200 - 50 - 10 + 40)  # a leaping shover needs no space behind the box
    assert solved("BA") is None
    assert solved("BA", edge="lava") == (1, 200 - 50 + 40)
    assert solved("AB#L") is None


def test_outcomes_have_an_order_of_precedence():
    assert solved("AB.L", initial_stamina=50) is None
    assert solved("AB.L", initial_stamina=51) == (2, 51 - 50 - 10 + 40)
    assert solved("ABL", initial_stamina=5) == (1, 5 - 50 + 40)  # cleared takes precedence over exhausted
    assert solved("AB.L", max_timestep=2) == (2, 180)  # and over timeout
    assert solved("AB.L", max_timestep=1) is None


def test_the_initial_force_depends_on_the_stationary_rule():
    # The rear box hits the front box: the rear box is moving, the front box is not.
    assert solved("AB.BL", stationary="contact") == (3, 200 - 50 - 20 + 40 - 10 + 40)
    assert solved("AB.BL", stationary="front") == (3, 200 - 50 - 60 + 40 - 10 + 40)
    # Two boxes, same direction: only "last_push" carries the motion over from one box to the other.
    assert solved("ABL .BL", stationary="contact") == (2, 200 - 50 + 40 - 50 + 40)
    assert solved("ABL .BL", stationary="last_push") == (2, 200 - 50 + 40 - 10 + 40)


def test_a_walker_has_to_get_behind_the_box():
    assert solved("A.BL", "walker") == (2, 200 - 1 - 50 + 40)
    assert solved("BAL", "walker") is None
    # walk up and left and push down over the edge; two pushes to the left would cost more
    assert solved("... .BA", "walker", edge="lava") == (2, 200 - 2 - 50 + 40)
    assert solved("..# .BA #..", "walker", max_timestep=30) is None
    # four steps around the box, then two pushes to the right
    assert solved("...# .BAL ....", "walker") == (6, 200 - 4 - 50 - 10 + 40)


def test_squares_are_used_or_dissolve():
    assert solved("BB. BBA") == (1, 200 - 1 + 4)
    assert solved("BB. BBA", barrier_stamina=0, step_cost=0) == (1, 200)
    assert solved("BB. BBB A..") is None  # five boxes are not a square, and none can be removed
    # squares_first: a square that dissolves in this step is no longer available to the special.
    assert solved("BB. BBA", order="squares_first", perf_sq_initial_age=1) == (1, 200 - 1)
    # One push forms the square. With age 0 it dissolves in the same step; with age 2 the barrier maker can use it.
    assert solved("BB. B.B A..", perf_sq_initial_age=0) == (1, 200 - 50)
    assert solved("BB. B.B A..", perf_sq_initial_age=2) == (2, 200 - 50 - 1 + 4)
    assert solved("BB. B.B A..", order="squares_first", perf_sq_initial_age=1) == (2, 200 - 50 - 1)


def test_waiting_can_be_necessary():
    # The new square dissolves in the next step, before any special; another push would break it.
    rules = Rules(initial_stamina=200, max_timestep=12, order="squares_first", perf_sq_initial_age=1)
    assert exhaustive("BB.\nB.B\nA..", rules).steps == 2
    assert not exhaustive("BB.\nB.B\nA..", rules, allowed=lambda action, removed: action != "wait").solvable


def test_a_plan_with_a_long_chain_and_a_square():
    # Five boxes and little stamina. The fifth box is pushed into a row of two and moves all three. The first of them, still
    # moving, is pushed into the lava. The other two take the place of the first two and complete a square.
    board, changes = "L.BB.B #.BB.A", {"unit_force": 1, "step_cost": 0, "initial_stamina": 45}
    assert solved(board, max_timestep=4, **changes) == (4, 45 - 41 - 3 - 1 + 40 + 4)


def test_hellify_creates_the_missing_lava():
    board = "BBB.B BBB.. BBB.A"
    assert solved(board, hellify="interior") == (5, 200 - 1 - 50 - 10 - 10 - 50 + 40)
    assert solved(board, hellify="whole") == (3, 200 - 1 - 50 - 10 + 40)


def test_a_special_uses_the_picked_square():
    board, changes = "BBB.BB BBB.BB BBB.A.", {"max_timestep": 1, "perf_sq_initial_age": 1}  # the other square dissolves
    assert solved(board, pick="oldest", **changes) == (1, 200 - 1 + 9)  # equal age, so the first in row-major order
    assert solved(board, pick="smallest", **changes) == (1, 200 - 1 + 4)


def test_fewest_steps_and_most_stamina_can_need_different_plans():
    # A turn takes two steps and pays the initial force twice; the straight path takes three steps and pays it once.
    answer = exhaustive("AB..L\n..L..", Rules(initial_stamina=200, max_timestep=9))
    assert (answer.steps, answer.stamina) == (2, 200 - 50 - 10 - 10 + 40)
    assert (len(answer.shortest), len(answer.richest)) == (2, 3)


def test_the_later_of_two_equal_boards_counts_if_it_has_more_stamina():
    # Two boxes as above. Both ways to burn the first lead to the same board, the later one with 30 more stamina.
    board = "AB..L ..L.. .B..L"
    assert solved(board) == (2 + 2, 200 - 30 - 30)
    # With 100 stamina the shortest plan is too expensive: 100 - 60 is not enough for the second box, 100 - 30 is.
    assert solved(board, initial_stamina=100) == (3 + 2, 100 - 30 - 30)


def test_an_exceeded_budget_gives_no_answer():
    answer = exhaustive("AB..L", Rules(), budget=2)
    assert not answer.exhausted and not answer.solvable


# --- 2. Brute force: the reference engine tries every action at every step. Only identical games are dropped.


def by_brute_force(board: str, rules: Rules) -> tuple:
    first = twin_of(board, rules)
    everywhere = [(row, col) for row in range(first.rows) for col in range(first.cols)]
    layer, steps, stamina = [first], None, None
    for timestep in range(1, rules.max_timestep + 1):
        next_layer = {}
        for twin in layer:
            for z in first.all_z():
                aimed = rules.actor != "walk" and 0 <= z - rules.z_base < 4  # otherwise the position has no effect
                for row, col in everywhere if aimed else [(0, 0)]:
                    child = twin.sister()
                    child.step(row, col, z)
                    if child.outcome == "cleared":
                        steps = steps or timestep
                        stamina = child.stamina if stamina is None else max(stamina, child.stamina)
                    elif child.outcome is None:
                        next_layer.setdefault(child.key(), child)
        layer = list(next_layer.values())
    return steps, stamina


def tiny_case(rng: random.Random) -> tuple[str, Rules]:
    """Return a board small enough, and rules with few enough steps, for brute force."""
    rows, cols = rng.choice(((1, 4), (1, 5), (2, 2), (2, 3), (2, 3), (2, 4), (3, 3)))
    cells = rng.choices("B.#L", (5, 5, 1, 1), k=rows * cols)
    if rows > 1 and rng.random() < 0.5:  # a square or almost a square
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
def test_it_agrees_with_brute_force(part):
    rng = random.Random(f"tiny {part}")
    outcomes = set()
    for _ in range(15):
        board, rules = tiny_case(rng)
        answer = exhaustive(board, rules)
        assert (answer.steps, answer.stamina) == by_brute_force(board, rules), f"{board}\n{rules}"
        outcomes.add(answer.steps)
    assert None in outcomes and len(outcomes) > 2  # some boards are unsolvable, and some take more than one step


# --- 3. The small boards: every plan can be played, and the boards are varied enough.

ROUNDS = 12  # rounds of all themes


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


def test_the_small_boards_are_varied(answers):
    assert all(answer.exhausted for _, _, answer in answers)
    solvable = [(board, rules, answer) for board, rules, answer in answers if answer.solvable]
    assert len(answers) - len(solvable) >= 60
    assert sum(len(answer.richest) > answer.steps for _, _, answer in solvable) >= 10
    # A push removes at most one box; only specials and dissolving squares remove more.
    need_squares = (
        case for *case, _ in solvable if not exhaustive(*case, allowed=lambda action, removed: removed < 2).solvable
    )
    assert len(list(islice(need_squares, 25))) == 25


def test_small_boards_are_the_same_for_the_same_seed():
    assert list(small_boards(30, seed=5)) == list(small_boards(60, seed=5))[:30] != list(small_boards(30, seed=6))
    for theme, board, rules in themed_boards(2 * len(THEMES), seed=5):
        m = Map.parse(board)
        assert m.agent and (m.grid == 10).any() and isinstance(rules, Rules), theme
