"""Tests of both Sokoban environments: Gymnasium's checker, seeds, observations, states, replays, errors and batches."""

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env

from shoverworld.core.errors import ActionError, ConfigError, LevelError, LevelNotFound, ResetNeeded
from shoverworld.core.recorder import Journal
from shoverworld.core.replay import Replay
from shoverworld.games.sokoban.config import SokobanReward, SokobanRules
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.levels import Level
from shoverworld.games.sokoban.record import read_map, state_hash, written
from shoverworld.games.sokoban.state import SokobanState
from shoverworld.games.sokoban.store import make_bank
from shoverworld.games.sokoban.vector import SokobanVectorEnv

SMALL = "#######\n#.@$ .#\n# $   #\n#  #  #\n#######"
WIDE = "##########\n#   $ .  #\n#@$   #  #\n#  .  $. #\n##########"
TALL = "#####\n#@  #\n# $ #\n#. .#\n# $ #\n#   #\n#####"
PAIR = "#######\n#.@$ .#\n# $ @ #\n#  #  #\n#######"
LEVELS = [Level.parse(text) for text in (SMALL, WIDE, TALL)]
CROSSED = read_map(SMALL + "\ntargets 2 1")

VARIANTS = {
    "plain": ({}, LEVELS),
    "pull": ({"pull": True}, LEVELS),
    "four": ({"moves": "four"}, LEVELS),
    "fixed": ({"fixed_targets": True}, [*LEVELS, CROSSED]),
    "pair": ({"players": 2}, [Level.parse(PAIR)]),
    "pair and pull": ({"players": 2, "pull": True}, [Level.parse(PAIR)]),
}
EVERY = pytest.mark.parametrize("variant", VARIANTS)


def make(variant, **more):
    rules, levels = VARIANTS[variant]
    return SokobanEnv(levels, **{"max_steps": 25, **rules, **more})


@EVERY
@pytest.mark.parametrize("observation", ["planes", "grid"])
@pytest.mark.filterwarnings("ignore:.*not having a spec")
def test_the_environment_passes_the_gymnasium_checker(variant, observation):
    check_env(make(variant, observation=observation, render_mode="ansi"))


@EVERY
def test_the_same_seed_gives_the_same_episode(variant):
    def episode(seed):
        env = make(variant)
        env.action_space.seed(seed)
        obs, info = env.reset(seed=seed)
        story: list[tuple] = [(obs.tolist(), info)]
        for _ in range(80):
            obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
            story.append((obs.tolist(), reward, terminated, truncated, info))
            if terminated or truncated:
                env.reset()
        return story

    assert episode(3) == episode(3)
    assert episode(3) != episode(4)


def test_repeated_resets_choose_every_level():
    env = SokobanEnv(LEVELS)
    assert {env.reset(seed=0)[1]["level"], *(env.reset()[1]["level"] for _ in range(40))} == {0, 1, 2}
    assert env.reset(seed=7)[1]["level"] == SokobanEnv(LEVELS, seed=7).reset()[1]["level"]


# --- Observations


def test_the_observation_planes_show_walls_and_targets_and_boxes_and_the_player():
    obs, _ = SokobanEnv(Level.parse("#####\n#@$.#\n#+*##\n#####".replace("+", " "))).reset(seed=0)
    wall, target, box, player = obs.tolist()
    assert wall == [[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 0, 0, 1, 1], [1, 1, 1, 1, 1]]
    assert target == [[0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]
    assert box == [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]
    assert player == [[0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]


def test_the_planes_contain_the_numbers_of_fixed_targets():
    obs, _ = SokobanEnv(CROSSED, fixed_targets=True).reset(seed=0)
    assert obs[1][1].tolist() == [0, 2, 0, 0, 0, 1, 0]
    assert obs[2][1].tolist() == [0, 0, 0, 1, 0, 0, 0] and obs[2][2, 2] == 2


def test_the_grid_observation_uses_the_codes_of_the_room_state():
    env = SokobanEnv(Level.parse("######\n#@$.*#\n# $. #\n######"), observation="grid")
    assert env.reset(seed=0)[0].tolist() == [[0] * 6, [0, 5, 4, 2, 3, 0], [0, 1, 4, 2, 1, 0], [0] * 6]
    on_target = SokobanEnv(Level.parse("####\n#+$#\n####"), observation="grid")
    assert on_target.reset(seed=0)[0][1].tolist() == [0, 5, 4, 0]
    crossed = SokobanEnv(read_map("######\n#@*$.#\n######\ntargets 2 1"), observation="grid", fixed_targets=True)
    assert crossed.reset(seed=0)[0][1].tolist() == [0, 5, 3, 4, 2, 0], "box 1 is on target 2"


def test_smaller_levels_are_padded_with_walls():
    env = SokobanEnv(LEVELS)
    obs, _ = env.reset(seed=0, options={"level": 2})
    assert obs.shape == (4, 7, 10)
    assert obs[0, :, 5:].all() and not obs[1:, :, 5:].any()
    assert str(env.level) == "\n".join(row.ljust(10, "#") for row in TALL.split("\n"))


def test_an_observation_does_not_change_in_later_steps():
    env = make("plain")
    first, _ = env.reset(seed=0)
    kept = first.copy()
    for _ in range(20):
        env.step(env.action_space.sample())
    assert np.array_equal(first, kept)


def test_the_size_of_the_action_space_depends_on_the_rules():
    for variant, count in (("plain", 9), ("pull", 13), ("four", 4), ("fixed", 9), ("pair", 17), ("pair and pull", 25)):
        assert make(variant).action_space == Discrete(count)


def test_info_contains_a_known_solution():
    level = Level.parse("#####\n#@$.#\n#####")
    solved = Level(level.walls, level.targets, level.boxes, level.players, solution="R")
    assert SokobanEnv(solved).reset(seed=0)[1]["solution"] == "R"
    assert "solution" not in SokobanEnv(level).reset(seed=0)[1]


def test_ansi_rendering_returns_the_room():
    env = SokobanEnv(LEVELS[0], render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == SMALL + "\n"


# --- States, hashes, maps


@EVERY
def test_the_same_game_continues_from_a_restored_state(variant):
    env, other = make(variant), make(variant)
    env.reset(seed=1)
    for action in (1, 2, 3):
        env.step(action)
    state = env.get_state()

    def rest(env):
        env.set_state(state)
        env.action_space.seed(0)
        story = []
        for _ in range(60):
            obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
            story.append((obs.tolist(), reward, terminated, truncated, info, env.state_hash()))
            if terminated or truncated:
                env.reset()
        return story

    assert rest(env) == rest(other)
    assert np.array_equal(state.planes, state.copy().planes)


def damaged(change):
    env = SokobanEnv(LEVELS[0])
    env.reset(seed=0)
    state = env.get_state()
    return env, change(state) or state


def set_item(array, *place):
    array[place[:-1]] = place[-1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: "a word", "not str"),
        (lambda s: SokobanState(s.planes.astype(np.int64), s.game, s.width), "unchanged in type and shape"),
        (lambda s: SokobanState(s.planes[:, :3].copy(), s.game, s.width), "unchanged in type and shape"),
        (lambda s: SokobanState(s.planes, s.game, 6), "unchanged in type and shape"),
        (lambda s: set_item(s.planes, 0, 0, 0, 0), "has a gap"),
        (lambda s: set_item(s.planes, 0, 2, 0, 1), "in a wall"),
        (lambda s: set_item(s.planes, 0, 2, 9, 1), "a cell contains two objects"),
        (lambda s: set_item(s.planes, 0, 2, 8, 1), "boxes is"),
        (lambda s: set_item(s.planes, 0, 1, 10, 1), "on_target is"),
        (lambda s: set_item(s.planes, 0, 2, 10, 2), "fixed_targets=True"),
        (lambda s: set_item(s.planes, 0, 3, 9, 2), "numbers other than"),
        (lambda s: set_item(s.game["player"], 0, 12), "player is"),
        (lambda s: set_item(s.game["player"], 0, 10_000), "player is"),
        (lambda s: set_item(s.game["outcome"], 0, 3), "outcome is"),
        (lambda s: set_item(s.game["steps"], 0, -1), "steps is"),
    ],
)
def test_an_invalid_state_is_rejected_and_changes_nothing(change, message):
    env, state = damaged(change)
    before = env.state_hash()
    with pytest.raises(ConfigError, match=message):
        env.set_state(state)
    assert env.state_hash() == before


def test_the_hash_of_a_known_state_has_not_changed():
    """The hash is the same on every machine and in every release with "sokoban 1", because replays contain hashes."""
    env = SokobanEnv(LEVELS[0])
    env.reset(seed=0)
    start = env.state_hash()
    env.step(4)
    assert (start, env.state_hash()) == ("3a24f069626fa6b9", "98f1a4f3b6d3f3d0")


@EVERY
def test_a_reset_with_the_map_of_a_game_gives_the_same_state(variant):
    env = make(variant)
    for seed in range(8):
        env.reset(seed=seed)
        again = make(variant)
        again.reset(options={"map": env.map_text()})
        assert again.state_hash() == env.state_hash()
        assert again.observation_space.contains(again.observe()[0])


def test_a_map_of_another_size_changes_the_observation_space_for_one_episode():
    env = SokobanEnv(LEVELS[0])
    usual = env.observation_space
    assert env.reset(seed=0, options={"map": TALL})[0] in env.observation_space
    assert env.observation_space.shape == (4, 7, 5)
    assert env.reset()[0] in env.observation_space and env.observation_space == usual


def test_the_target_numbers_and_the_order_of_the_players_are_written_below_the_map():
    assert written(CROSSED) == SMALL + "\ntargets 2 1\n"
    pair = Level.parse(PAIR)
    swapped = Level(pair.walls, pair.targets, pair.boxes, pair.players[::-1])
    assert written(swapped) == PAIR + "\nplayers 2 1\n"
    assert read_map(written(swapped)) == swapped
    for bad in ("targets 1 1", "targets 1", "boxes one two", "players 2"):
        with pytest.raises(LevelError, match=bad.split()[0]):
            read_map(SMALL + "\n" + bad)


def test_the_environment_provides_the_remarks_and_statistics_for_a_replay():
    env = SokobanEnv(LEVELS[0], pull=True, reward=SokobanReward(step=0))
    env.reset(seed=0)
    assert env.remark() == ""
    env.step(4)
    assert env.remark() == "push right, box pushed"
    env.step(4)
    assert env.remark() == "push right, box pushed, onto a target"
    env.step(12)
    assert env.remark() == "pull right, invalid: a box is in the way, and only a push can move it"
    assert env.figures() == {"steps": 3, "moves": 2, "pushes": 2}
    env.reset(seed=0)
    env.step(3)
    assert env.remark() == "walk left" and env.figures() == {"steps": 1, "moves": 1, "pushes": 0}
    env_id, keywords = env.recipe()
    assert env_id == "shoverworld/Sokoban-v0"
    assert SokobanEnv(LEVELS[0], **keywords).rules == env.rules


@EVERY
def test_a_journal_records_every_move_of_the_game(variant):
    env = make(variant)
    journal = Journal(env)
    env.action_space.seed(1)
    env.reset(seed=6)
    text, actions = env.map_text(), []
    while env.outcome is None:
        actions.append(int(env.action_space.sample()))
        env.step(actions[-1])
    replay = Replay.parse(journal.replay().to_text())
    assert replay == journal.replay()
    assert replay.map == text and [move.action for move in replay.moves] == [(action,) for action in actions]
    again = SokobanEnv(VARIANTS[variant][1], **replay.config)
    again.reset(options={"map": replay.map})
    assert again.state_hash() == replay.start
    for move in replay.moves:
        again.step(move.action[0])
        assert again.state_hash() == move.hash
    assert again.outcome == replay.end.outcome


def test_levels_must_fit_the_board_size():
    assert make_bank(LEVELS, SokobanRules(), (20, 10)).size == (20, 10)
    for size in ((6, 10), (7, 9)):
        with pytest.raises(ConfigError, match=f"at most {size[0]} x {size[1]}"):
            make_bank(LEVELS, SokobanRules(), size)


def test_every_event_is_reported_to_the_listeners():
    events = []

    class Listener:
        def began(self, seed):
            events.append(("began", seed))

        def stepped(self, action, reward):
            events.append((action, reward))

        def placed(self, position):
            raise AssertionError("Sokoban has no placements")

        def state_was_set(self):
            events.append("set")

    env = SokobanEnv(LEVELS[0])
    env.listeners.append(Listener())
    env.reset(seed=5)
    env.step(0)
    env.set_state(env.get_state())
    assert events == [("began", 5), ((0,), -0.1), "set"]


# --- Errors


def test_calls_before_the_first_reset_raise_an_error():
    env = make("plain")
    for call in (lambda: env.step(0), env.get_state, env.action_mask, env.map_text, env.state_hash, env.figures):
        with pytest.raises(ResetNeeded, match="has not begun"):
            call()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"levels": []}, "levels="),
        ({"levels": 5}, "levels=5"),
        ({"levels": [*LEVELS, "more"]}, "levels="),
        ({"levels": Level.parse(PAIR)}, "this game is for 1"),
        ({"levels": LEVELS, "observation": "film"}, "observation='film'"),
        ({"levels": LEVELS, "render_mode": "film"}, "render_mode='film'"),
        ({"levels": LEVELS, "pul": True}, "did you mean 'pull'"),
        ({"levels": LEVELS, "reward": {"sovled": 1}}, "did you mean 'solved'"),
        ({"levels": LEVELS, "rules": "plain"}, "rules='plain'"),
    ],
)
def test_the_error_names_the_invalid_argument(keywords, message):
    with pytest.raises(ConfigError, match=message):
        SokobanEnv(**keywords)


def test_the_error_for_unknown_levels_suggests_a_packaged_set_or_boxoban():
    with pytest.raises(LevelNotFound, match=r"did you mean 'easy'\? The packaged sets are tiny, easy, "):
        SokobanEnv(levels="esay")
    with pytest.raises(LevelNotFound, match=r"for levels from Boxoban, use a name such as boxoban:unfiltered/valid$"):
        SokobanEnv(levels="nowhere")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 3}, "level"),
        ({"levle": 0}, "did you mean"),
        ({"map": 3}, "map"),
        ({"map": SMALL, "level": 0}, "both"),
    ],
)
def test_the_error_names_the_invalid_option(options, message):
    with pytest.raises(ConfigError, match=message):
        SokobanEnv(LEVELS).reset(options=options)


# --- Batches


@EVERY
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_batch_plays_the_same_games_as_single_environments(variant, mode):
    games = 12
    rules, levels = VARIANTS[variant]
    batch = SokobanVectorEnv(levels, games, mode, max_steps=25, num_threads=2, **rules)
    singles = [make(variant) for _ in range(games)]
    obs, _ = batch.reset(seed=40)
    for i, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=40 + i)[0], obs[i])
    rng, over = np.random.default_rng(2), np.zeros(games, bool)
    for _ in range(120):
        mask = batch.action_mask()
        actions = rng.integers(batch.rules.action_count, size=games)
        obs, rewards, terminated, truncated, info = batch.step(actions)
        for i, env in enumerate(singles):
            if over[i] and mode == "NextStep":
                expected, expected_info = env.reset()
                result = 0.0, False, False
            else:
                assert np.array_equal(mask[i], env.action_mask())
                expected, *result, expected_info = env.step(actions[i])
                if mode == "SameStep" and (result[1] or result[2]):
                    assert np.array_equal(info["final_obs"][i], expected)
                    assert info["final_info"]["outcome"][i] == expected_info["outcome"]
                    expected, expected_info = env.reset()
            assert (rewards[i], terminated[i], truncated[i]) == tuple(result)
            assert np.array_equal(obs[i], expected)
            if mode == "NextStep":
                mine = {key: info[key][i] for key in expected_info}
                mine["invalid_reason"] = batch.invalid_reasons[mine["invalid_reason"]]
                assert mine == expected_info
            assert state_hash(batch.get_state(), i) == env.state_hash()
        over = terminated | truncated
    batch.close()


@EVERY
def test_grid_observations_from_a_batch_equal_those_from_single_environments(variant):
    rules, levels = VARIANTS[variant]
    batch = SokobanVectorEnv(levels, 5, observation="grid", **rules)
    obs, _ = batch.reset(seed=3)
    assert batch.observation_space.contains(obs)
    for i in range(5):
        assert np.array_equal(obs[i], make(variant, observation="grid").reset(seed=3 + i)[0])


def test_without_copies_the_observations_share_the_memory_of_the_engine():
    batch = SokobanVectorEnv(LEVELS, 4, copy=False)
    first, _ = batch.reset(seed=0)
    again, *_ = batch.step(np.zeros(4, np.int64))
    assert np.shares_memory(first, again)
    copies = SokobanVectorEnv(LEVELS, 4)
    first, _ = copies.reset(seed=0)
    assert not np.shares_memory(first, copies.step(np.zeros(4, np.int64))[0])


def test_a_batch_continues_from_a_restored_state():
    batch = SokobanVectorEnv(LEVELS, 4, max_steps=9)
    batch.reset(seed=0)
    batch.step(np.array([1, 2, 3, 4]))
    state = batch.get_state()
    first = batch.step(np.array([5, 6, 7, 8]))[0].copy()
    batch.set_state(state)
    assert np.array_equal(batch.step(np.array([5, 6, 7, 8]))[0], first)
    with pytest.raises(ConfigError, match="4 games"):
        batch.set_state(state.row(0))


@pytest.mark.parametrize("actions", [[0, 1, 2], [0, 1, 2, 9], [0.0, 1, 2, 3], [0, -1, 2, 3], "fine"], ids=repr)
def test_an_invalid_action_in_a_batch_changes_no_game(actions):
    batch = SokobanVectorEnv(LEVELS, 4)
    batch.reset(seed=0)
    before = batch.get_state()
    with pytest.raises(ActionError):
        batch.step(actions)
    assert np.array_equal(batch.get_state().planes, before.planes)
    assert np.array_equal(batch.get_state().game, before.game)


def test_a_batch_can_be_reset_to_one_level():
    batch = SokobanVectorEnv(LEVELS, 6)
    assert batch.reset(seed=0, options={"level": 1})[1]["level"].tolist() == [1] * 6
    with pytest.raises(ConfigError, match="level"):
        batch.reset(options={"level": 9})


def test_rules_can_be_given_as_an_object():
    assert SokobanEnv(LEVELS, rules=SokobanRules(pull=True), max_steps=7).rules == SokobanRules(pull=True, max_steps=7)
