"""An agent that thinks in the background.

Each agent has one thread and thinks about one move at a time. Packaged agents think in that thread; an agent from a
file runs in its own contained process, which is ended if the answer is no longer needed.
"""

import math
import queue
import threading
from dataclasses import dataclass
from typing import Any

from shoverworld.agents.host import AgentHost, Containment, ProcessHost, TooLate, legal
from shoverworld.agents.load import agent_file, check, describe_error
from shoverworld.agents.referee import TIME_LIMIT
from shoverworld.core.errors import AgentError
from shoverworld.core.task import Recipe, recipe_of
from shoverworld.core.ui import Act, State
from shoverworld.games import game_of
from shoverworld.sandbox import SandboxFailure, SandboxUnavailable

from .session import Session


@dataclass(eq=False)
class _Thought:
    """A request for one move. The thread writes the answer, and the view reads the answer once `over` is true."""

    state: State
    step: int  # number of the step, counted from 1
    follows: tuple[Any, ...] | None = None  # actions since the last request; None if the agent needs the whole state
    action: Any = None
    error: str | None = None
    over: bool = False
    dropped: bool = False


class AgentPlayer:
    """An agent that plays in a session.

    `poll` returns the action that the agent wants to play next; call `played` after playing this action. If the game
    has meanwhile changed in some other way, for example through an undo or a person's move, the agent gets the current
    state and thinks again.
    """

    def __init__(self, session: Session, spec: str, seed: int = 0, time_limit: float = TIME_LIMIT):
        """Set up the agent. Raise AgentError if the agent does not exist.

        `spec`: a name from agents/load.py, or path/to/file.py:Class. `time_limit`: seconds of processor time that
        an agent from a file may use in one game, including loading, as in `referee.play`.
        """
        check(spec, game_of(session.env).name)
        self.session, self.spec, self.seed = session, spec, seed
        self.several = len(session.players) > 1  # there are other players, so the agent thinks only on its turn
        self.from_file = agent_file(spec) is not None
        self.time_limit = (
            time_limit if self.from_file else math.inf
        )  # packaged agents cannot be stopped and do not need to be
        self._recipe = recipe_of(session.env)
        self._space = session.env.action_space
        self._seat: AgentHost | ProcessHost | None = None
        self._thought: _Thought | None = None
        self._asked: queue.SimpleQueue[_Thought | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # guards `_seat` and the completion of a request
        self._thread: threading.Thread | None = None
        self._closed = False
        self._loaded_at = 0.0  # the agent's clock when loading began

    # --- for the view

    def poll(self) -> Act | None:
        """Return the next move, or None while the agent is thinking or if the game is over.

        The move stays the same until `played` is called. Raise AgentError if the agent failed.
        """
        if self._closed or self.session.outcome is not None:
            return None
        thought = self._thought
        if thought is None or thought.state is not self.session.state:
            self._ask(self._played_since(thought) if self.several else None)
            return None
        if not thought.over:
            return None
        if thought.error is not None:
            raise AgentError(thought.error)
        return Act(thought.action)

    def played(self) -> None:
        """Let the agent think about the next move. Call this after the move from `poll` has been played."""
        if self._thought is None or self._closed or self.session.outcome is not None:
            return
        if not self.several:
            self._ask(self._played_since(self._thought))

    def _played_since(self, thought: _Thought | None) -> tuple[Any, ...] | None:
        """Return the actions played since `thought`, provided that the first one is the agent's own and, in a
        single-player game, that no other action follows. Otherwise return None."""
        if thought is None or not thought.over or thought.error is not None:
            return None
        since = self.session.since(thought.state)
        if not since or since[0] != thought.action or (len(since) > 1 and not self.several):
            return None
        return tuple(since)

    @property
    def thinking(self) -> bool:
        return self._thought is not None and not self._thought.over and not self._closed

    def close(self) -> None:
        """Stop the agent. If the agent was loaded from a file, its process is terminated. A packaged agent finishes its
        computation, but the result is discarded."""
        self._closed = True
        self._drop()
        self._asked.put(None)

    def ended(self, seconds: float) -> bool:
        """Wait until the thread has ended. Return False if it is still running after this many seconds."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()

    # --- requests

    def _ask(self, follows: tuple[Any, ...] | None) -> None:
        self._drop()
        self._thought = _Thought(self.session.state, self.session.steps + 1, follows)
        self._asked.put(self._thought)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=f"agent {self.spec}", daemon=True)
            self._thread.start()

    def _drop(self) -> None:
        """Discard the answer to the latest request."""
        thought, seat = self._thought, None
        with self._lock:
            if thought is not None and not thought.over:
                thought.dropped = True
                if isinstance(self._seat, ProcessHost):
                    seat, self._seat = self._seat, None
        if seat is not None:
            seat.close()

    # --- the thread

    def _work(self) -> None:
        while (thought := self._asked.get()) is not None:
            action, error = None, None
            try:
                if not thought.dropped:
                    action = self._think(thought)
            except (AgentError, SandboxUnavailable, SandboxFailure) as reason:
                error = str(reason)
            except Exception as reason:  # the view reports every error
                error = f"the agent failed: {describe_error(reason)}"
            with self._lock:
                thought.action, thought.error = action, error
                thought.over = True
                if error is not None and isinstance(self._seat, ProcessHost):
                    self._seat.close()
                    self._seat = None
        with self._lock:
            if self._seat is not None:
                self._seat.close()

    def _think(self, thought: _Thought) -> Any:
        seat, at = self._seat, f" at step {thought.step}"
        if seat is not None and thought.follows is not None:
            answer = self._say(seat, at, "act", *thought.follows)
        else:
            if seat is None:
                recipe, state = self._recipe, thought.state
                seat = self._new_seat(recipe, state)
                with self._lock:
                    self._seat = seat
                if thought.dropped:
                    return None
            else:
                self._say(seat, "", "begin", thought.state)
            self._loaded_at = seat.used()
            self._say(seat, "", "load", self.spec, {}, self.seed)
            self._say(seat, "", "reset")
            answer = self._say(seat, at, "act")
        return legal(answer, self._space, thought.step)

    def _new_seat(self, recipe: Recipe, state: State) -> AgentHost | ProcessHost:
        if not self.from_file:
            return AgentHost(recipe, state)
        return ProcessHost(self.spec, recipe, state, Containment(siblings=True))  # a player's own agent uses its folder

    def _say(self, seat: AgentHost | ProcessHost, at: str, *command: Any) -> Any:
        left = max(0.0, self.time_limit - (seat.used() - self._loaded_at))
        try:
            return seat.ask(self.time_limit if command[0] == "begin" else left, *command)
        except TooLate:
            doing = "loading it" if command[0] in ("begin", "load") else f"{command[0]}()"
            raise AgentError(f"{doing} exceeded the limit of {self.time_limit:g} s per game{at}: stopped") from None
        except AgentError as reason:
            raise AgentError(f"{reason}{at}") from reason
