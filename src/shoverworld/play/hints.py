"""Hints and the "plan ahead" overlay for a game in progress. The planner works in the background."""

from dataclasses import replace
from typing import Any

from shoverworld.core.plan import Plan
from shoverworld.core.ui import Act, Mark, Place, State, count

from .commands import KEYS
from .guard import Guard
from .labels import LABELS
from .planning import BackgroundPlanner
from .session import Session

FIRST, LONGER = 2.0, 4  # the first time limit for a hint in seconds, and its growth factor when the player asks again
AHEAD = 4.0  # time limit in seconds for a search for the "plan ahead" overlay
PAUSE = 0.15  # seconds without a move before this search starts
KEPT = 256  # maximum number of plans kept


class Hints:
    """Hints for a game. Plans are stored by the state in which they start, so no new search is needed when the player
    follows a plan or undoes moves."""

    def __init__(self, session: Session, guard: Guard, planner: BackgroundPlanner | None = None):
        self.session, self.guard = session, guard
        self.planner = planner or BackgroundPlanner()
        self.asked = False  # a hint was requested in the current state
        self.looking_ahead = False  # the "plan ahead" overlay is on
        self._seconds = 0.0  # time limit for the search from this state; 0 means that no search has started
        self._thought = 0.0  # seconds spent on the search
        self._stood = 0.0
        self._plans: dict[int, tuple[State, Plan]] = {}

    @property
    def plan(self) -> Plan | None:
        """The best plan known for the current state. If the plan has no actions, its status gives the reason."""
        found = self._plans.get(id(self.session.state))
        return found[1] if found else None

    @property
    def thinking(self) -> bool:
        return self.planner.busy and self.planner.state is self.session.state

    def take_over(self, session: Session) -> None:
        """Give hints for another game from now on."""
        self.session = session
        self._forget()
        self._plans.clear()

    def _forget(self) -> None:
        self.planner.cancel()
        self.asked, self._seconds, self._thought, self._stood = False, 0.0, 0.0, 0.0

    def ask(self) -> None:
        """Request a hint. Asking again makes the planner think longer."""
        plan = self.plan
        known = plan is not None and bool(plan.actions)
        if (self.asked or not known) and (plan is None or not _settled(plan)):
            self._think(self._seconds * LONGER if self._seconds else FIRST)
        self.asked = True

    def _think(self, seconds: float) -> None:
        self._seconds = seconds
        self.planner.ask(self.session.game, self.session.env, self.session.state, seconds)

    def changed(self, intent: Act | Place | None = None) -> None:
        """Record that the game was changed by this intent; None stands for undo, redo or restart."""
        turn = self.session.turn
        before = self._plans.get(id(turn.before)) if turn else None
        self._forget()
        if len(self.session.players) > 1:
            return  # the plan was for another player
        if turn and before and isinstance(intent, Act) and before[1].actions and self.plan is None:
            first = before[1].actions[0]
            if self._describe(turn.before, first) == self._describe(turn.before, intent.action):
                rest = replace(before[1], actions=before[1].actions[1:], lower_bound=max(0, before[1].lower_bound - 1))
                self.keep(rest)

    def keep(self, plan: Plan) -> None:
        """Store this plan for the current state."""
        while len(self._plans) >= KEPT:
            del self._plans[next(iter(self._plans))]
        self._plans[id(self.session.state)] = self.session.state, plan

    def update(self, seconds: float) -> None:
        """Adopt better plans from the planner. If the "plan ahead" overlay is on and the player has not moved for a
        short time, start a search for a plan."""
        if self.planner.state is self.session.state and self._seconds:
            found, best = self.planner.poll(), self.plan
            if found is not None and found is not best and _better(found, best):
                self.keep(found)
        self._stood += seconds
        if self.thinking:
            self._thought += seconds
        wanted = self.looking_ahead and self.plan is None and self.session.outcome is None
        wanted = wanted and self.session.waits_for is None
        if wanted and not self._seconds and self._stood >= PAUSE:
            self._think(AHEAD)
        self._note_help()

    def _note_help(self) -> None:
        """If the planner has answered, record that the player had help. A request without an answer does not count as
        help."""
        if self.asked and self.plan is not None:
            self.session.helped_by("hint")
        if self.looking_ahead and self.plan is not None and self.plan.actions:
            self.session.helped_by("plan ahead")

    @property
    def text(self) -> str:
        """The hint as a sentence, or the reason why there is no hint yet; "" if the player has not asked for a hint."""
        if not self.asked:
            return ""
        plan = self.plan
        if plan is not None and plan.actions:
            return self._sentence(plan)
        if self.thinking:
            return f"{self.planner.stage[:1].upper()}{self.planner.stage[1:]} … {self._thought:.0f} s"
        if self.planner.error:
            return f"{self.planner.error[:1].upper()}{self.planner.error[1:]}."
        if plan is not None and plan.status == "unsolvable":
            if not self.session.can_undo:
                return LABELS["unsolvable"].format(**self.session.game.words)
            return LABELS["unsolvable now"].format(**self.session.game.words, undo=KEYS["undo"])
        if plan is not None and plan.status == "solved":
            return LABELS["any step"]
        found = LABELS["no plan"].format(seconds=f"{self._seconds:g}")
        return f"{found} Press {KEYS['hint']} to let the planner think longer."

    def _describe(self, state: State, action: Any) -> str:
        texts, env = self.session.game.ui.texts, self.session.env
        return self.guard("the wording of a hint", lambda: texts.describe(env, state, action), f"action {action}")

    def _sentence(self, plan: Plan) -> str:
        text = self._describe(self.session.state, plan.actions[0])
        aim = plan.objective
        best = f"; no plan needs fewer {aim}" if plan.proved_optimal else f" in the plan with the fewest {aim} so far"
        moves = f"the first of {plan.steps} moves{best}" if plan.steps > 1 else "the last move"
        text = f"{text[:1].upper()}{text[1:]}. This is {moves}"
        thought = f"{self._thought:.0f} s"
        if self.thinking:
            return f"{text}; still thinking … {thought}"
        return f"{text} (found after {thought})." if self._thought >= 0.5 else f"{text}."

    @property
    def marks(self) -> tuple[Mark, ...]:
        plan = self.plan
        if not self.asked or plan is None or not plan.actions:
            return ()
        overlays, env, state = self.session.game.ui.overlays, self.session.env, self.session.state
        return self.guard("the marks for a hint", lambda: overlays.hint(env, state, plan.actions[0]), ())

    @property
    def plan_ahead(self) -> str:
        """The status of the "plan ahead" overlay in a few words; "" if the overlay is not shown."""
        if not self.looking_ahead or self.session.outcome is not None:
            return ""
        plan = self.plan
        if plan is not None and plan.actions:
            text = LABELS["to go"].format(moves=count(plan.steps, "move"))
            most = max((overlay.most for overlay in self.session.game.ui.overlays.overlays if overlay.plans), default=0)
            if 0 < most < plan.steps:
                text += f", {LABELS['shown'].format(most=most, count=plan.steps)}"
            return f"{text}, still thinking …" if self.thinking else text
        if self.thinking:
            return f"{self.planner.stage} …"
        if self.planner.error and self._seconds:
            return self.planner.error
        if plan is not None and plan.status == "unsolvable":
            return f"{'can no longer' if self.session.can_undo else 'cannot'} be {self.session.game.solved_word}"
        if plan is not None and plan.status == "solved":
            return "any step ends the game"
        return "no plan found" if self._seconds else ""

    def close(self) -> None:
        self.planner.close()


def _settled(plan: Plan) -> bool:
    """Return whether the plan is final, so that a longer search cannot improve it."""
    return plan.proved_optimal or plan.status == "unsolvable"


def _better(found: Plan, best: Plan | None) -> bool:
    if best is None or found.status == "unsolvable":
        return True
    return bool(found.actions) and (not best.actions or found.steps <= best.steps)
