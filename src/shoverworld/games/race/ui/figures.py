"""The lines of the panel: the car to move, how all of them stand, and how the race ended."""

from collections.abc import Sequence

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Figure, Score

from ..config import RaceRules
from ..state import OUTCOMES, RaceState
from ..tiles import colour_of
from .grid import Car, car_to_move, cars_of, count, distance_of, is_over, spot, turn_of

ENDINGS = {"finished": ("All have finished", "good"), "timeout": ("Time is up", "warn")}


def figures(rules: RaceRules, state: RaceState) -> list[Figure]:
    if is_over(state):
        return ending(rules, state)
    car, game = car_to_move(state), game_numbers(state)
    down, right = car.velocity
    lines = [
        Figure("Step", f"{car.steps + 1}"),
        Figure("Speed", f"{right},{down}" if right or down else "stands"),
        Figure("At", f"{spot(car.cell)}, {int(distance_of(state)[car.cell])} to the finish"),
    ]
    if car.penalties:
        lines.append(Figure("Penalties", str(car.penalties), tone="bad"))
    if rules.cars > 1:
        lines.append(Figure("Round", f"{game['rounds']}"))
    return lines


def ending(rules: RaceRules, state: RaceState) -> list[Figure]:
    words, tone = ENDINGS.get(OUTCOMES[game_numbers(state)["outcome"]] or "", ("Still racing", ""))
    lines = [Figure("Outcome", "Finished" if rules.cars == 1 and tone == "good" else words, tone=tone)]
    if rules.cars == 1:
        car = cars_of(state)[0]
        lines += [Figure("Steps", str(car.steps)), Figure("Penalties", str(car.penalties))]
    return lines


def standings(state: RaceState, names: Sequence[str]) -> list[Figure]:
    """Who has finished by place, then who is nearest to the finish."""
    distance, far = distance_of(state), int(1e9)
    over, turn = is_over(state), turn_of(state)

    def order(car: Car) -> tuple[int, int, int]:
        left = int(distance[car.cell])
        return (0, car.place, car.number) if car.place else (1, left if left >= 0 else far, car.number)

    lines = []
    for car in sorted(cars_of(state), key=order):
        to_move = car.number == turn and not over
        name = f"{car.number + 1} {names[car.number]}"
        label = f"{car.place}. {name}" if car.place else f"> {name}" if to_move else name
        tone = "good" if car.place == 1 else "bad" if car.wait else ""
        lines.append(Figure(label, _told(car, over), tone=tone, colour=colour_of(car.number)))
    return lines


def _told(car: Car, over: bool) -> str:
    said = [count(car.steps, "step")]
    if over and not car.place:
        said.append("not finished")
    if car.wait:
        said.append(f"skips {car.wait}")
    elif car.penalties and (car.place or over):
        said.append(count(car.penalties, "penalty"))
    return ", ".join(said)


def score(state: RaceState, car: int = 0) -> Score | None:
    """Of a car that has finished."""
    there = cars_of(state)[car]
    return score_of(there.steps) if there.place else None


def best_score(state: RaceState) -> Score | None:
    """Of the quickest car."""
    steps = [car.steps for car in cars_of(state) if car.place]
    return score_of(min(steps)) if steps else None


def score_of(steps: int, proved: bool = False) -> Score:
    return Score((steps,), count(steps, "step"), proved)
