"""The on-screen text of Shover-World: panel lines, descriptions of moves, previews, and reasons for invalid actions.

Rows and columns are counted from 0, as in actions.
"""

from typing import Any

from shoverworld.core.cells import beside, place_name, way_name
from shoverworld.core.env import GridEnv
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Cell, Figure, InputHandler, MoveText, count

from ..boards import rules_of
from ..config import Rules
from ..engine import PushPreview
from ..record import blocked_chain
from ..state import LAVA, OUTCOMES, State
from .position import (
    SquareView,
    after,
    content_of,
    is_box,
    is_direction,
    is_special,
    kind_of,
    on_map,
    push_preview,
    shover_of,
    special_of,
    squares_of,
    used_square,
)

MOST_SQUARES = 3  # the maximum number of squares that get a line of their own

ENDINGS = {
    "cleared": ("Cleared: no box is left", "good"),
    "exhausted": ("Exhausted: no stamina is left", "bad"),
    "timeout": ("Time is up", "warn"),
}


def figures(env: GridEnv, state: State, handler: InputHandler | None) -> list[Figure]:
    rules, game = rules_of(env), game_numbers(state)
    return [
        _stamina(rules, game["stamina"]),
        Figure("Boxes left", str(game["boxes"]), large=True),
        Figure("Step", f"{game['timestep']} of {rules.max_timestep}", min(1.0, game["timestep"] / rules.max_timestep)),
        Figure("Destroyed", str(game["destroyed"]), idle=not game["destroyed"]),
        _last_action(env, state),
        Figure("Burnt by last push", str(game["burnt"]), tone="good" if game["burnt"] else "", idle=not game["burnt"]),
        _push_ahead(rules, state, handler),
        *_squares(rules, state),
    ]


def _stamina(rules: Rules, stamina: float) -> Figure:
    share = min(1.0, max(0.0, stamina / rules.initial_stamina))
    dear = rules.initial_force + rules.unit_force + rules.push_baseline  # the cost of pushing one box from rest
    tone = "bad" if stamina <= dear else "warn" if share < 0.25 else ""
    return Figure("Stamina", f"{stamina:g}", share, tone, large=True)


def _last_action(env: GridEnv, state: State) -> Figure:
    game = game_numbers(state)
    if game["timestep"] == 0:
        return Figure("Last action", "-", idle=True)
    if game["valid"]:
        return Figure("Last action", "valid", tone="good")
    return Figure("Last action", f"invalid: {env.why_invalid(state)}", tone="bad")


def ahead(rules: Rules, state: State, selected: Cell | None) -> tuple[int, PushPreview] | None:
    """Preview a push of the selected box, or else of the box ahead of the shover, in the direction the shover faces."""
    direction = int(state.game["direction"][0])
    if selected is None and rules.actor == "select":
        return None
    cell = selected or beside(shover_of(state), direction)
    if not on_map(state, cell) or not is_box(content_of(state, cell)):
        return None
    return direction, push_preview(rules, state, cell, direction)


def _push_ahead(rules: Rules, state: State, handler: InputHandler | None) -> Figure:
    """Return the costs of the push with and without the initial force; the cost that applies now comes first."""
    found = ahead(rules, state, handler.selected if handler else None)
    if found is None:
        return Figure("Push ahead", "-", idle=True)
    direction, push = found
    label = f"Push {way_name(direction)}"
    if not push.valid and handler is not None and handler.selected:
        return Figure("Push ahead", "choose a direction")
    if not push.valid:
        return Figure(label, f"blocked: {why_no_push(state, push)}", tone="warn")
    rest, motion = motion_words(rules)
    if push.charged:
        return Figure(label, f"{push.cost:g} {rest} ({push.cost_in_motion:g} {motion})")
    return Figure(label, f"{push.cost:g} {motion} ({push.cost_from_rest:g} {rest})", tone="good")


def _squares(rules: Rules, state: State) -> list[Figure]:
    found = squares_of(state)
    if not found:
        return [Figure("Perfect squares", "none", idle=True)]
    limit = rules.perf_sq_initial_age
    lines = [Figure("Perfect squares", str(len(found)), tone="good")]
    for n, row, col, age in found[:MOST_SQUARES]:
        left = max(0, limit - age)
        share = left / limit if limit else 0.0
        label = f"{n} x {n} at ({row}, {col})"
        lines.append(Figure(label, f"{count(left, 'step')} left", share, "warn" if left <= 3 else ""))
    if len(found) > MOST_SQUARES:
        lines.append(Figure("", f"and {len(found) - MOST_SQUARES} more"))
    return lines


def ending(env: GridEnv, state: State) -> list[Figure]:
    game = game_numbers(state)
    outcome = OUTCOMES[game["outcome"]]
    words, tone = ENDINGS.get(outcome or "", ("Still playing", ""))
    return [
        Figure("Outcome", words, tone=tone),
        Figure("Steps", str(game["timestep"]), large=True),
        Figure("Stamina", f"{game['stamina']:g}", large=True),
        Figure("Boxes destroyed", str(game["destroyed"])),
        Figure("Boxes left", str(game["boxes"])),
    ]


# --- What a move would do


def push_text(rules: Rules, state: State, push: PushPreview, direction: int) -> str:
    """Describe a push: "Push 2 boxes up: 60 stamina (40 to start + 10 per box); the front box burns (+40 stamina)"."""
    what = f"{count(push.chain, 'box')} {way_name(direction)}"
    if not push.valid:
        return f"Cannot push {what}: {why_no_push(state, push)}"
    start, unit = f"{rules.initial_force:g} to start", f"{rules.unit_force:g} per box"
    if rules.push_baseline:
        unit += f" + {rules.push_baseline:g} per step"
    how = f"{start} + {unit}" if push.charged else f"{unit}; {motion_words(rules)[1]}, so no cost to start"
    text = f"Push {what}: {push.cost:g} stamina ({how})"
    if push.beyond == LAVA:
        who = "it" if push.chain == 1 else "the front box"
        over = " beyond the edge" if not on_map(state, (push.beyond_row, push.beyond_col)) else ""
        text += f"; {who} burns{over} (+{rules.initial_force:g} stamina)"
    return text + exhausting(rules, state, push)


def motion_words(rules: Rules) -> tuple[str, str]:
    """Return the phrases for a push that costs the initial force and for a push that does not (rule 1.3)."""
    return ("after a turn", "straight on") if rules.stationary == "last_push" else ("from rest", "in motion")


def exhausting(rules: Rules, state: State, push: PushPreview) -> str:
    """Return a warning if a push would use up the stamina while boxes remain, otherwise ""."""
    game = game_numbers(state)
    burns = push.beyond == LAVA
    left = game["stamina"] - push.cost + rules.initial_force * burns
    return "; this would use up your stamina" if left <= 0 and game["boxes"] > burns else ""


def describe(env: GridEnv, state: State, action: Any) -> str:
    rules = rules_of(env)
    row, col, z = (int(x) for x in action)
    kind = kind_of(rules, z)
    if is_special(kind):
        tried = after(rules, state, action)
        if (square := used_square(tried)) is None:
            return f"wait one step: {env.why_invalid(tried)}"
        return f"use {special_of(kind).subject} on the {square_name(square)}"
    if not is_direction(kind):
        return "wait"
    push = push_preview(rules, state, (row, col), kind)
    if not push.valid:
        return f"wait one step: {way_name(kind)} is invalid here"
    target = place_name((push.row, push.col))
    if push.chain:
        which = "the box" if push.chain == 1 else f"the {count(push.chain, 'box')} starting"
        return f"push {which} at {target} {_toward(kind)}"
    return f"walk {way_name(kind)}" if rules.actor == "walk" else f"leap to {target}"


def _toward(direction: int) -> str:
    return ("up", "to the right", "down", "to the left")[direction]


def square_name(square: SquareView) -> str:
    return f"{square.n} x {square.n} square at {place_name((square.row, square.col))}"


# --- Why an action is invalid


def why_no_push(state: State, push: PushPreview) -> str:
    """Explain why a chain cannot move."""
    return blocked_chain(push.chain, not on_map(state, (push.beyond_row, push.beyond_col)))


# --- What a move did


def move(env: GridEnv, before: State, after: State) -> MoveText:
    rules = rules_of(env)
    old, new = game_numbers(before), game_numbers(after)
    here: Cell = (new["row"], new["col"])
    if new["timestep"] == old["timestep"]:
        moved = here != (old["row"], old["col"])
        return MoveText("place", f"placed on {place_name(here)}") if moved else MoveText("", "")
    kind = kind_of(rules, new["previous_action"])
    label, words = _action_text(env, after, kind)
    if gone := new["dissolved"]:
        label = label if label in ("burn", "special", "invalid") else "dissolve"
        words += f"; {count(gone, 'box')} dissolved"
    return MoveText(label, words)


def _action_text(env: GridEnv, after: State, kind: int) -> tuple[str, str]:
    game = game_numbers(after)
    if not game["valid"]:
        tried = special_of(kind).subject if is_special(kind) else way_name(kind)
        return "invalid", f"{tried}: {env.why_invalid(after)}"
    if game["chain"]:
        text = f"pushed {count(game['chain'], 'box')} {way_name(kind)}"
        if not game["burnt"]:
            return "push", text
        return "burn", f"{text}, {'it' if game['chain'] == 1 else 'the front box'} burnt"
    if is_special(kind):
        square = used_square(after)
        which = square_name(square) if square else "square"
        return "special", f"{special_of(kind).subject}: the {which} {special_of(kind).result}"
    if not is_direction(kind):
        return "", "waited"
    if rules_of(env).actor == "walk":
        return "walk", f"walked {way_name(kind)}"
    return "walk", f"leapt to {place_name((game['row'], game['col']))}"
