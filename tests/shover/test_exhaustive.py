"""The results of the exhaustive search are compared with solutions found by hand and by brute force."""

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
    """The reference engine without observation and info, which take most of the running time."""

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


# --- 1. Solved by hand. A push costs 10 per box, and 40 more from rest; burning a box refunds 40; other steps cost 1.


def solved(board: str, preset: str = "milestone1", **changes) -> tuple | None:
    """Return (fewest steps, highest stamina), or None if unsolvable. The defaults: stamina 200, at most 12 steps."""
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
    assert solved("AB.L", max_timestep=2) == (2, 180)  # cleared takes precedence over timeout
    assert solved("AB.L", max_timestep=1) is None


def test_the_initial_force_depends_on_the_stationary_rule():
    # The rear box hits the front box: the rear box is in motion, the front box is at rest.
    assert solved("AB.BL", stationary="contact") == (3, 200 - 50 - 20 + 40 - 10 + 40)
    assert solved("AB.BL", stationary="front") == (3, 200 - 50 - 60 + 40 - 10 + 40)
    # Both boxes are pushed in the same direction. Only with "last_push" does the motion of one box count for the other box.
    assert solved("ABL .BL", stationary="contact") == (2, 200 - 50 + 40 - 50 + 40)
    assert solved("ABL .BL", stationary="last_push") == (2, 200 - 50 + 40 - 10 + 40)


def test_the_step_cost_can_apply_to_pushes_too():
    assert solved("AB.L", push_pays_step_cost=True) == (2, 200 - 51 - 11 + 40)
    assert solved("A.BL", "walker", push_pays_step_cost=True) == (2, 200 - 1 - 51 + 40)
    assert solved("AB.L", step_cost=7, push_pays_step_cost=True, initial_stamina=57) is None
    assert solved("AB.L", step_cost=7, push_pays_step_cost=True, initial_stamina=58) == (2, 58 - 57 - 17 + 40)


def test_a_walker_has_to_get_behind_the_box():
    assert solved("A.BL", "walker") == (2, 200 - 1 - 50 + 40)
    assert solved("BAL", "walker") is None
    # The walker goes up and left and pushes the box down over the edge. Two pushes to the left would cost more.
    assert solved("... .BA", "walker", edge="lava") == (2, 200 - 2 - 50 + 40)
    assert solved("..# .BA #..", "walker", max_timestep=30) is None
    # The walker takes four steps around the box and then pushes it to the right twice.
    assert solved("...# .BAL ....", "walker") == (6, 200 - 4 - 50 - 10 + 40)


def test_the_boxes_of_a_square_are_removed_by_a_special_action_or_by_dissolving():
    assert solved("BB. BBA") == (1, 200 - 1 + 4)
    assert solved("BB. BBA", barrier_stamina=0, step_cost=0) == (1, 200)
    assert solved("BB. BBB A..") is None  # five boxes do not form a square, and no box can be removed
    # With squares_first, a square that dissolves in this step is no longer available to the special.
    assert solved("BB. BBA", order="squares_first", perf_sq_initial_age=1) == (1, 200 - 1)
    # One push forms the square. With maximum age 0 it dissolves at once; with age 2 the barrier maker can use it.
    assert solved("BB. B.B A..", perf_sq_initial_age=0) == (1, 200 - 50)
    assert solved("BB. B.B A..", perf_sq_initial_age=2) == (2, 200 - 50 - 1 + 4)
    assert solved("BB. B.B A..", order="squares_first", perf_sq_initial_age=1) == (2, 200 - 50 - 1)


def test_waiting_can_be_necessary():
    # The new square dissolves in the next step, before any special can use it. Another push would break the square.
    rules = Rules(initial_stamina=200, max_timestep=12, order="squares_first", perf_sq_initial_age=1)
    assert exhaustive("BB.\nB.B\nA..", rules).steps == 2
    assert not exhaustive("BB.\nB.B\nA..", rules, allowed=lambda action, removed: action != "wait").solvable


def test_the_search_finds_a_plan_with_a_long_chain_and_a_square():
    # There are five boxes and little stamina. The fifth box is pushed into a row of two, and all three move. The front
    # box, still in motion, is pushed into the lava. The other two are now where the first two were and form a square.
    board, changes = "L.BB.B #.BB.A", {"unit_force": 1, "step_cost": 0, "initial_stamina": 45}
    assert solved(board, max_timestep=4, **changes) == (4, 45 - 41 - 3 - 1 + 40 + 4)


def test_hellify_creates_lava_on_a_map_without_lava():
    board = "BBB.B BBB.. BBB.A"
    assert solved(board, hellify="interior") == (5, 200 - 1 - 50 - 10 - 10 - 50 + 40)
    assert solved(board, hellify="whole") == (3, 200 - 1 - 50 - 10 + 40)


def test_a_special_action_uses_the_picked_square():
    # The square that is not picked dissolves. Both squares have the same age, so "oldest" picks the first one.
    board, changes = "BBB.BB BBB.BB BBB.A.", {"max_timestep": 1, "perf_sq_initial_age": 1}
    assert solved(board, pick="oldest", **changes) == (1, 200 - 1 + 9)
    assert solved(board, pick="smallest", **changes) == (1, 200 - 1 + 4)


def test_the_fewest_steps_and_the_most_stamina_can_require_different_plans():
    # With a turn, both steps cost the initial force. Without one, only the first of three steps does.
    answer = exhaustive("AB..L\n..L..", Rules(initial_stamina=200, max_timestep=9))
    assert (answer.steps, answer.stamina) == (2, 200 - 50 - 10 - 10 + 40)
    assert (len(answer.shortest), len(answer.richest)) == (2, 3)


def test_a_board_that_is_reached_later_with_more_stamina_is_not_discarded():
    # The first box is as above. Both ways to burn it lead to the same board; the slower one leaves 30 more stamina.
    board = "AB..L ..L.. .B..L"
    assert solved(board) == (2 + 2, 200 - 30 - 30)
    # With 100 stamina the shortest plan fails: 100 - 60 is not enough for the second box, but 100 - 30 is enough.
    assert solved(board, initial_stamina=100) == (3 + 2, 100 - 30 - 30)


def test_a_search_that_exceeds_its_budget_gives_no_answer():
    answer = exhaustive("AB..L", Rules(), budget=2)
    assert not answer.exhausted and not answer.solvable


# --- 2. Brute force: the reference engine tries every action at every step. Only duplicate games are dropped.


def by_brute_force(board: str, rules: Rules) -> tuple:
    first = twin_of(board, rules)
    everywhere = [(row, col) for row in range(first.rows) for col in range(first.cols)]
    layer, steps, stamina = [first], None, None
    for timestep in range(1, rules.max_timestep + 1):
        next_layer = {}
        for twin in layer:
            for z in first.all_z():
                aimed = rules.actor != "walk" and 0 <= z - rules.z_base < 4  # whether the position affects the action
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
def test_the_exhaustive_search_agrees_with_brute_force(part):
    rng = random.Random(f"tiny {part}")
    outcomes = set()
    for _ in range(15):
        board, rules = tiny_case(rng)
        answer = exhaustive(board, rules)
        assert (answer.steps, answer.stamina) == by_brute_force(board, rules), f"{board}\n{rules}"
        outcomes.add(answer.steps)
    assert None in outcomes and len(outcomes) > 2  # some boards are unsolvable, and some need more than one step


# --- 3. Generated small boards: every plan can be played, and the boards are varied enough.

ROUNDS = 12  # how often each theme occurs


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


def test_the_small_boards_cover_a_variety_of_cases(answers):
    assert all(answer.exhausted for _, _, answer in answers)
    solvable = [(board, rules, answer) for board, rules, answer in answers if answer.solvable]
    assert len(answers) - len(solvable) >= 60
    assert sum(len(answer.richest) > answer.steps for _, _, answer in solvable) >= 10
    # A push removes at most one box; only specials and dissolving squares remove several boxes at once.
    need_squares = (
        case for *case, _ in solvable if not exhaustive(*case, allowed=lambda action, removed: removed < 2).solvable
    )
    assert len(list(islice(need_squares, 25))) == 25


def test_the_same_seed_gives_the_same_small_boards():
    assert list(small_boards(30, seed=5)) == list(small_boards(60, seed=5))[:30] != list(small_boards(30, seed=6))
    for theme, board, rules in themed_boards(2 * len(THEMES), seed=5):
        m = Map.parse(board)
        assert m.agent and (m.grid == 10).any() and isinstance(rules, Rules), theme
