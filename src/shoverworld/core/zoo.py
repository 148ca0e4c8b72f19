# pyright: reportMissingTypeStubs=false
# PettingZoo is an optional extra without type stubs.
"""Base classes for the PettingZoo environments of multiplayer games. Each environment wraps a GridEnv.

Only a game's PettingZoo module imports this module. Because PettingZoo is an optional extra, the game's module is not
imported until it is needed.
"""

from operator import index
from typing import Any, ClassVar

import gymnasium
from gymnasium import spaces

from .env import GridEnv, game_over
from .errors import ActionError, ConfigError, MissingExtra

try:
    import pettingzoo
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as missing:
    if (missing.name or "").split(".")[0] != "pettingzoo":
        raise
    raise MissingExtra.of("a multiplayer game", "pettingzoo", "multiplayer") from None

# observations, rewards, terminations, truncations and infos, by agent
RoundResult = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]

__all__ = ["MultiplayerAECEnv", "MultiplayerGame", "MultiplayerParallelEnv", "OrderEnforcingWrapper", "register"]


class MultiplayerGame:
    """The common base class of a game's AEC and parallel environments.

    A game calls `__init__` with its GridEnv and implements the methods below. After every reset, `set_state` and step,
    `look` updates what the agents observe.
    """

    reset_options: ClassVar[tuple[str, ...]]

    def __init__(self, env: GridEnv, agents: list[str], action_count: int):
        self._env = env
        self.render_mode = env.render_mode
        self.possible_agents = agents
        self.agents: list[str] = []
        self._count = action_count
        self._started = False
        self._action_spaces = {agent: spaces.Discrete(action_count) for agent in agents}
        self._find_spaces()

    # --- required of every game

    def make_space(self, shown: spaces.Space[Any]) -> spaces.Space[Any]:
        """Return the observation space of an agent. `shown` is the observation space of the GridEnv."""
        raise NotImplementedError

    def look(self, observation: Any, info: dict[str, Any]) -> None:
        """Store what the agents observe. The arguments are the values that the GridEnv returned."""
        raise NotImplementedError

    def active_agents(self) -> list[str]:
        """Return the agents that take part in a game that starts or continues from the current state."""
        return list(self.possible_agents)

    def observation_of(self, agent: str) -> Any:
        raise NotImplementedError

    def info_of(self, agent: str) -> dict[str, Any]:
        raise NotImplementedError

    def ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """Return the terminations and truncations of the agents."""
        raise NotImplementedError

    # --- PettingZoo's interface

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def render(self) -> Any:
        return self._env.render()

    def close(self) -> None:
        self._env.close()

    # --- states

    def get_state(self) -> Any:
        """Return a copy of the whole game, as a state of the wrapped GridEnv."""
        return self._env.get_state()

    def set_state(self, state: Any) -> None:
        """Continue from a state that this environment or a GridEnv of the same game returned. Rewards restart at 0."""
        self._env.set_state(state)
        self.continue_from(*self._env.observe())

    # --- shared by both kinds of environment

    def start(self, seed: int | None, options: dict[str, Any] | None) -> None:
        given = {} if options is None else options
        if not isinstance(given, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"options={options!r:.60}: must be a dict or None")
        for name in given:
            if name not in self.reset_options:  # PettingZoo requires unknown options to be accepted
                names = ", ".join(self.reset_options)
                gymnasium.logger.warn(f"reset: the unknown option {name!r} is ignored; the options are {names}")
        known = {name: value for name, value in given.items() if name in self.reset_options}
        self.continue_from(*self._env.reset(seed=seed, options=known))

    def continue_from(self, observation: Any, info: dict[str, Any]) -> None:
        """Update the observations of all agents from the current state of the game."""
        if self._env.observation_space is not self._shown:
            self._find_spaces()
        self._started = True
        self.look(observation, info)
        self.agents = self.active_agents()

    def _find_spaces(self) -> None:
        """Make the observation spaces. The spaces change only when the size of the board changes."""
        self._shown = self._env.observation_space
        self._observation_spaces = {agent: self.make_space(self._shown) for agent in self.possible_agents}

    def require_started(self) -> None:
        if not self._started:
            raise game_over(None)

    def require_playing(self) -> None:
        if not self.agents:
            raise game_over(self._env.outcome if self._started else None)

    def parse_action(self, agent: str, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._count:
            raise ActionError(
                f"{agent}: action {action!r:.60} is outside the action space; "
                f"expected an integer from 0 to {self._count - 1}"
            )
        return number

    def views(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the observations and infos of all agents."""
        observations = {agent: self.observation_of(agent) for agent in self.agents}
        return observations, {agent: self.info_of(agent) for agent in self.agents}


class MultiplayerAECEnv(MultiplayerGame, AECEnv[str, Any, Any]):
    """A PettingZoo AEC environment, in which the agents take turns."""

    def next_agent(self) -> str:
        """Return the agent whose turn it is."""
        raise NotImplementedError

    def play(self, agent: str, action: int) -> dict[str, float]:
        """Play an agent's move, call `look`, and return the rewards of all agents."""
        raise NotImplementedError

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.start(seed, options)

    def continue_from(self, observation: Any, info: dict[str, Any]) -> None:
        super().continue_from(observation, info)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._announce()

    def _announce(self) -> None:
        """Update the attributes that PettingZoo reads. Agents whose game has ended are selected first."""
        self.terminations, self.truncations = self.ends()
        self.infos = {agent: self.info_of(agent) for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.next_agent()
        self._deads_step_first()

    def observe(self, agent: str) -> Any:
        return self.observation_of(agent)

    def step(self, action: Any) -> None:
        """Play the turn of `agent_selection`. If the agent's game has ended, the action must be None."""
        self.require_playing()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.rewards = self.play(agent, self.parse_action(agent, action))
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._announce()


class MultiplayerParallelEnv(MultiplayerGame, ParallelEnv[str, Any, Any]):
    """A PettingZoo parallel environment, in which all agents act in each round. A game implements `step`."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.start(seed, options)
        return self.views()

    def continue_from(self, observation: Any, info: dict[str, Any]) -> None:
        super().continue_from(observation, info)
        if self._env.outcome:  # `set_state` restored a game that is over
            self.agents = []

    def end_round(self, rewards: dict[str, float]) -> RoundResult:
        """Return the result of `step`, and remove from `agents` those whose game has ended."""
        observations, infos = self.views()
        terminated, truncated = self.ends()
        self.agents = [agent for agent in self.agents if not (terminated[agent] or truncated[agent])]
        return observations, rewards, terminated, truncated, infos


def register(env_id: str, aec: Any, parallel: Any, **keywords: Any) -> None:
    """Add an id to PettingZoo's registry. Do nothing in older versions of PettingZoo, which have no registry."""
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", env_id, aec, kwargs=keywords)
        pettingzoo.register("parallel", env_id, parallel, kwargs=keywords)
