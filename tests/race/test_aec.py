"""Races in PettingZoo: PettingZoo's own tests, and a step-by-step comparison with RaceEnv and the reference engine."""

import copy
import pickle
import subprocess
import sys
import warnings
from collections import Counter
from contextlib import contextmanager

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from shoverworld.core.errors import ActionError, ConfigError, ResetNeeded
from shoverworld.games.race import aec
from shoverworld.games.race.config import RaceReward, RaceRules
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.observation import PARTS
from shoverworld.games.race.tracks import Track
from tests.oracles.race_twin import RaceTwin

FIELD = Track.parse("""
###########
#S......FF#
#SS..#....#
#S........#
#S...##.FF#
###########
""")
LANE = Track.parse("SSSS....FF", "lane")
LEFT, KEEP, RIGHT, DOWN = 3, 4, 5, 7

VARIANTS = {
    "plain": {},
    "alone": {"cars": 1},
    "five": {"cars": 5, "penalty": 2},
    "cross": {"finish": "cross", "line": "supercover", "reward": RaceReward(step=-0.5, finish=10, illegal=-2)},
    "all parts": {"observation": PARTS},
    "rules": {"rules": RaceRules(cars=2, line="landing", penalty=0)},
}
EVERY = pytest.mark.parametrize("variant", VARIANTS)


def keywords(variant, **more):
    return {"track": FIELD, "max_rounds": 30, **VARIANTS[variant], **more}


def race_env(variant):
    """Return a RaceEnv with the same settings."""
    given = keywords(variant)
    return RaceEnv(**{"cars": None if "rules" in given else 4, **given})


def on_lane(*starts, make=aec.raw_env, **more):
    """Return a race on a track of one row, with cars in these columns."""
    env = make(LANE, len(starts), **more)
    env.reset(seed=0, options={"starts": [(x, 0) for x in starts]})
    return env


def positions(env):
    return [x for x, *_ in env.state().tolist()]


# --- PettingZoo's own tests


@contextmanager
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", ".*unknown option 'options'")  # PettingZoo's own tests pass an unknown option
        yield


@EVERY
def test_the_turn_based_environment_passes_the_pettingzoo_tests(variant, capsys):
    with no_warnings():
        # The observation is a dict, and a finished car has no legal action.
        for known in ("Observation is not", "Observation space for each", "Action mask numpy array is all zeros"):
            warnings.filterwarnings("ignore", known)
        api_test(aec.env(**keywords(variant)), num_cycles=400)
    assert "Passed API test" in capsys.readouterr().out


@EVERY
def test_the_parallel_environment_passes_the_pettingzoo_tests(variant, capsys):
    with no_warnings():
        parallel_api_test(aec.parallel_env(**keywords(variant)), num_cycles=150)
    assert "Passed Parallel API test" in capsys.readouterr().out


@EVERY
def test_the_same_seed_gives_the_same_race(variant):
    seed_test(lambda: aec.env(**keywords(variant)), num_cycles=60)
    parallel_seed_test(lambda: aec.parallel_env(**keywords(variant)), num_cycles=60)


def test_rendering_passes_the_pettingzoo_tests(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(lambda render_mode: aec.env(**keywords("plain", render_mode=render_mode)))


# --- the same race as RaceEnv and the reference engine


def twin_of(env):
    """Return a reference engine that starts in the same state as the race."""
    rules = env.race.rules
    starts = [(int(car.col), int(car.row)) for car in env.race.cars]
    how = {name: getattr(rules, name) for name in ("line", "finish", "penalty", "max_rounds")}
    return RaceTwin(FIELD.cells.tolist(), starts, **how)


def earned(twin, before, happened, reward):
    """Return the reward of each car for a step of the reference engine."""
    worth = [reward.step * (car.steps - steps) for car, steps in zip(twin.cars, before, strict=True)]
    worth[happened["car"]] += reward.illegal * bool(happened["faults"]) + reward.finish * happened["finished"]
    return np.array(worth)


def check_info(info, twin, who):
    car = twin.cars[who]
    assert (info["position"], info["velocity"]) == (car.at, car.velocity)
    assert (info["waiting"], info["steps"], info["penalties"]) == (car.wait, car.steps, car.penalties)
    assert (info["finished"], info["place"] or None) == (car.finished, twin.places()[who])
    assert info["outcome"] == twin.outcome
    last = 1 + sum(car.finished for car in twin.cars)
    standings = [
        (place or last, f"car_{number}", car.steps, car.penalties, car.finished)
        for number, (place, car) in enumerate(zip(twin.places(), twin.cars, strict=True))
    ]
    assert sorted(info["ranking"]) == sorted(standings)
    assert [row[0] for row in info["ranking"]] == sorted(row[0] for row in standings)


def some_action(rng, mask):
    """Return a legal action nine times out of ten, so that cars finish, and any action otherwise."""
    legal = np.flatnonzero(mask)
    return int(rng.choice(legal)) if len(legal) and rng.random() < 0.9 else int(rng.integers(9))


@EVERY
def test_a_turn_has_the_same_result_as_a_step_of_race_env_and_of_the_reference_engine(variant):
    env, other = aec.raw_env(**keywords(variant)), race_env(variant)
    names, reward = env.possible_agents, env.race.rules.reward
    rng, seen = np.random.default_rng(1), Counter()
    for seed in range(15):
        env.reset(seed=seed)
        other.reset(seed=seed)
        twin, owed, out = twin_of(env), np.zeros(len(names)), set()
        total = np.zeros(len(names))
        while env.agents:
            agent = env.agent_selection
            who = names.index(agent)
            observation, gained, terminated, truncated, info = env.last()
            assert gained == pytest.approx(owed[who])
            assert env.observation_space(agent).contains(observation)
            assert terminated == twin.cars[who].finished
            assert truncated == (twin.outcome == "timeout" and not terminated)
            check_info(info, twin, who)
            if terminated or truncated:
                assert not info["action_mask"].any() and agent not in out
                total[who] += gained
                out.add(agent)
                env.step(None)
                assert agent not in env.agents
                continue
            assert who == twin.turn == other.turn and info["moves_this_round"]
            assert info["action_mask"].tolist() == [not twin.faults(action) for action in range(9)]
            for name, part in other.observe_car(who).items():
                assert np.array_equal(observation[name], part)
            action = some_action(rng, info["action_mask"])
            before = [car.steps for car in twin.cars]
            total[who] += gained
            owed[who] = 0.0
            happened = twin.step(action)
            worth = earned(twin, before, happened, reward)
            owed += worth
            env.step(action)
            other.step(action)
            assert other.state_hash() == env.race.state_hash()
            assert env.rewards == pytest.approx({name: worth[names.index(name)] for name in env.agents})
            assert env.infos[agent]["last_action_valid"] == (not happened["faults"])
            seen["skipped"] += len(happened["skipped"])
            seen["home"] += happened["finished"]
            seen["penalties"] += bool(happened["faults"])
            seen[twin.outcome] += 1
        assert out == set(names)  # the end was reported to every car exactly once
        everything = [
            reward.step * car.steps + reward.illegal * car.penalties + reward.finish * car.finished for car in twin.cars
        ]
        assert total == pytest.approx(everything)
    assert seen["home"] > 5 and seen["timeout"] > 0 and seen["penalties"] > 10
    assert seen["skipped"] > 20 or variant == "rules"  # these rules have no penalty


@EVERY
def test_rounds_have_the_same_results_as_rounds_of_the_reference_engine(variant):
    env, other = aec.parallel_env(**keywords(variant)), race_env(variant)
    names, reward = env.possible_agents, env.race.rules.reward
    rng, seen = np.random.default_rng(2), Counter()
    for seed in range(15):
        observations, infos = env.reset(seed=seed)
        other.reset(seed=seed)
        twin = twin_of(env)
        while env.agents:
            racing = list(env.agents)
            assert racing == [name for name, car in zip(names, twin.cars, strict=True) if not car.finished]
            actions = {name: some_action(rng, infos[name]["action_mask"]) for name in racing}
            moved, this_round, worth = [], twin.rounds, np.zeros(len(names))
            while twin.outcome is None and twin.rounds == this_round:
                before = [car.steps for car in twin.cars]
                moved.append(names[twin.turn])
                happened = twin.step(actions[moved[-1]])
                other.step(actions[moved[-1]])
                worth += earned(twin, before, happened, reward)
                seen["into each other"] += happened["faults"] == {"car"}
                seen["several rounds"] += len(set(happened["skipped"])) < len(happened["skipped"])
            assert moved == [name for name in racing if infos[name]["moves_this_round"]]
            if rng.random() < 0.5:  # a waiting car needs no action
                actions = {name: actions[name] for name in moved}
            observations, rewards, terminated, truncated, infos = env.step(actions)
            assert other.state_hash() == env.race.state_hash()
            for name in racing:
                who = names.index(name)
                check_info(infos[name], twin, who)
                assert rewards[name] == pytest.approx(worth[who])
                assert terminated[name] == twin.cars[who].finished
                assert truncated[name] == (twin.outcome == "timeout" and not twin.cars[who].finished)
                assert env.observation_space(name).contains(observations[name])
                seen["finished"] += terminated[name]
                seen["late"] += truncated[name]
        assert twin.outcome
    assert seen["finished"] > 5 and seen["late"] > 0
    if len(names) > 2:
        assert seen["into each other"] > 3 and seen["several rounds"] > 0


# --- turns, penalties and the end of a race


def test_a_waiting_car_is_skipped_and_its_skipped_turns_count_as_steps():
    env = on_lane(0, 1, penalty=2)
    env.step(RIGHT)  # the move hits the other car
    assert env.agent_selection == "car_1" and positions(env) == [0, 1]
    assert env.infos["car_0"] | {"waiting": 2, "fault": "occupied", "penalties": 1} == env.infos["car_0"]
    env.step(RIGHT)  # the round is over, and car_0 skips its turn in the next round
    assert env.agent_selection == "car_1" and env.rewards == {"car_0": -1.0, "car_1": -1.0}
    env.step(KEEP)
    assert env.agent_selection == "car_1" and env.infos["car_0"]["waiting"] == 0
    env.step(KEEP)
    assert env.agent_selection == "car_0" and env.infos["car_0"]["round"] == 4
    assert env.last()[1] == -3.0  # the reward for the illegal move and two skipped turns
    assert env.infos["car_0"]["steps"] == env.infos["car_1"]["steps"] == 3


def test_a_finished_car_leaves_the_race_and_the_other_cars_continue():
    env = on_lane(3, 0, max_rounds=6, reward={"finish": 10})
    for _ in range(2):
        env.step(RIGHT)
        env.step(KEEP)
    assert env.infos["car_1"]["ranking"] == [(1, "car_0", 2, 0, False), (1, "car_1", 2, 0, False)]
    env.step(KEEP)  # car_0 moves from column 6 to column 8, the finish
    assert env.agent_selection == "car_0"
    _, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated, info["place"]) == (9.0, True, False, 1)
    with pytest.raises(ValueError, match="None"):
        env.step(KEEP)
    env.step(None)
    assert env.agents == ["car_1"] and env.agent_selection == "car_1"
    assert not env.terminations["car_1"] and env.last()[1] == -1.0
    for _ in range(4):
        env.step(KEEP)
    assert env.truncations == {"car_1": True} and env.infos["car_1"]["outcome"] == "timeout"
    assert env.infos["car_1"]["ranking"] == [(1, "car_0", 3, 0, True), (2, "car_1", 6, 0, False)]
    env.step(None)
    assert env.agents == []
    with pytest.raises(ResetNeeded, match="timeout"):
        env.step(None)


def test_cars_with_the_same_number_of_steps_share_a_place():
    env = on_lane(3, 2, 0, make=aec.parallel_env, finish="cross")
    infos = {}
    for action in (RIGHT, RIGHT, RIGHT):
        *_, infos = env.step({"car_0": action, "car_1": action, "car_2": KEEP})
    assert env.agents == ["car_2"] and infos["car_0"]["place"] == infos["car_1"]["place"] == 1
    assert [row[:2] for row in infos["car_2"]["ranking"]] == [(1, "car_0"), (1, "car_1"), (3, "car_2")]


def test_the_time_limit_truncates_the_race_for_all_cars_that_are_still_racing():
    env = on_lane(0, 2, max_rounds=1)
    env.step(KEEP)
    assert not any(env.truncations.values())
    env.step(KEEP)
    assert env.truncations == {"car_0": True, "car_1": True} and not any(env.terminations.values())
    for agent in ("car_0", "car_1"):
        assert env.agent_selection == agent and env.last()[1] == -1.0
        env.step(None)
    assert env.agents == []


def test_the_first_car_moves_first_in_a_round():
    env = on_lane(0, 2, make=aec.parallel_env)
    _, rewards, _, _, infos = env.step({"car_0": RIGHT, "car_1": LEFT})  # both cars try to move to the same cell
    assert positions(env) == [1, 2]
    assert infos["car_0"]["last_action_valid"] and infos["car_1"]["fault"] == "occupied"
    assert rewards == {"car_0": -1.0, "car_1": -1.0} and infos["car_1"]["waiting"] == 5
    assert infos["car_0"]["moves_this_round"] and not infos["car_1"]["moves_this_round"]
    _, rewards, *_ = env.step({"car_0": LEFT})
    assert rewards == {"car_0": -1.0, "car_1": -1.0}


def test_rounds_pass_immediately_while_all_cars_wait():
    env = on_lane(0, 1, make=aec.parallel_env, penalty=3)
    _, rewards, _, _, infos = env.step({"car_0": DOWN, "car_1": DOWN})
    assert infos["car_0"]["round"] == 5 and infos["car_0"]["moves_this_round"] and infos["car_1"]["moves_this_round"]
    assert rewards == {"car_0": -4.0, "car_1": -4.0}


# --- observations and states


def test_each_agent_observes_the_race_from_the_position_of_its_own_car():
    env = on_lane(0, 2, observation=("position", "view"), view=2)
    assert env.observe("car_0")["view"][2].tolist() == [-1, -1, 1, 1, 2]
    assert env.observe("car_1")["view"][2].tolist() == [2, 1, 1, 1, 0]
    assert env.observe("car_1")["position"].tolist() == [2, 0]
    assert set(env.observe("car_1")) == {"view", "position"} == set(env.observation_space("car_1").spaces)
    env.observe("car_0")["view"][:] = 9  # the observation is a copy
    assert env.observe("car_0")["view"].max() < 9


def test_the_state_contains_all_cars():
    env = on_lane(0, 2)
    env.step(RIGHT)
    assert env.state().tolist() == [[1, 0, 1, 0, 0, 1, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0, 1]]
    assert env.state_space.contains(env.state())


@pytest.mark.parametrize("make", [aec.raw_env, aec.parallel_env])
def test_the_same_race_continues_from_a_restored_state(make):
    def play(env, rng, count):
        story = []
        while env.agents and len(story) < count:
            if make is aec.raw_env:
                dead = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
                env.step(None if dead else int(rng.integers(9)))
                if not dead:
                    story.append((env.rewards, env.state().tolist()))
            else:
                _, rewards, *_ = env.step({agent: int(rng.integers(9)) for agent in env.agents})
                story.append((rewards, env.state().tolist()))
        return story

    env, other = make(FIELD, 3), make(FIELD, 3)
    env.reset(seed=4)
    play(env, np.random.default_rng(0), 7)
    kept = env.get_state()
    story = play(env, np.random.default_rng(5), 60)
    assert len(story) > 20
    for again in (env, other):
        again.set_state(kept)
        assert play(again, np.random.default_rng(5), 60) == story


def test_restoring_the_state_of_a_finished_race_ends_the_race():
    env = on_lane(0, 2, max_rounds=1)
    env.step(KEEP)
    env.step(KEEP)
    over = env.get_state()
    env.reset()
    env.set_state(over)
    assert env.truncations == {"car_0": True, "car_1": True} and env.last()[1] == 0
    rounds = on_lane(0, 2, make=aec.parallel_env, max_rounds=1)
    rounds.set_state(over)
    assert rounds.agents == []
    single = RaceEnv(LANE, 2, max_rounds=1)
    single.set_state(over)
    assert single.outcome == "timeout"


@pytest.mark.parametrize("make", [aec.env, aec.raw_env, aec.parallel_env])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_is_independent_of_the_original(make, copied):
    env = on_lane(0, 2, make=make)
    other = copied(env)
    other.step({"car_0": RIGHT, "car_1": KEEP} if make is aec.parallel_env else RIGHT)
    assert positions(other) == [1, 2] and positions(env) == [0, 2]


def test_a_map_of_another_size_applies_to_one_race():
    env = on_lane(0, 2, observation="position")
    env.reset(options={"map": FIELD})
    assert env.observation_space("car_1")["position"].high.tolist() == [10, 5]
    env.reset()
    assert env.observation_space("car_1")["position"].high.tolist() == [9, 1]  # the space always has room for two rows


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_pettingzoo_make_accepts_the_environment_id(kind):
    env = pettingzoo.make(kind, "shoverworld/Race-v0", track="03-s-bend", cars=2)
    other = RaceEnv("03-s-bend", 2)
    env.reset(seed=11)
    other.reset(seed=11)
    assert env.unwrapped.race.state_hash() == other.state_hash()


# --- errors


@pytest.mark.parametrize("action", [-1, 9, 1.5, None, "up"])
def test_an_action_outside_the_action_space_raises_an_error_and_changes_nothing(action):
    env = on_lane(0, 2)
    before = env.race.state_hash()
    with pytest.raises(ActionError, match=r"car_0.*from 0 to 8"):
        env.step(action)
    rounds = on_lane(0, 2, make=aec.parallel_env)
    with pytest.raises(ActionError, match=r"car_1.*from 0 to 8"):
        rounds.step({"car_0": RIGHT, "car_1": action})
    assert env.race.state_hash() == rounds.race.state_hash() == before


@pytest.mark.parametrize("actions", [{}, {"car_0": 0}, {"car_0": 0, "car_1": 0, "car_2": 0}, 3])
def test_a_round_requires_an_action_for_each_car_that_moves(actions):
    with pytest.raises(ActionError, match="one action for each of car_0, car_1"):
        on_lane(0, 2, make=aec.parallel_env).step(actions)


def test_the_error_for_a_missing_action_also_names_the_waiting_cars():
    env = on_lane(0, 2, make=aec.parallel_env)
    env.step({"car_0": RIGHT, "car_1": LEFT})
    with pytest.raises(ActionError, match=r"each of car_0 \(and optionally for car_1, which must wait\)"):
        env.step({"car_1": KEEP})
    with pytest.raises(ActionError, match=r"car_1.*from 0 to 8"):
        env.step({"car_0": KEEP, "car_1": 17})


def test_calls_before_the_first_reset_raise_an_error():
    env = aec.raw_env(LANE, 2)
    for call in (lambda: env.step(0), env.state, lambda: env.observe("car_0"), env.get_state):
        with pytest.raises(ResetNeeded, match="not begun"):
            call()


def test_invalid_arguments_raise_an_error():
    with pytest.raises(ConfigError, match=r"cars=5: lane has only 4 start cells"):
        aec.env(LANE, 5)
    with pytest.raises(ConfigError, match="observation="):
        aec.env(LANE, observation="smell")
    assert aec.env(LANE).max_num_agents == 4


def test_an_unknown_option_gives_a_warning():
    with pytest.warns(UserWarning, match="unknown option 'trak'"):
        aec.env(LANE).reset(options={"trak": 1})


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_importing_the_race_module_does_not_import_pettingzoo_until_it_is_needed():
    run = python(
        "import sys, shoverworld.race as r; r.RaceEnv; print('pettingzoo' in sys.modules)\n"
        "from shoverworld.race import aec; print(aec.env.__name__, aec.raw_env.__name__, aec.parallel_env.__name__)"
    )
    assert run.stdout == "False\nenv RaceAECEnv RaceParallelEnv\n", run.stderr


def test_the_error_for_missing_pettingzoo_names_the_extra_to_install():
    run = python("import sys; sys.modules['pettingzoo'] = None\nfrom shoverworld.race import aec")
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("shoverworld.core.errors.MissingExtra") and 'pip install "shoverworld[multiplayer]"' in last
