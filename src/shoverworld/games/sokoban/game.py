"""Sokoban: its descriptor."""

from shoverworld.core.game import AgentEntry, EnvId, Game, Lazy, Preset

from .presets import PRESETS

_HERE = "shoverworld.games.sokoban"


class SokobanGame(Game):
    name = "sokoban"
    title = "Sokoban"
    goal = "Push every box onto a target, one at a time. A box in a corner stays there."
    ids = tuple(
        EnvId(id.name, {"rules": id.name, **({"levels": id.levels} if id.levels else {})}, id.about)
        for id in PRESETS.values()
    )
    presets = (
        Preset("sokoban", "Push boxes, one at a time; a box in a corner stays there."),
        Preset("pull", "Boxes can be pulled as well, so no mistake is final."),
        Preset("fixed", "Every box has its own target, with its number and its colour."),
        Preset("two", "Two players on one board; either may move at any time."),
    )
    figures = ("pushes", "moves")
    objectives = ("pushes", "moves", "any")

    env = Lazy(f"{_HERE}.env:SokobanEnv")
    vector_env = Lazy(f"{_HERE}.vector:SokobanVectorEnv")
    levels = Lazy(f"{_HERE}.boards")
    plan = Lazy(f"{_HERE}.planning:plan_for")
    ui = Lazy(f"{_HERE}.ui:SOKOBAN_UI")
    agents = (
        AgentEntry("planner", "shoverworld.agents.sokoban_plan:SokobanPlanAgent", "finds a plan first, then plays it"),
    )


GAME = SokobanGame()
