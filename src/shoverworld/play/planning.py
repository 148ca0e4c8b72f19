"""A planner in a background thread. Ask it to plan from a state, and poll it for the best plan found so far."""

import threading
from dataclasses import dataclass

from shoverworld.core.env import GridEnv
from shoverworld.core.errors import ShoverWorldError
from shoverworld.core.game import Game
from shoverworld.core.plan import Plan
from shoverworld.core.ui import Act, Score, State, count

from .edit_session import EditSession, Revision
from .labels import LABELS
from .session import Session

GETTING_READY = LABELS["getting ready"]
THINKING = LABELS["thinking"]
SECONDS = 60.0  # time limit for a level in the editor
MOST_MOVES = 40  # maximum number of moves of a plan that the editor lists
_PATIENCE = 0.5  # seconds that `close` waits: a search stops within a tenth of a second, but compilation does not


@dataclass(eq=False)
class _Question:
    """A question for the planner, and the answer so far. The thread writes the answer, and the view reads it."""

    game: Game
    env: GridEnv
    state: State
    seconds: float
    plan: Plan | None = None
    error: str | None = None
    started: bool = False
    cancelled: bool = False
    over: bool = False

    def progress(self, plan: Plan) -> bool:
        self.started = True
        if not self.cancelled:
            self.plan = plan
        return self.cancelled

    def answer(self) -> None:
        try:
            plan = self.game.plan(self.env, self.state, time_limit=self.seconds, progress=self.progress)
            if not self.cancelled:
                self.plan = plan
        except ShoverWorldError as reason:
            self.error = str(reason)
        except Exception as reason:  # a bug or lack of memory must not end the program
            self.error = f"the planner failed: {type(reason).__name__}: {reason}"
        self.over = True


class BackgroundPlanner:
    """Answers one question at a time; a new question cancels the previous one. Only `close` and `ended` block;
    the view can call the other methods in every frame.

    There is only one thread, so a new question waits until the previous search has noticed that it was cancelled. The
    planner uses the state in the question and the rules of the environment, but never the environment's current state.
    """

    def __init__(self) -> None:
        self._question: _Question | None = None  # the latest question
        self._waiting: _Question | None = None  # the latest question until the thread starts to work on it
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, game: Game, env: GridEnv, state: State, seconds: float) -> None:
        """Start planning from this state, with a time limit. The previous question is cancelled."""
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
        """Return the best plan so far for the latest question, or None if there is no plan. The plan remains available
        after the search has ended."""
        return self._question.plan if self._question else None

    @property
    def state(self) -> State | None:
        """The state in the latest question."""
        return self._question.state if self._question else None

    @property
    def busy(self) -> bool:
        question = self._question
        return question is not None and not question.over and not question.cancelled

    @property
    def started(self) -> bool:
        """Whether the search itself has started; before that, the planner may have to be compiled."""
        return self._question is not None and self._question.started

    @property
    def stage(self) -> str:
        """The planner's current activity; "" if it is idle."""
        if not self.busy:
            return ""
        return THINKING if self.started else GETTING_READY

    @property
    def error(self) -> str | None:
        return self._question.error if self._question else None

    def cancel(self) -> None:
        """Stop the search, but keep the best plan so far."""
        if self._question is not None:
            self._question.cancelled = True

    def close(self) -> None:
        """Stop the search and end the thread as soon as possible."""
        self.cancel()
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(_PATIENCE)

    def ended(self, seconds: float) -> bool:
        """Wait until the thread has ended. Return False if it is still running after this many seconds."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting is not None or self._closed)
                question, self._waiting = self._waiting, None
                if self._closed:
                    return
            if question is not None and not question.cancelled:
                question.answer()


class DraftSolver:
    """Solves the level in the editor. `text` reports progress and results, and is cleared when the level changes."""

    def __init__(self, game: Game):
        self.game = game
        self.text, self.tone = "", ""
        self._planner = BackgroundPlanner()
        self._revision: Revision | None = None  # the revision being solved
        self._session: Session | None = None  # a game on that revision of the level
        self._scored: tuple[Plan, Score | None] | None = None  # a plan and its score
        self._written: tuple[Plan, str] | None = None  # a plan and its first moves in the game's notation
        self._passed = 0.0
        self._stopped = False

    @property
    def busy(self) -> bool:
        return self._revision is not None and self._planner.busy

    def begin(self, edit: EditSession, seed: int) -> None:
        """Start solving the level. Raise ConfigError if the level cannot be played."""
        session = Session(self.game, edit.board(), seed=seed)
        self._revision, self._passed, self._stopped, self._session = edit.revision, 0.0, False, session
        self._planner.ask(self.game, session.env, session.state, SECONDS)
        self._report()

    def stop(self) -> None:
        """Stop the search and report the best plan found so far."""
        if self.busy:
            self._stopped = True
            self._planner.cancel()
            self._report()

    def update(self, edit: EditSession, seconds: float) -> None:
        if self._revision is None:
            return
        if edit.revision is not self._revision:
            self._planner.cancel()
            self._revision, self.text = None, ""
            return
        if self.busy:
            self._passed += seconds
        self._report()

    def _report(self) -> None:
        plan = self._planner.poll()
        if self.busy:
            what = _progress(plan) if self._planner.started else self._planner.stage
            text = LABELS["planning"].format(seconds=f"{self._passed:.0f}", what=what, key="P")
            self.text, self.tone = text, ""
        elif self._planner.error:
            self.text, self.tone = self._planner.error, "bad"
        else:
            self.text, self.tone = self._result(plan)

    def close(self) -> None:
        self._planner.close()

    def best(self, edit: EditSession) -> Score | None:
        """Return the score of the best plan that was found for the level as it is now, or None if there is no plan."""
        plan = self._planner.poll() if edit.revision is self._revision and not self.busy else None
        score = self._score(plan) if plan is not None and plan.actions else None
        if plan is None or score is None:
            return None
        return score._replace(proved=plan.proved_optimal and plan.objective == self.game.objectives[0])

    def moves(self, edit: EditSession) -> str:
        """Return the plan for the level as it is now in the game's notation; "" if there is no plan or no notation."""
        plan = self._planner.poll() if edit.revision is self._revision and not self.busy else None
        notation, session = self.game.ui.notation, self._session
        if plan is None or notation is None or session is None:
            return ""
        if self._written is None or self._written[0] is not plan:
            env, symbols = session.env, []
            for action in plan.actions[:MOST_MOVES]:
                symbols.append(notation.symbol(env, env.get_state(), Act(action)))
                env.step(action)
            env.set_state(session.state)
            more = " …" if len(plan.actions) > MOST_MOVES else ""
            self._written = plan, notation.separator.join(symbols) + more
        return self._written[1]

    def _result(self, plan: Plan | None) -> tuple[str, str]:
        can = f"The {self.game.level_word} {{}} be {self.game.solved_word}"
        if plan is not None and plan.actions:
            best = LABELS["best plan" if plan.proved_optimal else "good plan"].format(objective=plan.objective)
            score = self._score(plan)
            found = score.words if score else count(plan.steps, "move")
            return f"{can.format('can')}: {found}; {best}.", "good"
        if plan is not None and plan.status == "unsolvable":
            return f"{can.format('provably cannot')}.", "bad"
        return LABELS["no plan stopped" if self._stopped else "no plan"].format(seconds=f"{SECONDS:g}"), "warn"

    def _score(self, plan: Plan) -> Score | None:
        """Play a plan to find its score."""
        if self._scored is None or self._scored[0] is not plan:
            session = self._session
            assert session is not None
            for action in plan.actions:
                session.env.step(action)
            score = self.game.levels.score(session.env, session.env.get_state())
            session.env.set_state(session.state)
            self._scored = plan, score
        return self._scored[1]


def _progress(plan: Plan | None) -> str:
    """Return what a search has found so far in a few words."""
    if plan is None:
        return LABELS["no plan so far"]
    best = LABELS["plan so far" if plan.actions else "no plan so far"].format(moves=count(plan.steps, "move"))
    least = LABELS["at least"].format(moves=count(plan.lower_bound, "move"))
    return ", ".join((best, least, LABELS["expanded"].format(count=f"{plan.expanded:,}")))
