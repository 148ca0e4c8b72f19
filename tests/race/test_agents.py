"""The agents of the grid race: what each of them does, compared with plain Python, and who wins."""

from collections import Counter

import numpy as np
import pytest

from shoverworld.agents import load
from shoverworld.games.race.agents import rivals_of
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.planner import solve, values_of
from shoverworld.games.race.planner.rivals import DOOMED, NEVER, look_ahead, new_tree, weigh, weigh_by_zombie
from shoverworld.games.race.tracks import bundled, bundled_names

NAMES = ("greedy", "optimal", "racer")


def race(track, names, seed=0, watch=None, **rules):
    """A race between players; `watch(env, name, action)` is told each move before it is made."""
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
    """A race in which cars stand at these cells with these velocities."""
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


# ---------------------------------------------------------------- each of them


@pytest.mark.parametrize("name", NAMES)
def test_no_penalty_while_a_legal_move_is_left(name):
    """At every move of every car, on every bundled track."""
    taken = Counter()

    def watch(env, _, action):
        mask = env.action_mask()
        assert mask[action] or not mask.any()
        taken[bool(mask.any())] += 1

    for track in bundled_names():
        race(track, [name] * min(3, len(bundled(track).starts)), watch=watch, max_rounds=120)
    assert taken[True] > 1000
    assert taken[False] > 0 or name != "greedy"  # it does get stuck, or this says little


def test_greedy_goes_where_the_zombies_are_nearest():
    env = at("S.....F\n.......", [(0, 0)], [(1, 0)])
    assert choice("greedy", env) == 5  # (2, 0), the nearest: not further down, where the way is longer


def test_greedy_takes_the_second_best_when_a_car_or_a_wall_is_in_the_way():
    assert choice("greedy", at("SS...F\n......", [(0, 0), (2, 0)], [(1, 0), (0, 0)])) in (
        4,
        8,
    )  # (1, 0) and (2, 1) are as near
    env = at("S.#..F\n......", [(0, 0)], [(2, 0)])
    assert choice("greedy", env) == 8  # straight on to (3, 0) the wall is in the way
    assert choice("greedy", at("S....F", [(3, 0)], [(5, 0)])) == 4  # nothing is legal: it drives on, and pays


def test_greedy_sees_a_finish_that_it_crosses():
    env = at("S..F..", [(0, 0)], [(4, 0)], finish="cross")
    assert choice("greedy", env) in (3, 4, 5)
    costs = np.zeros(9, np.int64)
    weigh_by_zombie(env.get_state(), 0, env.rules.numbers(), costs)
    assert costs.tolist() == [NEVER] * 3 + [0, 0, 0] + [NEVER] * 3


@pytest.mark.parametrize("name", ["optimal", "racer"])
@pytest.mark.parametrize("line", ["valid_line", "supercover", "landing"])
def test_alone_the_planning_players_make_the_fewest_moves(name, line):
    for track in bundled_names()[:8]:
        env = race(track, [name], line=line)
        start = RaceEnv(track, line=line)
        start.reset(seed=0)
        car = start.cars[0]
        x, y = int(car.col), int(car.row)
        assert env.cars[0].steps == solve(bundled(track), (x, y), line).steps


def test_costs_are_one_move_and_what_is_left():
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
    assert costs[5] == NEVER and (costs < NEVER).sum() >= 5  # at (2, 1) stands the other car


# ---------------------------------------------------------------- looking ahead


def judged(env, values):
    """The steps of all cars at the finish."""
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


def plain(env, values, turns, spite):
    """(steps of all cars, worth of each action) when every car does what is best for itself, by recursion."""
    if turns == 0 or env.outcome is not None:
        return judged(env, values), {}
    who, state = env.turn, env.get_state()
    legal = np.flatnonzero(env.action_mask()).tolist() or [4]
    costs = np.zeros(9, np.int64)
    weigh(state, 0, env.rules.numbers(), values.table, costs)
    if min(costs) < DOOMED:
        legal = [action for action in legal if costs[action] < DOOMED]
    best, answers = None, {}
    for action in sorted(legal, key=lambda action: (costs[action], action)):
        env.set_state(state)
        env.step(action)
        steps, _ = plain(env, values, turns - 1, spite)
        others = sum(min(n, steps[who] + 50) for other, n in enumerate(steps) if other != who)
        answers[action] = -steps[who] + spite * others
        if best is None or answers[action] > best[0]:
            best = answers[action], steps
    env.set_state(state)
    assert best is not None
    return best[1], answers


@pytest.mark.parametrize("seed", range(6))
def test_looking_ahead_is_plain_recursion(seed):
    """In the middle of a race, where cars are near each other, stuck, or waiting."""
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
            tree = new_tree(state, 3)
            state.copy_to(tree.state.row(0))
            look_ahead(tree, env.rules.numbers(), values.table, 3, np.full(env.rules.cars, 9), 0.5)
            expected = plain(env, values, 3, 0.5)[1]
            assert {a: w for a, w in enumerate(tree.answer.tolist()) if w > -np.inf} == expected
        obs, _, _, _, info = env.step(player.act(obs, info))


def test_who_can_be_met():
    env = at(
        "\n".join(["." * 40, "S" + "." * 38 + "F"]), [(0, 0), (3, 0), (9, 0), (30, 0)], [(3, 0), (0, 0), (0, 0), (0, 0)]
    )
    assert rivals_of(env.get_state(), 0) == [1, 2]
    assert rivals_of(env.get_state(), 3) == []


# ---------------------------------------------------------------- who wins


def test_the_racer_beats_the_greedy_player_and_the_one_that_thinks_it_is_alone():
    """Both seats of the same start cells, on every bundled track."""
    wins = {"greedy": Counter(), "optimal": Counter()}
    for other, count in wins.items():
        for track in bundled_names():
            for seats in (("racer", other), (other, "racer")):
                for seed in range(2):
                    cars = race(track, seats, seed).cars
                    own, its = cars[seats.index("racer")], cars[seats.index(other)]
                    count[int(np.sign(int(its.steps) - int(own.steps)))] += 1
                    count["penalties"] += int(own.penalties)
        assert count["penalties"] == 0
    assert wins["greedy"][1] > 10 * wins["greedy"][-1]
    assert wins["optimal"][1] > 1.3 * wins["optimal"][-1]


def test_a_race_is_the_same_when_it_is_run_again():
    for names in (["racer"] * 3, ["greedy", "racer", "optimal"]):
        first, second = (race("05-oval", names, seed=3).state_hash() for _ in range(2))
        assert first == second
