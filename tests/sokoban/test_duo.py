"""Two-player Sokoban in PettingZoo: PettingZoo's own tests, and a step-by-step comparison with SokobanEnv."""

import copy
import pickle
import subprocess
import sys
import warnings
from contextlib import contextmanager

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from shoverworld.core.errors import ActionError, ConfigError, ResetNeeded
from shoverworld.games.sokoban import duo
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level

PAIR = "#######\n#.@$ .#\n# $ @ #\n#  #  #\n#######"
HALL = "##########\n#@  $ .  #\n# $   #  #\n#  .  $.@#\n##########"
LEVELS = [Level.parse(text) for text in (PAIR, HALL)]
ONE_PUSH = "########\n#@$.   #\n#     @#\n########"
PUSH_RIGHT, MOVE_UP, MOVE_LEFT, MOVE_RIGHT = 4, 5, 7, 8

VARIANTS = {
    "plain": {},
    "pull": {"pull": True},
    "four": {"moves": "four"},
    "fixed": {"fixed_targets": True},
    "grid": {"observation": "grid"},
    "picture": {"observation": "tiny_rgb"},
    "drawn": {"levels": None, "dim_room": (7, 7), "num_boxes": 2},
    "masked": {"mask_in_observation": True},
}
EVERY = pytest.mark.parametrize("variant", VARIANTS)


def keywords(variant, **more):
    return {"levels": LEVELS, "max_steps": 40, **VARIANTS[variant], **more}


def game_on(text, make=duo.raw_env, **more):
    """Return an environment reset to this board."""
    env = make(levels=Level.parse(text), **more)
    env.reset(seed=0)
    return env


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
        if variant == "masked":  # the observation is a dict, and no action is valid after the end of the game
            for known in ("Observation is not", "Observation space for each", "Action mask numpy array is all zeros"):
                warnings.filterwarnings("ignore", known)
        api_test(duo.env(**keywords(variant)), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


@EVERY
def test_the_parallel_environment_passes_the_pettingzoo_tests(variant, capsys):
    with no_warnings():
        parallel_api_test(duo.parallel_env(**keywords(variant, max_steps=41)), num_cycles=100)
    assert "Passed Parallel API test" in capsys.readouterr().out


@EVERY
def test_the_same_seed_gives_the_same_game(variant):
    seed_test(lambda: duo.env(**keywords(variant)), num_cycles=60)
    parallel_seed_test(lambda: duo.parallel_env(**keywords(variant)), num_cycles=60)


def test_rendering_passes_the_pettingzoo_tests(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    tiny = {
        "tiny_rgb_array": lambda picture: picture.shape == (5, 10, 3),
        "tiny_human": lambda picture: picture is None,
    }
    render_test(lambda render_mode: duo.env(**keywords("plain", render_mode=render_mode)), custom_tests=tiny)


# --- the same game as SokobanEnv


def in_sokoban(env, agent, action):
    """Return the action of SokobanEnv that corresponds to an agent's action."""
    rules = env.sokoban.rules
    return action if agent == "player_0" or action < rules.has_noop else action + rules.actions_each


@EVERY
def test_a_turn_has_the_same_result_as_a_step_of_sokoban_env(variant):
    env = duo.raw_env(**keywords(variant))
    more = {name: value for name, value in keywords(variant).items() if name != "mask_in_observation"}
    twin = SokobanEnv(players=2, **more)
    rng = np.random.default_rng(1)
    steps = ends = 0
    for seed in range(12):
        env.reset(seed=seed)
        twin.reset(seed=seed)
        owed = {"player_0": 0.0, "player_1": 0.0}
        while env.agents:
            agent = env.agent_selection
            observation, reward, terminated, truncated, info = env.last()
            assert reward == pytest.approx(owed[agent])
            mask = twin.action_mask()
            for action in range(env.action_space(agent).n):
                assert info["action_mask"][action] == mask[in_sokoban(env, agent, action)]
            if terminated or truncated:
                env.step(None)
                continue
            assert agent == f"player_{twin.observe()[1]['steps'] % 2}"
            action = int(rng.integers(env.action_space(agent).n))
            env.step(action)
            observation, reward, *end, info = twin.step(in_sokoban(env, agent, action))
            owed = {name: sum_ + reward for name, sum_ in {**owed, agent: 0.0}.items()}
            assert np.array_equal(env.state(), observation) and env.state_space.contains(env.state())
            for name in env.agents:
                assert env.rewards[name] == reward
                assert [env.terminations[name], env.truncations[name]] == end
                assert {key: value for key, value in env.infos[name].items() if key != "action_mask"} == info
            steps += 1
            ends += any(end)
    assert ends == 12 and steps > 300


@EVERY
def test_a_round_has_the_same_result_as_two_steps_of_sokoban_env(variant):
    env = duo.parallel_env(**keywords(variant, max_steps=41))  # the last round has only one step
    more = {name: value for name, value in keywords(variant).items() if name != "mask_in_observation"}
    twin = SokobanEnv(players=2, **{**more, "max_steps": 41})
    rng = np.random.default_rng(2)
    for seed in range(12):
        env.reset(seed=seed)
        observation, _ = twin.reset(seed=seed)
        while env.agents:
            assert np.array_equal(env.state(), observation)
            actions = {agent: int(rng.integers(env.action_space(agent).n)) for agent in env.agents}
            seen, rewards, terminated, truncated, _ = env.step(actions)
            total = 0.0
            for agent, action in actions.items():
                observation, reward, *end, info = twin.step(in_sokoban(env, agent, action))
                total += reward
                if any(end):
                    break
            for agent in actions:
                assert rewards[agent] == pytest.approx(total) and [terminated[agent], truncated[agent]] == end
                assert env.observation_space(agent).contains(seen[agent])
        assert twin.outcome and info["steps"] == twin.observe()[1]["steps"]


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_pettingzoo_make_accepts_the_environment_id(kind):
    env = pettingzoo.make(kind, "shoverworld/TwoPlayer-Sokoban-v3", max_steps=7)
    twin = SokobanEnv(rules="TwoPlayer-Sokoban-v3", max_steps=7)
    env.reset(seed=11)
    assert np.array_equal(env.state(), twin.reset(seed=11)[0])
    assert env.unwrapped.sokoban.rules == twin.rules


# --- observations


def test_the_fourth_plane_of_an_observation_shows_the_observing_agent():
    env = game_on(ONE_PUSH)
    first, second = env.observe("player_0"), env.observe("player_1")
    assert np.argwhere(first[3]).tolist() == np.argwhere(second[4]).tolist() == [[1, 1]]
    assert np.argwhere(first[4]).tolist() == np.argwhere(second[3]).tolist() == [[2, 6]]
    assert np.array_equal(first[:3], second[:3]) and np.array_equal(env.state(), first)


def test_changing_an_observation_does_not_affect_the_environment():
    env = game_on(ONE_PUSH, mask_in_observation=True)
    seen = env.observe("player_0")
    seen["observation"][:] = 9
    seen["action_mask"][:] = 9
    again = env.observe("player_0")
    assert again["observation"].max() == 1 and again["action_mask"].max() == 1
    assert np.array_equal(again["action_mask"], env.infos["player_0"]["action_mask"])


def test_the_mask_accounts_for_the_other_player():
    env = game_on("######\n#@@$.#\n######")  # the first player is enclosed, and the second player can push
    assert env.infos["player_0"]["action_mask"].tolist() == [1] + 8 * [0]
    assert env.infos["player_1"]["action_mask"].tolist() == [1, 0, 0, 0, 1] + 4 * [0]
    env.step(0)
    env.step(PUSH_RIGHT)
    assert not env.infos["player_0"]["action_mask"].any()  # the game is over


# --- turns, rounds and the end of a game


def test_the_players_alternate_and_a_no_op_passes_the_turn():
    env = game_on(ONE_PUSH)
    assert env.agent_selection == "player_0"
    env.step(0)
    assert env.agent_selection == "player_1" and env.rewards == {"player_0": -0.1, "player_1": -0.1}
    env.step(MOVE_LEFT)
    assert env.agent_selection == "player_0" and env.last()[1] == pytest.approx(-0.2)
    assert np.argwhere(env.state()[4]).tolist() == [[2, 5]]


def test_the_game_ends_for_both_players_when_either_player_solves_the_room():
    env = game_on(ONE_PUSH)
    env.step(PUSH_RIGHT)
    assert env.rewards == pytest.approx({"player_0": 10.9, "player_1": 10.9})
    assert env.terminations == {"player_0": True, "player_1": True} and not any(env.truncations.values())
    with pytest.raises(ValueError, match="None"):
        env.step(MOVE_LEFT)
    env.step(None)
    assert env.agents == ["player_0"]
    env.step(None)
    assert env.agents == []
    with pytest.raises(ResetNeeded, match="solved"):
        env.step(None)


def test_a_round_has_no_second_step_if_its_first_step_ends_the_game():
    env = game_on(ONE_PUSH, duo.parallel_env)
    seen, rewards, terminated, _, infos = env.step({"player_0": PUSH_RIGHT, "player_1": MOVE_LEFT})
    assert rewards == pytest.approx({"player_0": 10.9, "player_1": 10.9}) and all(terminated.values())
    assert np.argwhere(seen["player_1"][3]).tolist() == [[2, 6]] and infos["player_1"]["steps"] == 1
    assert env.agents == []
    with pytest.raises(ResetNeeded, match="solved"):
        env.step({"player_0": 0, "player_1": 0})


def test_the_first_player_moves_first_in_a_round():
    env = game_on("#######\n#@ @$.#\n#######", duo.parallel_env)
    _, _, _, _, infos = env.step({"player_0": MOVE_RIGHT, "player_1": MOVE_LEFT})
    assert np.argwhere(env.state()[3]).tolist() == [[1, 2]]  # both players tried to move to this cell
    assert infos["player_0"]["last_action_valid"] is False  # the second player made the last step


def test_the_time_limit_counts_the_steps_of_both_players():
    env = game_on(ONE_PUSH, duo.parallel_env, max_steps=4)
    nothing = {"player_0": 0, "player_1": 0}
    assert not any(env.step(nothing)[3].values())
    assert all(env.step(nothing)[3].values())


# --- states


@pytest.mark.parametrize("make", [duo.raw_env, duo.parallel_env])
def test_the_same_game_continues_from_a_restored_state(make):
    env, other = game_on(HALL, make), make(levels=LEVELS)

    def play(env, rng):
        story = []
        for _ in range(20):
            if isinstance(env, duo.DuoEnv):
                env.step(int(rng.integers(9)))
                story.append((env.agent_selection, env.rewards, env.state().tolist()))
            else:
                _, rewards, _, _, _ = env.step({agent: int(rng.integers(9)) for agent in env.agents})
                story.append((rewards, env.state().tolist()))
        return story

    play(env, np.random.default_rng(0))
    if make is duo.raw_env:
        env.step(0)  # it is the second player's turn
    kept = env.get_state()
    story = play(env, np.random.default_rng(5))
    for again in (env, other):
        again.set_state(kept)
        assert play(again, np.random.default_rng(5)) == story


def test_restoring_the_state_of_a_finished_game_ends_the_game():
    env = game_on(ONE_PUSH)
    env.step(PUSH_RIGHT)
    over = env.get_state()
    env.reset()
    env.set_state(over)
    assert env.terminations == {"player_0": True, "player_1": True} and env.last()[1] == 0
    rounds = game_on(ONE_PUSH, duo.parallel_env)
    rounds.set_state(over)
    assert rounds.agents == []
    single = SokobanEnv(Level.parse(ONE_PUSH), players=2)
    single.set_state(over)
    assert single.outcome == "solved"


@pytest.mark.parametrize("make", [duo.env, duo.raw_env, duo.parallel_env])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_is_independent_of_the_original(make, copied):
    env = game_on(HALL, make)
    other = copied(env)
    other.step({"player_0": MOVE_RIGHT, "player_1": 0} if make is duo.parallel_env else MOVE_RIGHT)
    assert np.argwhere(other.state()[3]).tolist() == [[1, 2]]
    assert (
        np.argwhere(env.state()[3]).tolist() == np.argwhere(env.unwrapped.sokoban.observe()[0][3]).tolist() == [[1, 1]]
    )


def test_a_map_of_another_size_is_used_for_one_game_only():
    env = game_on(ONE_PUSH)
    env.reset(options={"map": PAIR})
    assert env.observe("player_1").shape == env.observation_space("player_1").shape == (5, 5, 7)
    env.reset(options={"level": 0})
    assert env.observe("player_1").shape == env.observation_space("player_1").shape == (5, 4, 8)


# --- errors


@pytest.mark.parametrize("action", [-1, 9, 1.5, None, "up"])
def test_an_action_outside_the_space_raises_an_error_and_changes_nothing(action):
    env = game_on(ONE_PUSH)
    before = env.get_state()
    with pytest.raises(ActionError, match=r"player_0.*from 0 to 8"):
        env.step(action)
    rounds = game_on(ONE_PUSH, duo.parallel_env)
    with pytest.raises(ActionError, match=r"player_1.*from 0 to 8"):
        rounds.step({"player_0": MOVE_UP, "player_1": action})
    for state in (env.get_state(), rounds.get_state()):
        assert np.array_equal(state.planes, before.planes) and state.game["steps"] == 0


@pytest.mark.parametrize("actions", [{}, {"player_0": 0}, {"player_0": 0, "player_1": 0, "player_2": 0}, 3])
def test_a_round_requires_an_action_for_each_agent(actions):
    with pytest.raises(ActionError, match="one action for each of player_0, player_1"):
        game_on(ONE_PUSH, duo.parallel_env).step(actions)


def test_calls_before_the_first_reset_raise_an_error():
    env = duo.raw_env(levels=LEVELS)
    for call in (lambda: env.step(0), env.state, lambda: env.observe("player_0"), env.get_state):
        with pytest.raises(ResetNeeded, match="not begun"):
            call()


def test_invalid_arguments_raise_an_error():
    with pytest.raises(ConfigError, match="players: must be 2"):
        duo.env(levels=LEVELS, players=1)
    with pytest.raises(ConfigError, match="mask_in_observation"):
        duo.env(levels=LEVELS, mask_in_observation="yes")
    assert duo.env(levels=LEVELS, players=2).max_num_agents == 2


def test_an_unknown_option_gives_a_warning():
    with pytest.warns(UserWarning, match="unknown option 'leval'"):
        duo.env(levels=LEVELS).reset(options={"leval": 1})


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_pettingzoo_is_imported_only_when_needed():
    run = python("import sys, shoverworld, shoverworld.sokoban as s; s.SokobanEnv; print('pettingzoo' in sys.modules)")
    assert run.stdout == "False\n", run.stderr


def test_the_environments_can_be_imported_from_the_package():
    run = python(
        "from shoverworld.sokoban import duo; print(duo.env.__name__, duo.raw_env.__name__, duo.parallel_env.__name__)"
    )
    assert run.stdout == "env DuoEnv DuoParallelEnv\n", run.stderr


def test_the_error_for_missing_pettingzoo_names_the_extra_to_install():
    run = python("import sys; sys.modules['pettingzoo'] = None\nfrom shoverworld.sokoban import duo")
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("shoverworld.core.errors.MissingExtra") and 'pip install "shoverworld[multiplayer]"' in last
