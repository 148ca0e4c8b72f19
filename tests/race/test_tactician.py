"""The agent `tactician`: its search is compared with the rules and with plain recursion; then its decisions and races."""

import numpy as np
import pytest

from shoverworld.agents import load
from shoverworld.games.race.agents import ground_of, racer_of
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.planner import paranoid, response, sampling, solve, values_of
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
    ground = ground_of(state, values_of(env.track, env.rules.line, env.rules.finish))
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


def value_of_lead(lead):
    size = abs(lead)
    return int(np.sign(lead)) * (100 + 12 * min(size, 6) + size)


def plain(env, values, me, turns, slack, base):
    """Compute (the value of a position, the value of each action) by recursion without pruning or a table."""
    costs = estimated_steps(env, values)
    if turns == 0 or env.outcome is not None:
        return sum(value_of_lead(cost - costs[me]) for car, cost in enumerate(costs) if car != me), {}
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
def test_without_predictions_the_tactician_drives_legally_and_never_depends_on_earlier_moves(track, rules, cars):
    options = {"visits": 2000, "drives": 50, "beam": 0}
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


# ---------------------------------------------------------------- the best response


def response_to(env, beam, model=response.RACER, slack=3, most=10**6):
    """Return the best line that a beam search finds for the car whose turn it is."""
    state, rules = env.get_state(), env.rules.numbers()
    ground = ground_of(state, values_of(env.track, env.rules.line, env.rules.finish))
    tree = response.new_response(racer_of(state), beam)
    tree.model[0] = model
    set_root(tree.positions, state, rules, ground, np.arange(state.car_count))
    return response.best_line(tree, rules, ground, tree.positions.cars[0].copy(), env.turn, beam, slack, most)


def best_lead(env, rival, values, me, base, slack):
    """Return the best possible lead of car `me` over one rival, by recursion over all its moves."""
    while env.outcome is None and env.turn != me and env.cars[me].place == 0:
        env.step(rival.act(None, {}))
    costs = estimated_steps(env, values)
    if env.outcome is not None or any(car.place > 0 for car in env.cars):
        return costs[1 - me] - costs[me]
    state, found = env.get_state().copy(), []
    for action in np.flatnonzero(env.action_mask()).tolist():
        env.step(action)
        left = env.cars[me].place > 0 or values.moves(*_state(env.cars[me])) is not None
        if left and estimated_steps(env, values)[me] <= base + slack:
            found.append(best_lead(env, rival, values, me, base, slack))
        env.set_state(state)
    return max(found, default=-99)


@pytest.mark.parametrize(("rival", "model"), [("racer", response.RACER), ("optimal", response.ALONE)])
@pytest.mark.parametrize("turn", [0, 1])
def test_the_best_line_is_the_best_of_all_lines(rival, model, turn):
    """The oracle plays all moves against the rival's agent itself."""
    env = at("S....#....F\nS.........F\nS....#....F", [(0, 1), (0, 2)], turn=turn)
    player, values = load.load(rival, env), values_of(env.track)
    player.reset({})
    line, start = response_to(env, 1000, model), env.get_state().copy()
    lead = best_lead(env, player, values, turn, estimated_steps(env, values)[turn], 3)
    assert line.complete or line.won
    assert np.sign(line.value) == np.sign(lead)
    env.set_state(start)
    for action in line.actions:  # the rival's agent moves as predicted
        env.step(action)
        while env.outcome is None and env.turn != turn:
            env.step(player.act(None, {}))
    assert env.cars[turn].place > 0
    assert np.sign(int(env.cars[1 - turn].steps) - int(env.cars[turn].steps)) == np.sign(lead)


@pytest.mark.parametrize(
    ("name", "track"), [("racer", "12-harbour"), ("racer", "09-spiral"), ("optimal", "12-harbour")]
)
def test_the_tactician_beats_predictable_rivals_from_the_second_seat(name, track):
    """If the rival races against a copy of itself, the second car does not win these races."""
    alike = race(track, [name, name], seed=1).cars
    assert alike[1].steps >= alike[0].steps
    cars = race(track, [name, "tactician"], seed=1).cars
    assert cars[1].steps < cars[0].steps


@pytest.mark.parametrize("track", ["08-hourglass", "04-hairpin"])
def test_after_a_safe_action_the_rival_cannot_force_a_crash(track):
    """The oracle plays all moves of the car, all answers of the rival, and all next moves of the car."""
    forced = 0
    for number, env in enumerate(positions_of_a_race(track, 2, seed=4)):
        if number % 3 or env.cars[1 - env.turn].wait > 0 or any(car.place > 0 for car in env.cars):
            continue
        state, me, values = env.get_state().copy(), env.turn, values_of(env.track)
        tree, ground = response.new_response(racer_of(state), 1), ground_of(state, values)
        rules = env.rules.numbers()
        set_root(tree.positions, state, rules, ground, np.arange(2))
        safe = response.safe_actions(tree, rules, ground, tree.positions.cars[0].copy(), me)
        for action in np.flatnonzero(env.action_mask()).tolist():
            env.set_state(state)
            env.step(action)
            if env.cars[me].place > 0:
                continue
            after = env.get_state().copy()
            for answer in np.flatnonzero(env.action_mask()).tolist():
                env.set_state(after)
                env.step(answer)
                if not any(_survives(env, values, own) for own in np.flatnonzero(env.action_mask()).tolist()):
                    assert not safe >> action & 1
                    forced += 1
        env.set_state(state)
    assert forced > 0


def _survives(env, values, action):
    before = env.get_state().copy()
    who = env.turn
    env.step(action)
    car = env.cars[who]
    alive = car.place > 0 or values.moves(*_state(car)) is not None
    env.set_state(before)
    return alive


def test_the_same_race_gives_the_same_moves():
    for names in (["tactician", "racer"], ["optimal", "tactician", "racer"], ["tactician"] * 2):
        first, second = (race("08-hourglass", names, seed=3).state_hash() for _ in range(2))
        assert first == second


@pytest.mark.parametrize(("track", "rules"), VARIANTS)
def test_the_tactician_never_chooses_an_illegal_move_if_a_legal_one_exists(track, rules):
    def watch(env, _, action):
        mask = env.action_mask()
        assert mask[action] or not mask.any()

    for names in (["tactician", "racer"], ["random", "tactician", "optimal"]):
        env = race(track, names, seed=2, watch=watch, max_rounds=80, **rules)
        assert env.cars[names.index("tactician")].place > 0
