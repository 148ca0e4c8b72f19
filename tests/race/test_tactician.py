"""The agent `tactician`: its search is compared with the rules and with plain recursion; then its decisions and races."""

import numpy as np
import pytest

from shoverworld.agents import load
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.planner import paranoid, sampling, solve, values_of
from shoverworld.games.race.planner.regrets import new_ground
from shoverworld.games.race.planner.turns import COST, set_root
from shoverworld.games.race.tracks import bundled, bundled_names

from .test_agents import at, choice, estimated_steps, race

VARIANTS = [
    ("04-hairpin", {}),
    ("08-hourglass", {"line": "supercover"}),
    ("03-s-bend", {"line": "landing", "penalty": 2}),
    ("02-bend", {"finish": "cross", "penalty": 0}),
]


def tree_of(env, turns=8):
    """Return a search tree with the position of a race at its root, and the ground of the track."""
    state = env.get_state()
    bank = state.bank
    values = values_of(env.track, env.rules.line, env.rules.finish)
    ground = new_ground(bank.ground[state.game["track"][0]], bank.rows, bank.cols, values.table)
    tree = paranoid.new_tree(state.car_count, turns, 1 << 10)
    set_root(tree.positions, state, env.rules.numbers(), ground, np.arange(state.car_count))
    return tree, ground


def positions_of_a_race(track, cars, seed, **rules):
    """Yield the positions of a race in which the cars drive well most of the time."""
    env = RaceEnv(track, cars=cars, max_rounds=60, **rules)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    driver = load.load("optimal", env)
    driver.reset({})
    while env.outcome is None:
        yield env
        env.step(driver.act(None, {}) if rng.random() < 0.7 else int(rng.integers(9)))


# ---------------------------------------------------------------- the search


@pytest.mark.parametrize(("track", "rules"), VARIANTS)
def test_positions_in_the_search_follow_the_rules(track, rules):
    """Every action, legal or not, gives the same cars, costs and turn in the search as in the environment."""
    samples = sampling.new_samples(1, 2)
    for env in positions_of_a_race(track, 3, seed=1, **rules):
        tree, ground = tree_of(env)
        before = env.get_state().copy()
        for action in range(9):
            mean = np.full(9, -np.inf)
            mean[action] = 0
            sampling.sample(samples, tree.positions, env.rules.numbers(), ground, 1, 1, 0, mean)  # one turn, into row 1
            env.step(action)
            if env.outcome != "timeout":  # the search does not know the last round
                np.testing.assert_array_equal(tree.positions.cars[1], tree_of(env)[0].positions.cars[0])
            if env.outcome is None:
                assert tree.positions.who[1] == env.turn
            env.set_state(before)


@pytest.mark.parametrize(("track", "rules"), VARIANTS)
def test_the_costs_of_cars_agree_with_the_planner(track, rules):
    for env in positions_of_a_race(track, 2, seed=2, **rules):
        values = values_of(env.track, env.rules.line, env.rules.finish)
        assert tree_of(env)[0].positions.cars[0, :, COST].tolist() == estimated_steps(env, values)


def lead_value(lead):
    size = abs(lead)
    return int(np.sign(lead)) * (100 + 12 * min(size, 6) + size)


def plain(env, values, me, turns, slack, base):
    """Compute (the value of a position, the value of each action) by recursion without pruning or a table."""
    costs = estimated_steps(env, values)
    if turns == 0 or env.outcome is not None:
        return sum(lead_value(cost - costs[me]) for car, cost in enumerate(costs) if car != me), {}
    who, state = env.turn, env.get_state().copy()
    after = {}
    for action in np.flatnonzero(env.action_mask()).tolist() or [4]:
        env.step(action)
        car = env.cars[who]
        left = values.moves((int(car.col), int(car.row)), (int(car.dcol), int(car.drow)))
        safe = car.place > 0 or left is not None
        after[action] = estimated_steps(env, values)[who] - costs[who] if safe else 14
        env.set_state(state)
    least, spare = min(after.values()), min(slack - costs[who] + base[who], 13)
    answers = {}
    for action in [action for action, regret in after.items() if regret <= max(least, spare)]:
        env.step(action)
        answers[action] = plain(env, values, me, turns - 1, slack, base)[0]
        env.set_state(state)
    return (max if who == me else min)(answers.values()), answers


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("cars", [2, 3])
def test_the_search_agrees_with_plain_recursion(cars, seed):
    """The best value and the set of best actions are the same."""
    track, turns = ("04-hairpin", "08-hourglass", "09-spiral")[seed], 4
    contested = 0
    for number, env in enumerate(positions_of_a_race(track, cars, seed)):
        if number % 32 or any(values_of(env.track).moves(*_state(car)) is None for car in env.cars):
            continue  # the regrets of a car that must crash are estimates
        tree, ground = tree_of(env)
        paranoid.clear(tree)
        found = paranoid.search(tree, env.rules.numbers(), ground, turns, 1, 10**6, paranoid.NO_ACTION)
        base = estimated_steps(env, values_of(env.track))
        value, answers = plain(env, values_of(env.track), env.turn, turns, 1, base)
        best = {action for action, answer in answers.items() if answer == value}
        assert tree.answer.max() == value and found in best
        assert set(np.flatnonzero(tree.answer == value).tolist()) == best
        contested += len(best) < len(answers)
    assert contested > 0


def _state(car):
    return (int(car.col), int(car.row)), (int(car.dcol), int(car.drow))


# ---------------------------------------------------------------- decisions


def test_the_tactician_blocks_a_rival_if_this_costs_nothing():
    """Both cars have the velocity (2, -1) and need two moves. Two moves of A are equally good for A alone.

    S....#....F      Only the cell * lets B finish with its next move but one, and A can take it without losing a
    S...A..*..F      step. The agent `optimal` prefers the cell above it, which has the lower action number.
    S...B#....F
    """
    env = at("S....#....F\nS.........F\nS....#....F", [(4, 1), (4, 2)], [(2, -1), (2, -1)])
    values = values_of(env.track)
    assert estimated_steps(env, values) == [2, 2]
    assert choice("optimal", env) == 5
    assert choice("tactician", env) == 8
    env.step(8)
    assert _state(env.cars[0]) == ((7, 1), (3, 0))
    env.step(choice("tactician", env))
    assert estimated_steps(env, values) == [2, 3]


def test_the_tactician_without_rivals_uses_the_minimum_number_of_moves():
    for rules in ({}, {"line": "supercover"}, {"line": "landing"}, {"finish": "cross"}):
        for track in bundled_names()[:4]:
            env = RaceEnv(track, **rules)
            env.reset(seed=0)
            start = _state(env.cars[0])[0]
            fewest = solve(bundled(track), start, env.rules.line, env.rules.finish).steps
            assert race(track, ["tactician"], **rules).cars[0].steps == fewest


@pytest.mark.parametrize(("track", "rules"), VARIANTS)
@pytest.mark.parametrize("cars", [2, 4])
def test_the_tactician_chooses_a_legal_move_if_there_is_one_and_never_depends_on_earlier_moves(track, rules, cars):
    options = {"visits": 2000, "drives": 50}
    env = RaceEnv(track, cars=cars, max_rounds=60, **rules)
    env.reset(seed=3)
    players = [load.load("tactician", env, **options) for _ in range(cars)]
    for player in players:
        player.reset({})
    number = 0
    while env.outcome is None:
        action, mask = players[env.turn].act(None, {}), env.action_mask()
        assert mask[action] or not mask.any()
        if number % 10 == 0:
            assert choice("tactician", env, **options) == action
        env.step(action)
        number += 1
    assert all(car.place > 0 for car in env.cars)
