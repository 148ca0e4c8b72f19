"""Shover-World: its descriptor."""

from shoverworld.core.game import AgentEntry, EnvId, Game, Lazy, Preset

_HERE = "shoverworld.games.shover"


class ShoverGame(Game):
    name = "shover"
    title = "Shover-World"
    goal = "Empty the dock: burn the boxes in lava, or turn perfect squares of them into barriers or lava."
    ids = (
        EnvId("ShoverWorld-v0", {"rules": "milestone1"}, "the shover leaps to the box to push"),
        EnvId("ShoverWalker-v0", {"rules": "walker"}, "the shover walks cell by cell"),
        EnvId("ShoverSelect-v0", {"rules": "phase2"}, "select a box and push it; the edge is lava"),
    )
    presets = (
        Preset("milestone1", "The shover leaps to the box to push. The edge of the map is a wall."),
        Preset("walker", "The shover walks cell by cell and must stand behind a box to push it."),
        Preset("phase2", "Select a box and push it; there is no walking. What leaves the map burns."),
    )
    won = "cleared"
    figures = ("steps", "stamina")
    level_word = "map"
    objectives = ("steps", "stamina")

    env = Lazy(f"{_HERE}.env:ShoverWorldEnv")
    vector_env = Lazy(f"{_HERE}.vector:ShoverWorldVectorEnv")
    levels = Lazy(f"{_HERE}.boards")
    plan = Lazy(f"{_HERE}.planning:plan_for")
    ui = Lazy(f"{_HERE}.ui:SHOVER_UI")
    agents = (
        AgentEntry("planner", "shoverworld.agents.plan:PlanAgent", "finds a plan first, then plays it"),
        AgentEntry("greedy", "shoverworld.agents.greedy:GreedyAgent", "looks one step ahead"),
        AgentEntry(
            "phase2-astar",
            "shoverworld.agents.phase2:Phase2Agent",
            "the Phase 2 report's: rules, and A* search",
            {"algorithm": "astar"},
        ),
        AgentEntry(
            "phase2-rbfs",
            "shoverworld.agents.phase2:Phase2Agent",
            "the Phase 2 report's: rules, and RBFS search",
            {"algorithm": "rbfs"},
        ),
    )


GAME = ShoverGame()
