"""What is drawn while a game is played in a terminal: title, board, figures, a line that tells and a line of keys."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from shoverworld.core.game import Game
from shoverworld.core.ui import Cell, Figure, Mark, Scene
from shoverworld.play.aim import focus_of

from . import cells
from .help import wrapped

LEAST = 30, 10  # columns and rows that a game needs
PANEL, WIDE_PANEL = 32, 48  # columns of the figures, when they stand beside the board: at least and at most
BESIDE = 60  # columns from which they do
TALL = 16  # rows from which there are two lines of words
BAR = 16
MORE = " … (F1)"
TONES = {"": "", "good": "bold green3", "bad": "bold red1", "warn": "bold yellow3"}


class Look(NamedTuple):
    """All there is to see."""

    game: Game
    scene: Scene
    title: str
    figures: Sequence[Figure] = ()
    notes: Sequence[Text] = ()  # under the figures
    log: Sequence[Text] = ()  # under the notes, as many of the last lines as there is room for
    back: int = 0  # lines that the log is scrolled up
    said: str = ""
    tone: str = ""
    keys: str = ""
    marks: Sequence[Mark] = ()
    cursor: Cell | None = None


class Page(NamedTuple):
    """The lines of a terminal, and where the board is on it."""

    lines: list[Text]
    view: cells.View | None = None
    row: int = 0
    col: int = 0

    def cell_at(self, row: int, col: int) -> Cell | None:
        """The cell of the board at a place of the terminal."""
        if self.view is None or row < self.row or col < self.col:
            return None
        down, right = row - self.row, (col - self.col) // self.view.width
        if down >= self.view.rows or right >= self.view.cols:
            return None
        return self.view.top + down, self.view.left + right


def page(look: Look, columns: int, rows: int) -> Page:
    """Everything at its place. The last column stays free: terminals differ in what they do there."""
    if columns < LEAST[0] or rows < LEAST[1]:
        need = f"{LEAST[0]} x {LEAST[1]}"
        return Page([Text(line) for line in ("too small:", f"{columns} x {rows}", f"need {need}")])
    return _beside(look, columns - 1, rows) if columns >= BESIDE else _above(look, columns - 1, rows)


def _beside(look: Look, columns: int, rows: int) -> Page:
    """Figures to the right of the board."""
    foot = _foot(look, columns, rows)
    height = rows - 1 - len(foot)
    board, view, rim = _board(look, columns - PANEL - 2, height)
    wide = board[0].cell_len + 2
    width = min(WIDE_PANEL, columns - wide)
    panel = [*figure_lines(look.figures, width), *look.notes, *legend(look.marks, view.width)]
    told = len(panel)
    panel += _log(look, height - told)  # its lines may be as long as there is room
    between = [_joined(board, panel, row, wide, width if row < told else columns - wide) for row in range(height)]
    return Page([_title(look, view, columns), *between, *foot], view, 1 + rim, rim)


def _log(look: Look, room: int) -> list[Text]:
    """An empty line, then the end of the log."""
    if not look.log or room < 2:
        return []
    last = max(min(room - 1, len(look.log)), len(look.log) - look.back)
    return [Text(), *look.log[max(0, last - room + 1) : last]]


def _board(look: Look, columns: int, height: int) -> tuple[list[Text], cells.View, int]:
    """The board as far as there is room, with its rim if there is room for all; and how wide that rim is."""
    focus = look.cursor or focus_of(look.scene)
    view = cells.view_of(look.scene, columns, height, focus)
    if look.scene.rim is not None:
        inner = cells.view_of(look.scene, columns - 2, height - 2, focus)
        if (inner.rows, inner.cols) == look.scene.tiles.shape:
            return cells.lines(look.game, look.scene, inner, look.marks, look.cursor, rim=True), inner, 1
    return cells.lines(look.game, look.scene, view, look.marks, look.cursor), view, 0


def _joined(board: list[Text], panel: list[Text], row: int, wide: int, width: int) -> Text:
    line = board[row].copy() if row < len(board) else Text()
    if row < len(panel):
        line.append(" " * (wide - line.cell_len))
        line.append_text(_cut(panel[row], width))
    return line


def _above(look: Look, columns: int, rows: int) -> Page:
    """Figures in a few lines over the board."""
    notes = [Text("  ").join(note for note in look.notes if note)] if look.notes else []
    head = [*_flowed(look.figures, columns)[: max(1, rows // 4)], *(_cut(note, columns) for note in notes[:1])]
    foot = _foot(look, columns, rows)
    height = rows - 1 - len(head) - len(foot)
    board, view, rim = _board(look, columns, height)
    board += [Text()] * (height - len(board))
    return Page([_title(look, view, columns), *head, *board, *foot], view, 1 + len(head) + rim, rim)


def _title(look: Look, view: cells.View, columns: int) -> Text:
    rows, cols = look.scene.tiles.shape
    if (view.rows, view.cols) == (rows, cols):
        return _cut(Text(look.title, "bold"), columns)
    part = f"  rows {view.top}-{view.top + view.rows - 1}, columns {view.left}-{view.left + view.cols - 1} of {rows} x {cols}"
    return Text.assemble(_cut(Text(look.title, "bold"), max(1, columns - len(part))), (part, "dim"))


def _foot(look: Look, columns: int, rows: int) -> list[Text]:
    """What is said, in two lines where there is room for two, and the keys. What is too long is to be read in the help."""
    room = 2 if rows >= TALL and rows != len(look.scene.tiles) + 3 else 1  # one less, if all of the board is seen then
    lines = wrapped(look.said, columns)
    if len(lines) > room:
        last = " ".join(lines[room - 1 :])
        lines = [*lines[: room - 1], f"{wrapped(last, columns - len(MORE))[0]}{MORE}"]
    lines += [""] * (room - len(lines))
    keys = Text(_as_many(look.keys.split(" · "), columns), "dim")
    return [*(_cut(Text(line, TONES[look.tone]), columns) for line in lines), _cut(keys, columns)]


def _as_many(keys: list[str], columns: int) -> str:
    """Keys, as many as there is room for, none of them cut."""
    while len(keys) > 1 and cell_len(" · ".join(keys)) > columns:
        keys = keys[:-1]
    return " · ".join(keys)


# --- parts


def figure_lines(figures: Sequence[Figure], width: int) -> list[Text]:
    """A line a figure, or more when it is long; a bar where the figure has a share."""
    found: list[Text] = []
    labels = min(
        max((cell_len(figure.label) + 2 * bool(figure.colour) for figure in figures), default=0), width * 3 // 5
    )
    for figure in figures:
        head = _labelled(figure, labels + 1)
        first, *rest = wrapped(figure.value, width - labels - 1) or [""]
        found.append(Text.assemble(head, (first, TONES[figure.tone] or "bold")))
        found += [Text.assemble(" " * (labels + 1), (line, TONES[figure.tone] or "bold")) for line in rest]
        if figure.share is not None:
            found.append(
                Text.assemble(" " * (labels + 1), bar(figure.share, min(BAR, width - labels - 1), figure.tone))
            )
    return found


def _labelled(figure: Figure, width: int) -> Text:
    """Its name, after the colour of whom it is about."""
    if figure.colour is None:
        return Text(figure.label.ljust(width), "dim", no_wrap=True)
    red, green, blue = figure.colour
    label = figure.label[: width - 3].ljust(width - 2)
    return Text.assemble(("● ", f"rgb({red},{green},{blue})"), (label, "dim"), no_wrap=True)


def bar(share: float, width: int, tone: str = "") -> Text:
    full = round(min(1.0, max(0.0, share)) * width)
    return Text.assemble(("█" * full, TONES[tone] or "dodger_blue2"), ("░" * (width - full), "grey35"))


def legend(marks: Sequence[Mark], width: int) -> list[Text]:
    """What is told by marks that have no room for it in their cell."""
    told = cells.told_beside(marks, width)
    return [
        Text.assemble(
            ("● ", f"rgb({mark.colour[0]},{mark.colour[1]},{mark.colour[2]})"),
            (f"{mark.cell[0]},{mark.cell[1]} ", "dim"),
            f"{mark.text}{' ' + cells.ARROWS[mark.direction] if mark.kind == 'arrow' else ''}",
        )
        for mark in told
    ]


def _flowed(figures: Sequence[Figure], columns: int) -> list[Text]:
    """Figures one after the other, in as many lines as they need."""
    found = [Text()]
    for figure in figures:
        part = Text.assemble((f"{figure.label} ", "dim"), (figure.value, TONES[figure.tone] or "bold"))
        if figure.share is not None:
            part.append(" ").append_text(bar(figure.share, 8, figure.tone))
        if found[-1].cell_len and found[-1].cell_len + 2 + part.cell_len > columns:
            found.append(Text())
        if found[-1].cell_len:
            found[-1].append("  ")
        found[-1].append_text(part)
    return [_cut(line, columns) for line in found]


def _cut(text: Text, width: int) -> Text:
    text = text.copy()
    text.truncate(width, overflow="ellipsis")
    return text
