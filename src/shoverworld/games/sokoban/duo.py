"""Two-player Sokoban for PettingZoo: `env` (the players take turns) and `parallel_env` (both act in each round).

    from shoverworld.sokoban import duo

    env = duo.env(rules="TwoPlayer-Sokoban-v0")
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(info["action_mask"]))

Both are based on `SokobanEnv(players=2)` and have the same rooms, rules, rewards and seeds as that environment.
Importing this module registers the two-player ids with PettingZoo:
`pettingzoo.make("aec", "shoverworld/TwoPlayer-Sokoban-v0")`.
"""

from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import truth
from shoverworld.core.errors import ActionError, ConfigError
from shoverworld.core.zoo import (
    MultiplayerAECEnv,
    MultiplayerGame,
    MultiplayerParallelEnv,
    OrderEnforcingWrapper,
    register,
)

from .env import SokobanEnv
from .presets import PRESETS
from .state import BOX, PLAYER, SECOND, TARGET, WALL

AGENTS = ("player_0", "player_1")
OTHER_FIRST = [WALL, TARGET, BOX, SECOND, PLAYER]  # plane order for the second player

NAME = "sokoban_duo_v0"


class SokobanPair(MultiplayerGame):
    """
    ## Description
    Two warehouse keepers push boxes in one room until each box stands on a target. Both agents get the same rewards.
    Taking turns (`env`): a turn is one step of the game, and `player_0` goes first. The no-op passes the turn.
    Playing in parallel (`parallel_env`): a round is two steps of the game. `player_0` acts before `player_1`, so
    the cell that `player_1` wants to enter may already be taken. If the first step ends the game, the round has no
    second step.

    ## Action space
    `Discrete`. Each agent has the actions of one player: 0 no-op, 1-4 push, 5-8 move and, with `pull=True`, 9-12 pull.
    The order of directions is up, down, left, right. With `moves="four"`, there are only the actions 0-3, and the only
    way to pass is to choose an invalid action, such as walking into a wall.

    ## Observation space
    Each agent has the observation space of a `SokobanEnv` with the same `observation`. With `observation="planes"`, the
    fourth plane shows the agent itself and the fifth plane shows the other agent, so the same policy can control both.
    `state()` returns the observation of `player_0`, without the mask.
    With `mask_in_observation=True`, an observation is a dict with the keys `observation` and `action_mask`.

    Each info dict contains the info from `SokobanEnv` and the agent's `action_mask`: an int8 array with a 1 for
    each action that is currently valid.

    ## Rewards
    Both agents get the same reward for every step: -0.1 for the step itself, +1 for moving a box onto its target, -1
    for moving a box off its target, and +10 when all boxes are on their targets. The reward for a round is the sum of
    the rewards for its steps. `last()` returns the sum of the rewards since the agent's previous turn.

    ## Episode end
    The game ends for both agents at once: when all boxes are on their targets (terminated), or after `max_steps` steps
    of the game (truncated). A round counts as two steps.

    ## Arguments
    The arguments are those of `SokobanEnv` except `players`, plus `mask_in_observation`. By default, the rooms are
    those of `TwoPlayer-Sokoban-v2`. `reset` accepts the options `level` and `map`; other options are ignored with a
    warning.

    ## Version history
    - v0: the first version.
    """

    metadata: ClassVar[dict[str, Any]] = {**SokobanEnv.metadata, "name": NAME, "is_parallelizable": False}
    reset_options = ("level", "map")

    def __init__(self, *, mask_in_observation: bool = False, **keywords: Any):
        if keywords.pop("players", 2) != 2:
            raise ConfigError("players: must be 2; for one player, use SokobanEnv")
        self.sokoban = SokobanEnv(players=2, **keywords)  # the game itself, for recorders and planners
        self.mask_in_observation = truth("mask_in_observation", mask_in_observation)
        self._each, self._passes = self.sokoban.rules.actions_each, int(self.sokoban.rules.has_noop)
        self._now: tuple[np.ndarray, dict] | None = None  # the last observation and info of the game
        super().__init__(self.sokoban, list(AGENTS), self._passes + self._each)

    def state(self) -> np.ndarray:
        """Return the whole room in the same form for both agents. The planes have the same order as in `SokobanEnv`."""
        return self._current()[0].copy()

    # --- the methods that core/zoo.py requires

    def make_space(self, shown: spaces.Space) -> spaces.Space:
        self.state_space = deepcopy(shown)
        if not self.mask_in_observation:
            return deepcopy(shown)
        mask = spaces.Box(0, 1, (self._count,), np.int8)
        return spaces.Dict({"observation": deepcopy(shown), "action_mask": mask})

    def look(self, observation: np.ndarray, info: dict[str, Any]) -> None:
        self._now = observation, info
        mask = self.sokoban.action_mask().astype(np.int8)
        second = np.concatenate((mask[: self._passes], mask[self._count :]))
        self._masks: dict[str, np.ndarray] = dict(zip(AGENTS, (mask[: self._count], second), strict=True))

    def observation_of(self, agent: str) -> Any:
        room = self._current()[0]
        turned = agent == AGENTS[1] and self.sokoban.observation == "planes"
        own = room[OTHER_FIRST] if turned else room.copy()
        return {"observation": own, "action_mask": self._masks[agent].copy()} if self.mask_in_observation else own

    def info_of(self, agent: str) -> dict[str, Any]:
        return {**self._current()[1], "action_mask": self._masks[agent]}

    def ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        outcome = self.sokoban.outcome
        return dict.fromkeys(self.agents, outcome == "solved"), dict.fromkeys(self.agents, outcome == "timeout")

    def parse_action(self, agent: str, action: Any) -> int:
        """Return the action for SokobanEnv, where the second player's actions follow the first player's."""
        number = super().parse_action(agent, action)
        return number if agent == AGENTS[0] or number < self._passes else number + self._each

    def _current(self) -> tuple[np.ndarray, dict]:
        self.require_started()
        assert self._now is not None
        return self._now


class DuoEnv(SokobanPair, MultiplayerAECEnv):
    __doc__ = f"Two players who take turns.\n{SokobanPair.__doc__}"

    def next_agent(self) -> str:
        return AGENTS[self._current()[1]["steps"] % 2]

    def play(self, agent: str, action: int) -> dict[str, float]:
        observation, reward, _, _, info = self.sokoban.step(action)
        self.look(observation, info)
        return dict.fromkeys(self.agents, reward)

    def _deads_step_first(self) -> str:
        """Return the current agent. The game ends for both players at once, so the order of turns does not change."""
        return self.agent_selection


class DuoParallelEnv(SokobanPair, MultiplayerParallelEnv):
    __doc__ = f"Two players who both act in each round.\n{SokobanPair.__doc__}"

    def step(self, actions: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """Play a round. If either action is outside the action space, neither action is played."""
        self.require_playing()
        if not isinstance(actions, dict) or set(actions) != set(AGENTS):
            raise ActionError(
                f"actions {actions!r:.80}: expected a dict with one action for each of {', '.join(AGENTS)}"
            )
        total = 0.0
        for number in [self.parse_action(agent, actions[agent]) for agent in AGENTS]:
            observation, reward, terminated, truncated, info = self.sokoban.step(number)
            total += reward
            if terminated or truncated:
                break
        self.look(observation, info)
        return self.end_round(dict.fromkeys(self.agents, total))


raw_env, parallel_env = DuoEnv, DuoParallelEnv  # the names that PettingZoo uses


def env(**keywords: Any) -> OrderEnforcingWrapper:
    """Return a turn-based `DuoEnv` in the PettingZoo wrapper that reports calls made in the wrong order."""
    return OrderEnforcingWrapper(DuoEnv(**keywords))


for _preset in PRESETS.values():
    if _preset.rules.get("players") == 2:
        register(f"shoverworld/{_preset.name}", env, parallel_env, rules=_preset.name)
