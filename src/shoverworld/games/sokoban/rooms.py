"""Generate rooms: dig the floor, place targets and players, and play backwards from the solved position.

In reverse play, the player pulls boxes off their targets. Every position reached this way can be solved by
reversing the moves. The position with the highest score is kept:

    score = box swaps x sum of the Manhattan distances between the boxes and their targets,
            or 0 if a box is still on a target

A pull is a swap if the previous pull moved a different box; the first pull also counts as a swap. The search
(reverse.py) proceeds layer by layer, so the solution to a room is nearly as short as possible, and every swap in the
solution is necessary.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import seed_number, whole
from shoverworld.core.errors import ConfigError, UnsolvableError
from shoverworld.core.grid import roll, seed_rng
from shoverworld.core.jit import both, kernel, part, rare
from shoverworld.core.results import new_results

from .areas import is_in, words_for
from .config import SokobanRules
from .levels import MOST_NUMBERED, Level
from .reasons import VALID
from .reverse import reverse_play, write_solution
from .room_workspace import MAX_POSITIONS, MAX_PULLS, SCORE, RoomWorkspace, new_room_workspace, write_tables
from .rules import note_event, nothing
from .state import BOX, PLAYER, PLAYING, SECOND, TARGET, WALL, SokobanState, new_state
from .topology import dig, draw_distinct, number_floor, walk_length

MAX_TRIES = 1_000  # maximum number of tries to reach the requested difficulty
MAX_ATTEMPTS, MAX_WORK = 5_000, 500_000_000  # limits of the search for a room; visiting MAX_WORK cells takes seconds
WIDTH, NARROW = 4096, 128  # positions expanded per pull: initially, and after many failures
LETTERS = " UDLRudlr"  # the letters for the codes in a workspace's solution: 1 to 4 push, 5 to 8 walk


class RoomNumbers(NamedTuple):
    """The requested kind of room, as numbers for the kernels."""

    rows: int
    cols: int
    boxes: int
    players: int
    fixed: int
    min_score: int
    min_pushes: int
    steps: int  # number of steps in the walk that digs the floor
    width: int  # positions expanded per pull
    narrow: int  # positions expanded per pull after many failures


def room_numbers(rules: SokobanRules, min_score: int = 0, min_pushes: int = 0) -> RoomNumbers:
    """Validate a request for a room. Raise ConfigError if the boxes can never fit into the room."""
    rows, cols = rules.dim_room
    boxes, players = rules.num_boxes, rules.players
    least_score = whole("min_score", min_score, 0, 2**31 - 1)
    least_pushes = whole("min_pushes", min_pushes, 0, MAX_PULLS)
    inside = f"dim_room={rows}x{cols} leaves {rows - 2} x {cols - 2} cells inside the walls"
    if max(rows, cols) < 5:
        raise ConfigError(f"{inside}; a push needs three cells in a line, so one side of dim_room must be at least 5")
    if min(rows, cols) == 3 and boxes > 2:
        raise ConfigError(
            f"num_boxes={boxes}: a corridor has room for at most 2 boxes, because the player cannot pass them; "
            "use fewer boxes or a wider room"
        )
    # At the start, no box is on a target, and the cell of a second player has neither a box nor a target.
    most = ((rows - 2) * (cols - 2) - (players - 1)) // 2
    if boxes > most:
        raise ConfigError(f"num_boxes={boxes}: {inside}, enough for at most {most} boxes and their targets")
    if rules.fixed_targets and boxes > MOST_NUMBERED:
        raise ConfigError(f"num_boxes={boxes}: must be at most {MOST_NUMBERED} with fixed_targets")
    width, narrow = widths(boxes)
    return RoomNumbers(
        rows,
        cols,
        boxes,
        players,
        int(rules.fixed_targets),
        least_score,
        least_pushes,
        walk_length(rows, cols),
        width,
        narrow,
    )


@both
def widths(boxes: int) -> tuple[int, int]:
    """Return the initial and the final beam width.

    More boxes need more pulls, so the beam must be narrower to reach the greater depth.
    """
    narrow = min(NARROW, max(1, MAX_POSITIONS // (6 * boxes * boxes)))
    return max(WIDTH >> max(0, boxes - 4), narrow), narrow


def new_workspace(numbers: RoomNumbers, with_solution: bool = True) -> RoomWorkspace:
    """Return the scratch memory that one thread needs to generate rooms of this kind, with or without solutions."""
    workspace = new_room_workspace(numbers.rows, numbers.cols, numbers.boxes)
    return workspace if with_solution else workspace._replace(solution=np.zeros(0, np.uint8))


@rare
def lay_out(rng, numbers, workspace, steps):
    """Dig the floor. Draw random cells for the targets and then for the players, and write them to workspace.order.

    Return the number of floor cells, or 0 if there are too few, and the stride (see `number_floor`).
    """
    cols, boxes = numbers.cols, numbers.boxes
    dig(rng, numbers.rows, cols, steps, workspace.floor)
    cells, stride = number_floor(workspace.floor, cols, workspace.places, workspace.number, workspace.order)
    if cells < 2 * boxes + numbers.players - 1 or cells < 3:
        return 0, 0
    draw_distinct(rng, cells, boxes + numbers.players, workspace.order)
    if numbers.players > 1:  # the second player's cell acts as a wall
        workspace.number[workspace.places[workspace.order[boxes + 1]]] = 0
    write_tables(workspace, cells, cols, boxes)
    return cells, stride


@rare
def write_room(state, i, numbers, workspace, n, player):
    """Copy position n of the search into game i as the start of the game."""
    planes, game = state.planes[i], state.game[i]
    boxes = numbers.boxes
    planes[TARGET:] = 0
    for cell in range(planes.shape[1]):
        planes[WALL, cell] = 1 - workspace.floor[cell]
    for k in range(boxes):
        number = k + 1 if numbers.fixed else 1
        planes[TARGET, workspace.places[workspace.order[k]]] = number
        planes[BOX, workspace.places[workspace.boxes[n, k]]] = number
    game.player, game.second = workspace.places[player], -1
    planes[PLAYER, game.player] = 1
    if numbers.players > 1:
        game.second = workspace.places[workspace.order[boxes + 1]]
        planes[SECOND, game.second] = 1
    game.boxes, game.on_target, game.all_on_target = boxes, 0, False
    game.steps, game.moves, game.pushes, game.pulls = 0, 0, 0, 0
    game.level, game.last_action, game.outcome = -1, -1, PLAYING
    note_event(game, nothing(VALID))


@rare
def draw_room(state, i, numbers, workspace):
    """Generate a room for game i with the game's random number generator. Return the score, or 0 if no room was found.

    If none of the MAX_TRIES rooms is as difficult as requested, use the most difficult one.
    """
    game = state.game[i]
    reached, reached_pushes, failed, work = 0, 0, 0, 0
    for attempt in range(MAX_ATTEMPTS):
        # After repeated failures, dig more (much more if there are many boxes) and search more narrowly.
        steps = numbers.steps * (16 + failed * max(1, numbers.boxes // 16) // 4) // 16
        cells, stride = lay_out(game, numbers, workspace, steps)
        n, score, pushes, room_work = 0, 0, 0, 0
        if cells > 0:
            width = max(numbers.width >> failed // 8, numbers.narrow)
            start = workspace.order[numbers.boxes]
            n, score, pushes, room_work = reverse_play(
                workspace, cells, stride, numbers.boxes, start, width, numbers.min_pushes
            )
        work += room_work + 8 * (steps + numbers.rows * numbers.cols)
        enough, enough_before = pushes >= numbers.min_pushes, reached_pushes >= numbers.min_pushes
        if score > 0 and (enough > enough_before or (enough == enough_before and score > reached)):
            reached, reached_pushes = score, pushes
            words = words_for(cells)
            player = any_cell(game, workspace.areas[n], words)
            write_room(state, i, numbers, workspace, n, player)
            if len(workspace.solution) > 0:
                write_solution(workspace, n, numbers.boxes, player, words)
        if reached == 0:
            failed += 1
            if work > MAX_WORK:
                break
        elif attempt >= MAX_TRIES or (reached >= numbers.min_score and reached_pushes >= numbers.min_pushes):
            break
    workspace.results[SCORE] = reached
    return reached


@part
def any_cell(rng, area, words):
    """Return a random cell in an area."""
    count = 0
    for cell in range(64 * words):
        count += is_in(area, cell, words)
    left = roll(rng, count)
    chosen = 0
    while left >= 0:
        chosen += 1
        left -= is_in(area, chosen, words)
    return chosen


@kernel
def draw_rows(first, last, state, numbers, chosen, workspace, results):
    """Start the chosen games in `range(first, last)` in newly generated rooms. Return the number of failures."""
    failed = 0
    for i in range(first, last):
        if chosen[i]:
            failed += draw_room(state, i, numbers, workspace) == 0
            results.reward[i] = 0.0
            results.terminated[i] = results.truncated[i] = False
            results.outcome[i] = PLAYING
    return failed


def lurd_of(workspace: RoomWorkspace) -> str:
    """Return the solution to the most recently generated room in LURD notation."""
    return workspace.solution[: workspace.solution_length].tobytes().translate(_LETTERS).decode("ascii")


_LETTERS = bytes.maketrans(bytes(range(len(LETTERS))), LETTERS.encode("ascii"))


@dataclass(frozen=True)
class Room:
    """A generated room with its solution."""

    level: Level
    solution: str  # LURD; with two players, the first player can play the solution alone
    score: int
    pushes: int
    seed: int | None


def generate_room(
    seed: int | None = None,
    rules: SokobanRules | None = None,
    min_score: int = 0,
    min_pushes: int = 0,
    **keywords: Any,
) -> Room:
    """Generate the room in which an environment with these arguments starts after `reset(seed=seed)`.

    `min_score` and `min_pushes` set the minimum difficulty. Other arguments are fields of SokobanRules, for example
    dim_room=(7, 7). Raise UnsolvableError if no such room is found.
    """
    numbers = room_numbers((rules or SokobanRules()).change(**keywords), min_score, min_pushes)
    return RoomGenerator(numbers).generate(seed)


class RoomGenerator:
    """A generator of rooms of one kind, which uses the same memory for every room."""

    def __init__(self, numbers: RoomNumbers):
        self.numbers, self.workspace = numbers, new_workspace(numbers)
        self.state = new_state(1, numbers.rows, numbers.cols, numbers.players)
        self.results, self.chosen = new_results(1), np.ones(1, np.bool_)

    def generate(self, seed: int | None = None) -> Room:
        numbers, seed = self.numbers, seed_number(seed)
        seed_rng(self.state.game[0], seed)
        if draw_rows(0, 1, self.state, numbers, self.chosen, self.workspace, self.results):
            raise nothing_found(numbers)
        score = self.workspace.score
        solution = lurd_of(self.workspace)
        pushes = sum(map(str.isupper, solution))
        if score < numbers.min_score or pushes < numbers.min_pushes:
            required = [f"score {numbers.min_score}"] * bool(numbers.min_score)
            required += [f"{numbers.min_pushes} pushes"] * bool(numbers.min_pushes)
            raise UnsolvableError(
                f"none of {MAX_TRIES} rooms reached {' and '.join(required)}; "
                f"the best has a score of {score} and {pushes} pushes; lower the minimum, add boxes or enlarge the room"
            )
        return Room(_level(self.state, seed, solution, score, pushes), solution, score, pushes, seed)


def nothing_found(numbers: RoomNumbers) -> UnsolvableError:
    return UnsolvableError(
        f"no {numbers.rows} x {numbers.cols} room with {numbers.boxes} boxes was found; "
        "use fewer boxes or a larger room"
    )


def _level(state: SokobanState, seed: int | None, solution: str, score: int, pushes: int) -> Level:
    room = state.rooms()[0]
    return Level(
        room[WALL],
        room[TARGET],
        room[BOX],
        tuple(
            divmod(int(cell), state.width) for cell in (state.game[0]["player"], state.game[0]["second"]) if cell >= 0
        ),
        title="random room" if seed is None else f"seed {seed}",
        comment=f"score {score}, {pushes} {'push' if pushes == 1 else 'pushes'}",
        source="generate_room",
        solution=solution,
    )
