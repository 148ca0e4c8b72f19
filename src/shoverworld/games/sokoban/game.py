"""The descriptor of the game Sokoban; see core/game.py."""

from collections.abc import Mapping
from typing import Any, ClassVar

from shoverworld.core.game import AgentEntry, EnvId, Game, Lazy, Option, Preset

from .presets import PRESETS

_HERE = "shoverworld.games.sokoban"


class SokobanGame(Game):
    name = "sokoban"
    title = "Sokoban"
    goal = "Push all boxes onto targets, one box at a time. A box in a corner stays there."
    ids = tuple(
        EnvId(id.name, {"rules": id.name, **({"levels": id.levels} if id.levels else {})}, id.about)
        for id in PRESETS.values()
    )
    presets = (
        Preset("sokoban", "Push boxes, one at a time; a box in a corner stays there."),
        Preset("pull", "Boxes can be pulled as well, so no mistake is final."),
        Preset("fixed", "Every box has its own target, with the same number and colour."),
        Preset("two", "Two players on one board; either may move at any time."),
    )
    preset_rules = Lazy(f"{_HERE}.config:RULES")
    figures = ("pushes", "moves")
    first_success = "first box on target"
    objectives = ("pushes", "moves", "any")

    env = Lazy(f"{_HERE}.env:SokobanEnv")
    vector_env = Lazy(f"{_HERE}.vector:SokobanVectorEnv")
    levels = Lazy(f"{_HERE}.boards")
    plan = Lazy(f"{_HERE}.planning:plan_for")
    ui = Lazy(f"{_HERE}.ui:SOKOBAN_UI")
    agent_settings: ClassVar[dict[str, Any]] = {"max_steps": 10_000}
    learning = Lazy(f"{_HERE}.policy.learning:LEARNING")
    agents = (
        AgentEntry(
            "learned",
            "shoverworld.learn.agents:LearnedAgent",
            "plays the pushes that a learned policy prefers",
            model="shoverworld.learn.model:Model",
        ),
        AgentEntry(
            "learned-search",
            "shoverworld.learn.agents:LearnedSearchAgent",
            "searches with a learned policy, then plays",
            model="shoverworld.learn.model:Model",
        ),
    )
    generator = Lazy(f"{_HERE}.generator:GENERATOR")
    generate_options = (
        Option("--rules", "a preset, written into the levels (default: none)", choices=tuple(p.name for p in presets)),
        Option("--boxes", "number of boxes (default: 3)", int),
        Option("--size", "rows and columns, including walls (default: 10x10)", metavar="ROWSxCOLS"),
        Option("--rows", "number of rows (default: 10)", int),
        Option("--cols", "number of columns (default: 10)", int),
        Option("--players", "number of players, 1 or 2 (default: 1)", int),
        Option("--fixed-targets", "every box has its own target", switch=True),
        Option("--min-score", "minimum score: box swaps x displacement (default: any)", int),
        Option("--min-pushes", "minimum number of pushes in the solution (default: any)", int),
    )
    generate_examples = ("sokoban 500 --size 10x10 --boxes 4 --min-pushes 20 --out rooms.xsb",)
    solve_options = (
        Option("--threads", "search for any solution in 1 or 2 threads (default: 1)", int, metavar="COUNT"),
    )
    solution_files = "the levels with Solution lines; or, if FILE ends in .lurd, one solution per line"
    reports = Lazy(f"{_HERE}.reports:REPORTS")
    web = Lazy(f"{_HERE}.web:WEB")
    bench = Lazy(f"{_HERE}.bench")
    warmup = Lazy(f"{_HERE}.warmup:warmup")
    docs = ("sokoban.md",)
    rules_page = "docs/sokoban.md"

    def left(self, info: Mapping[str, Any]) -> int:
        return info["boxes"] - info["boxes_on_target"]


GAME = SokobanGame()
