"""Work that an earlier start has left unsaved: it is offered, once a start."""

from collections.abc import Callable
from typing import Any

from shoverworld.play.drawing import Drawing, recover

from .app import App
from .dialog import Ask

Take = Callable[[list[Drawing]], Any]


class Recovery:
    """Asks about one drawing after the other; `take` gets those that are wanted back, the latest first."""

    def __init__(self, app: App, take: Take):
        self.app, self.take = app, take
        self.waiting, messages = recover()
        self.wanted: list[Drawing] = []
        if messages:
            app.say(" ".join(messages))
        self.count = len(self.waiting)
        if self.waiting:
            self._ask()

    def _ask(self) -> None:
        drawing = self.waiting[0]
        where = f"of {drawing.path}" if drawing.path else "of a level without a name"
        number = f" ({self.count - len(self.waiting) + 1} of {self.count})" if self.count > 1 else ""
        text = (
            f"The editor ended before its drawing {where} was saved: {drawing.draft.rows} x {drawing.draft.cols}, "
            f"{drawing.preset}.{number}"
        )
        answers = [("Restore", self._restore), ("Throw away", self._throw_away), ("Later", self._later)]
        self.app.push(Ask(self.app, "Unsaved work was found", text, answers))

    def _restore(self) -> None:
        self.wanted.append(self.waiting.pop(0))
        self._next()

    def _throw_away(self) -> None:
        self.waiting.pop(0).discard()
        self._next()

    def _later(self) -> None:
        self.waiting.pop(0).release()
        self._next()

    def _next(self) -> None:
        if self.waiting:
            self._ask()
        elif self.wanted:
            self.take(self.wanted)


def offer(app: App, take: Take | None = None) -> None:
    """Offer unsaved work, if this start has not done so yet. Without `take`, each drawing gets an editor."""
    take = take or (lambda drawings: _edit(app, drawings))
    if not getattr(app, "has_offered", False):
        app.has_offered = True  # type: ignore[attr-defined]
        Recovery(app, take)


def _edit(app: App, drawings: list[Drawing]) -> None:
    from .editor import EditorScreen

    for drawing in reversed(drawings):  # the latest lies on top
        app.push(EditorScreen(app, drawing))
