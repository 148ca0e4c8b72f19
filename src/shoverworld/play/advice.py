"""What the planner has to say about a game: hints, and the plan ahead. It thinks beside the window."""

from dataclasses import replace

from shoverworld.core.plan import Plan
from shoverworld.core.ui import Act, Mark, Place, State

from .session import Session
from .thinking import Thinker

FIRST, LONGER = 2.0, 4  # seconds for a hint, and how many times as long the next time it is asked for
AHEAD = 4.0  # seconds for the plan ahead
PAUSE = 0.15  # seconds the game has to stand still before the plan ahead is looked for
KEPT = 256  # plans


class Advice:
    """Plans are kept for the games they begin at: whoever follows one, or takes moves back, need not wait for another."""

    def __init__(self, session: Session):
        self.session = session
        self.hinting = False  # a hint was asked for in this game as it stands
        self.looking_ahead = False  # the plan is to be shown all the time
        self._thinker = Thinker()
        self._seconds = 0.0  # how long it was told to think about this game; 0: not at all
        self._thought = 0.0  # and how long it did
        self._stood = 0.0
        self._plans: dict[int, tuple[State, Plan]] = {}

    @property
    def plan(self) -> Plan | None:
        """The best plan known for the game as it stands. It may have no actions: then its status says why."""
        found = self._plans.get(id(self.session.state))
        return found[1] if found else None

    @property
    def thinking(self) -> bool:
        return self._thinker.busy and self._thinker.state is self.session.state

    def take_over(self, session: Session) -> None:
        """Another game."""
        self.session = session
        self._forget()
        self._plans.clear()

    def _forget(self) -> None:
        self._thinker.cancel()
        self.hinting, self._seconds, self._thought, self._stood = False, 0.0, 0.0, 0.0

    def ask(self) -> None:
        """A hint, please; asked again, it thinks longer."""
        plan = self.plan
        known = plan is not None and bool(plan.actions)
        if (self.hinting or not known) and (plan is None or not _settled(plan)):
            self._think(self._seconds * LONGER if self._seconds else FIRST)
        self.hinting = True

    def _think(self, seconds: float) -> None:
        self._seconds = seconds
        self._thinker.ask(self.session.game, self.session.env, self.session.state, seconds)

    def changed(self, intent: Act | Place | None = None) -> None:
        """The session has made its last turn, by this intent; None: it was taken back, or made again."""
        turn = self.session.turn
        before = self._plans.get(id(turn.before)) if turn else None
        self._forget()
        if len(self.session.seats) > 1:
            return  # the plan was that of another player
        if turn and before and isinstance(intent, Act) and before[1].actions and self.plan is None:
            words = self.session.game.ui.texts.describe
            first = before[1].actions[0]
            if words(self.session.env, turn.before, first) == words(self.session.env, turn.before, intent.action):
                rest = replace(before[1], actions=before[1].actions[1:], lower_bound=max(0, before[1].lower_bound - 1))
                self._keep(rest)

    def _keep(self, plan: Plan) -> None:
        while len(self._plans) >= KEPT:
            del self._plans[next(iter(self._plans))]
        self._plans[id(self.session.state)] = self.session.state, plan

    def update(self, seconds: float) -> None:
        """Hear what the thinker has found; ask it for the plan ahead when the game has come to rest."""
        if self._thinker.state is self.session.state and self._seconds:
            found, best = self._thinker.poll(), self.plan
            if found is not None and found is not best and _better(found, best):
                self._keep(found)
        self._stood += seconds
        if self.thinking:
            self._thought += seconds
        wanted = self.looking_ahead and self.plan is None and self.session.outcome is None
        wanted = wanted and self.session.waits_for is None
        if wanted and not self._seconds and self._stood >= PAUSE:
            self._think(AHEAD)
        self._tell_who_helped()

    def _tell_who_helped(self) -> None:
        """Whoever was told something, or sees the plan, was helped; a question without an answer is no help."""
        if self.hinting and self.plan is not None:
            self.session.helped_by("hint")
        if self.looking_ahead and self.plan is not None and self.plan.actions:
            self.session.helped_by("plan ahead")

    @property
    def text(self) -> str:
        """The hint in words, or what keeps it; "" when nobody asked."""
        if not self.hinting:
            return ""
        plan = self.plan
        if plan is not None and plan.actions:
            told = self.session.game.ui.texts.describe(self.session.env, self.session.state, plan.actions[0])
            best = "no way is better" if plan.proved_optimal else "the best way found so far"
            moves = f"the first of {plan.steps} moves, {best}" if plan.steps > 1 else "the last move"
            told = f"{told[:1].upper()}{told[1:]}. It is {moves}"
            thought = f"{self._thought:.0f} s"
            if self.thinking:
                return f"{told}; thinking on … {thought}"
            return f"{told}, after {thought} of thought." if self._thought >= 0.5 else f"{told}."
        if self.thinking:
            return f"{self._thinker.stage[:1].upper()}{self._thinker.stage[1:]} … {self._thought:.0f} s"
        if self._thinker.error:
            return f"{self._thinker.error[:1].upper()}{self._thinker.error[1:]}."
        if plan is not None and plan.status == "unsolvable":
            if not self.session.can_undo:
                return "This game cannot be won at all: that is proved."
            return "From here the game cannot be won any more: take some moves back (U)."
        if plan is not None and plan.status == "solved":
            return "There is nothing left to be done: any step ends the game."
        return f"No way to win was found in {self._seconds:g} s. P thinks longer."

    @property
    def marks(self) -> tuple[Mark, ...]:
        plan = self.plan
        if not self.hinting or plan is None or not plan.actions:
            return ()
        return self.session.game.ui.overlays.hint(self.session.env, self.session.state, plan.actions[0])

    @property
    def line(self) -> str:
        """What the plan ahead waits for, in a few words."""
        if not self.looking_ahead or self.session.outcome is not None:
            return ""
        plan = self.plan
        if plan is not None and plan.actions:
            told = f"{plan.steps} {'move' if plan.steps == 1 else 'moves'} to go"
            most = max((overlay.most for overlay in self.session.game.ui.overlays.overlays if overlay.plans), default=0)
            if 0 < most < plan.steps:
                told += f", {most} of {plan.steps} shown"
            return f"{told}, thinking on …" if self.thinking else told
        if self.thinking:
            return f"{self._thinker.stage} …"
        if self._thinker.error and self._seconds:
            return self._thinker.error
        if plan is not None and plan.status == "unsolvable":
            return "cannot be won any more" if self.session.can_undo else "cannot be won"
        if plan is not None and plan.status == "solved":
            return "any step ends the game"
        return "no plan found" if self._seconds else ""

    def close(self) -> None:
        self._thinker.close()


def _settled(plan: Plan) -> bool:
    """Is there nothing more to be found?"""
    return plan.proved_optimal or plan.status == "unsolvable"


def _better(found: Plan, best: Plan | None) -> bool:
    if best is None or found.status == "unsolvable":
        return True
    return bool(found.actions) and (not best.actions or found.steps <= best.steps)
