"""What the search with a packing plan knows: start cells, later steps of the plan, boxes in the way to the next target."""

from itertools import permutations

import numpy as np

from shoverworld.core.jit import kernel
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.solver.features import (
    AREAS,
    HOT,
    OUT_OF_PLAN,
    PACKED,
    REACH,
    ROOMS,
    VALUES,
    FeatureTables,
    measure_move,
    measure_position,
    new_position_features,
    unserved_steps,
)
from shoverworld.games.sokoban.solver.fess import move_box
from shoverworld.games.sokoban.solver.freeze import BOX, EMPTY, WALL
from shoverworld.games.sokoban.solver.layout import build_layout
from shoverworld.games.sokoban.solver.macro import MOVES, add_box_moves, new_macro_workspace
from shoverworld.games.sokoban.solver.opener import find_path, new_parking_path
from shoverworld.games.sokoban.solver.packing import goal_features, plan_features
from shoverworld.games.sokoban.solver.tables import in_order

from .solver_boards import DeadlockTests, random_board, two_rooms

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Planned:
    """A level with a plan: the targets are filled in the order of the letters a, b, c. The board shows the boxes."""

    def __init__(self, drawing: str, order: str = ""):
        target = drawing
        for letter in order:
            target = target.replace(letter, ".")
        level = Level.parse(target)
        self.tests = DeadlockTests(target)
        self.tables, self.boxes, self.player = self.tests.tables, self.tests.boxes, self.tests.player
        goals = in_order(np.pad(level.targets, 1).reshape(-1))
        self.layout, reach = build_layout(self.tables, self.boxes, self.player, goals)
        rows = drawing.strip().split("\n")
        places = {letter: self.tests.cell((r, c)) for r, row in enumerate(rows) for c, letter in enumerate(row)}
        filled = [places[letter] for letter in order]
        steps = [np.array(filled[:i], np.int64) for i in range(len(filled) + 1)]
        self.features = plan_features(self.layout, self.tables, reach, steps)
        self.board = np.where(self.tables.wall, WALL, EMPTY).astype(np.uint8)
        self.board[self.boxes] = BOX

    def blockers(self) -> tuple[int, set[int]]:
        path = new_parking_path(self.tables)
        count = run_find_path(self.tables, self.features, self.board, 0, self.player, path)
        return count, set(np.flatnonzero(path.blocks).tolist())

    def unserved(self, boxes: np.ndarray) -> int:
        return run_unserved_steps(self.features, boxes, 0, new_position_features(self.features))


@kernel
def run_find_path(tables, features, board, packed, player, path):
    return find_path(tables, features, board, packed, player, path)


@kernel
def run_unserved_steps(features, cells, packed, position):
    return unserved_steps(features, cells, packed, position)


def test_nothing_blocks_an_open_way():
    assert Planned("########\n#@ $  a#\n########", "a").blockers() == (1, set())  # only the pushed box itself
    assert Planned("#######\n#@  $a#\n# ### #\n#######", "a").blockers() == (0, set())


def test_the_player_needs_the_cell_behind_the_box():
    level = Planned("##########\n#@ $ $ ab#\n##########", "ab")
    assert level.blockers() == (2, {level.tests.cell((1, 3))})


def test_a_box_between_the_player_and_the_push_blocks_the_way():
    """The lower box must be pushed from its left, and the upper box stands where the player walks."""
    level = Planned("##########\n#@########\n#$########\n#  $    a#\n# .#######\n##########", "a")
    count, blocks = level.blockers()
    assert (count, blocks) == (2, {level.tests.cell((2, 1))})


def lone_box_reaches(level: Planned, start: int) -> set[int]:
    """Return the cells that a lone box reaches from `start`, with the player on any side, by trying single steps."""
    wall, width = level.tables.wall, level.tables.width
    ways = (-width, width, -1, 1)
    seen = {(start, start + way) for way in ways if not wall[start + way]}
    queue = list(seen)
    for box, player in queue:
        for way in ways:
            to = player + way
            after = (box + way, to) if to == box else (box, to)
            if not wall[to] and not wall[after[0]] and after not in seen:
                seen.add(after)
                queue.append(after)
    return {box for box, _ in seen} | {start}


def test_the_start_cells_of_a_box_agree_with_single_steps():
    for seed in range(60):
        level = Planned(random_board(seed))
        starts = level.layout.sink.starts
        ways = [lone_box_reaches(level, int(box)) for box in level.boxes]
        for cell in level.layout.floor:
            expected = {i for i, reached in enumerate(ways) if int(cell) in reached}
            assert {i for i in range(len(ways)) if int(starts[cell]) >> i & 1} == expected, random_board(seed)
        sinks = level.layout.sink.of_cell
        for number in set(sinks.tolist()) - {0}:
            members = {i for i in range(len(ways)) if int(starts[number]) >> i & 1}
            first = [i for i in members if all(int(level.boxes[j]) in ways[i] for j in members)]
            assert any(all(int(level.boxes[i]) in ways[j] for j in members) for i in first)


def test_a_sink_has_room_only_for_its_own_boxes():
    """No box can pass the bend between the two rooms, so the boxes have different sinks."""
    level = Planned("############\n# . ###    #\n# $ #   $. #\n# @   #    #\n############")
    room, other = level.tests.cell((2, 2)), level.tests.cell((2, 8))
    sink = level.layout.sink
    assert sink.of_cell[room] != sink.of_cell[other]
    assert [bin(int(sink.starts[sink.of_cell[cell]])).count("1") for cell in (room, other)] == [1, 1]


def test_unserved_steps_agree_with_all_assignments():
    rng = np.random.default_rng(7)
    for _ in range(200):
        boxes, steps = int(rng.integers(1, 6)), int(rng.integers(1, 6))
        serves = rng.integers(0, 1 << steps, boxes + 1).astype(np.uint64)
        later = np.array([(1 << steps) - 1], np.uint64)
        nothing, no_sides = np.zeros((1, boxes + 1), bool), np.zeros((1, 1, 4), np.int8)
        zeros = np.zeros(boxes + 1, np.int16)
        features = FeatureTables(
            np.arange(boxes + 1), zeros, nothing, nothing[0], serves, no_sides, later, zeros, serves, nothing[0], nothing[0], np.zeros((1, 1), np.int16)
        )  # fmt: skip
        cells = np.arange(1, boxes + 1)
        longer = [*range(boxes), *[boxes] * steps]  # a step may stay without a box
        most = max(
            sum(box < boxes and int(serves[1 + box]) >> step & 1 for step, box in enumerate(chosen))
            for chosen in permutations(longer, steps)
        )
        assert run_unserved_steps(features, cells, 0, new_position_features(features)) == steps - most


def test_a_box_that_passed_its_target_leaves_a_step_unserved():
    level = Planned("#########\n#@ $ a  #\n# ##### #\n#  $ b  #\n#########", "ab")
    assert level.unserved(level.boxes) == 0
    assert level.unserved(np.array([level.tests.cell((1, 7)), level.boxes[1]])) == 1


@kernel
def measure_all_moves(tables, features, board, cells, player, planned, macro, position, ordered, values):
    """Write the features after each move into `values`, computed from the features before it."""
    measure_position(tables, features, board, cells, player, planned, macro, position)
    macro.numbers[MOVES] = 0
    for cell in cells:
        add_box_moves(tables, features.dead, board, cell, macro.area[player], False, macro)
    for move in range(macro.numbers[MOVES]):
        source, to = np.int64(macro.source[move]), np.int64(macro.to[move])
        move_box(cells, ordered, source, to)
        measure_move(features, ordered, source, to, planned, position, values[move])
        values[move, AREAS], values[move, REACH] = macro.areas[move], macro.reach[move]


def test_the_features_after_a_move_agree_with_those_of_the_new_position():
    compared = [PACKED, AREAS, OUT_OF_PLAN, ROOMS, REACH, HOT]
    varied: set[tuple[int, int]] = set()
    for seed in range(60):
        drawing = two_rooms(seed) if seed % 2 else random_board(seed)
        tests, planned = DeadlockTests(drawing), seed % 3 > 0
        tables, goals = tests.tables, np.random.default_rng(seed).permutation(np.flatnonzero(tests.tables.target))
        layout, reach = build_layout(tables, tests.boxes, tests.player, np.sort(goals))
        features = goal_features(layout, tables, goals, tables.dead)
        if planned:
            features = plan_features(layout, tables, reach, [goals[:count] for count in range(len(goals) + 1)])
        board, macro = tests.board(tests.boxes), new_macro_workspace(tables, len(goals))
        values, unused = np.zeros((2, len(macro.to), VALUES), np.int64)
        position = new_position_features(features)
        measure_all_moves(
            tables, features, board, tests.boxes, tests.player, planned, macro, position, tests.boxes.copy(), values
        )
        count, before = int(macro.numbers[MOVES]), position.values.copy()
        moves = list(zip(*(column[:count].tolist() for column in (macro.source, macro.to, macro.player)), strict=True))
        for (source, to, player), found in zip(moves, values, strict=False):
            boxes = np.sort(np.where(tests.boxes == source, to, tests.boxes))
            measure_all_moves(
                tables, features, tests.board(boxes), boxes, player, planned, macro, position, boxes.copy(), unused
            )
            assert found[compared].tolist() == position.values[compared].tolist(), f"{source} to {to} in\n{drawing}"
            varied |= {(i, int(found[i] - before[i])) for i in compared}
    assert all(len([change for i, change in varied if i == value]) > 1 for value in compared)
