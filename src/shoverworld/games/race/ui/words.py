"""What happened, what would happen and why not, in plain words."""

from typing import Any

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Move

from ..config import RaceRules
from ..record import FAULT_WORDS, action_words
from ..state import FAULTS, FINE, RaceState
from .grid import car_to_move, cars_of, count, landing, legal_actions, spot, why_not


def why_invalid(after: RaceState) -> str:
    """Why the last move was illegal; "" when it was not."""
    fault = game_numbers(after)["fault"]
    return "" if fault == FINE else FAULT_WORDS[FAULTS[fault]]


def move(rules: RaceRules, before: RaceState, after: RaceState) -> Move:
    """What the car that moved did, with its steps; and which others had to skip a turn by it."""
    game = game_numbers(after)
    if game["car"] < 0 or after.cars["steps"].sum() == before.cars["steps"].sum():
        return Move("", "")
    cars = cars_of(after)
    car, was = cars[game["car"]], cars_of(before)[game["car"]]
    skipped = "".join(
        f"; car {other.number + 1} skips {count(other.taken, 'turn')}, {other.wait} left"
        for other in cars
        if other.taken and other.number != car.number
    )
    step = f"step {was.steps + 1}"
    if game["fault"] != FINE:
        wanted = spot((game["to_row"], game["to_col"]))
        cost = f"stops and skips {count(rules.penalty, 'turn')}" if rules.penalty else "stops"
        return Move("invalid", f"{step}, to {wanted}: {why_invalid(after)}; {cost}{skipped}")
    if game["finished"]:
        told = f"{step}, to {spot(car.cell)}: finished in {count(car.steps, 'step')}, place {car.place}"
        return Move("finish", told + skipped)
    down, right = car.velocity
    return Move("drive", f"{step}, to {spot(car.cell)}, speed {right},{down}{skipped}")


def describe(rules: RaceRules, state: RaceState, action: Any) -> str:
    """An action in words, for hints."""
    action, car = int(action), car_to_move(state)
    there = landing(car, action)
    told = f"{action_words(action)} to {spot(there)}"
    if not legal_actions(rules, state)[action]:
        return f"{told}: illegal, {why_not(state, action)}"
    return told
