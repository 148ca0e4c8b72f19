"""Recording of games. `Recorder` wraps an environment and can return a `Replay` of the current game at any time."""

from collections.abc import Sequence
from typing import Any

import gymnasium

from .env import GridEnv
from .errors import ReplayError
from .replay import Move, Replay, ending


class Journal:
    """A listener that records everything needed for a replay of the current game.

    A replay begins at a reset. If `set_state` returns to an earlier state of the game, the moves made after that
    state are removed, so agents can try out moves and players can undo them. If `set_state` sets any other state,
    `replay` raises ReplayError until the next reset.
    """

    def __init__(self, env: GridEnv):
        self.env = env
        self._unavailable = "nothing has been recorded yet: call reset() first"
        env.listeners.append(self)

    def stop(self) -> None:
        """Stop listening. The recorded moves are kept."""
        if self in self.env.listeners:
            self.env.listeners.remove(self)

    # --- notifications from the environment (core/env.py)

    def began(self, seed: int | None) -> None:
        self._unavailable = ""
        self.seed = None if seed is None else int(seed)
        self.map, self.start = self.env.map_text(), self.env.state_hash()
        self.moves: list[Move] = []
        self.ends = [ending(self.env, 0.0)]  # the outcome and the statistics at the start and after each move

    def stepped(self, action: tuple[int, ...], reward: float) -> None:
        self._add(action, float(reward), False)

    def placed(self, position: tuple[int, ...]) -> None:
        self._add(position, 0.0, True)

    def _add(self, numbers: tuple[int, ...], reward: float, place: bool) -> None:
        if self._unavailable:
            return
        end = ending(self.env, self.ends[-1].figures["reward"] + reward)
        figures = [f"{name} {value:g}" for name, value in end.figures.items() if name not in ("steps", "reward")]
        remark = "" if place else ", ".join(part for part in [self.env.remark(), *figures] if part)
        self.moves.append(Move(numbers, self.env.state_hash(), place, remark))
        self.ends.append(end)

    def state_was_set(self) -> None:
        if self._unavailable:
            return
        states = [self.start, *(move.hash for move in self.moves)]
        now = self.env.state_hash()
        if now in states:
            self.keep(len(states) - 1 - states[::-1].index(now))
        else:
            self._unavailable = "set_state was called with a state that did not occur in this game; call reset() to start a new recording"

    def keep(self, count: int) -> None:
        """Keep only the first `count` moves, after `set_state` has restored the state that these moves led to.

        The caller supplies the count, because the state alone does not determine it if a move changed nothing
        (such as a `place` on the player's own cell).
        """
        del self.moves[count:], self.ends[count + 1 :]

    def replay(self, **header: Any) -> Replay:
        """Return a replay of the game so far. `header` may contain player, date, comment and notes."""
        if self._unavailable:
            raise ReplayError(self._unavailable)
        env_id, config = self.env.recipe()
        return Replay(env_id, self.start, tuple(self.moves), self.ends[-1], config, self.map, self.seed, **header)


class Recorder(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A wrapper that records every reset, step and `place`, including calls through `env.unwrapped`. See `Journal`."""

    def __init__(self, env: gymnasium.Env[Any, Any]):
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, GridEnv):
            raise TypeError(f"Recorder supports only shoverworld environments, not {base}")
        self.journal = Journal(base)

    def place(self, position: Sequence[int]) -> None:
        """Move the player without taking a step, as `env.unwrapped.place` does."""
        self.journal.env.place(position)

    def replay(
        self, player: str = "", date: str = "", comment: str = "", notes: dict[str, str] | None = None
    ) -> Replay:
        """Return a replay of the game since the last reset."""
        return self.journal.replay(player=player, date=date, comment=comment, notes=notes or {})

    def close(self) -> None:
        self.journal.stop()
        super().close()
