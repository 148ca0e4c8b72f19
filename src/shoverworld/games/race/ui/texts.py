"""The on-screen text of the race: panel lines, descriptions of moves, and the reasons why moves are illegal."""

from typing import Any

from shoverworld.core.env import GridEnv
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Figure, InputHandler, MoveText, count

from ..boards import rules_of
from ..reasons import FINE
from ..record import action_words
from ..state import OUTCOMES, RaceState
from .position import (
    car_to_move,
    cars_of,
    distance_of,
    is_over,
    landing,
    spot,
    why_not,
)

place_name = spot  # messages in the race refer to cells as x,y

ENDINGS = {"finished": ("All cars have finished", "good"), "timeout": ("Time is up", "warn")}


def figures(env: GridEnv, state: RaceState, handler: InputHandler | None) -> list[Figure]:
    if is_over(state):
        return ending(env, state)
    car, game = car_to_move(state), game_numbers(state)
    down, right = car.velocity
    lines = [
        Figure("Step", f"{car.steps + 1}", large=True),
        Figure("Speed", f"{right},{down}" if right or down else "stopped", large=True),
        Figure("At", f"{spot(car.cell)}, {int(distance_of(state)[car.cell])} to the finish"),
    ]
    if car.penalties:
        lines.append(Figure("Penalties", str(car.penalties), tone="bad"))
    if rules_of(env).cars > 1:
        lines.append(Figure("Round", f"{game['rounds']}"))
    return lines


def ending(env: GridEnv, state: RaceState) -> list[Figure]:
    alone = rules_of(env).cars == 1
    words, tone = ENDINGS.get(OUTCOMES[game_numbers(state)["outcome"]] or "", ("Still racing", ""))
    lines = [Figure("Outcome", "Finished" if alone and tone == "good" else words, tone=tone)]
    if alone:
        car = cars_of(state)[0]
        lines += [
            Figure("Steps", str(car.steps), large=True),
            Figure("Penalties", str(car.penalties), large=True),
        ]
    return lines


# --- Moves


def move(env: GridEnv, before: RaceState, after: RaceState) -> MoveText:
    """Describe the move of a car, with its step number, and the turns that other cars skipped after the move."""
    game = game_numbers(after)
    if game["car"] < 0 or after.cars["steps"].sum() == before.cars["steps"].sum():
        return MoveText("", "")
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
        penalty = rules_of(env).penalty
        cost = f"the car stops and skips {count(penalty, 'turn')}" if penalty else "the car stops"
        return MoveText("invalid", f"{step}, to {wanted}: {env.why_invalid(after)}; {cost}{skipped}")
    if game["finished"]:
        words = f"{step}, to {spot(car.cell)}: finished in {count(car.steps, 'step')}, place {car.place}"
        return MoveText("finish", words + skipped)
    down, right = car.velocity
    return MoveText("drive", f"{step}, to {spot(car.cell)}, speed {right},{down}{skipped}")


def describe(env: GridEnv, state: RaceState, action: Any) -> str:
    action, car = int(action), car_to_move(state)
    there = landing(car, action)
    words = f"{action_words(action)} to {spot(there)}"
    why = why_not(rules_of(env), state, action)
    return f"{words}: illegal, {why}" if why else words
