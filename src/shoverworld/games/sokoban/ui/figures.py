"""The lines of the panel beside the board."""

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Figure, Score

from ..config import SokobanRules
from ..state import OUTCOMES, SokobanState
from .cells import count
from .presets import GENEROUS
from .words import why_invalid

ENDINGS = {"solved": ("Solved: every box is on its target", "good"), "timeout": ("Time is up", "warn")}


def figures(rules: SokobanRules, state: SokobanState) -> list[Figure]:
    game = game_numbers(state)
    home, boxes = game["on_target"], game["boxes"]
    lines = [
        Figure(
            "Boxes on target", f"{home} of {boxes}", home / boxes if boxes else 1.0, "good" if home == boxes else ""
        ),
        Figure("Moves", f"{game['moves']:,}"),
        Figure("Pushes", f"{game['pushes']:,}"),
    ]
    if rules.pull:
        lines.append(Figure("Pulls", f"{game['pulls']:,}"))
    if rules.max_steps < GENEROUS:
        left = max(0, rules.max_steps - game["steps"])
        share = left / rules.max_steps
        lines.append(Figure("Steps left", f"{left} of {rules.max_steps}", share, "warn" if share < 0.2 else ""))
    lines.append(_last_action(rules, state))
    return lines


def _last_action(rules: SokobanRules, state: SokobanState) -> Figure:
    game = game_numbers(state)
    if game["last_action"] < 0:
        return Figure("Last action", "-")
    if game["valid"]:
        return Figure("Last action", "valid", tone="good")
    # An invalid action changes nothing that matters here: what it failed at is still there to be seen.
    return Figure("Last action", f"invalid: {why_invalid(rules, state, state)}", tone="bad")


def ending(rules: SokobanRules, state: SokobanState) -> list[Figure]:
    game = game_numbers(state)
    words, tone = ENDINGS.get(OUTCOMES[game["outcome"]] or "", ("Still playing", ""))
    lines = [
        Figure("Outcome", words, tone=tone),
        Figure("Pushes", f"{game['pushes']:,}"),
        Figure("Moves", f"{game['moves']:,}"),
    ]
    if rules.pull:
        lines.append(Figure("Pulls", f"{game['pulls']:,}"))
    if game["on_target"] < game["boxes"]:
        lines.append(Figure("Boxes on target", f"{game['on_target']} of {game['boxes']}"))
    return lines


def score(state: SokobanState) -> Score | None:
    """Of a game that is solved."""
    game = game_numbers(state)
    if OUTCOMES[game["outcome"]] != "solved":
        return None
    return score_of(game["pushes"] + game["pulls"], game["moves"])


def score_of(pushes: int, moves: int, proved: bool = False) -> Score:
    """Fewer pushes; with as many pushes, fewer moves. (A pull counts as a push.)"""
    return Score((pushes, moves), f"{count(pushes, 'push')}, {count(moves, 'move')}", proved)
