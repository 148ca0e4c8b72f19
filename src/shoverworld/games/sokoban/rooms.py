"""Making rooms: a dug ground, targets and players on it, and a game played backwards from the solved room.

Backwards, the player pulls boxes off their targets. Every position he gets to is a room that can be solved, by his own
game turned round; the one with the highest score is kept:

    score = box swaps x how far the boxes are from where they came from (rows + columns, summed),
            and 0 while a box is still on a target

A swap is a pull of another box than the last one (the first pull counts). The search (reverse.py) goes pull by pull, so
a room's solution is about as short as it can be, and its swaps are swaps that are needed.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import seed_number, whole
from shoverworld.core.errors import ConfigError, UnsolvableError
from shoverworld.core.grid import roll, seed_rng
from shoverworld.core.jit import kernel, part, rare
from shoverworld.core.results import new_results

from .config import SokobanRules
from .levels import MOST_NUMBERED, Level
from .reverse import BOXES, MOST_POSITIONS, MOST_PULLS, SCORE, Workspace, is_in, new_search, play_backwards, turn_round
from .rules import DOWN, LEFT, RIGHT, UP, note_event, nothing
from .state import BOX, PLAYER, PLAYING, SECOND, TARGET, WALL, SokobanState, new_state
from .topology import dig, draw_lots, number_floor, walk_length

MOST_TRIES = 1_000  # for a difficulty that is asked for ...
HOPELESS, MOST_WORK = 5_000, 500_000_000  # ... and for any room at all: cells and boxes looked at, a few seconds
WIDTH, NARROW = 4096, 128  # positions followed up at every pull
ROUND_ROWS, ROUND_COLS = (-1, -1, 0, 1, 1, 1, 0, -1), (0, 1, 1, 1, 0, -1, -1, -1)  # clockwise, from the cell above
LETTERS = " UDLRudlr"  # of the codes in a desk's solution: 1 to 4 push, 5 to 8 walk


class RoomNumbers(NamedTuple):
    """What is asked for, for the kernels."""

    rows: int
    cols: int
    boxes: int
    players: int
    fixed: int
    min_score: int
    min_pushes: int
    steps: int  # of the walk that digs
    width: int  # positions followed up at every pull, ...
    narrow: int  # ... and when that keeps failing


def room_numbers(rules: SokobanRules, min_score: int = 0, min_pushes: int = 0) -> RoomNumbers:
    """What is asked for, checked: a ConfigError for what can never fit."""
    rows, cols = rules.dim_room
    boxes, players = rules.num_boxes, rules.players
    least_score = whole("min_score", min_score, 0, 2**31 - 1)
    least_pushes = whole("min_pushes", min_pushes, 0, MOST_PULLS)
    inside = f"dim_room={rows}x{cols} leaves {rows - 2} x {cols - 2} cells inside the walls"
    if max(rows, cols) < 5:
        raise ConfigError(f"{inside}; a push needs three in a line, so one side of dim_room must be at least 5")
    if min(rows, cols) == 3 and boxes > 2:
        raise ConfigError(f"num_boxes={boxes}: in a corridor nobody gets past a box; at most 2 fit, or a wider room")
    # In the end no box is on a target. A second player stands where none of them is.
    most = ((rows - 2) * (cols - 2) - (players - 1)) // 2
    if boxes > most:
        raise ConfigError(f"num_boxes={boxes}: {inside}, room for at most {most} boxes and as many targets")
    if rules.fixed_targets and boxes > MOST_NUMBERED:
        raise ConfigError(f"num_boxes={boxes}: with fixed_targets at most {MOST_NUMBERED}")
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


def widths(boxes: int) -> tuple[int, int]:
    """The more boxes, the more pulls are needed to move them all, so the narrower the search must be to get there."""
    narrow = min(NARROW, max(1, MOST_POSITIONS // (6 * boxes * boxes)))
    return max(WIDTH >> max(0, boxes - 4), narrow), narrow


def new_workspace(numbers: RoomNumbers) -> Workspace:
    """Scratch memory to make such rooms with, for one thread."""
    return new_search(numbers.rows, numbers.cols, numbers.boxes)


@rare
def lay_out(rng, numbers, workspace, steps):
    """Dig, and choose the cells of targets (desk.order from 0 on) and players (after them). Returns how many cells of
    floor there are, 0 if too few."""
    cols, boxes = numbers.cols, numbers.boxes
    dig(rng, numbers.rows, cols, steps, workspace.floor)
    cells = number_floor(workspace.floor, workspace.places, workspace.number)
    if cells < 2 * boxes + numbers.players - 1 or cells < 3:
        return 0
    draw_lots(rng, cells, boxes + numbers.players, workspace.order)
    if numbers.players > 1:  # he stands still, as if he were a wall
        workspace.number[workspace.places[workspace.order[boxes + 1]]] = -1
    for here in range(cells):
        cell = workspace.places[here]
        workspace.row[here], workspace.col[here] = cell // cols, cell % cols
        workspace.near[here, UP], workspace.near[here, DOWN] = (
            workspace.number[cell - cols],
            workspace.number[cell + cols],
        )
        workspace.near[here, LEFT], workspace.near[here, RIGHT] = workspace.number[cell - 1], workspace.number[cell + 1]
        for place in range(8):
            workspace.ring[here, place] = workspace.number[cell + ROUND_ROWS[place] * cols + ROUND_COLS[place]]
        workspace.is_target[here] = 0
    for k in range(boxes):
        workspace.is_target[workspace.order[k]] = 1
    return cells


@rare
def furnish(state, i, numbers, workspace, n, player):
    """Write position n as the beginning of game i."""
    planes, game = state.planes[i], state.game[i]
    boxes = numbers.boxes
    planes[TARGET:] = 0
    for cell in range(planes.shape[1]):
        planes[WALL, cell] = 1 - workspace.floor[cell]
    for k in range(boxes):
        number = k + 1 if numbers.fixed else 1
        planes[TARGET, workspace.places[workspace.order[k]]] = number
        planes[BOX, workspace.places[workspace.nodes[n, BOXES + k]]] = number
    game.player, game.second = workspace.places[player], -1
    planes[PLAYER, game.player] = 1
    if numbers.players > 1:
        game.second = workspace.places[workspace.order[boxes + 1]]
        planes[SECOND, game.second] = 1
    game.boxes, game.on_target = boxes, 0
    game.steps, game.moves, game.pushes, game.pulls = 0, 0, 0, 0
    game.level, game.last_action, game.outcome = -1, -1, PLAYING
    note_event(game, nothing(True))


@rare
def draw_room(state, i, numbers, workspace):
    """Begin game i in a room made by its own dice. Returns the score.

    If nothing in MOST_TRIES is as difficult as asked for, it is the best of them. 0: no room at all was found.
    """
    game = state.game[i]
    reached, reached_pushes, failed, work = 0, 0, 0, 0
    for attempt in range(HOPELESS):
        # Where rooms of the ordinary kind keep failing, dig more (with many boxes much more) and look less around.
        steps = numbers.steps * (16 + failed * max(1, numbers.boxes // 16) // 4) // 16
        cells = lay_out(game, numbers, workspace, steps)
        n, score, pushes, looked_at = 0, 0, 0, 0
        if cells > 0:
            width = max(numbers.width >> failed // 8, numbers.narrow)
            start = workspace.order[numbers.boxes]
            n, score, pushes, looked_at = play_backwards(
                workspace, cells, numbers.boxes, start, width, numbers.min_pushes
            )
        work += looked_at + 8 * (steps + numbers.rows * numbers.cols)
        enough, enough_before = pushes >= numbers.min_pushes, reached_pushes >= numbers.min_pushes
        if score > 0 and (enough > enough_before or (enough == enough_before and score > reached)):
            reached, reached_pushes = score, pushes
            player = any_cell(game, workspace.areas[n], cells)
            furnish(state, i, numbers, workspace, n, player)
            turn_round(workspace, n, numbers.boxes, player)
        if reached == 0:
            failed += 1
            if work > MOST_WORK:
                break
        elif attempt >= MOST_TRIES or (reached >= numbers.min_score and reached_pushes >= numbers.min_pushes):
            break
    workspace.numbers[SCORE] = reached
    return reached


@part
def any_cell(rng, area, cells):
    """A cell of an area, by the dice."""
    count = 0
    for cell in range(cells):
        count += is_in(area, cell)
    left = roll(rng, count)
    chosen = -1
    while left >= 0:
        chosen += 1
        left -= is_in(area, chosen)
    return chosen


@kernel
def draw_rows(first, last, state, numbers, chosen, workspace, results):
    """Begin the chosen games from `first` to `last` in rooms made by their dice. Returns how many found none."""
    failed = 0
    for i in range(first, last):
        if chosen[i]:
            failed += draw_room(state, i, numbers, workspace) == 0
            results.reward[i] = 0.0
            results.terminated[i] = results.truncated[i] = False
            results.outcome[i] = PLAYING
    return failed


def lurd_of(workspace: Workspace) -> str:
    """The solution of the room drawn last."""
    return workspace.solution[: workspace.solution_length].tobytes().translate(_LETTERS).decode("ascii")


_LETTERS = bytes.maketrans(bytes(range(len(LETTERS))), LETTERS.encode("ascii"))


@dataclass(frozen=True)
class Room:
    """A room that was made."""

    level: Level
    solution: str  # LURD; of two players, the first one plays it alone
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
    """A room with a solution: the one that an environment with these keywords begins with on `reset(seed=seed)`.

    min_score, min_pushes: how difficult it must be at least. keywords: those of SokobanRules, e.g. dim_room=(7, 7).
    An UnsolvableError when no such room is found.
    """
    numbers = room_numbers((rules or SokobanRules()).change(**keywords), min_score, min_pushes)
    return Maker(numbers).make(seed)


class Maker:
    """Makes rooms of one kind, one after the other."""

    def __init__(self, numbers: RoomNumbers):
        self.numbers, self.workspace = numbers, new_workspace(numbers)
        self.state = new_state(1, numbers.rows, numbers.cols, numbers.players)
        self.results, self.chosen = new_results(1), np.ones(1, np.bool_)

    def make(self, seed: int | None = None) -> Room:
        numbers = self.numbers
        seed_rng(self.state.game[0], seed_number(seed))
        if draw_rows(0, 1, self.state, numbers, self.chosen, self.workspace, self.results):
            raise nothing_found(numbers)
        score = self.workspace.score
        solution = lurd_of(self.workspace)
        pushes = sum(map(str.isupper, solution))
        if score < numbers.min_score or pushes < numbers.min_pushes:
            asked = [f"score {numbers.min_score}"] * bool(numbers.min_score)
            asked += [f"{numbers.min_pushes} pushes"] * bool(numbers.min_pushes)
            raise UnsolvableError(
                f"none of {MOST_TRIES} rooms had {' and '.join(asked)}; the best has score {score} and {pushes} pushes; "
                "ask for less, for more boxes, or for a larger room"
            )
        return Room(_level(self.state, seed, solution, score, pushes), solution, score, pushes, seed)


def nothing_found(numbers: RoomNumbers) -> UnsolvableError:
    return UnsolvableError(
        f"no room of {numbers.rows} x {numbers.cols} with {numbers.boxes} boxes was found; "
        "ask for fewer boxes or a larger room"
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
        title="a room" if seed is None else f"seed {seed}",
        comment=f"score {score}, {pushes} pushes",
        source="generate_room",
        solution=solution,
    )
