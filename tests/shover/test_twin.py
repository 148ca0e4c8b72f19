"""The engine is compared with the reference engine, an independent implementation of the rules."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoverworld import Map, Reward, Rules, ShoverWorldEnv
from tests.oracles.shover_twin import ShoverTwin

PRESETS = ("milestone1", "walker", "phase2")
CELLS = (0, 0, 0, 10, 10, 3, 100, -100)


def make_both(rules: Rules, grid, agent):
    env = ShoverWorldEnv(rules=rules)
    obs, info = env.reset(options={"map": Map(np.array(grid), agent)})
    reward = rules.reward
    twin = ShoverTwin(rules, reward, grid, agent)
    same(obs, twin.observation(), info, twin.info())
    return env, twin


def same(obs, twin_obs, info, twin_info):
    assert obs["grid"].tolist() == twin_obs["grid"]
    assert tuple(obs["agent"]) == twin_obs["agent"]
    assert int(obs["direction"]) == twin_obs["direction"]
    assert math.isclose(obs["stamina"].item(), twin_obs["stamina"], abs_tol=1e-9)
    assert tuple(obs["previous_selected_position"]) == twin_obs["previous_selected_position"]
    assert obs["previous_action"].item() == twin_obs["previous_action"]
    assert math.isclose(info["stamina"], twin_info["stamina"], abs_tol=1e-9)
    assert {**info, "stamina": 0} == {**twin_info, "stamina": 0}


def play_both(env, twin, actions, seen: Counter):
    """Play the same actions on both engines and compare everything after each action."""
    for row, col, z in actions:
        obs, reward, terminated, truncated, info = env.step((row, col, z))
        twin_obs, twin_reward, twin_terminated, twin_truncated, twin_info = twin.step(row, col, z)
        same(obs, twin_obs, info, twin_info)
        assert math.isclose(reward, twin_reward, abs_tol=1e-9)
        assert (terminated, truncated) == (twin_terminated, twin_truncated)
        seen["steps"] += 1
        seen["valid"] += info["last_action_valid"]
        seen[info["invalid_reason"]] += 1
        seen["burnt"] += info["lava_destroyed_this_step"]
        seen["uncharged"] += info["chain_length"] > 0 and not info["initial_force_charged"]
        seen["long chains"] += info["chain_length"] > 2
        seen["squares"] += len(info["perfect_squares_available"])
        seen["large squares"] += any(n > 2 for n, _ in info["perfect_squares_available"])
        seen["barriers made"] += twin.barrier_cells > 0
        seen["hellified"] += twin.hellified_cells > 0
        seen["old squares"] += any(age > 5 for age in info["square_ages"])
        seen[str(info["outcome"])] += 1
        if terminated or truncated:
            return
        if seen["steps"] % 50 == 0:
            compare_masks(env, twin)
            seen["masks"] += 1


def compare_masks(env, twin):
    mask = env.action_mask().reshape(*env.action_space.nvec)
    valid = {(int(row), int(col), int(z) + env.rules.first_z) for row, col, z in np.argwhere(mask)}
    assert valid == twin.valid_actions()
    listed, first_special = env.valid_actions(), env.rules.z_base + 4
    ignored = {z for *_, z in valid if env.rules.actor == "walk" or not env.rules.z_base <= z < first_special}
    here = tuple(int(part) for part in env.observe()[0]["agent"])
    assert set(listed) == {action for action in valid if action[2] not in ignored or action[:2] == here}
    assert {z for *_, z in listed} == {z for *_, z in valid} and len(set(listed)) == len(listed)
    for row, col, z in random.Random(twin.timestep).sample(sorted(twin.all_actions()), 6):
        before = env.state_hash()
        assert (env.explain((row, col, z)) == "") == ((row, col, z) in valid)
        assert env.state_hash() == before


def plant_square(grid, n, row, col):
    """Put a block of n x n boxes on the grid and clear the cells around the block."""
    for r in range(row - 1, row + n + 1):
        for c in range(col - 1, col + n + 1):
            if 0 <= r < len(grid) and 0 <= c < len(grid[0]):
                grid[r][c] = 10 if row <= r < row + n and col <= c < col + n else 0


# --- 1. Small boards: Hypothesis draws the rules, the board and the actions, and shrinks failures.


@st.composite
def rules_drawn(draw) -> Rules:
    preset = draw(st.sampled_from(PRESETS))
    odd = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "actor": st.sampled_from(("leap", "walk", "select")),
                "edge": st.sampled_from(("wall", "lava")),
                "stationary": st.sampled_from(("contact", "front", "last_push")),
                "pick": st.sampled_from(("oldest", "smallest")),
                "order": st.sampled_from(("action_first", "squares_first")),
                "hellify": st.sampled_from(("interior", "whole")),
                "perf_sq_initial_age": st.integers(0, 12),
                "max_timestep": st.integers(1, 60),
                "initial_stamina": st.sampled_from((1.0, 60.5, 300.0, 1e6)),
                "initial_force": st.sampled_from((0.0, 0.5, 5.0, 40.0)),
                "unit_force": st.sampled_from((0.0, 0.25, 2.0, 10.0)),
                "step_cost": st.sampled_from((0.0, 0.125, 1.0)),
                "push_pays_step_cost": st.booleans(),
                "barrier_stamina": st.sampled_from((0.0, 1.0, 10.0)),
                "reward": st.sampled_from(
                    (Reward(), Reward(lava=1.5, barrier=0.5, hellify=0.25, push_cost=0.5, invalid=-2))
                ),
            },
        )
    )
    return Rules.preset(preset, **odd)


@st.composite
def boards_drawn(draw):
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(2, 7))
    grid = [draw(st.lists(st.sampled_from(CELLS), min_size=cols, max_size=cols)) for _ in range(rows)]
    if draw(st.booleans()) and min(rows, cols) >= 2:
        n = draw(st.integers(2, min(rows, cols, 4)))
        plant_square(grid, n, draw(st.integers(0, rows - n)), draw(st.integers(0, cols - n)))
    agent = draw(st.integers(0, rows - 1)), draw(st.integers(0, cols - 1))
    grid[agent[0]][agent[1]] = 0
    return grid, agent


@settings(max_examples=1200, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules_drawn(), boards_drawn(), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 7)), max_size=40))
def test_the_engine_and_the_reference_engine_agree_on_small_boards(rules, board, choices):
    grid, agent = board
    env, twin = make_both(rules, grid, agent)
    play_both(env, twin, (aimed(twin, rules, pick, z) for pick, z in choices), Counter())


def aimed(twin, rules, pick, z):
    """Return the action that two numbers encode, usually at the position of a box."""
    boxes = [(r, c) for r, row in enumerate(twin.grid) for c, value in enumerate(row) if 0 < value < 100]
    if boxes and pick % 4:
        row, col = boxes[pick % len(boxes)]
    else:
        row, col = divmod(pick % (twin.rows * twin.cols), twin.cols)
    return row, col, rules.first_z + z % rules.z_count


# --- 2. More than 200,000 steps from fixed seeds on boards up to 20 x 20, with planted squares and unusual parameters.


def random_rules(rng: random.Random, preset: str) -> Rules:
    changes = {
        "perf_sq_initial_age": rng.choice((0, 1, 2, 5, 10, 20)),
        "initial_stamina": rng.choice((200.0, 5000.0, 1e6)),
        "max_timestep": rng.choice((50, 400)),
    }
    if rng.random() < 0.5:
        changes |= {
            "stationary": rng.choice(("contact", "front", "last_push")),
            "pick": rng.choice(("oldest", "smallest")),
            "order": rng.choice(("action_first", "squares_first")),
            "hellify": rng.choice(("interior", "whole")),
            "edge": rng.choice(("wall", "lava")),
            "initial_force": rng.choice((0.0, 3.5, 40.0)),
        }
    return Rules.preset(preset, **changes)


def random_board(rng: random.Random):
    rows, cols = rng.choice(((1, 2), (2, 2), (3, 4), (5, 5), (6, 9), (9, 13), (20, 20)))
    density = rng.uniform(0.02, 0.5)
    grid = [
        [rng.choice((1, 10, 10, 10, 100, -100)) if rng.random() < density else 0 for _ in range(cols)]
        for _ in range(rows)
    ]
    for _ in range(rng.randint(0, 1 + rows * cols // 20)):
        n = rng.randint(2, 4)
        if n <= min(rows, cols):
            plant_square(grid, n, rng.randint(0, rows - n), rng.randint(0, cols - n))
    agent = rng.randrange(rows), rng.randrange(cols)
    grid[agent[0]][agent[1]] = 0
    return grid, agent


def random_actions(rng: random.Random, twin, rules):
    """Yield box pushes, specials on squares, and some random actions."""
    eager = rng.choice((0.02, 0.1, 0.3))  # the probability of using a square; some squares are left to age
    while True:
        if rng.random() < (eager if twin.ages else 0.02):
            yield rng.randrange(twin.rows), rng.randrange(twin.cols), rules.z_base + rng.choice((4, 5))
        elif rules.actor != "walk" and twin.moved and rng.random() < 0.3:
            (row, col), direction = rng.choice(sorted(twin.moved.items()))
            yield row, col, rules.z_base + direction
        else:
            yield aimed(twin, rules, rng.randrange(1000), rng.randrange(rules.z_count))


STEPS_EACH = 27_000


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("part", range(3))
def test_the_engine_and_the_reference_engine_agree_over_many_steps(preset, part):
    """The nine parts of this test play 27,000 steps each, 243,000 in total."""
    rng = random.Random(f"{preset} {part}")
    seen = Counter()
    while seen["steps"] < STEPS_EACH:
        rules = random_rules(rng, preset)
        env, twin = make_both(rules, *random_board(rng))
        play_both(env, twin, random_actions(rng, twin, rules), seen)
    # every kind of event occurred often enough
    for happening in (
        "valid",
        "burnt",
        "uncharged",
        "long chains",
        "squares",
        "large squares",
        "barriers made",
        "hellified",
        "old squares",
    ):
        assert seen[happening] > 10, f"{happening}: {seen}"
    here = {"milestone1": ("barrier", "lava"), "walker": ("barrier", "lava", "off_map"), "phase2": ("no_box",)}[preset]
    for reason in (*here, "barrier_beyond", "edge_beyond", "no_square", "no_large_square", "square_dissolved"):
        assert seen[reason], f"{reason}: {seen}"
    assert seen["cleared"] and seen["exhausted"] and seen["timeout"] and seen["masks"] > 100
