"""The descriptor of Shover-World."""

from collections.abc import Mapping
from typing import Any

from shoverworld.core.game import AgentEntry, EnvId, Game, Lazy, Option, Preset

_HERE = "shoverworld.games.shover"


class ShoverGame(Game):
    name = "shover"
    title = "Shover-World"
    goal = "Clear the dock: burn the boxes in lava, or turn perfect squares of boxes into barriers or lava."
    ids = (
        EnvId(
            "ShoverWorld-v0", {}, "the shover leaps to the box it pushes"
        ),  # milestone1, unless a map specifies other rules
        EnvId("ShoverWalker-v0", {"rules": "walker"}, "the shover walks cell by cell"),
        EnvId("ShoverSelect-v0", {"rules": "phase2"}, "select a box and push it; the edge is lava"),
    )
    presets = (
        Preset("milestone1", "The shover leaps to the box it pushes. The edge of the map is a wall."),
        Preset("walker", "The shover walks cell by cell and must stand behind a box to push it."),
        Preset("phase2", "Select a box and push it; there is no walking. Boxes pushed off the map burn."),
    )
    preset_rules = Lazy(f"{_HERE}.config:PRESETS")
    won = "cleared"
    figures = ("steps", "stamina")
    maximised = ("stamina", "reward")
    level_word = "map"
    left_word = "boxes"
    first_success = "first removal"
    objectives = ("steps", "stamina")

    env = Lazy(f"{_HERE}.env:ShoverWorldEnv")
    vector_env = Lazy(f"{_HERE}.vector:ShoverWorldVectorEnv")
    levels = Lazy(f"{_HERE}.boards")
    plan = Lazy(f"{_HERE}.planning:plan_for")
    ui = Lazy(f"{_HERE}.ui:SHOVER_UI")
    agents = (
        AgentEntry("greedy", f"{_HERE}.agents:GreedyAgent", "looks one step ahead"),
        AgentEntry(
            "phase2-astar",
            f"{_HERE}.agents:Phase2Agent",
            "from the Phase 2 report: rules and A*",
            {"algorithm": "astar"},
        ),
        AgentEntry(
            "phase2-rbfs",
            f"{_HERE}.agents:Phase2Agent",
            "from the Phase 2 report: rules and RBFS",
            {"algorithm": "rbfs"},
        ),
        AgentEntry(
            "learned",
            "shoverworld.learn.agents:LearnedAgent",
            "plays the moves that a learned policy prefers",
            model="shoverworld.learn.model:Model",
        ),
        AgentEntry(
            "learned-search",
            "shoverworld.learn.agents:LearnedSearchAgent",
            "searches with a learned policy, then plays",
            model="shoverworld.learn.model:Model",
        ),
    )
    learning = Lazy(f"{_HERE}.policy.learning:LEARNING")
    generator = Lazy(f"{_HERE}.generator:GENERATOR")
    generate_options = (
        Option("--rules", "the preset (default: milestone1)", choices=tuple(preset.name for preset in presets)),
        Option("--boxes", "number of boxes (default: 15% of the cells)", int),
        Option("--barriers", "number of barriers (default: 8% of the cells)", int),
        Option("--lavas", "number of lava cells (default: 5% of the cells)", int),
        Option("--rows", "rows (default: from the preset)", int),
        Option("--cols", "columns (default: from the preset)", int),
        Option("--solvable", "only maps that the planner can clear", switch=True),
        Option("--format", "A: numbers, B: symbols (default: B)", choices=("A", "B")),
    )
    generate_examples = ("10 --rules phase2 --solvable --out maps",)
    read_options = (
        Option(
            "--default-rules",
            "the preset for maps that specify no rules (default: milestone1)",
            choices=tuple(preset.name for preset in presets),
        ),
    )
    reading = Lazy(f"{_HERE}.boards:reading")
    reports = Lazy(f"{_HERE}.reports:REPORTS")
    web = Lazy(f"{_HERE}.web:WEB")
    bench = Lazy(f"{_HERE}.bench")
    warmup = Lazy(f"{_HERE}.warmup:warmup")
    docs = ("env.md", "maps.md")
    rules_page = "docs/rules.md"

    def left(self, info: Mapping[str, Any]) -> int:
        return info["number_of_boxes"]


GAME = ShoverGame()
