"""What happened, what would happen and why not, in plain words."""

from typing import Any

from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Cell, Move

from ..config import SokobanRules
from ..rules import MOVE, PULL
from ..state import SokobanState
from .cells import (
    NAMES,
    OPPOSITE,
    TOWARD,
    beside,
    box_at,
    box_name,
    is_numbered,
    is_wall,
    place_name,
    player_of,
    players_of,
    target_at,
    way_name,
)
from .presets import meaning_of


def hindrance(state: SokobanState, cell: Cell, what: str) -> str:
    """What keeps a thing from moving onto a cell; "" when nothing does."""
    if is_wall(state, cell):
        return f"{what} a wall"
    if box_at(state, cell):
        return f"{what} {'another box' if 'box' in what else 'a box'}"
    if cell in players_of(state):
        return f"{what} the {NAMES[players_of(state).index(cell)] if state.players > 1 else 'player'}"
    return ""


def why_not(state: SokobanState, who: int, kind: int, direction: int) -> str:
    """Why a player cannot do this; "" when he can."""
    here = player_of(state, who)
    ahead = beside(here, direction)
    if not box_at(state, ahead):
        return hindrance(state, ahead, "there is")
    if kind == MOVE:
        return "a box is in the way, and a move does not push"
    if kind == PULL:
        return "a box is in the way: a pull goes backwards, onto a free cell"
    return hindrance(state, beside(ahead, direction), f"the {box_name(state, ahead)} is against")


def why_invalid(rules: SokobanRules, before: SokobanState, after: SokobanState) -> str:
    """Why the action between the two was invalid; "" when it was not."""
    game = game_numbers(after)
    if game["valid"] or game["last_action"] < 0:
        return ""
    found = meaning_of(rules, game["last_action"])
    return (why_not(before, *found) if found else "") or "the way was blocked"


def describe(rules: SokobanRules, state: SokobanState, action: Any) -> str:
    """An action in words, for hints: "push the box at row 2, column 5 to the right"."""
    found = meaning_of(rules, action)
    if found is None:
        return "wait"
    who, kind, direction = found
    name = f"{NAMES[who]}: " if rules.players > 1 else ""
    here = player_of(state, who)
    ahead, behind = beside(here, direction), beside(here, OPPOSITE[direction])
    if why_not(state, who, kind, direction):
        return f"{name}let a step pass: {way_name(direction)} is blocked"
    if box_at(state, ahead):
        return f"{name}push the {box_name(state, ahead)} at {place_name(ahead)} {TOWARD[direction]}"
    if kind == PULL and box_at(state, behind):
        return f"{name}pull the {box_name(state, behind)} at {place_name(behind)} {TOWARD[direction]}"
    return f"{name}walk {way_name(direction)}"


def move(rules: SokobanRules, before: SokobanState, after: SokobanState) -> Move:
    old, new = game_numbers(before), game_numbers(after)
    if new["steps"] == old["steps"]:
        return Move("", "")
    found = meaning_of(rules, new["last_action"])
    if found is None:
        return Move("", "waited")
    who, _, direction = found
    name = f"{NAMES[who]} " if rules.players > 1 else ""
    if not new["valid"]:
        return Move("invalid", f"{name}{way_name(direction)}: {why_invalid(rules, before, after)}")
    if not (new["pushed"] or new["pulled"]):
        return Move("walk", f"{name}walked {way_name(direction)}")
    done = "pushed" if new["pushed"] else "pulled"
    there = beside(player_of(after, who), direction if new["pushed"] else OPPOSITE[direction])
    told = f"{name}{done} the {box_name(after, there)} {way_name(direction)}"
    if new["change"]:
        goal = "its target" if is_numbered(after) or new["change"] < 0 else "a target"
        return Move("goal", f"{told}, onto {goal}") if new["change"] > 0 else Move("loss", f"{told}, off {goal}")
    if target_at(after, there):  # from target to target, or onto one that does not count for it
        return Move(done[:4], f"{told}, onto {'a target that is not its own' if is_numbered(after) else 'a target'}")
    return Move(done[:4], told)
