"""Tests of GridEnv: a small custom game in plain Python, the events of the compiled games, and plans from a state."""

from dataclasses import dataclass, replace

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from shoverworld import ActionError, ConfigError, Recorder, Replay, ResetNeeded, race, sokoban
from shoverworld.core.env import Event, GridEnv
from shoverworld.core.game import EnvId, Game
from shoverworld.core.plan import Plan, PlanError
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.state import RaceStep
from shoverworld.games.shover.env import ShoverWorldEnv
from shoverworld.games.shover.state import ShoverStep
from shoverworld.games.sokoban.env import SokobanEnv
from shoverworld.games.sokoban.state import SokobanStep


class CorridorGame(Game):
    name, title = "corridor", "Corridor"
    ids = (EnvId("Corridor-v0", {}, "walk to the end"),)


@dataclass
class Corridor:
    length: int
    player: int = 0
    steps: int = 0

    def copy(self):
        return replace(self)

    def __str__(self):
        return "." * self.player + "@" + "." * (self.length - self.player - 1)


class CorridorEnv(GridEnv):
    game = CorridorGame()

    def __init__(self, level="@....", render_mode=None):
        super().__init__(render_mode)
        self.level = level
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Box(0, 100, (1,), np.int64)

    def begin(self, options, seed):
        text = options.get("map", self.level).strip()
        self._state = Corridor(len(text), text.index("@"))

    def apply(self, action):
        self._state.player = max(0, self._state.player + 2 * action - 1)
        self._state.steps += 1
        return Event(-1.0, self.outcome)

    def make_observation(self):
        return np.array([self._state.player])

    def make_info(self, event):
        return {"steps": self._state.steps}

    @property
    def outcome(self):
        if self._state.player == self._state.length - 1:
            return "solved"
        return "timeout" if self._state.steps == 20 else None


@pytest.fixture
def corridor():
    gym.register("shoverworld/Corridor-v0", CorridorEnv)
    yield gym.make("shoverworld/Corridor-v0").unwrapped
    del gym.registry["shoverworld/Corridor-v0"]


@pytest.mark.filterwarnings("ignore")
def test_a_small_game_passes_the_gymnasium_checker(corridor):
    check_env(CorridorEnv(render_mode="rgb_array"))


def test_a_small_game_can_be_played_to_its_end(corridor):
    with pytest.raises(ResetNeeded, match="has not begun"):
        corridor.step(1)
    corridor.reset(options={"map": "@.."})
    assert corridor.step(1)[1:4] == (-1.0, False, False)
    assert corridor.step(np.int64(1))[2:4] == (True, False)
    with pytest.raises(ResetNeeded, match="the game is over"):
        corridor.step(1)
    corridor.reset()
    for _ in range(19):
        corridor.step(0)
    assert corridor.step(0)[2:4] == (False, True)


@pytest.mark.parametrize("action", [2, -1, "up", None, 0.5, (1,)])
def test_a_small_game_rejects_actions_outside_its_space(corridor, action):
    corridor.reset()
    with pytest.raises(ActionError, match="an integer from 0 to 1"):
        corridor.step(action)
    assert corridor.figures() == {"steps": 0}


def test_a_small_game_rejects_unknown_options_and_states_from_other_games(corridor):
    with pytest.raises(ConfigError, match="no option 'level'"):
        corridor.reset(options={"level": 1})
    corridor.reset()
    with pytest.raises(ConfigError, match="expected a Corridor from get_state, not tuple"):
        corridor.set_state((1, 2))


def test_a_small_game_supports_states_and_hashes_and_masks_and_pictures(corridor):
    corridor.reset()
    state, first = corridor.get_state(), corridor.state_hash()
    corridor.step(1)
    assert corridor.state_hash() != first
    assert corridor.map_text() == ".@..."
    corridor.set_state(state)
    assert corridor.state_hash() == first == CorridorEnv.state_hash(corridor)
    assert corridor.action_mask().tolist() == [True, True]
    assert corridor.picture().shape == (16, 80, 3)
    corridor.set_state(Corridor(5, 4))
    assert not corridor.action_mask().any()


def test_a_recorded_small_game_passes_the_replay_check(corridor):
    recorder = Recorder(corridor)
    recorder.reset(options={"map": "@..."})
    for action in (1, 0, 1, 1, 1):
        recorder.step(action)
    replay = Replay.parse(recorder.replay().to_text())
    replay.check()
    assert (replay.env_id, replay.end.outcome, replay.end.figures["steps"]) == ("shoverworld/Corridor-v0", "solved", 5)


def test_a_plan_passes_verification_only_if_it_wins_the_game(corridor):
    for actions, error in (([1] * 4, ""), ([1] * 3, "expected solved"), ([1] * 5, "after step 4 of 5")):
        corridor.reset()
        plan = Plan("solved", actions)
        assert plan.cost == plan.steps == len(actions)
        if error:
            with pytest.raises(PlanError, match=error):
                plan.verify(corridor)
        else:
            plan.verify(corridor)


# --- the events of the compiled games


def test_the_info_contains_every_field_of_the_event_under_its_own_key():
    """`make_info` unpacks the event and must not mix up its fields."""
    shover, box, cars = ShoverWorldEnv(), SokobanEnv("easy"), RaceEnv(cars=3)
    for env in (shover, box, cars):
        env.reset(seed=0)
    event = ShoverStep(0.5, 11, 12.0, 13, 14, True, 15, False, 16, 0, 3, 4, 2)
    assert shover.make_info(event) == {
        "timestep": event.timestep, "stamina": event.stamina, "number_of_boxes": event.boxes,
        "number_destroyed": event.destroyed, "last_action_valid": event.valid, "chain_length": event.chain,
        "initial_force_charged": event.charged, "lava_destroyed_this_step": event.burnt,
        "perfect_squares_available": [], "square_ages": [], "invalid_reason": "lava", "map": event.map, "outcome": "exhausted",
    }  # fmt: skip
    event = SokobanStep(0.5, 11, 12, 13, 14, 15, 16, False, 2, 17, 1)
    assert box.make_info(event) == {
        "steps": event.steps, "moves": event.moves, "pushes": event.pushes, "pulls": event.pulls, "boxes": event.boxes,
        "boxes_on_target": event.on_target, "all_boxes_on_target": False, "last_action_valid": event.valid,
        "invalid_reason": "box", "level": event.level, "outcome": "solved",
    }  # fmt: skip
    event = RaceStep(0.5, 2, 11, 12, 13, 14, 15, 16, 17, 2, 18, 1, 19, 20, 0)
    assert cars.make_info(event) == {
        "car": event.car, "steps": event.steps, "penalties": event.penalties, "waiting": event.wait,
        "position": (event.col, event.row), "velocity": (event.dcol, event.drow), "last_action_valid": False,
        "invalid_reason": "line", "fault": "line", "finished": True, "place": event.place, "turn": event.turn, "round": event.rounds,
        "track": event.track, "outcome": None,
    }  # fmt: skip


@pytest.mark.parametrize("make", [ShoverWorldEnv, lambda: SokobanEnv("easy"), lambda: RaceEnv(cars=2)])
def test_the_info_that_step_returns_equals_the_info_that_observe_returns(make):
    env = make()
    env.action_space.seed(3)
    env.reset(seed=3)
    for _ in range(30):
        *_, terminated, truncated, info = env.step(env.action_space.sample())
        assert env.observe()[1] == info
        if terminated or truncated:
            break


def test_a_shover_world_state_contains_the_whole_event():
    square = "BBB...\nBBB..B\nBBB.A.\n......"
    for z, field in ((5, "barrier"), (6, "hellified")):
        env = ShoverWorldEnv()
        env.reset(options={"map": square})
        env.step((0, 0, z))
        game = env.get_state().game[0]
        assert (game.valid, game[field], game.kind, game.cost) == (True, 3, z - 1, 0.0)
        env.step((3, 3, z))  # there is no square left
        game = env.get_state().game[0]
        assert (game.valid, game.barrier, game.hellified, game.kind) == (False, 0, 0, z - 1)
    env = ShoverWorldEnv(z_base=5)
    env.reset(options={"map": "AB.B."})
    env.step((0, 1, 6))
    game = env.get_state().game[0]
    assert (game.chain, game.charged, game.cost, game.kind) == (1, True, 50.0, 1)
    assert "right, chain of 1" in env.remark()


# --- plans from a state


def test_every_planner_finds_a_plan_from_a_state_in_the_middle_of_a_game():
    from shoverworld import solve

    env = ShoverWorldEnv(rules="phase2")
    env.reset(options={"map": ".B..B.\n......"})
    env.step((0, 1, 1))
    _continue(env, lambda state: solve(state, "phase2"))
    env = SokobanEnv(sokoban.Level.parse("#######\n#@$ . #\n# $ . #\n#######"))
    env.reset(seed=0)
    env.step(1 + 3)
    plan = _continue(env, sokoban.solve)
    assert (plan.pushes, plan.cost, plan.objective) == (3, 3, "pushes")
    assert plan.lurd.count("R") == 3
    env = RaceEnv("01-straight")
    env.reset(seed=0)
    env.step(5)
    _continue(env, race.solve)


def _continue(env, solve):
    state = env.get_state()
    plan = solve(state)
    assert plan.status == "solved" and plan.proved_optimal and plan.actions
    assert env.state_hash() == _hash_of(env, state), "the planner does not change the state"
    plan.verify(env)
    assert env.outcome == env.game.won
    return plan


def _hash_of(env, state):
    env.set_state(state)
    return env.state_hash()
