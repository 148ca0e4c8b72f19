"""A drawing that is being solved in the background: can it be cleared at all, and in how many moves?"""

from shoverworld.core.front import Front
from shoverworld.core.plan import Plan
from shoverworld.play.drawing import Drawing, Page
from shoverworld.play.session import Session
from shoverworld.play.thinking import Thinker

SECONDS = 60.0


class Solving:
    """`text` says how it stands, or what came of it; it is forgotten when the drawing changes."""

    def __init__(self, front: Front):
        self.front = front
        self.text, self.tone = "", ""
        self._thinker = Thinker()
        self._page: Page | None = None  # the one that is solved
        self._passed = 0.0
        self._stopped = False

    @property
    def busy(self) -> bool:
        return self._page is not None and self._thinker.busy

    def begin(self, drawing: Drawing, seed: int) -> None:
        """A ConfigError when the drawing cannot be played."""
        session = Session(self.front, drawing.board(), seed=seed)
        self._page, self._passed, self._stopped = drawing.page, 0.0, False
        self._thinker.ask(self.front, session.env, session.state, SECONDS)
        self._tell()

    def stop(self) -> None:
        """Think no more; the best that was found is told."""
        if self.busy:
            self._stopped = True
            self._thinker.cancel()
            self._tell()

    def update(self, drawing: Drawing, seconds: float) -> None:
        if self._page is None:
            return
        if drawing.page is not self._page:
            self._thinker.cancel()
            self._page, self.text = None, ""
            return
        if self.busy:
            self._passed += seconds
        self._tell()

    def _tell(self) -> None:
        plan = self._thinker.poll()
        if self.busy:
            best = f"{plan.steps} moves found" if plan and plan.actions else "nothing found yet"
            least = f", at least {plan.lower_bound} needed" if plan else ""
            expanded = f", {plan.expanded:,} positions looked at" if plan else ""
            what = f"{best}{least}{expanded}" if self._thinker.started else self._thinker.stage
            self.text, self.tone = f"Solving, {self._passed:.0f} s: {what}. Esc stops it.", ""
        elif self._thinker.error:
            self.text, self.tone = self._thinker.error, "bad"
        else:
            self.text, self.tone = _result(plan, self._stopped)

    def close(self) -> None:
        self._thinker.close()


def _result(plan: Plan | None, stopped: bool) -> tuple[str, str]:
    if plan is not None and plan.actions:
        best = "no way is shorter" if plan.proved_optimal else f"at least {plan.lower_bound} are needed"
        return f"It can be cleared in {plan.steps} moves, with {plan.final_stamina:g} stamina left; {best}.", "good"
    if plan is not None and plan.status == "unsolvable":
        return "It is proved that this map cannot be cleared.", "bad"
    return f"No way to clear it was found{' before you stopped it' if stopped else f' in {SECONDS:g} s'}.", "warn"
