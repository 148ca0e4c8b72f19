"""Generated rooms, packaged rooms, and `shover generate sokoban`."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError, UnsolvableError
from shoverworld.core.grid import seed_rng
from shoverworld.core.results import new_results
from shoverworld.games.sokoban import level_sets, rooms
from shoverworld.games.sokoban.areas import words_for
from shoverworld.games.sokoban.config import SokobanRules
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.formats import read_levels
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.lurd import STEPS
from shoverworld.games.sokoban.lurd_replay import check
from shoverworld.games.sokoban.room_workspace import MAX_POSITIONS, SLOTS, SLOTS_EACH, slots_for
from shoverworld.games.sokoban.rooms import RoomGenerator, generate_room, room_numbers
from shoverworld.games.sokoban.solver import solve
from shoverworld.games.sokoban.state import new_state
from shoverworld.games.sokoban.vector import SokobanVectorEnv
from tests.commands import run_shover

ACTIONS = " UDLRudlr"


def played(level, solution, **keywords):
    """Play the solution to a room in the environment.

    Return whether the last step, and no earlier one, solved the room; the sequence of pushed boxes; and the first and
    last cell of each box.
    """
    env = SokobanEnv(levels=level, max_steps=10**6, players=len(level.players), fixed_targets=level.fixed, **keywords)
    env.reset()
    began = {tuple(cell): tuple(cell) for cell in np.argwhere(level.boxes).tolist()}
    row, col = level.players[0]
    runs, solved = [], []
    for letter in solution:
        down, right = STEPS[letter.lower()]
        row, col = row + down, col + right
        if letter.isupper():
            box = began.pop((row, col))
            began[row + down, col + right] = box
            runs += [box] if not runs or runs[-1] != box else []
        _, _, terminated, _, info = env.step(ACTIONS.index(letter))
        assert info["last_action_valid"]
        solved.append(terminated)
    return solved == [False] * (len(solution) - 1) + [True], runs, began


def score_of(runs, began):
    """Compute the score according to the rules: box swaps (the first box counts) x displacement."""
    return len(runs) * sum(abs(r - row) + abs(c - col) for (r, c), (row, col) in began.items())


KINDS = {
    "small": ({"dim_room": (7, 7), "num_boxes": 2}, 300),
    "small-v1": ({"dim_room": (7, 7), "num_boxes": 3}, 150),
    "v0": ({}, 100),
    "v2": ({"num_boxes": 5}, 20),
    "large": ({"dim_room": (13, 11)}, 40),
    "huge": ({"dim_room": (13, 13), "num_boxes": 5}, 10),
    "one box": ({"dim_room": (6, 6), "num_boxes": 1}, 50),
    "crowded": ({"dim_room": (8, 8), "num_boxes": 8}, 10),
    "corridor": ({"dim_room": (3, 11), "num_boxes": 2}, 20),
    "wide": ({"dim_room": (5, 24), "num_boxes": 3}, 10),
    "fixed": ({"dim_room": (7, 7), "num_boxes": 3, "fixed_targets": True}, 150),
    "two": ({"dim_room": (7, 7), "num_boxes": 2, "players": 2}, 150),
    "two, fixed": ({"num_boxes": 3, "players": 2, "fixed_targets": True}, 30),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_room_is_valid_and_solved_by_its_solution(kind):
    keywords, count = KINDS[kind]
    rules = SokobanRules().change(**keywords)
    generator = RoomGenerator(room_numbers(rules))
    for seed in range(count):
        room = generator.generate(seed)
        level = room.level
        assert (level.rows, level.cols) == rules.dim_room
        for side in (level.walls[0], level.walls[-1], level.walls[:, 0], level.walls[:, -1]):
            assert side.all()
        assert level.box_count == rules.num_boxes and len(level.players) == rules.players
        assert not (level.boxes.astype(bool) & level.targets.astype(bool)).any()
        if rules.fixed_targets:
            assert sorted(level.boxes[level.boxes > 0].tolist()) == list(range(1, rules.num_boxes + 1))
        solved, runs, began = played(level, room.solution)
        assert solved
        assert room.score == score_of(runs, began) > 0
        assert room.pushes == sum(map(str.isupper, room.solution))
        if rules.fixed_targets:  # each box is on the target with the same number
            assert all(level.boxes[box] == level.targets[target] for target, box in began.items())


def test_the_floor_is_connected():
    for seed in range(50):
        floor = ~generate_room(seed, dim_room=(9, 12)).level.walls
        reached = np.zeros_like(floor)
        reached[tuple(np.argwhere(floor)[0])] = True
        while True:
            grown = reached.copy()
            grown[1:] |= reached[:-1]
            grown[:-1] |= reached[1:]
            grown[:, 1:] |= reached[:, :-1]
            grown[:, :-1] |= reached[:, 1:]
            grown &= floor
            if (grown == reached).all():
                break
            reached = grown
        assert (reached == floor).all()


def test_the_solution_is_nearly_optimal():
    """Reverse play is breadth-first, so fewer pushes are possible only if the player starts on a different cell."""
    longer = []
    for seed in range(60):
        room = generate_room(seed, dim_room=(7, 7), num_boxes=2)
        plan = solve(room.level, "pushes")
        assert plan.proved_optimal and plan.pushes <= room.pushes
        longer.append(room.pushes - plan.pushes)
    assert sum(longer) <= 6


def test_the_search_places_the_box_as_far_from_its_target_as_possible():
    """The room is a corridor with one box."""
    for seed in range(30):
        level = generate_room(seed, dim_room=(3, 12), num_boxes=1).level
        floor = np.flatnonzero(~level.walls[1])
        (target,), (box,) = np.flatnonzero(level.targets[1]), np.flatnonzero(level.boxes[1])
        # The player needs one cell behind the box.
        ends = {floor[0] + 1, floor[-1] - 1}
        assert box in ends and box != target


# ---------------------------------------------------------------- reproducibility


def test_the_same_seed_gives_the_same_room():
    keywords = {"dim_room": (8, 9), "num_boxes": 3}
    single, batch = SokobanEnv(**keywords), SokobanVectorEnv(num_envs=6, num_threads=2, **keywords)
    batch.reset(seed=40)
    for i in range(6):
        room = generate_room(40 + i, **keywords)
        _, info = single.reset(seed=40 + i)
        assert single.level == room.level and info["solution"] == room.solution
        assert (batch.get_state().rooms()[i] == single.get_state().rooms()[0]).all()
    assert generate_room(1, **keywords).level != generate_room(2, **keywords).level


def test_a_reused_workspace_gives_the_same_rooms_as_a_new_one():
    rules = SokobanRules(dim_room=(7, 7), num_boxes=2)
    generator = RoomGenerator(room_numbers(rules))
    rooms_of_one_generator = [generator.generate(seed) for seed in range(20)]
    for seed, room in reversed(list(enumerate(rooms_of_one_generator))):
        assert generate_room(seed, rules).level == room.level


def test_every_game_in_a_batch_advances_its_own_random_generator():
    """The second room of a game differs from its first room, and the other games do not change."""
    numbers = room_numbers(SokobanRules(dim_room=(7, 7), num_boxes=2))
    workspace, state, results = rooms.new_workspace(numbers), new_state(3, 7, 7), new_results(3)
    for i in range(3):
        seed_rng(state.game[i], 7)
    assert rooms.draw_rows(0, 3, state, numbers, np.array([True, True, False]), workspace, results) == 0
    assert (state.planes[0] == state.planes[1]).all() and not state.planes[2].any()
    before = state.planes[0].copy()
    rooms.draw_rows(0, 1, state, numbers, np.ones(3, np.bool_), workspace, results)
    assert (state.planes[0] != before).any() and (state.planes[1] == before).all()


def test_plain_python_generates_the_same_rooms():
    script = """
from shoverworld.games.sokoban.rooms import generate_room
for keywords in ({"num_boxes": 2}, {"num_boxes": 2, "players": 2}, {"num_boxes": 3, "fixed_targets": True}):
    for seed in range(3):
        room = generate_room(seed, dim_room=(7, 7), **keywords)
        print(room.level, room.level.boxes.tolist(), room.solution, room.score)
"""
    output = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for plain in ("0", "1")
    ]
    assert output[0] == output[1] and output[0].count("#######") > 9


# ---------------------------------------------------------------- difficulty and limits


@pytest.mark.parametrize(("minimum", "name"), [(30, "min_score"), (8, "min_pushes")])
def test_generated_rooms_are_at_least_as_difficult_as_requested(minimum, name):
    rules = SokobanRules(dim_room=(7, 7), num_boxes=2)
    generator, plain = RoomGenerator(room_numbers(rules, **{name: minimum})), RoomGenerator(room_numbers(rules))
    word = name.removeprefix("min_")
    made = [generator.generate(seed) for seed in range(20)]
    assert all(getattr(room, word) >= minimum for room in made)
    assert any(getattr(plain.generate(seed), word) < minimum for seed in range(20))
    assert all(played(room.level, room.solution)[0] for room in made)


def test_a_minimum_score_and_a_minimum_number_of_pushes_can_be_combined():
    room = generate_room(3, min_score=100, min_pushes=20)
    assert room.score >= 100 and room.pushes >= 20 and check(room.level, room.solution).solved


def test_an_unreachable_difficulty_raises_an_error():
    with pytest.raises(UnsolvableError, match=r"reached score 1000; the best has a score of \d+ and \d+ pushes"):
        generate_room(0, dim_room=(6, 6), num_boxes=2, min_score=1000)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"dim_room": (4, 4), "num_boxes": 1}, "at least 5"),
        ({"dim_room": (3, 20), "num_boxes": 3}, "at most 2"),
        ({"dim_room": (7, 7), "num_boxes": 13}, "at most 12"),
        ({"dim_room": (7, 7), "num_boxes": 12, "players": 2}, None),
        ({"dim_room": (64, 64), "num_boxes": 256, "fixed_targets": True}, "255"),
        ({"min_score": -1}, "min_score"),
        ({"min_pushes": 10**6}, "min_pushes"),
        ({"dim_rooms": (7, 7)}, "dim_room"),
        ({"seed": -1}, "seed"),
    ],
)
def test_impossible_settings_raise_an_error_immediately(keywords, message):
    if message is None:  # very tight, but the boxes and the players fit
        assert room_numbers(SokobanRules(**keywords)).boxes == 12
        return
    with pytest.raises(ConfigError, match=message):
        generate_room(**keywords)


def test_a_size_that_allows_no_playable_room_raises_an_error():
    with pytest.raises(UnsolvableError, match="4 x 5 room with 3 boxes"):
        generate_room(0, dim_room=(4, 5), num_boxes=3)


# ---------------------------------------------------------------- the search


def area_of(floor, boxes, player):
    """Return the cells that the player can reach, by a plain flood fill."""
    area, queue = {player}, [player]
    for row, col in queue:
        for cell in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if cell in floor and cell not in boxes and cell not in area:
                area.add(cell)
                queue.append(cell)
    return frozenset(area)


def positions_by_pulls(floor, targets, player):
    """Return all positions that pulls can reach from the solved position, as (boxes, area)."""
    solved = frozenset(targets)
    found = {(solved, area_of(floor, solved, player))}
    queue = list(found)
    for boxes, area in queue:
        for row, col in boxes:
            for down, right in STEPS.values():
                to, player = (row + down, col + right), (row + 2 * down, col + 2 * right)
                if to in area and player in area:
                    moved = boxes - {(row, col)} | {to}
                    child = moved, area_of(floor, moved, player)
                    if moved != solved and child not in found:
                        found.add(child)
                        queue.append(child)
    return found


@pytest.mark.parametrize(
    ("keywords", "seeds"),
    [
        ({"dim_room": (7, 7), "num_boxes": 2}, 60),
        ({"dim_room": (7, 7), "num_boxes": 3, "players": 2}, 30),
        ({"dim_room": (9, 9), "num_boxes": 3}, 4),
        ({"dim_room": (14, 24), "num_boxes": 1}, 10),  # an area takes several machine words
        ({"dim_room": (14, 18), "num_boxes": 2}, 2),
    ],
)
def test_the_search_finds_exactly_the_positions_that_pulls_can_reach(keywords, seeds):
    rules = SokobanRules(**keywords)
    generator = RoomGenerator(room_numbers(rules))
    workspace, cols, most_words = generator.workspace, rules.dim_room[1], 0
    for seed in range(seeds):
        level = generator.generate(seed).level
        cell_of = [divmod(int(place), cols) for place in workspace.places]
        floor = {tuple(cell) for cell in np.argwhere(~level.walls).tolist()} - set(level.players[1:])
        start = cell_of[workspace.order[rules.num_boxes]]
        words = words_for(int((~level.walls).sum()))
        found = set()
        for n in range(1, workspace.positions + 1):
            bits = sum(int(word) << 64 * i for i, word in enumerate(workspace.areas[n, :words]))
            area = frozenset(cell_of[number] for number in range(bits.bit_length()) if bits >> number & 1)
            found.add((frozenset(cell_of[number] for number in workspace.boxes[n]), area))
        assert len(found) == workspace.positions
        assert found == positions_by_pulls(floor, map(tuple, np.argwhere(level.targets).tolist()), start)
        most_words = max(most_words, words)
    assert (most_words > 1) == (rules.dim_room[0] == 14)


def test_a_hash_table_always_has_empty_slots():
    """A search for a position ends at an empty slot. Without empty slots, it would never end."""
    for positions in (1, 63, 64, 65, 257, MAX_POSITIONS):
        assert slots_for(positions) >= SLOTS_EACH * positions


def test_one_position_cannot_fill_the_hash_table():
    """With 100 boxes, a position can have 400 successors, more than the smallest hash table has slots.

    Plain Python counts the slots that are read, so this test ends even if the search does not.
    """
    script = """
import numpy as np
from shoverworld.core.grid import seed_rng
from shoverworld.games.sokoban.config import SokobanRules
from shoverworld.games.sokoban.reverse import reverse_play
from shoverworld.games.sokoban.rooms import RoomGenerator, lay_out, room_numbers

class Slots(np.ndarray):
    reads = 0

    def __getitem__(self, slot):
        Slots.reads += 1
        assert Slots.reads < 20_000, "the search for an empty slot does not end"
        return super().__getitem__(slot)

numbers = room_numbers(SokobanRules(dim_room=(40, 40), num_boxes=100))
generator = RoomGenerator(numbers)
workspace, game = generator.workspace, generator.state.game[0]
seed_rng(game, 1)
cells, stride = lay_out(game, numbers, workspace, 3_000)  # a wide floor, on which most boxes can be pulled
workspace = workspace._replace(slots=workspace.slots.view(Slots), keys=workspace.keys[:1_000])
reverse_play(workspace, cells, stride, numbers.boxes, workspace.order[numbers.boxes], 1, 0)
print(workspace.positions, Slots.reads)
"""
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout.split()[0]) == 999  # position 0 is not counted


@pytest.mark.parametrize("boxes", [20, 100, 300])
def test_the_hash_table_is_large_enough_for_hundreds_of_boxes(boxes):
    generator = RoomGenerator(room_numbers(SokobanRules(dim_room=(64, 64), num_boxes=boxes)))
    workspace = generator.workspace
    with contextlib.suppress(UnsolvableError):  # no room with hundreds of boxes is found
        generator.generate(1)
    assert workspace.positions > 1
    assert workspace.results[SLOTS] >= SLOTS_EACH * workspace.positions


# ---------------------------------------------------------------- packaged rooms


def test_packaged_rooms_are_valid():
    levels = [level for name in level_sets.names() for level in level_sets.packaged(name)]
    assert len(levels) >= 200 and len(set(levels)) == len(levels)
    assert len({level.title for level in levels}) == len(levels)
    for level in levels:
        checked, known = check(level, level.solution), level_sets.best_known(level)
        assert known is not None and checked.solved and known.proved
        assert (checked.pushes, checked.moves) == (known.pushes, known.moves)


def test_packaged_sets_are_sorted_by_difficulty():
    means = [
        np.mean([level_sets.best_known(level).pushes for level in level_sets.packaged(name)])
        for name in level_sets.names()
    ]
    assert means == sorted(means) and means[0] < 8 < 30 < means[-1]


@pytest.mark.parametrize("name", level_sets.names())
def test_packaged_solutions_use_the_fewest_possible_pushes(name):
    for level in level_sets.packaged(name):
        plan = solve(level, "pushes", 60)
        assert plan.proved_optimal and plan.pushes == level_sets.best_known(level).pushes


def test_no_packaged_room_is_a_rotated_or_mirrored_copy_of_another_room():
    seen = set()
    for name in level_sets.names():
        for level in level_sets.packaged(name):
            board = np.array([list(row) for row in level.lines()])
            turned = {"\n".join("".join(row) for row in np.rot90(b, k)) for b in (board, board.T) for k in range(4)}
            assert not turned & seen, f"{level.title} is packaged twice"
            seen |= turned


def test_unknown_sets_and_rooms_raise_an_error():
    with pytest.raises(ConfigError, match="'tiny', 'easy', 'medium', 'hard'"):
        level_sets.packaged("harder")
    assert level_sets.best_known(Level.parse("#####\n#@$.#\n#####")) is None
    assert level_sets.packaged("easy") is not level_sets.packaged("easy")  # every call returns a new list


# ---------------------------------------------------------------- shover generate sokoban


def shover(*arguments, code=0):
    run = run_shover("generate", *arguments)
    assert run.returncode == code, run.stderr
    return run.stdout if code == 0 else run.stderr


def test_generate_prints_rooms_that_can_be_read_again(tmp_path):
    (tmp_path / "rooms.xsb").write_text(shover("sokoban", 3, "--size", "7x8", "--boxes", 2, "--seed", 5, "--jobs", 1))
    for seed, level in enumerate(read_levels(tmp_path / "rooms.xsb"), 5):
        room = generate_room(seed, dim_room=(7, 8), num_boxes=2)
        assert level == room.level and level.solution == room.solution and level.title == f"seed {seed}"


def test_the_output_of_generate_does_not_depend_on_the_number_of_jobs(tmp_path):
    for jobs in (1, 3):
        options = "--size", "7x7", "--boxes", 2, "--min-pushes", 4, "--jobs", jobs, "--out", tmp_path / f"{jobs}.xsb"
        assert shover("sokoban", 50, *options) == f"Saved 50 levels to {tmp_path / f'{jobs}.xsb'}\n"
    assert (tmp_path / "1.xsb").read_bytes() == (tmp_path / "3.xsb").read_bytes()
    levels = read_levels(tmp_path / "3.xsb")
    assert len(levels) == 50
    for level in levels:
        checked = check(level, level.solution)
        assert checked.solved and checked.pushes >= 4


def test_generate_supports_two_players_and_fixed_targets(tmp_path):
    options = "--players", 2, "--fixed-targets", "--size", "7x7", "--boxes", 2, "--jobs", 1
    shover("sokoban", 4, *options, "--out", tmp_path / "two.xsb")
    levels = read_levels(tmp_path / "two.xsb", players=2)
    assert len(levels) == 4
    for level in levels:
        assert level.fixed and len(level.players) == 2 and played(level, level.solution)[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sokoban", "--lavas", 5], "--lavas is an option for Shover-World, not for Sokoban"),
        ([2, "--size", "7x7"], "--size is an option for Sokoban, not for Shover-World"),
        (["sokoba", 2], "'sokoban'"),
        (["sokoban", "many"], "many: expected the number of levels"),
        (["sokoban", 0], "count=0"),
        (["sokoban", 1, "--size", "7"], "expected rows x columns"),
        (["sokoban", 1, "--size", "5x5", "--boxes", 9], "at most 4 boxes"),
        (["sokoban", 2, "--size", "6x6", "--boxes", 1, "--min-score", 999, "--jobs", 2], "the best has a score of"),
        (["sokoban", 1, "--out", "no-such-folder/rooms.xsb"], "no-such-folder does not exist"),
        (["sokoban", 1, "--out", "."], "this is a folder"),
        (["sokoban", 1, "--jobs", 0], "jobs=0"),
    ],
)
def test_generate_reports_errors(arguments, message):
    output = shover(*arguments, code=2)
    assert message in output and "Traceback" not in output


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
def test_generate_leaves_no_partial_file_after_control_c(tmp_path):
    out = tmp_path / "rooms.xsb"
    out.write_text("the old content")
    child = subprocess.Popen(
        [sys.executable, "-m", "shoverworld.cli", "generate", "sokoban", "1000000", "--boxes", "5", "--force", "--out", str(out)],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    limit = time.monotonic() + 60
    while time.monotonic() < limit and not children_of(child.pid):
        assert child.poll() is None
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGINT)  # a terminal sends the signal to the whole process group
    output, errors = child.communicate(timeout=60)
    assert child.returncode == 130 and not output
    assert errors == "shover generate: interrupted after 0 of 1,000,000 levels\n"
    assert out.read_text() == "the old content" and list(tmp_path.iterdir()) == [out]


def children_of(pid):
    """Return the ids of the child processes, or ["unknown"] if the system cannot list them."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return file.read().split()
    except OSError:
        return ["unknown"]
