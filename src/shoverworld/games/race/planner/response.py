"""Find the best response to rivals whose moves can be predicted: a beam search over the moves of one car.

The rivals move as `racer.py` predicts, so only the car that plans has a choice. The search advances one of its moves at
a time and keeps the most promising positions (the beam). If all positions fit into the beam until the end of the race, no
move sequence within the slack does better.
"""

from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare

from .. import rules as rulebook
from .paranoid import key_of
from .racer import RacerSearch, decide, decide_alone
from .regrets import ILLEGAL, LARGE, RaceGround, code_of, move_codes
from .turns import (
    COL,
    COST,
    DCOL,
    DONE,
    DROW,
    FIELDS,
    ROW,
    WAIT,
    Positions,
    copy_position,
    is_free,
    new_positions,
    play_here,
    value_of,
)  # fmt: skip

RACER, ALONE = range(2)  # the models of a rival: it drives like the agent `racer`, or like the agent `optimal`
ALL_ACTIONS = (1 << rulebook.ACTIONS) - 1
VISITS = 10  # maximum number of positions for each prediction allowed
LONGEST = 2000  # maximum number of moves in a line


class ResponseTree(NamedTuple):
    """Scratch memory for the search."""

    racer: RacerSearch
    model: np.ndarray  # int64 (1,): RACER or ALONE, how the rivals are assumed to drive
    positions: Positions  # rows 0 and 1 are the positions before and after a move
    found: np.ndarray  # int64 (positions, cars, FIELDS): the positions after a move of every position in the beam
    origin: np.ndarray  # int64 (positions, 2): the place in the beam from which they came, and the action
    rank: np.ndarray  # int64 (positions, 2): their value and the distance to the nearest rival
    seen: np.ndarray  # int64 (entries,): the keys of the positions found; a power of two entries
    known: np.ndarray  # int64 (entries, 2): the keys of positions and the moves predicted for them
    best: np.ndarray  # int64 (4,): the best end of a race: its origin, its value and whether it is won
    line: np.ndarray  # int64 (LONGEST,): the actions of the car that plans in `drive_on`
    count: np.ndarray  # int64 (1,): the number of moves predicted


NEVER = -(1 << 40)  # less than every value
PLACE, ACTION, VALUE, WON = range(4)  # the fields of `best`


def new_response(racer: RacerSearch, beam: int) -> ResponseTree:
    cars, most = racer.positions.cars.shape[1], rulebook.ACTIONS * beam
    return ResponseTree(
        racer=racer,
        model=np.zeros(1, np.int64),
        positions=new_positions(cars, 2),
        found=np.zeros((most, cars, FIELDS), np.int64),
        origin=np.zeros((most, 2), np.int64),
        rank=np.zeros((most, 2), np.int64),
        seen=np.zeros(1 << (2 * most).bit_length(), np.int64),
        known=np.zeros((1 << 16, 2), np.int64),
        best=np.zeros(4, np.int64),
        line=np.zeros(LONGEST, np.int64),
        count=np.zeros(1, np.int64),
    )


class Line(NamedTuple):
    """The moves of one car until the end of the race, and what they lead to if the rivals move as predicted."""

    actions: list[int]
    value: int  # see `turns.lead_value`
    won: bool  # whether the car beats every rival that is still racing
    complete: bool = True  # whether the search has left out no position that was found


# ---------------------------------------------------------------- kernels


@kernel
def expand(tree, rules, ground, beam, me, base, slack, allowed):
    """Play every sensible move in every position of the beam, and the rivals' answers. Return the number of positions.

    A move may not lose more than `slack` steps compared with the cost `base`, unless all moves do. `allowed`: the actions
    to try, as bits. Ends of the race are not among the positions; the best one is kept in `tree.best`.
    """
    positions, count = tree.positions, 0
    tree.seen[:] = 0
    for place in range(len(beam)):
        load(positions, beam[place], me)
        car = positions.cars[0, me]
        codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
        most = max(smallest_regret(positions, codes), min(slack - (car[COST] - base), LARGE - 1))
        for action in range(rulebook.ACTIONS):
            code = code_of(codes, action)
            stuck = most == ILLEGAL and action == rulebook.KEEP
            if not stuck and (code == ILLEGAL or code > most or not is_free(positions, 0, codes, action)):
                continue
            if (allowed >> action) & 1 == 0:
                continue
            copy_position(positions, 0, 1)
            play_here(positions, 1, rules, ground, action)
            if not is_new(tree.seen, key_of(positions, 1)):
                continue
            let_rivals_drive(tree, rules, ground, me)
            if is_over(positions, me):
                note_end(tree, place, action, me)
                continue
            save(positions, tree.found[count])
            tree.origin[count, PLACE], tree.origin[count, ACTION] = place, action
            tree.rank[count, 0], tree.rank[count, 1] = value_of(positions, 1, me), nearest(positions, me)
            count += 1
    return count


@inner
def load(positions, cars, me):
    positions.blocked[:] = False  # all cars are in the search
    for who in range(cars.shape[0]):
        for field in range(FIELDS):
            positions.cars[0, who, field] = cars[who, field]
    positions.who[0] = me


@inner
def save(positions, cars):
    for who in range(cars.shape[0]):
        for field in range(FIELDS):
            cars[who, field] = positions.cars[1, who, field]


@inner
def smallest_regret(positions, codes):
    """Return the smallest regret of a legal action, or ILLEGAL if there is none."""
    smallest = np.int64(ILLEGAL)
    for action in range(rulebook.ACTIONS):
        if code_of(codes, action) < smallest and is_free(positions, 0, codes, action):
            smallest = code_of(codes, action)
    return smallest


@inner
def is_new(seen, key):
    """Add a key to a set. Return whether it was not in the set."""
    entry = key & (len(seen) - 1)
    while seen[entry] != 0:
        if seen[entry] == key:
            return False
        entry = (entry + 1) & (len(seen) - 1)
    seen[entry] = key
    return True


@rare
def let_rivals_drive(tree, rules, ground, me):
    """Play the predicted moves of the rivals in the second row, until it is the turn of car `me` or the race is over."""
    positions = tree.positions
    while positions.who[1] != me and not is_over(positions, me):
        play_here(positions, 1, rules, ground, predicted_action(tree, rules, ground))


@rare
def predicted_action(tree, rules, ground):
    """Return the predicted action in the second row. Predictions are stored in a table."""
    positions, racer = tree.positions, tree.racer
    key = key_of(positions, 1) + tree.model[0]
    entry = tree.known[key & (len(tree.known) - 1)]
    if entry[0] != key:
        for who in range(positions.cars.shape[1]):
            for field in range(FIELDS):
                racer.positions.cars[0, who, field] = positions.cars[1, who, field]
        racer.positions.who[0] = positions.who[1]
        entry[0] = key
        entry[1] = decide(racer, rules, ground) if tree.model[0] == RACER else decide_alone(racer, rules, ground)
        tree.count[0] += 1
    return entry[1]


@inner
def is_over(positions, me):
    """Return whether the rest of the race no longer depends on the moves of the other cars."""
    racing = 0  # rivals that are still racing
    for who in range(positions.cars.shape[1]):
        racing += who != me and positions.cars[1, who, DONE] == 0
    return racing == 0 or positions.cars[1, me, DONE] == 1


@inner
def leads(positions, me):
    """Return whether car `me` leads by at least one step over every rival that is still racing in the first row."""
    for who in range(positions.cars.shape[1]):
        rival = positions.cars[1, who]
        racing = positions.cars[0, who, DONE] == 0
        if who != me and racing and rival[COST] <= positions.cars[1, me, COST]:
            return False
    return True


@inner
def nearest(positions, me):
    """Return the distance to the nearest rival."""
    least, car = np.int64(1 << 20), positions.cars[1, me]
    for who in range(positions.cars.shape[1]):
        rival = positions.cars[1, who]
        if who != me and rival[DONE] == 0:
            least = min(least, max(abs(rival[ROW] - car[ROW]), abs(rival[COL] - car[COL])))
    return least


@inner
def note_end(tree, place, action, me):
    value = value_of(tree.positions, 1, me)
    if value > tree.best[VALUE]:
        tree.best[PLACE], tree.best[ACTION] = place, action
        tree.best[VALUE], tree.best[WON] = value, leads(tree.positions, me)


@kernel
def safe_actions(tree, rules, ground, cars, me):
    """Return the actions after which the rivals cannot force car `me` to crash with their next moves, as bits."""
    positions, safe = tree.positions, 0
    load(positions, cars, me)
    car = positions.cars[0, me]
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    for action in range(rulebook.ACTIONS):
        if code_of(codes, action) < LARGE and is_free(positions, 0, codes, action):
            copy_position(positions, 0, 1)
            play_here(positions, 1, rules, ground, action)
            if positions.cars[1, me, DONE] == 1 or has_a_way_out(positions, rules, ground, me):
                safe |= 1 << action
    return safe


@rare
def has_a_way_out(positions, rules, ground, me):
    """Return whether the cells that car `me` needs in the second row are too many for the rivals that can reach them."""
    car, cells, blockers = positions.cars[1, me], 0, 0
    codes = move_codes(ground, rules, car[ROW], car[COL], car[DROW], car[DCOL])
    row, col = car[ROW] + car[DROW] - 1, car[COL] + car[DCOL] - 1  # the landing cell of action 0
    for action in range(rulebook.ACTIONS):
        cells += code_of(codes, action) < LARGE
    for who in range(positions.cars.shape[1]):
        rival = positions.cars[1, who]
        if who == me or rival[DONE] == 1:
            continue
        reach = move_codes(ground, rules, rival[ROW], rival[COL], rival[DROW], rival[DCOL])
        blocks = False
        for action in range(rulebook.ACTIONS):
            legal = code_of(reach, action) != ILLEGAL and rival[WAIT] == 0
            down = rival[ROW] + (rival[DROW] + action // 3 - 1 if legal else 0) - row
            right = rival[COL] + (rival[DCOL] + action % 3 - 1 if legal else 0) - col
            if 0 <= down < 3 and 0 <= right < 3:
                blocks |= code_of(codes, 3 * down + right) < LARGE
        blockers += blocks
    return cells > blockers


@kernel
def drive_on(tree, rules, ground, cars, me):
    """Let all cars drive as predicted from this position, the car `me` too. Return the number of its moves.

    The moves are written to `tree.line`, and the end of the race to `tree.best`.
    """
    positions, count = tree.positions, 0
    load(positions, cars, me)
    copy_position(positions, 0, 1)
    while count < len(tree.line) and not is_over(positions, me):
        action = predicted_action(tree, rules, ground)
        tree.line[count] = action
        count += 1
        play_here(positions, 1, rules, ground, action)
        let_rivals_drive(tree, rules, ground, me)
    tree.best[VALUE] = value_of(positions, 1, me)
    tree.best[WON] = leads(positions, me)
    return count


@kernel
def play_round(tree, rules, ground, cars, me, action):
    """Replace a position by the one after this action and the moves that the model predicts for the rivals."""
    load(tree.positions, cars, me)
    copy_position(tree.positions, 0, 1)
    play_here(tree.positions, 1, rules, ground, action)
    let_rivals_drive(tree, rules, ground, me)
    save(tree.positions, cars)


# ---------------------------------------------------------------- the beam search


def best_line(
    tree: ResponseTree,
    rules: Any,
    ground: RaceGround,
    cars: np.ndarray,
    me: int,
    beam: int,
    slack: int,
    most: int,
    allowed: int = ALL_ACTIONS,
) -> Line:
    """Return the best line that a beam search finds from this position. It stops as soon as a line wins the race.

    After `most` new predictions, or VISITS times as many positions, the search stops and drives on from its most promising
    position.
    """
    rng, base, limit = np.random.default_rng(0), int(cars[me, COST]), int(tree.count[0]) + most
    best, layer, path, complete, visited = Line([], NEVER, False), cars[None].copy(), [], True, 0
    while not best.won:
        tree.best[VALUE] = NEVER
        count = expand(tree, rules, ground, layer, me, base, slack, allowed if not path else ALL_ACTIONS)
        if tree.best[VALUE] > best.value:
            best = _line(tree, [*_actions(path, tree.best[PLACE]), int(tree.best[ACTION])])
        if count == 0 or best.won:
            break
        rank = tree.rank[:count]
        order = np.lexsort((rng.random(count), rank[:, 1], -rank[:, 0]))[:beam]
        visited += count
        layer, stop = tree.found[order], tree.count[0] > limit or visited > VISITS * most
        complete &= count <= beam and not stop
        path.append(tree.origin[order])
        if stop or _in_front(layer[0], me):
            length = drive_on(tree, rules, ground, layer[0], me)
            if tree.best[VALUE] > best.value:
                best = _line(tree, _actions(path, 0) + tree.line[:length].tolist())
        if stop:
            break
    return best._replace(complete=complete)


def _line(tree: ResponseTree, actions: list[int]) -> Line:
    return Line(actions, int(tree.best[VALUE]), bool(tree.best[WON]))


def _in_front(cars: np.ndarray, me: int) -> bool:
    racing = cars[:, DONE] == 0
    racing[me] = False
    return bool((cars[racing, COST] > cars[me, COST]).all())


def _actions(path: list[np.ndarray], place: int) -> list[int]:
    """Return the actions that lead to a place in the last layer of the beam."""
    actions = []
    for layer in reversed(path):
        actions.append(int(layer[place, ACTION]))
        place = layer[place, PLACE]
    return actions[::-1]
