"""Two players of Sokoban as a PettingZoo environment: `env` (by turns) and `parallel_env` (both in one round).

    from shoverworld.sokoban import duo

    env = duo.env(rules="TwoPlayer-Sokoban-v0")
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(info["action_mask"]))

Behind both stands one `SokobanEnv(players=2)`: the same rooms, rules, rewards and seeds.
Importing this tells PettingZoo the ids of two players: `pettingzoo.make("aec", "shoverworld/TwoPlayer-Sokoban-v0")`.
"""

from copy import deepcopy
from operator import index
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from shoverworld.core.checks import truth
from shoverworld.core.env import game_over
from shoverworld.core.errors import ActionError, ConfigError
from shoverworld.core.zoo import AECEnv, OrderEnforcingWrapper, ParallelEnv, known_options

from .env import SokobanEnv
from .presets import PRESETS
from .state import BOX, PLAYER, SECOND, TARGET, WALL, SokobanState

AGENTS = ("player_0", "player_1")
OPTIONS = ("level", "map")
OTHER_FIRST = [WALL, TARGET, BOX, SECOND, PLAYER]  # how the planes lie for the second player

NAME = "sokoban_duo_v0"


class Pair:
    """
    ## Description
    Two warehouse keepers push boxes in one room until each box stands on a target. They earn the same rewards.
    By turns (`env`): a turn is one step of the game, `player_0` has the first; who passes (the no-op) lets the other go on.
    Parallel (`parallel_env`): a round is two steps of the game, first `player_0`'s and then `player_1`'s, who therefore
    may find that the cell he wanted is taken. A round in which the first step ends the game has no second one.

    ## Action space
    `Discrete`, for each agent the actions of one player: 0 no-op, 1-4 push, 5-8 move, with `pull=True` 9-12 pull;
    up, down, left, right. With `moves="four"` 0-3, and nobody can pass but by walking into a wall.

    ## Observation space
    That of `SokobanEnv` for the same `observation`. In the planes the fourth is the agent himself and the fifth the other
    one, so one policy can play both. `state()` is the observation of `player_0`.
    With `mask_in_observation=True` a dict of `observation` and `action_mask`.

    The infos are those of `SokobanEnv`, with `action_mask` for the agent: int8, 1 where an action would be valid now.

    ## Rewards
    Both agents get what a step earns: -0.1, +1 a box on its target, -1 off it, +10 when all are on; a round earns the
    sum of its steps. `last()` gives what was earned since the agent's own last turn.

    ## Episode end
    For both at once: all boxes on targets (terminated), or `max_steps` steps of the game (truncated); two steps a round.

    ## Arguments
    The keywords of `SokobanEnv` except `players`, and `mask_in_observation`. Without any the rooms are those of
    `TwoPlayer-Sokoban-v2`. `reset` takes its options `level` and `map`; others are ignored with a warning.

    ## Version history
    - v0: the first.
    """

    metadata: ClassVar[dict[str, Any]] = {**SokobanEnv.metadata, "name": NAME, "is_parallelizable": False}

    def __init__(self, *, mask_in_observation: bool = False, **keywords: Any):
        if keywords.pop("players", 2) != 2:
            raise ConfigError("players: there are always two here; for one player use SokobanEnv")
        self.sokoban = SokobanEnv(players=2, **keywords)  # the game itself, for recorders and planners
        self.render_mode = self.sokoban.render_mode
        self.mask_in_observation = truth("mask_in_observation", mask_in_observation)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._each, self._passes = self.sokoban.rules.actions_each, int(self.sokoban.rules.has_noop)
        self._count = self._passes + self._each
        self._now: tuple[np.ndarray, dict] | None = None  # the observation and info of the game as it stands
        self._action_spaces = {agent: spaces.Discrete(self._count) for agent in AGENTS}
        self._show_spaces()

    # --- what both environments share with PettingZoo

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Space:
        return self._observation_spaces[agent]

    def state(self) -> np.ndarray:
        """The whole room, the same for everybody: the planes in the order of `SokobanEnv`."""
        return self._seen()[0].copy()

    def render(self) -> Any:
        return self.sokoban.render()

    def close(self) -> None:
        self.sokoban.close()

    # --- beyond PettingZoo

    def get_state(self) -> SokobanState:
        """A copy of the whole game, dice included: what `SokobanEnv` gives. Whose turn it is follows from its steps."""
        return self.sokoban.get_state()

    def set_state(self, state: SokobanState) -> None:
        """Go on from a state that `get_state` gave, here or in a `SokobanEnv` of two players. Nothing is earned yet."""
        self.sokoban.set_state(state)
        self._take_seats(self.sokoban.observe())

    # --- the game

    def _show_spaces(self) -> None:
        """The observation spaces; they change only with a map of another size."""
        self._shown = self.sokoban.observation_space
        self.state_space = deepcopy(self._shown)
        self._observation_spaces = {agent: self._space() for agent in AGENTS}

    def _space(self) -> spaces.Space:
        if not self.mask_in_observation:
            return deepcopy(self._shown)
        mask = spaces.Box(0, 1, (self._count,), np.int8)
        return spaces.Dict({"observation": deepcopy(self._shown), "action_mask": mask})

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        self._take_seats(self.sokoban.reset(seed=seed, options=known_options(options, OPTIONS)))

    def _take_seats(self, seen: tuple[np.ndarray, dict]) -> None:
        if self.sokoban.observation_space is not self._shown:
            self._show_spaces()
        self.agents = list(AGENTS)
        self._now = seen
        self._masks = self._both_masks()

    def _seen(self) -> tuple[np.ndarray, dict]:
        if self._now is None:
            raise game_over(None)
        return self._now

    def _must_be_playing(self) -> None:
        if not self.agents:
            raise game_over(self.sokoban.outcome if self._now else None)

    def _checked(self, agent: str, action: Any) -> int:
        """The action of an agent as SokobanEnv counts them: those of the second player follow those of the first."""
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._count:
            raise ActionError(
                f"{agent}: action {action!r:.60} is outside the action space; "
                f"expected a whole number from 0 to {self._count - 1}"
            )
        return number if agent == AGENTS[0] or number < self._passes else number + self._each

    def _play(self, number: int) -> tuple[float, bool, bool]:
        """One step of the game: its reward, is it solved, is time up."""
        observation, reward, terminated, truncated, info = self.sokoban.step(number)
        self._now = observation, info
        return reward, terminated, truncated

    def _both_masks(self) -> dict[str, np.ndarray]:
        mask = self.sokoban.action_mask().astype(np.int8)
        second = np.concatenate((mask[: self._passes], mask[self._count :]))
        return dict(zip(AGENTS, (mask[: self._count], second), strict=True))

    def _observation_of(self, agent: str) -> Any:
        room = self._seen()[0]
        turned = agent == AGENTS[1] and self.sokoban.observation == "planes"
        own = room[OTHER_FIRST] if turned else room.copy()
        return {"observation": own, "action_mask": self._masks[agent].copy()} if self.mask_in_observation else own

    def _info_of(self, agent: str) -> dict[str, Any]:
        return {**self._seen()[1], "action_mask": self._masks[agent]}

    def _for_each(self, value: Any) -> dict[str, Any]:
        return dict.fromkeys(self.agents, value)


class DuoEnv(Pair, AECEnv):
    __doc__ = f"Two players by turns.\n{Pair.__doc__}"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed, options)

    def _take_seats(self, seen: tuple[np.ndarray, dict]) -> None:
        super()._take_seats(seen)
        outcome = self.sokoban.outcome
        self._tell(0.0, outcome == "solved", outcome == "timeout")
        self._cumulative_rewards = self._for_each(0.0)
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[seen[1]["steps"] % 2]

    def _tell(self, reward: float, terminated: bool, truncated: bool) -> None:
        self.rewards = self._for_each(reward)
        self.terminations, self.truncations = self._for_each(terminated), self._for_each(truncated)
        self.infos = {agent: self._info_of(agent) for agent in self.agents}

    def observe(self, agent: str) -> Any:
        return self._observation_of(agent)

    def step(self, action: Any) -> None:
        """The turn of `agent_selection`. Once the game is over each agent steps a last time, with None."""
        self._must_be_playing()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        told = self._play(self._checked(agent, action))
        self._masks = self._both_masks()
        self._cumulative_rewards[agent] = 0.0
        self._tell(*told)
        self._accumulate_rewards()
        self.agent_selection = AGENTS[agent == AGENTS[0]]


class DuoParallelEnv(Pair, ParallelEnv):
    __doc__ = f"Two players in rounds.\n{Pair.__doc__}"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        self._begin(seed, options)
        return self._told()

    def step(self, actions: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """A round. When one of the actions is bad, neither has been played."""
        self._must_be_playing()
        if not isinstance(actions, dict) or set(actions) != set(AGENTS):
            raise ActionError(f"actions {actions!r:.80}: expected a dict with one for each of {', '.join(AGENTS)}")
        total = 0.0
        for number in [self._checked(agent, actions[agent]) for agent in AGENTS]:
            reward, terminated, truncated = self._play(number)
            total += reward
            if terminated or truncated:
                break
        self._masks = self._both_masks()
        observations, infos = self._told()
        results = self._for_each(total), self._for_each(terminated), self._for_each(truncated)
        if terminated or truncated:
            self.agents = []
        return observations, *results, infos

    def _take_seats(self, seen: tuple[np.ndarray, dict]) -> None:
        super()._take_seats(seen)
        if self.sokoban.outcome:  # a state in which the game is over
            self.agents = []

    def _told(self) -> tuple[dict, dict]:
        observations = {agent: self._observation_of(agent) for agent in self.agents}
        return observations, {agent: self._info_of(agent) for agent in self.agents}


raw_env, parallel_env = DuoEnv, DuoParallelEnv  # PettingZoo's names


def env(**keywords: Any) -> OrderEnforcingWrapper:
    """Two players by turns, in PettingZoo's wrapper that says when calls come in the wrong order; see `DuoEnv`."""
    return OrderEnforcingWrapper(DuoEnv(**keywords))


def tell_pettingzoo() -> None:
    """The ids of two players in PettingZoo's own table, which its newer versions have."""
    import pettingzoo

    if not hasattr(pettingzoo, "register"):
        return
    for name in (preset.name for preset in PRESETS.values() if preset.rules.get("players") == 2):
        pettingzoo.register("aec", f"shoverworld/{name}", env, kwargs={"rules": name})
        pettingzoo.register("parallel", f"shoverworld/{name}", parallel_env, kwargs={"rules": name})


tell_pettingzoo()
