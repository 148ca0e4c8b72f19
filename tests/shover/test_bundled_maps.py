"""The bundled maps are valid, have titles, and are cleared by their walkthroughs under the rules in their headers."""

import re
from collections import Counter
from functools import cache
from importlib import resources

import numpy as np
import pytest

from shoverworld import Map, Rules, ShoverWorldEnv, bundled, bundled_names
from tests.walkthroughs import WALKTHROUGHS, actions

NAMES = bundled_names()
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
BARRIER_MAKER, HELLIFY = 4, 5
LESSONS = [  # events that must occur in at least one walkthrough
    "burn",
    "chain of 3",
    "uncharged push",
    "barrier maker",
    "hellify",
    "hellify of 4 or more",
    "dissolution",
    "burn over the edge",
    "walk",
]


def text_of(name: str) -> str:
    return (resources.files("shoverworld.games.shover") / "maps" / f"{name}.txt").read_text(encoding="utf-8")


def rows_of(name: str) -> list[str]:
    return [line for line in text_of(name).splitlines() if not line.startswith("//")]


def rules_of(name: str) -> Rules:
    (preset,) = re.findall(r"^// rules: (milestone1|walker|phase2)$", text_of(name), re.MULTILINE)
    return Rules.preset(preset)


def start(name: str, **changes) -> tuple[ShoverWorldEnv, dict]:
    env = ShoverWorldEnv(rules=rules_of(name), map_path=name, **changes)
    return env, env.reset(seed=0)[1]


def play(name: str, moves, **changes) -> list[dict]:
    """Return the info dicts from the reset and from every step until the game ends or the moves run out."""
    env, info = start(name, **changes)
    infos = [info]
    for action in moves:
        infos.append(env.step(action)[-1])
        if env.outcome:
            break
    return infos


@cache
def replay(name: str) -> list[dict]:
    return play(name, WALKTHROUGHS[name])


def lessons_of(name: str) -> Counter:
    """Count the events in the walkthrough of a map, from the info dicts alone."""
    seen, rules = Counter(), rules_of(name)
    rows, cols = bundled(name).grid.shape
    infos = replay(name)
    for (row, col, code), before, after in zip(WALKTHROUGHS[name], infos[:-1], infos[1:], strict=True):
        z, chain, burnt = code - rules.z_base, after["chain_length"], after["lava_destroyed_this_step"]
        gone = before["number_of_boxes"] - after["number_of_boxes"] - burnt
        if z in (BARRIER_MAKER, HELLIFY):
            seen["barrier maker" if z == BARRIER_MAKER else "hellify"] += 1
            seen["hellify of 4 or more"] += z == HELLIFY and gone >= 16
            continue
        seen["burn"] += burnt
        seen["chain of 3"] += chain >= 3
        seen["uncharged push"] += chain > 0 and not after["initial_force_charged"]
        seen["dissolution"] += gone > 0
        seen["walk"] += rules.actor == "walk" and chain == 0
        beyond = row + chain * STEPS[z][0], col + chain * STEPS[z][1]
        off_the_map = not (0 <= beyond[0] < rows and 0 <= beyond[1] < cols)
        seen["burn over the edge"] += burnt > 0 and rules.edge == "lava" and off_the_map
    return seen


def test_every_map_has_a_walkthrough_and_every_walkthrough_has_a_map():
    assert tuple(WALKTHROUGHS) == NAMES
    assert len(NAMES) >= 12


@pytest.mark.parametrize("name", NAMES)
def test_the_header_contains_the_title_and_the_lesson_and_the_rules(name):
    head = text_of(name).split("\n// rules: ")[0].splitlines()
    assert all(re.fullmatch(r"// \S.*", line) for line in head)
    assert 2 <= len(head) <= 3
    assert len(head[0]) < 40
    assert isinstance(rules_of(name), Rules)  # exactly one line names the rules
    assert re.fullmatch(r"\d\d-[a-z-]+", name)


@pytest.mark.parametrize("name", NAMES)
def test_the_board_is_valid_and_aligned_and_round_trips_in_both_formats(name):
    board = Map.read(name)
    assert len({len(line) for line in rows_of(name)}) == 1
    for format in "AB":
        assert Map.parse(board.to_text(format)) == board


def test_the_maps_use_both_formats_and_all_presets():
    formats = Counter("B" if re.search("[.BL#]", text) else "A" for text in map("".join, map(rows_of, NAMES)))
    assert formats["A"] >= 5
    assert formats["B"] >= 5
    actors = Counter(rules_of(name).actor for name in NAMES)
    assert set(actors) == {"leap", "walk", "select"}
    assert min(actors.values()) >= 3


def test_the_maps_vary_in_size_and_in_the_strength_of_boxes():
    boards = [bundled(name).grid for name in NAMES]
    assert min(board.shape for board in boards)[0] == 1
    assert any(board.size >= 600 for board in boards)
    assert any(set(range(1, 11)) <= set(np.unique(board).tolist()) for board in boards)


@pytest.mark.parametrize("name", NAMES)
def test_the_walkthrough_clears_the_map(name):
    infos = replay(name)
    assert len(infos) == len(WALKTHROUGHS[name]) + 1
    assert all(info["last_action_valid"] for info in infos[1:])
    assert infos[-1]["outcome"] == "cleared"
    if rules_of(name).actor == "walk":
        assert bundled(name).agent is not None


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_is_shown_in_at_least_one_walkthrough(lesson):
    assert any(lessons_of(name)[lesson] for name in NAMES)


# --- Maps that are designed to punish a mistake


def test_the_map_named_keep_it_moving_can_be_cleared_if_one_box_stops_but_not_if_two_stop():
    moves = WALKTHROUGHS["03-keep-it-moving"]
    one = [*moves[:5], (0, 0, 1), *moves[5:]]  # another action while the first box is moving
    two = [*moves[:3], moves[8], *moves[3:8], *moves[9:]]  # the second box is pushed while the first is moving
    assert play("03-keep-it-moving", one)[-1]["outcome"] == "cleared"
    assert play("03-keep-it-moving", two)[-1]["outcome"] == "exhausted"


def test_pushing_the_long_chain_too_early_loses_the_game_on_the_map_named_burning_pays():
    moves = WALKTHROUGHS["04-burning-pays"]
    assert play("04-burning-pays", moves[12:] + moves[:12])[-1]["outcome"] == "exhausted"
    assert play("04-burning-pays", moves[:6] + moves[12:] + moves[6:12])[-1]["outcome"] == "exhausted"
    assert play("04-burning-pays", moves[:9] + moves[12:] + moves[9:12])[-1]["outcome"] == "cleared"


def test_the_ring_around_a_square_must_be_clear_before_the_barrier_maker_works():
    infos = play("11-the-ring", actions("barrier 2,4 U barrier 6,6 R barrier", 0))
    assert [info["last_action_valid"] for info in infos[1:]] == [False, True, False, True, True]


def test_the_pick_rule_decides_which_square_remains_on_the_map_named_smallest_first():
    for pick, left in (("smallest", (3, (2, 5))), ("oldest", (2, (5, 0)))):
        infos = play("14-smallest-first", actions("barrier"), pick=pick)
        assert infos[-1]["perfect_squares_available"] == [left]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("01-first-push", ["right arrow", "click"]),
        ("09-perfect-square", ["press B, the barrier maker"]),
        ("11-the-ring", ["press B, the barrier maker"]),
        ("12-hellify", ["press H"]),
        ("13-the-big-pit", ["press H"]),
    ],
)
def test_the_description_of_a_lesson_names_the_keys_to_press(name, words):
    assert all(word in bundled(name).about for word in words)
