"""The lines of the panel beside the board."""

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Cell, Figure, Hand

from ..config import Rules
from ..engine import PushPreview
from ..state import OUTCOMES, State
from .cells import beside, content_of, is_box, on_map, shover_of, way_name
from .trial import foresee, squares_of
from .words import motion_words, why_invalid, why_no_push

MOST_SQUARES = 3  # with a line of their own

ENDINGS = {
    "cleared": ("Cleared: no box is left", "good"),
    "exhausted": ("Exhausted: no stamina is left", "bad"),
    "timeout": ("Time is up", "warn"),
}


def figures(rules: Rules, state: State, hand: Hand | None) -> list[Figure]:
    game = game_numbers(state)
    return [
        Figure("Step", f"{game['timestep']} of {rules.max_timestep}", min(1.0, game["timestep"] / rules.max_timestep)),
        _stamina(rules, game["stamina"]),
        Figure("Boxes left", str(game["boxes"])),
        Figure("Destroyed", str(game["destroyed"])),
        _last_action(rules, state),
        Figure("Burnt by last push", str(game["burnt"]), tone="good" if game["burnt"] else ""),
        _push_ahead(rules, state, hand),
        *_squares(rules, state),
    ]


def _stamina(rules: Rules, stamina: float) -> Figure:
    share = min(1.0, max(0.0, stamina / rules.initial_stamina))
    dear = rules.initial_force + rules.unit_force  # one push of one box
    return Figure("Stamina", f"{stamina:g}", share, "bad" if stamina <= dear else "warn" if share < 0.25 else "")


def _last_action(rules: Rules, state: State) -> Figure:
    game = game_numbers(state)
    if game["timestep"] == 0:
        return Figure("Last action", "-")
    if game["valid"]:
        return Figure("Last action", "valid", tone="good")
    # An invalid action changes nothing that matters here: what it failed at is still there to be seen.
    return Figure("Last action", f"invalid: {why_invalid(rules, state, state)}", tone="bad")


def ahead(rules: Rules, state: State, selected: Cell | None) -> tuple[int, PushPreview] | None:
    """The push that the way the shover faces would be: of the selected box, or of the one before him."""
    direction = int(state.game["direction"][0])
    cell = selected or beside(shover_of(state), direction)
    if not on_map(state, cell) or not is_box(content_of(state, cell)):
        return None
    return direction, foresee(rules, state, cell, direction)


def _push_ahead(rules: Rules, state: State, hand: Hand | None) -> Figure:
    """The cost with and without the initial force, and which of them it would be."""
    found = ahead(rules, state, hand.selected if hand else None)
    if found is None:
        return Figure("Push ahead", "-")
    direction, sight = found
    label = f"Push {way_name(direction)}"
    if not sight.valid and hand is not None and hand.selected:
        return Figure("Push ahead", "choose a direction")
    if not sight.valid:
        return Figure(label, f"blocked: {why_no_push(state, sight)}", tone="warn")
    rest, motion = motion_words(rules)
    if sight.charged:
        return Figure(label, f"{sight.cost:g} {rest} ({sight.cost_in_motion:g} {motion})")
    return Figure(label, f"{sight.cost:g} {motion} ({sight.cost_from_rest:g} {rest})", tone="good")


def _squares(rules: Rules, state: State) -> list[Figure]:
    found = squares_of(state)
    if not found:
        return [Figure("Perfect squares", "none")]
    limit = rules.perf_sq_initial_age
    lines = [Figure("Perfect squares", str(len(found)), tone="good")]
    for n, row, col, age in found[:MOST_SQUARES]:
        left = max(0, limit - age)
        share = left / limit if limit else 0.0
        lines.append(Figure(f"{n} x {n}", f"row {row}, column {col}, {left} left", share, "warn" if left <= 3 else ""))
    if len(found) > MOST_SQUARES:
        lines.append(Figure("", f"and {len(found) - MOST_SQUARES} more"))
    return lines


def ending(rules: Rules, state: State) -> list[Figure]:
    game = game_numbers(state)
    outcome = OUTCOMES[game["outcome"]]
    words, tone = ENDINGS.get(outcome or "", ("Still playing", ""))
    return [
        Figure("Outcome", words, tone=tone),
        Figure("Steps", str(game["timestep"])),
        Figure("Stamina", f"{game['stamina']:g}"),
        Figure("Boxes destroyed", str(game["destroyed"])),
        Figure("Boxes left", str(game["boxes"])),
    ]
