"""The Sokoban engine is compared with the reference engine, an independent implementation of the rules."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoverworld.core.errors import ResetNeeded
from shoverworld.games.sokoban.config import SokobanReward, SokobanRules
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from tests.oracles.sokoban_twin import OPPOSITE, SokobanTwin, neighbour

# Every variant of the rules, and combinations of the variants.
VARIANTS = {
    "plain": {},
    "four": {"moves": "four"},
    "pull": {"pull": True},
    "fixed": {"fixed_targets": True},
    "two": {"players": 2},
    "two, four": {"players": 2, "moves": "four"},
    "fixed, pull": {"fixed_targets": True, "pull": True},
    "two, fixed, pull": {"players": 2, "fixed_targets": True, "pull": True},
}
SIZES = ((3, 7), (5, 5), (6, 6), (6, 9), (8, 7), (12, 12), (4, 20))
ODD_REWARD = SokobanReward(step=0.25, on_target=3, off_target=-0.5, solved=7)


class PairedGame:
    """One game that is played in both engines. The engines are compared after every step."""

    def __init__(self, rules: SokobanRules, level: Level, observation: str):
        self.env = SokobanEnv(level, rules=rules, observation=observation)
        numbered = rules.fixed_targets and level.fixed
        reward = rules.reward
        self.twin = SokobanTwin(
            walls=map(tuple, np.argwhere(level.walls).tolist()),
            targets=numbers(level.targets, numbered),
            boxes=numbers(level.boxes, numbered),
            players=level.players,
            pull=rules.pull,
            four=rules.moves == "four",
            max_steps=rules.max_steps,
            reward={
                "step": reward.step,
                "on": reward.on_target,
                "off": reward.off_target,
                "solved": reward.solved,
            },
        )
        self.counts = Counter(moves=0, pushes=0, pulls=0)
        obs, info = self.env.reset(seed=0)
        self.still = obs.copy()  # the planes of walls and targets, which never change
        self.still[2:] = 0
        if observation == "planes":
            assert np.array_equal(obs[0] != 0, level.walls)
            assert numbers(obs[1], True) == self.twin.targets
        self.compare(obs)
        assert info["steps"] == 0 and info["outcome"] is None

    def compare(self, obs: np.ndarray) -> None:
        if self.env.observation == "grid":
            assert obs.tolist() == self.twin.grid(*obs.shape)
            return
        expected = self.still.copy()
        for (row, col), number in self.twin.boxes.items():
            expected[2, row, col] = number
        for who, (row, col) in enumerate(self.twin.players):
            expected[3 + who, row, col] = 1
        assert np.array_equal(obs, expected)

    def step(self, action: int, seen: Counter) -> bool:
        """Play the action in both engines; return whether the game is over."""
        before = len(self.twin.boxes_at_home())
        obs, reward, terminated, truncated, info = self.env.step(action)
        twin_reward, twin_terminated, twin_truncated, happened = self.twin.step(action)
        self.compare(obs)
        assert math.isclose(reward, twin_reward, abs_tol=1e-9)
        assert (terminated, truncated) == (twin_terminated, twin_truncated)
        did = happened["did"]
        self.counts["moves"] += did != "nothing"
        self.counts["pushes"] += did == "push"
        self.counts["pulls"] += did == "pull"
        assert {name: info[name] for name in ("moves", "pushes", "pulls")} == self.counts
        assert info["steps"] == self.twin.steps
        assert info["boxes"] == len(self.twin.boxes)
        assert info["boxes_on_target"] == happened["on target"]
        assert info["all_boxes_on_target"] == terminated
        assert (info["last_action_valid"], info["invalid_reason"]) == (happened["valid"], happened["why"])
        assert info["outcome"] == happened["outcome"]
        seen["steps"] += 1
        seen[did] += 1
        seen["invalid"] += not happened["valid"]
        seen[happened["why"]] += 1
        seen["on"] += happened["on target"] > before
        seen["off"] += happened["on target"] < before
        seen[str(happened["outcome"])] += 1
        if terminated or truncated:
            with pytest.raises(ResetNeeded):
                self.env.step(action)
        return terminated or truncated

    def compare_masks(self) -> None:
        valid = self.twin.valid_actions()
        assert set(np.flatnonzero(self.env.action_mask()).tolist()) == valid == set(self.env.valid_actions())
        if self.twin.outcome is None:
            before = self.env.state_hash()
            for action in range(len(self.twin.actions)):
                assert (self.env.explain(action) == "") == (action in valid)
            assert self.env.state_hash() == before

    def at_a_box(self) -> list[int]:
        """Return the actions that would push or pull a box next to a player if nothing blocked the box."""
        return [number for number, action in enumerate(self.twin.actions) if action and self.is_at_a_box(*action)]

    def is_at_a_box(self, player: int, verb: str, direction: str) -> bool:
        side = {"push": direction, "pull": OPPOSITE[direction], "move": direction}[verb]
        return neighbour(self.twin.players[player], side) in self.twin.boxes


def numbers(table: np.ndarray, numbered: bool) -> dict[tuple[int, int], int]:
    """Return the occupied cells with their numbers."""
    return {(row, col): int(table[row, col]) if numbered else 1 for row, col in np.argwhere(table).tolist()}


def random_level(rng: random.Random, players: int, numbered: bool) -> Level:
    rows, cols = rng.choice(SIZES)
    inside = [(row, col) for row in range(1, rows - 1) for col in range(1, cols - 1)]
    rng.shuffle(inside)
    boxes = rng.randint(1, max(1, min(4, (len(inside) - players) // 3)))
    density = rng.choice((0.0, 0.1, 0.3))
    things, rest = inside[: players + boxes], inside[players + boxes :]
    stones = {cell for cell in rest if rng.random() < density}
    floor = [cell for cell in inside if cell not in stones]
    tables = {name: np.zeros((rows, cols), np.uint8) for name in ("walls", "targets", "boxes")}
    tables["walls"][:] = 1
    for cell in floor:
        tables["walls"][cell] = 0
    for number, cell in enumerate(things[players:], 1):
        tables["boxes"][cell] = number if numbered else 1
    homes = []
    for cell in things[players:]:  # half of the targets are near boxes, because random actions rarely move a box far
        free = [place for place in floor if place not in homes]
        near = [place for place in (cell, *(neighbour(cell, direction) for direction in OPPOSITE)) if place in free]
        homes.append(rng.choice(near if near and rng.random() < 0.5 else free))
    for number, cell in enumerate(homes, 1):
        tables["targets"][cell] = number if numbered else 1
    return Level(**tables, players=tuple(things[:players]))


def random_game(rng: random.Random, variant: str) -> PairedGame:
    rules = SokobanRules().change(
        **VARIANTS[variant],
        max_steps=rng.choice((1, 20, 40, 100)),
        reward=rng.choice((SokobanReward(), SokobanReward(), ODD_REWARD)),
    )
    numbered = rules.fixed_targets or rng.random() < 0.2  # without fixed targets the numbers have no effect
    level = random_level(rng, rules.players, numbered)
    return PairedGame(rules, level, rng.choice(("planes", "planes", "planes", "grid")))


# --- 1. Small games that Hypothesis can shrink.


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 10**6), st.lists(st.integers(0, 24), max_size=40))
def test_the_engine_and_the_reference_engine_agree_on_small_games(variant, board, choices):
    both = random_game(random.Random(board), variant)
    for choice in choices:
        if both.step(choice % len(both.twin.actions), Counter()):
            break
    both.compare_masks()


# --- 2. More than 100,000 seeded steps.

STEPS_EACH = 13_000


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_engine_and_the_reference_engine_agree_over_many_steps(variant):
    """Each of the eight parts has 13,000 steps, which makes 104,000 steps in total."""
    rng = random.Random(variant)
    seen = Counter()
    while seen["steps"] < STEPS_EACH:
        both = random_game(rng, variant)
        eager = rng.choice((0.0, 0.5, 0.9))
        over = False
        while not over:
            boxes = both.at_a_box() if rng.random() < eager else []
            over = both.step(rng.choice(boxes or range(len(both.twin.actions))), seen)
            if seen["steps"] % 25 == 0:
                both.compare_masks()
                seen["masks"] += 1
    # every kind of event occurred often enough
    for happening in ("move", "push", "invalid", "on", "off", "solved", "timeout", "masks"):
        assert seen[happening] > 10, f"{happening}: {seen}"
    assert (seen["pull"] > 10) == ("pull" in variant)
    for reason in ("wall", "wall_beyond", "box_beyond", *(("player", "player_beyond") if "two" in variant else ())):
        assert seen[reason] > 10, f"{reason}: {seen}"
