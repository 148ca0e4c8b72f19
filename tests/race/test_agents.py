"""The agents of the grid race: decisions, a comparison with plain Python, and races between agents."""

from collections import Counter

import numpy as np
import pytest

from shoverworld.agents import load
from shoverworld.games.race.agents import ground_of, rivals_of
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.planner import solve, values_of
from shoverworld.games.race.planner.costs import DOOMED, NEVER, weigh, weigh_by_zombie
from shoverworld.games.race.planner.racer import decision, new_racer
from shoverworld.games.race.tracks import bundled, bundled_names

NAMES = ("greedy", "optimal", "racer")
# fmt: off
RACER_STEPS = [
    [8, 8, 8], [8, 9, 9], [9, 11, 11], [21, 21, 21], [26, 23, 24], [20, 22, 23], [14, 14, 15], [10, 10, 11],
    [47, 44, 45], [11, 11, 11], [62, 63, 64], [22, 22, 23], [31, 29, 29], [42, 45, 43], [90, 91, 92], [161, 162, 163],
]
# fmt: on


def race(track, names, seed=0, watch=None, **rules):
    """Run a race between agents; `watch(env, name, action)` is called before each move."""
    env = RaceEnv(track, cars=len(names), **rules)
    obs, info = env.reset(seed=seed)
    players = [load.load(name, env, **({"seed": seed} if name in ("greedy", "random") else {})) for name in names]
    for player in players:
        player.reset(info)
    while env.outcome is None:
        who = env.turn
        action = players[who].act(obs, info)
        if watch is not None:
            watch(env, names[who], action)
        obs, _, _, _, info = env.step(action)
    return env


def at(text, starts, velocities=None, turn=0, **rules):
    """Return a race in which the cars have these positions and velocities."""
    env = RaceEnv(cars=len(starts), **rules)
    env.reset(seed=0, options={"map": text, "starts": starts})
    state = env.get_state()
    for who, (dx, dy) in enumerate(velocities or []):
        state.cars["dcol"][0, who], state.cars["drow"][0, who] = dx, dy
    state.game["turn"][0] = turn
    env.set_state(state)
    return env


def choice(name, env, **options):
    player = load.load(name, env, **options)
    obs, info = env.observe()
    player.reset(info)
    return player.act(obs, info)


# ---------------------------------------------------------------- decisions


@pytest.mark.parametrize("name", NAMES)
def test_agents_never_choose_an_illegal_move_if_a_legal_one_exists(name):
    """Check every move of every car on every bundled track."""
    taken = Counter()

    def watch(env, _, action):
        mask = env.action_mask()
        assert mask[action] or not mask.any()
        taken[bool(mask.any())] += 1

    for track in bundled_names():
        race(track, [name] * min(3, len(bundled(track).starts)), watch=watch, max_rounds=120)
    assert taken[True] > 1000
    assert taken[False] > 0 or name != "greedy"  # the greedy agent has no legal move at least once


def test_greedy_chooses_the_cell_nearest_to_the_finish():
    env = at("S.....F\n.......", [(0, 0)], [(1, 0)])
    assert choice("greedy", env) == 5  # (2, 0) is closest to the finish; the path from the row below is longer


def test_greedy_chooses_the_second_nearest_cell_if_a_car_or_a_wall_blocks_the_nearest_one():
    assert choice("greedy", at("SS...F\n......", [(0, 0), (2, 0)], [(1, 0), (0, 0)])) in (
        4,
        8,
    )  # (1, 0) and (2, 1) are equally close
    env = at("S.#..F\n......", [(0, 0)], [(2, 0)])
    assert choice("greedy", env) == 8  # a wall blocks the straight line to (3, 0)
    assert (
        choice("greedy", at("S....F", [(3, 0)], [(5, 0)])) == 4
    )  # no move is legal: the car keeps its velocity and incurs the penalty


def test_greedy_chooses_a_move_that_crosses_the_finish():
    env = at("S..F..", [(0, 0)], [(4, 0)], finish="cross")
    assert choice("greedy", env) in (3, 4, 5)
    costs = np.zeros(9, np.int64)
    weigh_by_zombie(env.get_state(), 0, env.rules.numbers(), costs)
    assert costs.tolist() == [NEVER] * 3 + [0, 0, 0] + [NEVER] * 3


@pytest.mark.parametrize("name", ["optimal", "racer"])
@pytest.mark.parametrize("line", ["valid_line", "supercover", "landing"])
def test_a_planning_agent_without_rivals_uses_the_minimum_number_of_moves(name, line):
    for track in bundled_names()[:8]:
        env = race(track, [name], line=line)
        start = RaceEnv(track, line=line)
        start.reset(seed=0)
        car = start.cars[0]
        x, y = int(car.col), int(car.row)
        assert env.cars[0].steps == solve(bundled(track), (x, y), line).steps


def test_the_cost_of_an_action_is_one_plus_the_number_of_remaining_moves():
    env = at("S...#..F\n...#....\n........", [(0, 0), (2, 1)], [(1, 1), (0, 0)])
    values, costs = values_of(env.track), np.zeros(9, np.int64)
    weigh(env.get_state(), 0, env.rules.numbers(), values.table, costs)
    for action, legal in enumerate(env.action_mask()):
        dx, dy = action % 3, action // 3
        left = values.moves((dx, dy), (dx, dy))
        if not legal:
            assert costs[action] == NEVER
        elif left is None:
            assert costs[action] > DOOMED
        else:
            assert costs[action] == 1 + left
    assert costs[5] == NEVER and (costs < NEVER).sum() >= 5  # the other car is at (2, 1)


# ---------------------------------------------------------------- lookahead


def estimated_steps(env, values):
    """Return the estimated number of steps that each car will have taken at the end of the race."""
    steps = []
    for car in env.cars:
        left = 0
        if car.place == 0:
            cell, velocity = (int(car.col), int(car.row)), (int(car.dcol), int(car.drow))
            left = values.moves(cell, velocity)
            if left is None:
                left = 2 + env.rules.penalty + values.moves(cell)
            left += int(car.wait)
        steps.append(int(car.steps) + left)
    return steps


def plain(env, values, turns, spite, width):
    """Compute (steps of all cars, value of each action) by recursion.

    Every car plays the best of its `width[car]` cheapest actions.
    """
    if turns == 0 or env.outcome is not None:
        return estimated_steps(env, values), {}
    who, state = env.turn, env.get_state()
    legal = np.flatnonzero(env.action_mask()).tolist() or [4]
    costs = np.zeros(9, np.int64)
    weigh(state, 0, env.rules.numbers(), values.table, costs)
    if min(costs) < DOOMED:
        legal = [action for action in legal if costs[action] < DOOMED]
    best, answers = None, {}
    order = sorted(legal, key=lambda action: (costs[action], action))
    for action in order[: width[who]]:
        env.set_state(state)
        env.step(action)
        steps, _ = plain(env, values, turns - 1, spite, width)
        others = sum(min(n, steps[who] + 50) for other, n in enumerate(steps) if other != who)
        answers[action] = -steps[who] + spite * others
        if best is None or answers[action] > best[0]:
            best = answers[action], steps
    env.set_state(state)
    assert best is not None
    return best[1], answers


def turns_within(positions, width, who):
    """Return the number of turns that can be searched: 9 actions, then `width[car]` for each turn of a car."""
    turns, count = 1, 9 * width[(who + 1) % len(width)]
    while turns < 3 * len(width) and count <= positions:
        turns += 1
        count *= width[(who + turns) % len(width)]
    return turns


@pytest.mark.parametrize("seed", range(6))
def test_the_lookahead_agrees_with_plain_recursion(seed):
    """The states come from the middle of races, where cars are near one another, stuck or waiting."""
    track = ("04-hairpin", "08-hourglass", "03-s-bend")[seed % 3]
    env = RaceEnv(track, cars=2 + seed % 2, penalty=2)
    obs, info = env.reset(seed=seed)
    player = load.load("greedy", env, seed=seed)
    values = values_of(env.track)
    for move in range(14):
        if env.outcome is not None:
            break
        if move % 3 == 0:
            state = env.get_state()
            cars, near = state.car_count, [env.turn, *rivals_of(state, env.turn)]
            racer = new_racer(state, 0.5 * (cars - 1), widest=9, most=729, rounds=3, times=2, far=4, rivals=3)
            found = decision(racer, state, env.rules.numbers(), ground_of(state, values), np.arange(cars))
            width = [9 if car in near else 1 for car in range(cars)]
            expected = plain(env, values, turns_within(729, width, env.turn), 0.5, width)[1]
            assert {a: w for a, w in enumerate(racer.answer.tolist()) if w > -np.inf} == expected
            assert expected[found] == max(expected.values())
        obs, _, _, _, info = env.step(player.act(obs, info))


def test_only_cars_within_reach_count_as_rivals():
    env = at(
        "\n".join(["." * 40, "S" + "." * 38 + "F"]), [(0, 0), (3, 0), (9, 0), (30, 0)], [(3, 0), (0, 0), (0, 0), (0, 0)]
    )
    assert rivals_of(env.get_state(), 0) == [1, 2]
    assert rivals_of(env.get_state(), 3) == []


# ---------------------------------------------------------------- races between agents


def test_the_racer_beats_the_greedy_and_the_optimal_agents():
    """On every bundled track, the agents race in both orders from the same start cells."""
    wins = {"greedy": Counter(), "optimal": Counter()}
    for other, count in wins.items():
        for track in bundled_names():
            for order in (("racer", other), (other, "racer")):
                for seed in range(2):
                    cars = race(track, order, seed).cars
                    own, its = cars[order.index("racer")], cars[order.index(other)]
                    count[int(np.sign(int(its.steps) - int(own.steps)))] += 1
                    count["penalties"] += int(own.penalties)
        assert count["penalties"] == 0
    assert wins["greedy"][1] > 10 * wins["greedy"][-1]
    assert wins["optimal"][1] > 1.3 * wins["optimal"][-1]


def test_the_racer_drives_as_it_always_did():
    """The steps of three racers on every track, computed before its search was rewritten."""
    steps = [[int(car.steps) for car in race(track, ["racer"] * 3, seed=3).cars] for track in bundled_names()]
    assert steps == RACER_STEPS


def test_a_race_is_reproducible():
    for names in (["racer"] * 3, ["greedy", "racer", "optimal"]):
        first, second = (race("05-oval", names, seed=3).state_hash() for _ in range(2))
        assert first == second
