"""A replay in a terminal: play, pause or step through it."""

from rich.text import Text

from shoverworld.play.guard import Guard
from shoverworld.play.replay_cursor import ReplayCursor

from .moves import move_lines
from .page import TableText, TerminalPage, page

KEYS = "Esc: back · Space: play or pause · Left, Right, Home, End: step · + -: speed"
STEP_SECONDS = 0.45  # duration of a move at normal speed
FAR = 10  # moves skipped by Page Up and Page Down


class ReplayPage:
    """A page that plays a replay. `done`: whether the page has been closed."""

    def __init__(self, cursor: ReplayCursor, guard: Guard, title: str = "Replay"):
        self.cursor, self.guard, self.title = cursor, guard, title
        self.playing, self.speed = cursor.last > 0, 1.0
        self.done = self.accepted = False
        self._due = 0.0

    def press(self, key: str) -> None:
        cursor = self.cursor
        places = {
            "left": cursor.place - 1, "right": cursor.place + 1, "home": 0, "end": cursor.last,
            "page up": cursor.place - FAR, "page down": cursor.place + FAR,
        }  # fmt: skip
        if key in places:
            self.playing = False
            cursor.go(places[key])
        elif key in ("space", "return"):
            if not self.playing and cursor.place == cursor.last:
                cursor.go(0)
            self.playing = not self.playing
        elif key in ("+", "-"):
            self.speed = min(64.0, max(0.25, self.speed * (2 if key == "+" else 0.5)))
        elif key in ("escape", "q", "v"):
            self.done = True

    def update(self, seconds: float) -> bool:
        """Advance the clock. Return whether the position has changed."""
        self._due = self._due + seconds * self.speed if self.playing else 0.0
        moves = int(self._due / STEP_SECONDS)
        if not moves:
            return False
        self._due -= moves * STEP_SECONDS
        self.cursor.go(self.cursor.place + moves)
        self.playing = self.cursor.place < self.cursor.last
        return True

    def page(self, columns: int, rows: int) -> TerminalPage:
        cursor, game = self.cursor, self.cursor.game
        moves = cursor.written(self.guard)
        said = cursor.turn.move.words if cursor.turn is not None else "the start of the game"
        ending = game.ui.texts.ending(cursor.env, cursor.state) if cursor.place == cursor.last else []
        over = bool(ending) and cursor.outcome is not None
        return page(
            TableText(
                game,
                game.ui.drawing.scene(cursor.state),
                title=f"{game.title} · {self.title} · move {cursor.place} of {cursor.last}",
                figures=ending if over else game.ui.texts.figures(cursor.env, cursor.state, None),
                notes=[Text(), Text(f"{'playing' if self.playing else 'paused'}, speed {self.speed:g}", "dim")]
                + move_lines(moves),
                message=f"{said[:1].upper()}{said[1:]}",
                tone="warn" if cursor.turn is not None and cursor.turn.why else "",
                keys=KEYS,
            ),
            columns,
            rows,
        )
