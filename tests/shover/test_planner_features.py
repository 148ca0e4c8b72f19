"""Tests of the features of the heuristic: those computed after each push are compared with those computed from scratch."""

import numpy as np
import pytest

from shoverworld import ShoverWorldEnv
from shoverworld.core.jit import as_record, kernel
from shoverworld.games.shover import rules as rulebook
from shoverworld.games.shover.engine import copy_game
from shoverworld.games.shover.planner.boxes import CELL, COL, ROW, new_boxes
from shoverworld.games.shover.planner.distances import measure_distances
from shoverworld.games.shover.planner.heuristic import (
    EITHER,
    FEATURES,
    GATHER,
    PAIRS,
    THREES,
    Weights,
    features_after_push,
    measure_features,
    prepare_pushes,
)

ALL = Weights(*[1.0] * len(Weights._fields))  # every feature has a weight, so every feature is computed


@kernel
def measure(state, rules, weights, distance, queue, boxes, features):
    measure_distances(state.board[0], state.width, rules[0], distance, queue)
    measure_features(state.board[0], state.width, distance, weights[0], boxes, features)


@kernel
def measure_pushes(state, spare, rules, weights, distance, boxes, features, other_boxes, expected, found):
    """Try every push of a game.

    Store the features computed from scratch in `expected` and the features updated after the push in `found`.
    """
    rules, weights, width, here = rules[0], weights[0], state.width, len(state.game) - 1
    before, after, count = state.board[here], spare.board[here], state.game[here].boxes
    pushes = 0
    for b in range(count):
        prepare_pushes(boxes.each, count, weights, b)
        for direction in range(4):
            copy_game(state, here, spare, here)
            z = rules.z_base + direction
            event = rulebook.step(spare, here, rules, boxes.each[ROW, b], boxes.each[COL, b], z)
            if event.chain > 0 and spare.game[here].boxes == count - event.burnt:
                beyond = boxes.each[CELL, b] + event.chain * rulebook.ahead(direction, width)
                features_after_push(
                    before, after, width, distance, weights, boxes, count, features, b, direction, beyond, event.burnt,
                    found[pushes],
                )  # fmt: skip
                measure_features(after, width, distance, weights, other_boxes, expected[pushes])
                pushes += 1
    return pushes


def measured(env):
    """Return the features of a game, its list of boxes and the distances to lava."""
    state = env.get_state()
    cells, count = state.board.shape[1], int(state.game["boxes"][0])
    boxes, features, distance = (
        new_boxes(count, cells, state.width),
        np.zeros(FEATURES, np.int64),
        np.zeros(cells, np.int32),
    )
    measure(state, as_record(env.rules.numbers()), as_record(ALL), distance, np.zeros(cells, np.int64), boxes, features)
    return features, boxes, distance


def compare_pushes(env):
    """Compare the features after every push of a game and return the number of pushes."""
    features, boxes, distance = measured(env)
    state, count = env.get_state(), boxes.each.shape[1]
    expected, found = np.zeros((2, 4 * count, FEATURES), np.int64)
    other = new_boxes(count, state.board.shape[1], state.width)
    rules, weights = as_record(env.rules.numbers()), as_record(ALL)
    pushes = measure_pushes(state, state.copy(), rules, weights, distance, boxes, features, other, expected, found)
    assert np.array_equal(expected[:pushes], found[:pushes]), f"{state.grid()[0]}"
    return pushes


def push_at_random(rng, env, pushes):
    for _ in range(pushes):
        grid = env.get_state().grid()[0]
        boxes = np.argwhere((grid > 0) & (grid < 100))
        if env.outcome is None and len(boxes):
            row, col = boxes[rng.integers(len(boxes))].tolist()
            env.step((row, col, env.rules.z_base + int(rng.integers(4))))


@pytest.mark.parametrize("preset", ["phase2", "milestone1"])
@pytest.mark.parametrize(("rows", "cols", "boxes"), [(9, 13, 20), (14, 6, 30), (30, 9, 60), (4, 5, 3), (5, 5, 16)])
def test_the_features_after_a_push_equal_those_computed_from_the_new_board(preset, rows, cols, boxes):
    rng, pushes = np.random.default_rng(0), 0
    for seed in range(4):
        env = ShoverWorldEnv(
            rules=preset, n_rows=rows, n_cols=cols, number_of_boxes=boxes, number_of_barriers=3, number_of_lavas=2
        )
        env.reset(seed=seed)
        for _ in range(5):
            if env.outcome is None:
                pushes += compare_pushes(env)
            push_at_random(rng, env, 6)
    assert pushes > 40


def test_the_features_of_a_board_have_the_expected_values():
    """A box can share a 2 x 2 square with three others once the third-nearest of them has come close enough."""
    env = ShoverWorldEnv(rules="milestone1")
    env.reset(options={"map": "BB...\nB..B.\n....A"})
    features = measured(env)[0]
    assert features[PAIRS] == 2  # the box in the corner is part of both pairs
    assert features[THREES] == 1  # the block in the corner lacks one box
    # for each box, the third-nearest other box is 2, 1, 2 and 2 cells too far away; the estimate adds 2 for each box
    assert features[GATHER] == (2 + 1 + 2 + 2) + 4 * 2
    assert features[EITHER] == features[GATHER]  # no box can reach lava
