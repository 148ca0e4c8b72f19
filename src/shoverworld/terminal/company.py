"""What a terminal shows of a game for several: the ways, how all stand, the buttons of the moves, and the log."""

from rich.text import Text

from shoverworld.core.ui import Colour, Figure, Mark
from shoverworld.play.session import Session

ARROWS = ("↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘")
TONES = {"invalid": "red1", "finish": "bold green3"}


def ways(session: Session) -> list[Mark]:
    multiplayer = session.game.ui.multiplayer
    return [] if multiplayer is None else multiplayer.trails(session.env, session.states)


def standings(session: Session) -> list[Figure]:
    multiplayer = session.game.ui.multiplayer
    if multiplayer is None or len(session.seats) < 2:
        return []
    return multiplayer.standings(session.env, session.state, [seat.name for seat in session.seats])


def buttons(session: Session) -> list[Text]:
    """The moves as they lie on the number pad; an illegal one has an x."""
    multiplayer = session.game.ui.multiplayer
    if multiplayer is None or session.waits_for is not None:
        return []
    choices = multiplayer.move_buttons(session.env, session.state)
    rows = []
    for first in range(0, len(choices), 3):
        row = Text("  ")
        for choice in choices[first : first + 3]:
            down, right = choice.offset
            sign = f"{choice.key}{ARROWS[3 * (down + 1) + right + 1]}"
            row.append(f"{sign}  " if choice.legal else f"{sign}x ", "bold" if choice.legal else "red1")
        rows.append(row)
    return [Text(), *rows] if rows else []


def log(session: Session) -> list[Text]:
    """A line a move."""
    multiplayer = session.game.ui.multiplayer
    if multiplayer is None:
        return []
    lines = []
    for number, turn in enumerate(session.turns, 1):
        colour = _rich(multiplayer.colour(multiplayer.player_to_move(session.env, turn.before)))
        words = (f"{number} {turn.move.words}", TONES.get(turn.move.kind, ""))
        lines.append(Text.assemble(("● ", colour), words))
    return lines


def _rich(colour: Colour) -> str:
    red, green, blue = colour
    return f"rgb({red},{green},{blue})"
