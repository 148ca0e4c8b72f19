# pyright: basic
"""Tests of labels, features and policy-guided search in Sokoban."""

import numpy as np
import pytest

from shoverworld import sokoban
from shoverworld.core.learning import new_examples
from shoverworld.core.policy import GREEDY, LEVIN, PHS
from shoverworld.games.sokoban.policy.learning import LEARNING

SMALL = """
#######
#  .  #
# $ $ #
#. @  #
#######

######
#    #
# $$ #
# .. #
#  @ #
######

########
#  #   #
# $  $ #
#@ .# .#
########
"""
STEPS = {0: (-1, 0), 1: (1, 0), 2: (0, -1), 3: (0, 1)}


def moved(cell, direction, back=False):
    (row, col), (down, right) = cell, STEPS[direction]
    return (row - down, col - right) if back else (row + down, col + right)


def area(walls, boxes, player):
    seen, todo = {player}, [player]
    for cell in todo:
        for direction in range(4):
            near = moved(cell, direction)
            if not walls[near] and near not in boxes and near not in seen:
                seen.add(near)
                todo.append(near)
    return frozenset(seen)


def pushes_of(walls, boxes, reach):
    for box in boxes:
        for direction in range(4):
            to = moved(box, direction)
            if moved(box, direction, back=True) in reach and not walls[to] and to not in boxes:
                yield box, direction, (boxes - {box}) | {to}


def distances(level):
    """Return the exact number of pushes from every solvable position: a search of all positions, and then back."""
    walls, goals = level.walls, frozenset(map(tuple, np.argwhere(level.targets).tolist()))
    boxes = frozenset(map(tuple, np.argwhere(level.boxes).tolist()))
    start = (boxes, area(walls, boxes, level.players[0]))
    before, todo = {start: []}, [start]
    for position in todo:
        for box, _, after in pushes_of(walls, *position):
            child = (after, area(walls, after, box))
            if child not in before:
                before[child] = []
                todo.append(child)
            before[child].append(position)
    known = {position: 0 for position in before if position[0] == goals}
    queue = list(known)
    for position in queue:
        for parent in before[position]:
            if parent not in known:
                known[parent] = known[position] + 1
                queue.append(parent)
    return known


def labelled(levels, **arguments):
    teacher = LEARNING.teacher(levels)
    table = arguments.pop("table", np.zeros(1 << 10, np.float32))
    return teacher, teacher.label(np.arange(len(levels)), table, arguments.pop("round", 0), 7)


@pytest.mark.parametrize("round", [0, 1])
def test_the_labels_are_exactly_the_optimal_pushes(round):
    levels = sokoban.parse_levels(SMALL)
    teacher, states = labelled(levels, round=round)
    exact = [distances(level) for level in levels]
    width = teacher.batch.width
    assert len(states.level) > (10 if round == 0 else 1)
    for place, row, player, optimal in zip(states.level, states.boxes, states.player, states.optimal, strict=True):
        walls = levels[place].walls
        cells = [(int(cell) // width - 1, int(cell) % width - 1) for cell in row]
        boxes = frozenset(cells)
        reach = area(walls, boxes, (int(player) // width - 1, int(player) % width - 1))
        here = exact[place][boxes, reach]
        best = {
            (box, direction)
            for box, direction, after in pushes_of(walls, boxes, reach)
            if exact[place].get((after, area(walls, after, box))) == here - 1
        }
        assert best == {(cells[i], d) for i in range(len(cells)) for d in range(4) if optimal[i] >> d & 1}


def test_solutions_of_the_search_become_labels(monkeypatch):
    """If the solver gives up at the start, the search with the policy finds a position that the solver can label."""
    levels = sokoban.packaged("easy")[:10]
    teacher = LEARNING.teacher(levels)
    table = np.full(1 << 10, 0.001, np.float32)
    assert len(teacher.label(np.arange(10), table, 0, 7).level) > 50
    monkeypatch.setattr("shoverworld.games.sokoban.policy.teacher._MOST_EXPANSIONS", 8)
    states = teacher.label(np.arange(10), table, 0, 7)
    assert 0 < len(states.level) <= 100
    assert (states.last >= 0).any()


def test_labels_do_not_depend_on_other_levels_in_the_batch():
    levels = sokoban.parse_levels(SMALL)
    _, together = labelled(levels)
    _, alone = labelled(levels[:1])
    count = len(alone.level)
    np.testing.assert_array_equal(together.optimal[:count], alone.optimal)


def features(text, turns=0, mirrored=False):
    """Return the features of each push of a level's first position after turning or mirroring the board, sorted.

    The order of a push's features does not matter: its score is the sum of their weights.
    """
    level = sokoban.parse_levels(text)[0]
    planes = [np.rot90(np.fliplr(p) if mirrored else p, turns) for p in (level.walls, level.targets, level.boxes)]
    player = np.zeros(level.walls.shape, bool)
    player[level.players[0]] = True
    player = np.rot90(np.fliplr(player) if mirrored else player, turns)
    turned = sokoban.Level(*planes, (tuple(np.argwhere(player)[0].tolist()),))
    teacher, states = labelled([turned])
    out = new_examples(LEARNING.features)
    first = np.flatnonzero(states.last < 0)[:1]
    assert teacher.write(states, first, 0, out, 1 << 22) == (1, 1)
    return sorted(sorted(row) for row in out.features[: out.starts[1]].tolist())


def test_the_features_do_not_change_when_the_board_is_turned_or_mirrored():
    text = "#########\n#   #   #\n# $     #\n#@    . #\n#       #\n#########"
    expected = features(text)
    assert len(expected) > 1
    for turns in range(4):
        for mirrored in (False, True):
            assert features(text, turns, mirrored) == expected


@pytest.mark.parametrize(("method", "expansions"), [(LEVIN, 5000), (PHS, 5000)])
def test_the_search_solves_levels_without_any_training(method, expansions):
    levels = sokoban.packaged("tiny")[:20]
    pushes = LEARNING.teacher(levels).solve(np.zeros(1 << 10, np.float32), method, expansions)
    for level, found in zip(levels, pushes.tolist(), strict=True):
        assert found >= sokoban.solve(level).pushes


@pytest.mark.parametrize("method", [GREEDY, LEVIN, PHS])
def test_a_plan_is_played_by_the_rules(method):
    """A policy without training rarely solves a level alone; its walk is still valid and never repeats a position."""
    env = sokoban.make_env("easy", max_steps=10_000)
    env.reset(seed=3)
    plan = LEARNING.plan(env.unwrapped, np.zeros(1 << 10, np.float32), method=method, expansions=20_000, time_limit=60)
    if method != GREEDY:
        assert plan.status == "solved"
        plan.verify(env)
        return
    seen = set()
    for action in plan.actions:
        _, _, _, _, _info = env.step(action)
        assert env.unwrapped.get_state().game["valid"][0]
        if env.unwrapped.get_state().game["pushed"][0]:
            boxes = env.unwrapped.get_state().planes[0, 2].tobytes()
            seen.add((boxes, int(env.unwrapped.get_state().game["player"][0])))
    pushes = sum(action <= 4 for action in plan.actions)
    assert len(seen) == pushes


def test_levels_of_different_sizes_share_a_batch():
    levels = [*sokoban.packaged("tiny")[:3], *sokoban.packaged("medium")[:2]]
    together = LEARNING.teacher(levels).solve(np.zeros(1 << 10, np.float32), PHS, 3000)
    alone = [LEARNING.teacher([level]).solve(np.zeros(1 << 10, np.float32), PHS, 3000)[0] for level in levels]
    assert together.tolist() == alone
