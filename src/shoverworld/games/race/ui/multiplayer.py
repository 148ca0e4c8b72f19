"""Races with several players, each of whom drives a car."""

from collections.abc import Sequence
from itertools import pairwise

from shoverworld.core.env import GridEnv
from shoverworld.core.ui import Board, Cell, Colour, Figure, Mark, MoveButton, Score, count

from ..boards import environment as environment
from ..boards import options as options
from ..boards import rules_of, score_of
from ..record import action_words
from ..state import RaceState
from ..tiles import colour_of, mixed
from .overlays import line
from .position import (
    KEYS,
    Car,
    car_to_move,
    cars_of,
    change_of,
    distance_of,
    is_over,
    landing,
    legal_actions,
    spot,
    turn_of,
    why_not,
)

FAINT = 0.45  # strength of the trails of all cars except the car whose turn it is
PALE = (92, 96, 104)  # colour that is mixed into the colours of these trails
PENALTY = (226, 60, 52)


def max_players(board: Board) -> int:
    """Return the maximum number of players, which is the number of start cells."""
    return len(board.level.track.starts)


def player_count(env: GridEnv) -> int:
    return rules_of(env).cars


def player_to_move(env: GridEnv, state: RaceState) -> int:
    return turn_of(state)


def colour(player: int) -> Colour:
    return colour_of(player)


def move_buttons(env: GridEnv, state: RaceState) -> tuple[MoveButton, ...]:
    if is_over(state):
        return ()
    car, legal = car_to_move(state), legal_actions(rules_of(env), state)
    found = []
    for action in range(9):
        about = f"{action_words(action)}, to {spot(landing(car, action))}"
        about += "" if legal[action] else f": illegal, {why_not(state, action)}"
        found.append(MoveButton(KEYS[action], change_of(action), legal[action], about))
    return tuple(found)


def trails(env: GridEnv, states: Sequence[RaceState]) -> list[Mark]:
    """Mark the path of each car, with a dot wherever the car landed.

    The path of the car whose turn it is has the strongest colour and is drawn on top.
    """
    last = states[-1]
    turn = -1 if is_over(last) else turn_of(last)
    paths: list[list[Cell]] = [[car.cell] for car in cars_of(states[0])]
    for state in states[1:]:
        moved = int(state.game["car"][0])
        if moved >= 0:
            cell = int(state.cars["row"][0, moved]), int(state.cars["col"][0, moved])
            if cell != paths[moved][-1]:
                paths[moved].append(cell)
    marks: list[Mark] = []
    for number in sorted(range(len(paths)), key=lambda number: number == turn):
        strength = 1.0 if number == turn else FAINT
        shade = colour_of(number) if number == turn else mixed(colour_of(number), PALE, 0.25)
        cells = paths[number]
        marks += [line(a, b, shade, strength) for a, b in pairwise(cells)]
        marks += [Mark("dot", cell, shade, strength=1.0, style="small") for cell in cells]
    waiting = [car for car in cars_of(last) if car.wait and car.place == 0]
    return marks + [Mark("frame", car.cell, PENALTY, f"-{car.wait}") for car in waiting]


def standings(env: GridEnv, state: RaceState, names: Sequence[str]) -> list[Figure]:
    """List the finished cars by rank, then the other cars by their distance from the finish."""
    distance, far = distance_of(state), int(1e9)
    over, turn = is_over(state), turn_of(state)

    def order(car: Car) -> tuple[int, int, int]:
        left = int(distance[car.cell])
        return (0, car.place, car.number) if car.place else (1, left if left >= 0 else far, car.number)

    lines = []
    for car in sorted(cars_of(state), key=order):
        to_move = car.number == turn and not over
        name = names[car.number]
        label = f"{car.place}. {name}" if car.place else f"> {name}" if to_move else name
        tone = "good" if car.place == 1 else "bad" if car.wait else ""
        lines.append(Figure(label, _standing(car, over), tone=tone, colour=colour_of(car.number)))
    return lines


def _standing(car: Car, over: bool) -> str:
    parts = [count(car.steps, "step")]
    if over and not car.place:
        parts.append("not finished")
    if car.wait:
        parts.append(f"skips {car.wait}")
    elif car.penalties and (car.place or over):
        parts.append(count(car.penalties, "penalty"))
    return ", ".join(parts)


def score(env: GridEnv, state: RaceState, player: int) -> Score | None:
    car = cars_of(state)[player]
    return score_of(car.steps) if car.place else None
