"""A drawing that is being solved in the background: can it be won at all, and how well?"""

from shoverworld.core.game import Game
from shoverworld.core.plan import Plan
from shoverworld.play.drawing import Drawing, Page
from shoverworld.play.session import Session
from shoverworld.play.thinking import Thinker

SECONDS = 60.0


class Solving:
    """`text` says how it stands, or what came of it; it is forgotten when the drawing changes."""

    def __init__(self, game: Game):
        self.game = game
        self.text, self.tone = "", ""
        self._thinker = Thinker()
        self._page: Page | None = None  # the one that is solved
        self._session: Session | None = None  # on it
        self._told: tuple[Plan, str] | None = None  # a plan, and how well it does
        self._passed = 0.0
        self._stopped = False

    @property
    def busy(self) -> bool:
        return self._page is not None and self._thinker.busy

    def begin(self, drawing: Drawing, seed: int) -> None:
        """A ConfigError when the drawing cannot be played."""
        session = Session(self.game, drawing.board(), seed=seed)
        self._page, self._passed, self._stopped, self._session = drawing.page, 0.0, False, session
        self._thinker.ask(self.game, session.env, session.state, SECONDS)
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
            self.text, self.tone = self._result(plan)

    def close(self) -> None:
        self._thinker.close()

    def _result(self, plan: Plan | None) -> tuple[str, str]:
        if plan is not None and plan.actions:
            best = "no way is better" if plan.proved_optimal else "there may be a better way"
            return f"It can be won: {self._words(plan)}; {best}.", "good"
        if plan is not None and plan.status == "unsolvable":
            return "It is proved that this level cannot be won.", "bad"
        when = " before you stopped it" if self._stopped else f" in {SECONDS:g} s"
        return f"No way to win was found{when}.", "warn"

    def _words(self, plan: Plan) -> str:
        """How well a plan does, by playing it."""
        if self._told is None or self._told[0] is not plan:
            session = self._session
            assert session is not None
            for action in plan.actions:
                session.env.step(action)
            score = self.game.levels.score(session.env, session.env.get_state())
            session.env.set_state(session.state)
            self._told = plan, score.words if score else f"{plan.steps} moves"
        return self._told[1]
