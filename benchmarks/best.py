"""Search for better plans for the benchmark maps and the bundled maps: `python benchmarks/best.py --time 20`.

The plans are in benchmarks/maps/best.json; a test replays them. The script generates two files from it:
benchmarks/maps/BEST.md, and best.json in the package, whose results the window shows at the end of a game. A plan is
replaced only by a better one, so another run can only improve the table. `--fresh` discards the known plans, and
`--table` only writes the tables.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from shoverworld import Map, ShoverWorldEnv, solve
from shoverworld.core.files import write_safely
from shoverworld.games.shover.boards import BEST_FILE as PACKAGED
from shoverworld.games.shover.game import GAME
from shoverworld.games.shover.maps import bundled

FOLDER = Path(__file__).parent / "maps"
BUNDLED = PACKAGED.parent / "maps"
STORE, TABLE = FOLDER / "best.json", FOLDER / "BEST.md"
OBJECTIVES = ("steps", "stamina")


def maps() -> list[Path]:
    return [*sorted(FOLDER.glob("*/*.txt")), *sorted(BUNDLED.glob("*.txt"))]


def group_of(path: Path) -> str:
    """Return the preset for a benchmark map, or "bundled"."""
    return "bundled" if path.parent == BUNDLED else path.parent.name


def name_of(path: Path) -> str:
    return f"{group_of(path)}/{path.stem}"


def preset_of(path: Path) -> str:
    return (bundled(path.stem).rules or "milestone1") if path.parent == BUNDLED else path.parent.name


def level_of(path: Path) -> str:
    """Return the difficulty of a benchmark map."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(line.removeprefix("// level:").strip() for line in lines if line.startswith("// level:"))


def entry(path: Path, objective: str, seconds: float) -> dict[str, Any]:
    """Return the planner's result as a dict."""
    plan = solve(Map.read(path).with_start(), preset_of(path), objective, seconds)
    return {
        "status": plan.status,
        "steps": plan.steps,
        "stamina": plan.final_stamina,
        "proved": plan.proved_optimal or plan.status == "unsolvable",
        "lower_bound": plan.lower_bound,
        "stamina_bound": plan.stamina_bound if plan.stamina_bound < 1e9 else None,
        "actions": "".join(f"{row},{col},{z};" for row, col, z in plan.actions),
    }


def better(new: dict[str, Any], old: dict[str, Any] | None, objective: str) -> dict[str, Any]:
    """Return the better of two plans, with the tighter of their bounds."""
    if old is None:
        return new
    if new["status"] == "unsolvable" or old["status"] == "unsolvable":
        return new if new["status"] == "unsolvable" else old
    keys = [(e["status"] == "solved", *_worth(e, objective), e["proved"]) for e in (old, new)]
    best = dict(new if keys[1] > keys[0] else old)
    best["lower_bound"] = max(new["lower_bound"], old["lower_bound"])
    bounds = [e["stamina_bound"] for e in (new, old) if e["stamina_bound"] is not None]
    best["stamina_bound"] = min(bounds) if bounds else None
    return best


def _worth(e: dict[str, Any], objective: str) -> tuple[float, float]:
    return (-e["steps"], e["stamina"]) if objective == "steps" else (e["stamina"], -e["steps"])


def shared(mine: dict[str, Any]) -> None:
    """If the plan found for one objective is also better for the other objective, use it for both."""
    steps, stamina = (mine[objective] for objective in OBJECTIVES)
    for objective, own, other in (("steps", steps, stamina), ("stamina", stamina, steps)):
        if other["status"] == "solved" and not own["proved"]:
            mine[objective] = better({**other, "proved": False}, own, objective)


def actions_of(e: dict[str, Any]) -> list[tuple[int, int, int]]:
    parts = [step.split(",") for step in e["actions"].split(";") if step]
    return [(int(row), int(col), int(z)) for row, col, z in parts]


def replayed(path: Path, e: dict[str, Any]) -> dict[str, Any]:
    """Play a plan through the rules and return the last info."""
    env = ShoverWorldEnv(rules=preset_of(path))
    _, info = env.reset(options={"map": Map.read(path).with_start()})
    for action in actions_of(e):
        info = env.step(action)[4]
    return info


def load() -> dict[str, Any]:
    return json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else {}


def save(known: dict[str, Any]) -> None:
    ordered = {name: known[name] for name in sorted(known)}
    write_safely(STORE, json.dumps(ordered, indent=1) + "\n")
    write_safely(TABLE, table(ordered))
    write_safely(PACKAGED, packaged(ordered))


def packaged(known: dict[str, Any]) -> str:
    """Write one line per board: its key, the steps, the stamina, and whether the plan is proved optimal."""
    lines = []
    for path in maps():
        e = known.get(name_of(path), {}).get("steps")
        if e is not None and e["status"] == "solved":
            identity = GAME.levels.identity(GAME.levels.read(str(path)), preset_of(path))
            lines.append(f"{json.dumps(identity)}: {json.dumps([e['steps'], e['stamina'], e['proved']])}")
    return "{\n" + ",\n".join(sorted(lines)) + "\n}\n"


def table(known: dict[str, Any]) -> str:
    lines = [
        "<!-- generated by benchmarks/best.py: run it to search for better plans -->",
        "# Best known plans",
        "",
        "`proved` means that no plan is better, or that no plan exists. Otherwise `>=` or `<=` shows the proved bound.",
        "",
    ]
    for group in ("phase2", "milestone1", "walker", "bundled"):
        own = [path for path in maps() if group_of(path) == group and name_of(path) in known]
        proved = [sum(known[name_of(p)][o]["proved"] for p in own) for o in OBJECTIVES]
        lines += [
            f"## {group}: {len(own)} maps; steps proved on {proved[0]}, stamina on {proved[1]}",
            "",
            f"| map | {'rules' if group == 'bundled' else 'level'} | boxes | fewest steps | proved | most stamina | proved |",
            "|---|---|---|---|---|---|---|",
        ]
        for path in own:
            m = Map.read(path)
            boxes = int(((m.grid > 0) & (m.grid < 100)).sum())
            kind = preset_of(path) if group == "bundled" else level_of(path)
            cells = [f"`{path.stem}`", kind, str(boxes)]
            for objective in OBJECTIVES:
                cells += _cells(known[name_of(path)][objective], objective)
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _cells(e: dict[str, Any], objective: str) -> list[str]:
    if e["status"] == "unsolvable":
        return ["none", "proved"]
    bound = (
        f">= {e['lower_bound']}" if objective == "steps" else f"<= {e['stamina_bound']:g}" if e["stamina_bound"] else ""
    )
    value = "?" if e["status"] != "solved" else f"{e['steps']}" if objective == "steps" else f"{e['stamina']:g}"
    return [value, "proved" if e["proved"] else bound]


def main() -> None:
    parser = argparse.ArgumentParser(description="Search for better plans for the benchmark maps and the bundled maps.")
    parser.add_argument("only", nargs="*", help="parts of map names, e.g. walker/ or corridor (default: all)")
    parser.add_argument("--time", type=float, default=10.0, help="seconds per map and objective (default: %(default)s)")
    parser.add_argument("--objective", choices=OBJECTIVES, action="append", help="default: both")
    parser.add_argument("--fresh", action="store_true", help="discard the known plans")
    parser.add_argument("--table", action="store_true", help="only write the tables")
    chosen = parser.parse_args()
    known = {} if chosen.fresh else load()
    for mine in known.values():
        shared(mine)
    chosen_maps = [p for p in maps() if not chosen.only or any(part in name_of(p) for part in chosen.only)]
    for number, path in enumerate([] if chosen.table else chosen_maps, 1):
        mine = known.setdefault(name_of(path), {})
        for objective in chosen.objective or OBJECTIVES:
            old = mine.get(objective)
            if old is not None and old["proved"]:
                continue
            mine[objective] = better(entry(path, objective, chosen.time), old, objective)
            e = mine[objective]
            print(
                f"{number}/{len(chosen_maps)} {name_of(path)} {objective}: {e['status']} {e['steps']} steps, "
                f"stamina {e['stamina']:g}{', proved' if e['proved'] else ''}",
                flush=True,
            )
        if all(o in mine for o in OBJECTIVES):
            shared(mine)
            save({name: e for name, e in known.items() if all(o in e for o in OBJECTIVES)})
    save({name: e for name, e in known.items() if all(o in e for o in OBJECTIVES)})
    print(f"{TABLE.name} and {STORE.name} written to {FOLDER.name}/, {PACKAGED.name} to the package", file=sys.stderr)


if __name__ == "__main__":
    main()
