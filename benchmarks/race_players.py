"""Measure how many points a race agent takes from another: `python benchmarks/race_players.py [TRACK ...]`.

Each pair of races has the same start cells, and the agents exchange their seats (the order in which they move). A player
gets one point if it needs fewer steps than the rival, and half a point if both need the same number. The interval treats
the tracks as a sample (arena/ranking.py). With `--cars N`, one player races against N - 1 cars of the rival, from every
seat, and the points against all of them are averaged. `--bound` also searches for the best possible answer to the rival:
its moves are simulated, and a beam search looks for the largest lead that any player could reach.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from shoverworld.agents import load
from shoverworld.agents.tournament import Fixture, PlayerResult, run, start
from shoverworld.arena import ranking
from shoverworld.core.ui import Board
from shoverworld.games import game_named
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.planner import values_of
from shoverworld.games.race.planner.rivals import DOOMED, weigh

RACE = game_named("race")
PATIENCE = 3600.0  # no player loses on time: the times are reported instead


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tracks", nargs="*", help="names of bundled tracks (default: all with enough start cells)")
    parser.add_argument("--player", default="tactician")
    parser.add_argument("--rival", default="racer")
    parser.add_argument("--cars", type=int, default=2, help="cars in a race (default: 2)")
    parser.add_argument("--seeds", type=int, default=4, help="sets of start cells for each track (default: 4)")
    parser.add_argument("--bound", type=int, default=0, metavar="BEAM", help="search for the best answer to the rival")
    options = parser.parse_args()
    boards = [b for b in RACE.levels.boards() if not options.tracks or b.name in options.tracks]
    multiplayer: Any = RACE.ui.multiplayer
    boards = [board for board in boards if multiplayer.max_players(board) >= options.cars]
    title = f"Points of {options.player} against {options.rival}, {options.cars} cars, seeds 0 to {options.seeds - 1}"
    headings = [*(f"seat {seat + 1}" for seat in range(options.cars)), "all", "won", "drawn", "lost", "ms a move"]
    print(f"{title}:\n\n| track | {' | '.join(headings)} |\n|---|{'---|' * len(headings)}", flush=True)
    results = {}
    for board in boards:
        results[board.name] = [
            played(board, options.player, options.rival, options.cars, seat, seed)
            for seed in range(options.seeds)
            for seat in range(options.cars)
        ]
        print_row(board.name, results[board.name], options.cars)
    print_row("all", [one for found in results.values() for one in found], options.cars)
    print_total(results)
    if options.bound:
        print_bound(boards, options)


# ---------------------------------------------------------------- races


def played(board: Board, player: str, rival: str, cars: int, seat: int, seed: int) -> PlayerResult:
    """Return the result of the player in one race, from this seat."""
    players = [rival] * cars
    players[seat] = player
    return run(RACE, Fixture(board, tuple(players), seed), {}, PATIENCE)[seat]


def share(results: Sequence[PlayerResult]) -> float:
    return float(np.mean([np.mean(result.beaten) for result in results]))


def print_row(name: str, found: Sequence[PlayerResult], cars: int) -> None:
    own = [share([one for one in found if one.seat == seat + 1]) for seat in range(cars)]
    beaten = [points for one in found for points in one.beaten]
    counts = [str(beaten.count(points)) for points in (1.0, 0.5, 0.0)]
    time_of_move = 1000 * sum(one.seconds for one in found) / sum(one.moves for one in found)
    cells = [*(f"{100 * value:.0f} %" for value in (*own, share(found))), *counts, f"{time_of_move:.1f}"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def print_total(results: dict[str, list[PlayerResult]]) -> None:
    """Print the mean over the tracks with its interval. The two shares add up to 1, so their difference determines it."""
    points = np.array([share(found) for found in results.values()])
    found = ranking.compare(np.array([points, 1 - points]), np.ones(len(points)))
    low, high = (50 + 50 * limit[0, 1] for limit in (found.low, found.high))
    print(f"\nShare of the points: {100 * points.mean():.1f} %, 95 % interval {low:.1f} to {high:.1f} %", flush=True)


# ---------------------------------------------------------------- the best answer to the rival


def best_lead(board: Board, rival: str, seat: int, seed: int, beam: int, slack: int = 2) -> int:
    """Return the largest lead over the rival, in steps, that a beam search finds from this seat in a race of two cars.

    The search simulates the moves of the rival, which must be deterministic. `slack`: the steps that one move may lose.
    """
    env: Any = start(RACE, Fixture(board, (rival, rival), seed), {}).unwrapped
    player: Any = load.load(rival, env)
    player.reset({})
    values, rng = values_of(env.track), np.random.default_rng(0)
    leads: list[int] = []
    states = [env.get_state().copy()]
    while states:
        after: dict[bytes, tuple[float, Any]] = {}
        for state in states:
            env.set_state(state)
            let_drive(env, player, seat)
            here = env.get_state().copy()
            for action in sensible(env, values, slack):
                env.set_state(here)
                env.step(action)
                let_drive(env, player, seat)
                lead = lead_of(env, values, seat)
                if env.outcome is not None or env.cars[seat].place > 0:
                    leads.append(lead)
                else:
                    key = env.get_state().cars.tobytes()
                    after[key] = rng.random() / 2 - lead, env.get_state().copy()
        states = [state for _, state in sorted(after.values(), key=lambda one: one[0])[:beam]]
    return max(leads)


def let_drive(env: RaceEnv, player: Any, seat: int) -> None:
    while env.outcome is None and env.turn != seat and env.cars[seat].place == 0:
        env.step(player.act(None, {}))


def sensible(env: RaceEnv, values: Any, slack: int) -> list[int]:
    costs = np.zeros(9, np.int64)
    weigh(env.get_state(), 0, env.rules.numbers(), values.table, costs)
    found = np.flatnonzero(costs <= min(costs.min() + slack, DOOMED)).tolist()
    return found or [int(costs.argmin())]


def lead_of(env: RaceEnv, values: Any, seat: int) -> int:
    steps = []
    for car in env.cars:
        cell, velocity = (int(car.col), int(car.row)), (int(car.dcol), int(car.drow))
        left = 0 if car.place > 0 else values.moves(cell, velocity)
        if left is None:
            left = 2 + env.rules.penalty + values.moves(cell)
        steps.append(int(car.steps + car.wait) + left)
    return steps[1 - seat] - steps[seat]


def print_bound(boards: Sequence[Board], options: argparse.Namespace) -> None:
    """Print the share that the best answers to the rival reach. A wider beam can only find more."""
    print(f"\nThe best answers to {options.rival} that a beam of {options.bound} states finds:\n")
    print("| track | leads from seat 1 | leads from seat 2 | share |\n|---|---|---|---|", flush=True)
    shares = []
    for board in boards:
        leads = [
            [best_lead(board, options.rival, seat, seed, options.bound) for seed in range(options.seeds)]
            for seat in (0, 1)
        ]
        shares.append(float(np.mean(0.5 + 0.5 * np.sign(leads))))
        cells = (" ".join(f"{lead:+d}" for lead in own) for own in leads)
        print(f"| {board.name} | {' | '.join(cells)} | {100 * shares[-1]:.0f} % |", flush=True)
    print(f"\nShare of the points: {100 * np.mean(shares):.1f} %")


if __name__ == "__main__":
    main()
