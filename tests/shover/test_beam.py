# pyright: basic
"""Tests of how a search goes from one layer to the next."""

import random

import numpy as np
import pytest

from shoverworld.core.jit import kernel
from shoverworld.games.shover.env import ShoverWorldEnv
from shoverworld.games.shover.generate import random_map
from shoverworld.games.shover.planner.beam import (
    LIMITS,
    PROGRESS,
    Beam,
    Paths,
    follow,
    keep_best,
    new_children,
    new_layer,
    next_layer,
)
from shoverworld.games.shover.planner.expansion import STEPS
from shoverworld.games.shover.planner.heuristic import FOR_STEPS
from shoverworld.games.shover.planner.searcher import Searcher


@kernel
def keep(beam, most):
    keep_best(beam, most)


@kernel
def end_layer(beam, width):
    next_layer(beam, width)


@kernel
def plan(beam, moves):
    return follow(beam, moves)


def new_beam(children: int, nodes: int, costs: bool = True) -> Beam:
    layers = [new_layer(1, 3, 3, 4) for _ in range(2)]
    paths = Paths(np.zeros(nodes, np.int32), np.zeros(nodes, np.int32))
    scratch, cost = np.empty(children), np.empty(children * costs)
    return Beam(
        *layers, new_children(children, costs), paths, scratch, cost, np.zeros(1, PROGRESS), np.zeros(1, LIMITS)
    )


def fill(beam: Beam, scores: list[float]) -> None:
    """Make children whose parents, moves and costs identify them."""
    count = len(scores)
    beam.children.score[:count] = scores
    beam.children.parent[:count] = 100 + np.arange(count)
    beam.children.move[:count] = 10_000 + np.arange(count)
    beam.children.cost[:count] = 0.5 + np.arange(min(count, len(beam.children.cost)))
    beam.progress["children"] = count


@pytest.mark.parametrize("costs", [False, True])
def test_the_best_children_are_kept_in_their_order_and_ties_go_to_the_first(costs):
    rng = random.Random(1)
    for _ in range(500):
        count = rng.choice((1, 2, 3, 10, 100, 300))
        kinds = rng.choice((1, 2, 5, 10**6))
        scores = [rng.randrange(kinds) / 4 - 1 for _ in range(count)]
        if rng.random() < 0.3:
            scores.sort(reverse=rng.random() < 0.5)
        most = rng.randint(1, count)
        expected = sorted(sorted(range(count), key=lambda c: (scores[c], c))[:most])
        beam = new_beam(300, 1, costs)
        fill(beam, scores)
        keep(beam, most)
        assert beam.progress["children"][0] == most
        assert beam.progress["complete"][0] == 0
        assert beam.children.score[:most].tolist() == [scores[c] for c in expected]
        assert beam.children.parent[:most].tolist() == [100 + c for c in expected]
        assert beam.children.move[:most].tolist() == [10_000 + c for c in expected]
        assert beam.children.cost[: most * costs].tolist() == [0.5 + c for c in expected] * costs


def test_a_plan_is_followed_through_the_layers():
    """Layers of random sizes with random parents; the plan ends after a move in a random game of the last layer."""
    rng = random.Random(2)
    for _ in range(50):
        beam = new_beam(100, 2000)
        beam.paths.move[0] = -1  # STAY
        beam.progress["games"], beam.progress["first"], beam.progress["found"] = 1, 1, -1
        beam.limits["best_parent"] = -1
        plans = [[]]  # the moves to each game of the layer
        for layer in range(rng.randint(0, 12)):
            count, width = rng.randint(1, 60), rng.randint(1, 30)
            parents = [rng.randrange(len(plans)) for _ in range(count)]
            scores = [rng.randrange(8) for _ in range(count)]
            fill(beam, scores)
            beam.children.parent[:count] = parents
            kept = sorted(sorted(range(count), key=lambda c: (scores[c], c))[:width])
            plans = [[*plans[parents[c]], 10_000 + c] for c in kept]
            end_layer(beam, width)
            assert beam.progress["games"][0] == len(kept)
            assert beam.progress["layer"][0] == layer + 1
            beam.progress["first"] = beam.progress["games"]
        assert plan(beam, np.zeros(20, np.int64)) == -1
        chosen = rng.randrange(len(plans))
        beam.limits["best_parent"], beam.limits["best_move"] = chosen, 7
        beam.progress["children"] = 0
        end_layer(beam, 1)
        moves = np.zeros(20, np.int64)
        assert moves[: plan(beam, moves)].tolist() == [*plans[chosen], 7]
        assert plan(beam, np.zeros(len(plans[chosen]), np.int64)) == -1  # no room
        assert beam.progress["games"][0] == 0


def test_a_search_ends_when_it_has_no_room_for_more_nodes():
    beam = new_beam(100, 40)
    beam.progress["games"] = beam.progress["first"] = 1
    beam.limits["best_parent"] = -1
    for count, games in ((30, 30), (9, 9), (1, 0)):
        fill(beam, [0.0] * count)
        beam.children.parent[:count] = 0
        beam.progress["complete"] = 1
        end_layer(beam, 100)
        assert (beam.progress["games"][0], beam.progress["complete"][0]) == (games, games > 0)
        beam.progress["first"] = beam.progress["games"]


@pytest.mark.parametrize("preset", ["phase2", "walker"])
def test_a_search_that_is_often_interrupted_gives_the_same_result(preset, monkeypatch):
    """The search continues where it stopped, even in the middle of a game. The table grows at other times, however."""
    start = ShoverWorldEnv(rules=preset)
    start.reset(options={"map": random_map(3, rules=preset, number_of_boxes=8)})
    results = []
    for chunk in (7, 1 << 12):
        monkeypatch.setattr("shoverworld.games.shover.planner.searcher._CHUNK", chunk)
        searcher = Searcher(start.get_state(), start.rules.numbers(), 32 << 20)
        searcher.table = np.zeros(1 << 16, searcher.table.dtype)
        found = searcher.search(searcher.start, 20, STEPS, 400, -np.inf, FOR_STEPS[0], False, lambda: False).found
        plan = None if found is None else (found.moves.tolist(), found.steps, found.stamina)
        results.append((plan, searcher.expanded, searcher.tried))
    assert results[0][0] is not None or preset == "walker"
    assert results[0][2] > 1000
    assert results[0] == results[1]
