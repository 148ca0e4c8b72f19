"""The descriptor of the grid race."""

from collections.abc import Mapping
from typing import Any

from shoverworld.core.game import AgentEntry, EnvId, Game, Lazy, Option, Preset

_HERE = "shoverworld.games.race"
_LINE = Option(
    "--line", "which cells along a move must be on the track", choices=("valid_line", "supercover", "landing")
)
_FINISH = Option("--finish", "whether a car must land on the finish or may cross it", choices=("land", "cross"))


class RaceGame(Game):
    name = "race"
    title = "Grid race"
    goal = "Drive from a start cell to the chequered finish in the fewest steps. Each move can change the car's velocity by at most one cell in each direction."
    ids = (EnvId("Race-v0", {}, "a car with inertia, from the start to the finish in the fewest steps"),)
    presets = (
        Preset("race", "As in the race report: a move may graze cells off the track but not pass through them."),
        Preset("supercover", "Strict: every cell that a move passes through must be on the track."),
        Preset("landing", "Jumps: only the cell where a car lands must be on the track."),
        Preset("cross", "Driving through the finish is enough; a car need not land on it."),
    )
    preset_rules = Lazy(f"{_HERE}.config:RULES")
    won = "finished"
    figures = ("steps", "penalties")
    level_word = "track"
    solved_word = "finished"
    player_word = "driver"
    first_success = "finish"

    env = Lazy(f"{_HERE}.env:RaceEnv")
    vector_env = Lazy(f"{_HERE}.vector:RaceVectorEnv")
    levels = Lazy(f"{_HERE}.boards")
    plan = Lazy(f"{_HERE}.planning:plan_for")
    ui = Lazy(f"{_HERE}.ui:RACE_UI")
    agents = (
        AgentEntry("greedy", f"{_HERE}.agents:RaceGreedyAgent", "looks one move ahead"),
        AgentEntry("optimal", f"{_HERE}.agents:RaceOptimalAgent", "finishes in the fewest moves, as if it were alone"),
        AgentEntry("racer", f"{_HERE}.agents:RaceRacerAgent", "plans around the other cars"),
        AgentEntry("tactician", f"{_HERE}.agents:RaceTacticianAgent", "plans against the other cars"),
    )
    default_agent = "optimal"
    multiplayer = True
    generator = Lazy(f"{_HERE}.generator:GENERATOR")
    generate_options = (
        Option("--rules", "a preset, written into the tracks (default: none)", choices=tuple(p.name for p in presets)),
        Option("--rows", "rows (default: 30)", int),
        Option("--cols", "columns (default: 40)", int),
        Option("--closed", "generate loops instead of roads from side to side", switch=True),
        Option("--width", "width of the track in cells (default: 3)", int),
        Option("--twist", "from 0 (few bends) to 1 (many bends) (default: 0.5)", float),
        Option("--format", "symbols, numbers or png (default: symbols)", choices=("symbols", "numbers", "png")),
    )
    generate_examples = ("race 10 --closed --width 4 --twist 0.8 --rows 60 --cols 80 --format png --out tracks",)
    solve_options = (
        _LINE,
        _FINISH,
        Option("--start", "start from this cell instead of the best start cell", metavar="X,Y"),
        Option("--every-start", "print the minimum number of steps from every start cell", switch=True),
    )
    rule_options = (
        _LINE,
        _FINISH,
        Option("--penalty", "turns skipped after an illegal move (default: 5)", int),
        Option("--max-rounds", "maximum number of rounds (default: 500)", int),
    )
    read_options = (
        Option(
            "--colours",
            "what the colours of a track picture mean, such as start=green,finish=blue,track=white,off=red; a colour is a "
            "name or #rrggbb (default: start=blue,finish=white,track=green,off=red)",
            metavar="KIND=COLOUR,...",
        ),
    )
    reading = Lazy(f"{_HERE}.colours:reading")
    solution_files = "a picture of the path, FILE.png"
    reports = Lazy(f"{_HERE}.reports:REPORTS")
    web = Lazy(f"{_HERE}.web:WEB")
    bench = Lazy(f"{_HERE}.bench")
    warmup = Lazy(f"{_HERE}.warmup:warmup")
    docs = ("race.md", "race-tracks.md")
    rules_page = "docs/race.md"

    def left(self, info: Mapping[str, Any]) -> int:
        return int(not info["finished"])


GAME = RaceGame()
