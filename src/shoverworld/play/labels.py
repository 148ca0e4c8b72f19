"""Short texts around a game that all views show: labels of results, positions in a collection, marks on a timeline.

A page gets them as JSON, so that no view has a copy of its own.
"""

LABELS = {
    "best": "Your best",
    "new record": "{best} (new record)",
    "best known": "Best known",
    "best possible": "Best possible",
    "proved": "{known} (proved)",
    "better": "{known}. You did better!",
    "matched": "{known}. You matched it!",
    "perfect": "{known}. Perfect: you matched it!",
    "played by": "Played by",
    "help": "Help from",
    "no record": "{help} (no record)",
    "not saved": "Not saved",
    "random": "Random {level} {seed}",
    "made for": "{rules} (made for {own})",
    "position": "{title}, {place} of {count}",
    "progress": "{solved} of {count} {word}",
    "player move": "{name}: {move}",
    "undone": "undone: {move}",
    "undone restart": "undone: restart",
    "moves": "Moves",
    "one": "1 move",
    "many": "{count} moves",
    # a search for a plan
    "planning": "Planning, {seconds} s: {what}. {key} or Esc stops the search.",
    "waiting": "waiting for other searches to end",
    "getting ready": "getting ready (the planner is compiled once, which takes about half a minute)",
    "thinking": "thinking",
    "plan so far": "a plan with {moves}",
    "no plan so far": "no plan yet",
    "at least": "at least {moves} needed",
    "expanded": "{count} states expanded",
    "plan found": "A plan with {moves} was found; {best}.",
    "best plan": "no plan needs fewer {objective}",
    "good plan": "there may be a better plan",
    "no plan": "No plan was found in {seconds} s.",
    "no plan stopped": "No plan was found before you stopped the search.",
    "unsolvable": "This {level} provably cannot be {solved}.",
    "unsolvable now": "The game can no longer be {solved} from here. Press {undo} to undo moves.",
    "any step": "Nothing is left to do: any step ends the game.",
    "to go": "{moves} to go",
    "shown": "{most} of {count} shown",
    "stop search": "stop",
    "planner": "planner",
}

# What the marks on a timeline mean, by the kind of a move (core/ui.py)
MARKER_NAMES = {
    "goal": "a box reaches its target",
    "loss": "a box leaves its target",
    "finish": "a player has finished",
    "burn": "a box burns",
    "special": "a square is used",
    "dissolve": "a square dissolves",
    "invalid": "an invalid move",
    "end": "the end",
}
