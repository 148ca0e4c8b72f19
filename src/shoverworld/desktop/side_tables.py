"""Tables that lie over another screen, to which Esc leads back: a game taken over from a replay, a drawing tried out."""

from shoverworld.play.session import Session

from .app import App
from .table import TableScreen


class TakenOver(TableScreen):
    """A game that someone else has begun. Only moves that were made here are worth a question."""

    def __init__(self, app: App, session: Session):
        self.begun, self.given = session, session.moves
        super().__init__(app, session)
        self.say(f"You play on from move {self.given}.")

    def _is_worth_a_question(self) -> bool:
        unchanged = self.session is self.begun and self.session.moves == self.given
        return self.session.outcome is None and self.session.moves > 0 and not unchanged


class TriedOut(TableScreen):
    """A drawing is tried out. The editor lies below: E leads back to it, and nothing is asked."""

    def __init__(self, app: App, session: Session):
        super().__init__(app, session, watch=False)

    def edit(self) -> None:
        if self.session.board is self.tried:
            self._out()
        else:
            super().edit()  # Tab has led to another map

    def _sit_down(self, session: Session) -> None:
        if not hasattr(self, "tried"):
            self.tried = session.board
        super()._sit_down(session)
