# pyright: reportMissingTypeStubs=false
# PettingZoo is an optional extra without type stubs.
"""PettingZoo environments for games with several players, around one GridEnv.

Only the PettingZoo module of a game imports this, and nothing imports that module before it is needed: PettingZoo is an
optional extra.
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
    raise MissingExtra.of("a game of several agents", "pettingzoo", "multiplayer") from None

# observations, rewards, terminations, truncations and infos, by agent
RoundResult = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]

__all__ = ["MultiplayerAECEnv", "MultiplayerGame", "MultiplayerParallelEnv", "OrderEnforcingWrapper", "register"]


class MultiplayerGame:
    """What the AEC and the parallel environment of a game share.

    A game calls `__init__` with its GridEnv, and fills in the methods below. After every reset, `set_state` and step it
    updates what the agents observe in `look`.
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
        """The observation space of an agent; `shown` is that of the GridEnv."""
        raise NotImplementedError

    def look(self, observation: Any, info: dict[str, Any]) -> None:
        """Keep what the agents observe. The arguments are what the GridEnv returned."""
        raise NotImplementedError

    def active_agents(self) -> list[str]:
        """The agents of a game that starts or continues here."""
        return list(self.possible_agents)

    def observation_of(self, agent: str) -> Any:
        raise NotImplementedError

    def info_of(self, agent: str) -> dict[str, Any]:
        raise NotImplementedError

    def ends(self) -> tuple[dict[str, bool], dict[str, bool]]:
        """The terminations and truncations of the agents."""
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
        """A copy of the whole game, random numbers included: the state of the single environment."""
        return self._env.get_state()

    def set_state(self, state: Any) -> None:
        """Continue from a state that `get_state` returned, here or in the single environment. Rewards start at 0."""
        self._env.set_state(state)
        self.continue_from(*self._env.observe())

    # --- shared by both

    def start(self, seed: int | None, options: dict[str, Any] | None) -> None:
        given = {} if options is None else options
        if not isinstance(given, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"options={options!r:.60}: must be a dict or None")
        for name in given:
            if name not in self.reset_options:  # PettingZoo expects that unknown options are accepted
                names = ", ".join(self.reset_options)
                gymnasium.logger.warn(f"reset: there is no option {name!r}, it is ignored; there are {names}")
        known = {name: value for name, value in given.items() if name in self.reset_options}
        self.continue_from(*self._env.reset(seed=seed, options=known))

    def continue_from(self, observation: Any, info: dict[str, Any]) -> None:
        """All agents observe the game where it stands now."""
        if self._env.observation_space is not self._shown:
            self._find_spaces()
        self._started = True
        self.look(observation, info)
        self.agents = self.active_agents()

    def _find_spaces(self) -> None:
        """The observation spaces change only with the size of the board."""
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
                f"expected a whole number from 0 to {self._count - 1}"
            )
        return number

    def views(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The observations and infos of all agents."""
        observations = {agent: self.observation_of(agent) for agent in self.agents}
        return observations, {agent: self.info_of(agent) for agent in self.agents}


class MultiplayerAECEnv(MultiplayerGame, AECEnv[str, Any, Any]):
    """One agent after another."""

    def next_agent(self) -> str:
        """The agent whose turn it is."""
        raise NotImplementedError

    def play(self, agent: str, action: int) -> dict[str, float]:
        """The move of an agent. Returns the rewards of all agents, and calls `look`."""
        raise NotImplementedError

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.start(seed, options)

    def continue_from(self, observation: Any, info: dict[str, Any]) -> None:
        super().continue_from(observation, info)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._announce()

    def _announce(self) -> None:
        """Update what PettingZoo reads. Agents whose game has ended come first."""
        self.terminations, self.truncations = self.ends()
        self.infos = {agent: self.info_of(agent) for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.next_agent()
        self._deads_step_first()

    def observe(self, agent: str) -> Any:
        return self.observation_of(agent)

    def step(self, action: Any) -> None:
        """The turn of `agent_selection`. An agent whose game has ended steps a last time, with None."""
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
    """All agents act in each round. A game adds `step`."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.start(seed, options)
        return self.views()

    def continue_from(self, observation: Any, info: dict[str, Any]) -> None:
        super().continue_from(observation, info)
        if self._env.outcome:  # `set_state` to a game that is over
            self.agents = []

    def end_round(self, rewards: dict[str, float]) -> RoundResult:
        """What `step` returns, and the agents whose game goes on."""
        observations, infos = self.views()
        terminated, truncated = self.ends()
        self.agents = [agent for agent in self.agents if not (terminated[agent] or truncated[agent])]
        return observations, rewards, terminated, truncated, infos


def register(env_id: str, aec: Any, parallel: Any, **keywords: Any) -> None:
    """Add an id to PettingZoo's registry, which older versions do not have."""
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", env_id, aec, kwargs=keywords)
        pettingzoo.register("parallel", env_id, parallel, kwargs=keywords)
