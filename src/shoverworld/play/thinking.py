"""A planner that thinks beside the window: ask it about a game, look now and then at the best it has found."""

import threading
from dataclasses import dataclass

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.plan import Plan
from shoverworld.core.ui import State

GETTING_READY = "getting ready (the planner is compiled once, which takes about half a minute)"
THINKING = "thinking"
_PATIENCE = 0.5  # seconds that `close` waits: a search hears of it within a tenth, a compiler not at all


@dataclass(eq=False)
class _Question:
    """What was asked, and all that is known about it. The thread writes, the window reads."""

    game: Game
    env: GridEnv
    state: State
    seconds: float
    plan: Plan | None = None
    error: str | None = None
    started: bool = False
    cancelled: bool = False
    over: bool = False

    def told(self, plan: Plan) -> bool:
        self.started = True
        if not self.cancelled:
            self.plan = plan
        return self.cancelled

    def think(self) -> None:
        try:
            plan = self.game.plan(self.env, self.state, time_limit=self.seconds, progress=self.told)
            if not self.cancelled:
                self.plan = plan
        except ShoverWorldError as reason:
            self.error = str(reason)
        except Exception as reason:  # a fault of ours, or no memory: it must not be the end of the window
            self.error = f"the planner broke down: {type(reason).__name__}: {reason}"
        self.over = True


class Thinker:
    """One question at a time: a new one cancels the one before. All of it can be called every frame.

    There is one thread, so a question waits until the search before it has noticed that nobody wants its answer. A
    planner looks at the state and at the rules of the environment, never at the game that goes on in it.
    """

    def __init__(self):
        self._question: _Question | None = None  # the one asked last
        self._waiting: _Question | None = None  # the same, until the thread takes it up
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, game: Game, env: GridEnv, state: State, seconds: float) -> None:
        """Think about this game for so many seconds; what was asked before is forgotten."""
        self.cancel()
        with self._wake:
            if self._closed:
                return
            self._question = self._waiting = _Question(game, env, state, seconds)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="planner", daemon=True)
                self._thread.start()
            self._wake.notify()

    def poll(self) -> Plan | None:
        """The best plan so far for the question asked last; None: nothing yet. It stays when the thinking is over."""
        return self._question.plan if self._question else None

    @property
    def state(self) -> State | None:
        """The game that was asked about last."""
        return self._question.state if self._question else None

    @property
    def busy(self) -> bool:
        question = self._question
        return question is not None and not question.over and not question.cancelled

    @property
    def started(self) -> bool:
        """Is everything compiled, so that it really thinks?"""
        return self._question is not None and self._question.started

    @property
    def stage(self) -> str:
        """What it is doing, in words; "" when it is not busy."""
        if not self.busy:
            return ""
        return THINKING if self.started else GETTING_READY

    @property
    def error(self) -> str | None:
        return self._question.error if self._question else None

    def cancel(self) -> None:
        """Think no more; the best plan so far stays."""
        if self._question is not None:
            self._question.cancelled = True

    def close(self) -> None:
        """Cancel, and end the thread as soon as it can be ended."""
        self.cancel()
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(_PATIENCE)

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting is not None or self._closed)
                question, self._waiting = self._waiting, None
                if self._closed:
                    return
            if question is not None and not question.cancelled:
                question.think()
