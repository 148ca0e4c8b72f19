"""Measure how many points a race agent takes from another: `python benchmarks/race_players.py [TRACK ...]`.

Each pair of races has the same start cells, and the agents exchange their seats (the order in which they move). A player
gets one point if it needs fewer steps than the rival, and half a point if both need the same number. The interval treats
the tracks as a sample (arena/ranking.py). With `--cars N`, one player races against N - 1 cars of the rival, from every
seat, and the points against all of them are averaged. `--bound` also searches for the best possible answer to the agent
`racer`: its moves are predicted exactly, and a beam search looks for the best result that any player could reach.
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
from shoverworld.games.race.agents import ground_of, racer_of
from shoverworld.games.race.planner import response, values_of
from shoverworld.games.race.planner.turns import set_root

RACE = game_named("race")
MOST_PREDICTIONS = 1_000_000  # maximum number of moves to predict for the best answer
PATIENCE = 3600.0  # no player loses on time: the times are reported instead


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tracks", nargs="*", help="names of bundled tracks (default: all with enough start cells)")
    parser.add_argument("--player", default="tactician")
    parser.add_argument("--rival", default="racer")
    parser.add_argument("--cars", type=int, default=2, help="cars in a race (default: 2)")
    parser.add_argument("--seeds", type=int, default=4, help="sets of start cells for each track (default: 4)")
    parser.add_argument("--bound", type=int, default=0, metavar="BEAM", help="search for the best answer to the racer")
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


# ---------------------------------------------------------------- the best answer to the racer


def best_answer(board: Board, seat: int, seed: int, beam: int, slack: int = 4) -> response.Line:
    """Return the best line against the racer from this seat, in a race of two cars. A wider beam follows a narrower one.

    `slack`: the steps that the line may lose compared with a drive alone. If the line is complete or won, no other line
    within the slack takes more points.
    """
    env: Any = start(RACE, Fixture(board, ("racer", "racer"), seed), {}).unwrapped
    racer: Any = load.load("racer", env)
    racer.reset({})
    while env.turn != seat:
        env.step(racer.act(None, {}))
    state, rules = env.get_state(), env.rules.numbers()
    ground, line = ground_of(state, values_of(env.track)), response.Line([], response.NEVER, False, False)
    for width in (beam // 100, beam // 10, beam):
        tree = response.new_response(racer_of(state), max(1, width))
        set_root(tree.positions, state, rules, ground, np.arange(2))
        cars = tree.positions.cars[0].copy()
        found = response.best_line(tree, rules, ground, cars, seat, max(1, width), slack, MOST_PREDICTIONS)
        line = found if found.complete or found.value > line.value else line
        if line.won or line.complete:
            break
    return line


def print_bound(boards: Sequence[Board], options: argparse.Namespace) -> None:
    """Print the share that the best answers reach. An asterisk marks answers that a wider beam could improve."""
    print(f"\nThe best answers to the racer that a beam of {options.bound} positions finds:\n")
    print("| track | from seat 1 | from seat 2 | share |\n|---|---|---|---|", flush=True)
    shares, unsettled = [], 0
    for board in boards:
        lines = [[best_answer(board, seat, seed, options.bound) for seed in range(options.seeds)] for seat in (0, 1)]
        unsettled += sum(not (line.won or line.complete) for own in lines for line in own)
        shares.append(float(np.mean([0.5 + 0.5 * np.sign(line.value) for own in lines for line in own])))
        cells = (", ".join(result_of(line) for line in own) for own in lines)
        print(f"| {board.name} | {' | '.join(cells)} | {100 * shares[-1]:.0f} % |", flush=True)
    print(f"\nShare of the points: {100 * np.mean(shares):.1f} %; answers that a wider beam could improve: {unsettled}")


def result_of(line: response.Line) -> str:
    result = ("lost", "drawn", "won")[int(np.sign(line.value)) + 1]
    return result if line.won or line.complete else f"{result}*"


if __name__ == "__main__":
    main()
