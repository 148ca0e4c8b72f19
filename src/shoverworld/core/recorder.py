"""Recording: `Recorder` wraps an environment and can give a `Replay` of its present game at any time."""

from typing import Any

import gymnasium

from .env import GridEnv
from .errors import ReplayError
from .replay import Move, Replay, ending


class Journal:
    """Hears of all that happens in an environment, and keeps what a replay of the present game needs.

    A replay begins at a reset. `set_state` back to a state of this game takes the moves since then back, so an agent may
    try moves out, and a player may undo one. `set_state` to any other state leaves nothing that a map could tell: from
    there to the next reset, `replay` is an error.
    """

    def __init__(self, env: GridEnv):
        self.env = env
        self._nothing = "nothing was recorded yet: call reset() first"
        env.listeners.append(self)

    def stop(self) -> None:
        """Hear no more; what was recorded stays."""
        if self in self.env.listeners:
            self.env.listeners.remove(self)

    # --- what the environment tells (core/env.py)

    def began(self, seed: int | None) -> None:
        self._nothing = ""
        self.seed = None if seed is None else int(seed)
        self.map, self.start = self.env.map_text(), self.env.state_hash()
        self.moves: list[Move] = []
        self.ends = [ending(self.env, 0.0)]  # how things stood at the start and after each move

    def stepped(self, action: tuple[int, ...], reward: float) -> None:
        self._add(action, float(reward), False)

    def placed(self, position: tuple[int, ...]) -> None:
        self._add(position, 0.0, True)

    def _add(self, numbers: tuple[int, ...], reward: float, place: bool) -> None:
        if self._nothing:
            return
        end = ending(self.env, self.ends[-1].figures["reward"] + reward)
        figures = [f"{name} {value:g}" for name, value in end.figures.items() if name not in ("steps", "reward")]
        remark = "" if place else ", ".join(part for part in [self.env.remark(), *figures] if part)
        self.moves.append(Move(numbers, self.env.state_hash(), place, remark))
        self.ends.append(end)

    def state_was_set(self) -> None:
        if self._nothing:
            return
        states = [self.start, *(move.hash for move in self.moves)]
        now = self.env.state_hash()
        if now in states:
            self.keep(len(states) - 1 - states[::-1].index(now))
        else:
            self._nothing = "set_state put in a state that this game has not been in: a replay begins at a reset()"

    def keep(self, count: int) -> None:
        """Forget all moves but the first so many, after a `set_state` to where they led. Only who sets the state knows how
        many those are when moves changed nothing, such as a `place` on the player's own cell."""
        del self.moves[count:], self.ends[count + 1 :]

    def replay(self, **header: Any) -> Replay:
        """The game so far. `header`: player, date, comment, notes."""
        if self._nothing:
            raise ReplayError(self._nothing)
        env_id, config = self.env.recipe()
        return Replay(env_id, self.start, tuple(self.moves), self.ends[-1], config, self.map, self.seed, **header)


class Recorder(gymnasium.Wrapper):
    """Records every reset, step and `place`, also those that go past it through `env.unwrapped`; see `Journal`."""

    def __init__(self, env: gymnasium.Env):
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, GridEnv):
            raise TypeError(f"Recorder wraps environments of this package, not {base}")
        self.journal = Journal(base)

    def place(self, position: tuple[int, int]) -> None:
        """Move the player freely, as `env.unwrapped.place` does."""
        self.journal.env.place(position)

    def replay(
        self, player: str = "", date: str = "", comment: str = "", notes: dict[str, str] | None = None
    ) -> Replay:
        """The game since the last reset, as far as it has come."""
        return self.journal.replay(player=player, date=date, comment=comment, notes=notes or {})

    def close(self) -> None:
        self.journal.stop()
        super().close()
