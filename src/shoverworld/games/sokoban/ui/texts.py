"""The on-screen text of Sokoban: panel lines, descriptions of moves, and the reasons why actions are invalid."""

from typing import Any

from shoverworld.core.cells import OPPOSITE, beside, place_name, way_name
from shoverworld.core.env import GridEnv
from shoverworld.core.hashing import game_numbers
from shoverworld.core.ui import Figure, InputHandler, MoveText

from ..boards import GENEROUS, rules_of
from ..rules import PULL
from ..state import OUTCOMES, SokobanState
from .controls import SokobanInput
from .position import NAMES, TOWARD, box_at, is_numbered, meaning_of, player_of, target_at, the_box, why_not

ENDINGS = {"solved": ("Solved: every box is on its target", "good"), "timeout": ("Time is up", "warn")}


def figures(env: GridEnv, state: SokobanState, handler: InputHandler | None) -> list[Figure]:
    rules, game = rules_of(env), game_numbers(state)
    home, boxes = game["on_target"], game["boxes"]
    lines = [
        Figure(
            "Boxes on target",
            f"{home} of {boxes}",
            home / boxes if boxes else 1.0,
            "good" if home == boxes else "",
            large=True,
        ),
        Figure("Pushes", f"{game['pushes']:,}", large=True),
        Figure("Moves", f"{game['moves']:,}"),
    ]
    if rules.pull:
        lines.append(Figure("Pulls", f"{game['pulls']:,}"))
    if rules.max_steps < GENEROUS:
        left = max(0, rules.max_steps - game["steps"])
        share = left / rules.max_steps
        lines.append(Figure("Steps left", f"{left} of {rules.max_steps}", share, "warn" if share < 0.2 else ""))
    lines.append(_last_action(env, state))
    return lines + (handler.figures() if isinstance(handler, SokobanInput) else [])


def _last_action(env: GridEnv, state: SokobanState) -> Figure:
    game = game_numbers(state)
    if game["last_action"] < 0:
        return Figure("Last action", "-", idle=True)
    if game["valid"]:
        return Figure("Last action", "valid", tone="good")
    return Figure("Last action", f"invalid: {env.why_invalid(state)}", tone="bad")


def ending(env: GridEnv, state: SokobanState) -> list[Figure]:
    game = game_numbers(state)
    words, tone = ENDINGS.get(OUTCOMES[game["outcome"]] or "", ("Still playing", ""))
    lines = [
        Figure("Outcome", words, tone=tone),
        Figure("Pushes", f"{game['pushes']:,}", large=True),
        Figure("Moves", f"{game['moves']:,}", large=True),
    ]
    if rules_of(env).pull:
        lines.append(Figure("Pulls", f"{game['pulls']:,}"))
    if game["on_target"] < game["boxes"]:
        lines.append(Figure("Boxes on target", f"{game['on_target']} of {game['boxes']}"))
    return lines


# --- Moves


def describe(env: GridEnv, state: SokobanState, action: Any) -> str:
    rules = rules_of(env)
    found = meaning_of(rules, action)
    if found is None:
        return "wait"
    who, kind, direction = found
    name = f"{NAMES[who]}: " if rules.players > 1 else ""
    here = player_of(state, who)
    ahead, behind = beside(here, direction), beside(here, OPPOSITE[direction])
    if why_not(rules, state, who, kind, direction):
        return f"{name}do nothing: {way_name(direction)} is blocked"
    if box_at(state, ahead):
        return f"{name}push {the_box(state, ahead)} at {place_name(ahead)} {TOWARD[direction]}"
    if kind == PULL and box_at(state, behind):
        return f"{name}pull {the_box(state, behind)} at {place_name(behind)} {TOWARD[direction]}"
    return f"{name}walk {way_name(direction)}"


def move(env: GridEnv, before: SokobanState, after: SokobanState) -> MoveText:
    rules = rules_of(env)
    old, new = game_numbers(before), game_numbers(after)
    if new["steps"] == old["steps"]:
        return MoveText("", "")
    found = meaning_of(rules, new["last_action"])
    if found is None:
        return MoveText("", "waited")
    who, _, direction = found
    name = f"{NAMES[who]} " if rules.players > 1 else ""
    if not new["valid"]:
        name = f"{NAMES[who]}, " if name else ""
        return MoveText("invalid", f"{name}{way_name(direction)}: {env.why_invalid(after)}")
    if not (new["pushed"] or new["pulled"]):
        return MoveText("walk", f"{name}walked {way_name(direction)}")
    done = "pushed" if new["pushed"] else "pulled"
    there = beside(player_of(after, who), direction if new["pushed"] else OPPOSITE[direction])
    text = f"{name}{done} {the_box(after, there)} {TOWARD[direction]}"
    if new["change"]:
        goal = "its target" if is_numbered(after) or new["change"] < 0 else "a target"
        return (
            MoveText("goal", f"{text}, onto {goal}") if new["change"] > 0 else MoveText("loss", f"{text}, off {goal}")
        )
    if target_at(after, there):  # moved to another target or to another box's target
        return MoveText(done[:4], f"{text}, onto {'the target of another box' if is_numbered(after) else 'a target'}")
    return MoveText(done[:4], text)
