"""What happened, what would happen and why not, in plain words. Rows and columns are counted from 0, as in actions."""

from typing import Any

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Cell, Move

from ..config import FIRST_SPECIAL, SPECIALS, Rules, Special
from ..engine import PushPreview
from ..state import BARRIER, EMPTY, LAVA, State
from .cells import boxes_name, on_map, place_name, shover_of, way_name
from .trial import Square, foresee, is_direction, is_special, kind_of, squares_of, taken_square, used_square

# --- what would happen


def push_told(rules: Rules, state: State, sight: PushPreview, direction: int) -> str:
    """Such as "Push 3 boxes right: 70 stamina (40 to start + 10 a box); the front one burns, 40 back"."""
    what = f"{boxes_name(sight.chain)} {way_name(direction)}"
    if not sight.valid:
        return f"Cannot push {what}: {why_no_push(state, sight)}"
    start, unit = f"{rules.initial_force:g} to start", f"{rules.unit_force:g} a box"
    how = f"{start} + {unit}" if sight.charged else f"{unit}, {motion_words(rules)[1]}: no {start}"
    told = f"Push {what}: {sight.cost:g} stamina ({how})"
    if sight.beyond == LAVA:
        who = "it" if sight.chain == 1 else "the front one"
        over = " over the edge" if not on_map(state, (sight.beyond_row, sight.beyond_col)) else ""
        told += f"; {who} burns{over}, {rules.initial_force:g} back"
    return told + exhausting(rules, state, sight)


def motion_words(rules: Rules) -> tuple[str, str]:
    """What a push is called that pays the initial force, and one that does not (rule 1.3)."""
    return ("after a turn", "straight on") if rules.stationary == "last_push" else ("from rest", "in motion")


def exhausting(rules: Rules, state: State, sight: PushPreview) -> str:
    """A warning, when a push would take the last of the stamina and not the last of the boxes."""
    game = game_numbers(state)
    burns = sight.beyond == LAVA
    left = game["stamina"] - sight.cost + rules.initial_force * burns
    return "; your stamina would be gone" if left <= 0 and game["boxes"] > burns else ""


def describe(rules: Rules, state: State, action: Any) -> str:
    """An action in words, for hints: "push the box at row 2, column 5 to the right"."""
    row, col, z = (int(x) for x in action)
    kind = kind_of(rules, z)
    if is_special(kind):
        square = taken_square(rules, state, action)
        if square is None:
            return f"let a step pass: {why_no_special(state, kind)}"
        return f"use {special_of(kind).subject} on the {square_name(square)}"
    if not is_direction(kind):
        return "wait"
    sight = foresee(rules, state, (row, col), kind)
    if not sight.valid:
        return f"let a step pass: {way_name(kind)} is invalid here"
    target = place_name((sight.row, sight.col))
    if sight.chain:
        which = "the box" if sight.chain == 1 else f"the {boxes_name(sight.chain)} that begin"
        return f"push {which} at {target} {_toward(kind)}"
    return f"walk {way_name(kind)}" if rules.actor == "walk" else f"leap to {target}"


def _toward(direction: int) -> str:
    return ("up", "to the right", "down", "to the left")[direction]


def special_of(kind: int) -> Special:
    return SPECIALS[kind - FIRST_SPECIAL]


def square_name(square: Square) -> str:
    return f"{square.n} x {square.n} square at {place_name((square.row, square.col))}"


# --- why not


def why_no_push(state: State, sight: PushPreview) -> str:
    """What holds the boxes."""
    them = "the box" if sight.chain == 1 else f"the {boxes_name(sight.chain)}"
    if not on_map(state, (sight.beyond_row, sight.beyond_col)):
        return f"{them} {'is' if sight.chain == 1 else 'are'} against the edge of the map"
    return f"a barrier stands beyond {them}"


def why_no_direction(rules: Rules, state: State, sight: PushPreview) -> str:
    """What is wrong with a direction that is invalid."""
    target = sight.row, sight.col
    if sight.chain:
        return why_no_push(state, sight)
    if not on_map(state, target):
        row, col = shover_of(state)
        return f"{f'row {row}' if target[1] == col else f'column {col}'} is the edge of the map"
    if rules.actor == "select":
        what = {BARRIER: "a barrier", LAVA: "lava", EMPTY: "nothing"}.get(sight.content, "nothing")
        return f"there is {what} at {place_name(target)}, and only a box can be pushed"
    if sight.content == BARRIER:
        return f"a barrier stands at {place_name(target)}"
    return f"there is lava at {place_name(target)}"


def why_no_special(state: State, kind: int) -> str:
    """Why a special has no square to act on."""
    least = special_of(kind).smallest
    there = squares_of(state)
    if any(square.n >= least for square in there):
        return "the perfect square dissolved before it could be used"
    if not there and least == 2:
        return "there is no perfect square"
    return f"there is no perfect square of {least} or more" + (", only of 2" if there else "")


def why_invalid(rules: Rules, before: State, after: State) -> str:
    """Why the action between the two was invalid; "" when it was not."""
    game = game_numbers(after)
    if game["valid"] or game["timestep"] == 0:
        return ""
    kind = kind_of(rules, game["previous_action"])
    if is_special(kind):
        return why_no_special(before, kind)
    asked: Cell = (game["previous_row"], game["previous_col"])
    sight = foresee(rules, before, asked, kind)
    # When `before` is not the state before that step, the way may be free by now, or a walker may stand elsewhere.
    moved = before is after and rules.actor == "walk" and asked not in ((sight.row, sight.col), shover_of(after))
    if sight.valid or moved:
        return f"the way {way_name(kind)} was blocked"
    return why_no_direction(rules, before, sight)


# --- what happened


def move(rules: Rules, before: State, after: State) -> Move:
    old, new = game_numbers(before), game_numbers(after)
    here: Cell = (new["row"], new["col"])
    if new["timestep"] == old["timestep"]:
        moved = here != (old["row"], old["col"])
        return Move("place", f"placed on {place_name(here)}") if moved else Move("", "")
    kind = kind_of(rules, new["previous_action"])
    label, words = _act_told(rules, before, after, kind)
    gone = _dissolved(before, after, kind)
    if gone:
        label = label if label in ("burn", "special", "invalid") else "dissolve"
        words += f"; {boxes_name(gone)} dissolved"
    return Move(label, words)


def _act_told(rules: Rules, before: State, after: State, kind: int) -> tuple[str, str]:
    game = game_numbers(after)
    if not game["valid"]:
        tried = special_of(kind).subject if is_special(kind) else way_name(kind)
        return "invalid", f"{tried}: {why_invalid(rules, before, after)}"
    if game["chain"]:
        told = f"pushed {boxes_name(game['chain'])} {way_name(kind)}"
        if not game["burnt"]:
            return "push", told
        return "burn", f"{told}, {'it' if game['chain'] == 1 else 'the front one'} burnt"
    if is_special(kind):
        square = used_square(before, after)
        which = square_name(square) if square else "square"
        return "special", f"{special_of(kind).subject}: the {which} {special_of(kind).result}"
    if not is_direction(kind):
        return "", "waited"
    if rules.actor == "walk":
        return "walk", f"walked {way_name(kind)}"
    return "walk", f"leapt to {place_name((game['row'], game['col']))}"


def _dissolved(before: State, after: State, kind: int) -> int:
    """How many boxes are gone without a push or a special."""
    old, new = game_numbers(before), game_numbers(after)
    gone = old["boxes"] - new["boxes"] - new["burnt"]
    if is_special(kind):
        gone -= new[special_of(kind).event] ** 2  # 0 if it was invalid
    return gone
