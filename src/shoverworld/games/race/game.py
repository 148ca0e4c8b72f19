"""The grid race: its descriptor."""

from shoverworld.core.game import AgentEntry, EnvId, Game, Lazy, Preset

_HERE = "shoverworld.games.race"


class RaceGame(Game):
    name = "race"
    title = "Grid race"
    goal = "Drive from a start cell to the chequered finish in the fewest steps. A car keeps its velocity, changed by at most one cell each way."
    ids = (EnvId("Race-v0", {}, "a car with inertia, from the start to the finish in the fewest steps"),)
    presets = (
        Preset("race", "The report's rules: a move may graze cells off the track but not pass through them."),
        Preset("supercover", "Strict: every cell that a move passes through must be on the track."),
        Preset("landing", "Jumps: only the cell where a car lands must be on the track."),
        Preset("cross", "Driving through the finish is enough; a car need not land on it."),
    )
    won = "finished"
    figures = ("steps", "penalties")
    level_word = "track"

    env = Lazy(f"{_HERE}.env:RaceEnv")
    vector_env = Lazy(f"{_HERE}.vector:RaceVectorEnv")
    levels = Lazy(f"{_HERE}.boards")
    plan = Lazy(f"{_HERE}.planning:plan_for")
    ui = Lazy(f"{_HERE}.ui:RACE_UI")
    agents = (
        AgentEntry("greedy", "shoverworld.agents.race_greedy:RaceGreedyAgent", "looks one step ahead"),
        AgentEntry(
            "optimal", "shoverworld.agents.race_optimal:RaceOptimalAgent", "makes the fewest moves, as if it were alone"
        ),
        AgentEntry("racer", "shoverworld.agents.race_racer:RaceRacerAgent", "plans around the other cars"),
    )


GAME = RaceGame()
