"""Makes what in the docs comes from the program itself: the environment pages, the table of maps, the pictures.

`python docs/make.py` writes them; `python docs/make.py --check` only says whether the texts are up to date.
"""

import inspect
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType

from shoverworld import Map, Reward, Rules, ShoverWorldEnv, bundled, bundled_names
from shoverworld.games.shover.maps import bundled_preset, bundled_title
from shoverworld.games.sokoban.presets import PRESETS as PRESETS_OF_SOKOBAN
from shoverworld.games.sokoban.presets import preset_rules
from shoverworld.race import RaceEnv, aec
from shoverworld.registry import ENTRIES
from shoverworld.sokoban import SokobanEnv, duo, packaged, packaged_names

DOCS = Path(__file__).parent
MARK = "<!-- bundled maps -->"
SOKOBAN_MARK = "<!-- from here on made by docs/make.py, from the table of ids and the docstring of SokobanEnv -->"
RACE_MARK = "<!-- from here on made by docs/make.py, from the table of ids and the docstring of RaceEnv -->"
PRESETS = ("milestone1", "walker", "phase2")


def env_page() -> str:
    """The docstring of the environment, with the ids before it and every rule after it."""
    entries = [entry for entry in ENTRIES if entry.game == "shover"]
    ids = "\n".join(f"| `{entry.id}` | `{entry.settings['rules']}` | {entry.about} |" for entry in entries)
    rules = [Rules.preset(name) for name in PRESETS]
    names = [f.name for f in fields(Rules) if f.name != "reward"]
    table = "\n".join(f"| `{name}` | " + " | ".join(f"`{getattr(r, name)!r}`" for r in rules) + " |" for name in names)
    rewards = "\n".join(
        f"| `reward.{f.name}` | " + " | ".join(f"`{getattr(r.reward, f.name)!r}`" for r in rules) + " |"
        for f in fields(Reward)
    )
    return f"""<!-- made by docs/make.py from the docstring of ShoverWorldEnv: change it there -->
# Shover-World, the environment

| id | rules | |
|---|---|---|
{ids}

{inspect.cleandoc(ShoverWorldEnv.__doc__ or "")}

## Every rule in every preset
Each is a field of `Rules` and a keyword of the environment; `reward.lava` of `None` means as much as `initial_force`.

| field | {" | ".join(f"`{name}`" for name in PRESETS)} |
|---|---|---|---|
{table}
{rewards}
"""


def maps_page() -> str:
    """docs/maps.md with the table of the bundled maps after the mark."""
    head = (DOCS / "maps.md").read_text(encoding="utf-8").split(MARK)[0]
    rows = []
    for name in bundled_names():
        m = bundled(name)
        boxes = int(((m.grid > 0) & (m.grid < 100)).sum())
        rows.append(f"| `{name}` | {m.rows} x {m.cols} | {boxes} | `{bundled_preset(name)}` | {bundled_title(name)} |")
    return head + MARK + "\n\n| map | size | boxes | rules | |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"


def sokoban_page() -> str:
    """docs/sokoban.md with the table of ids and the docstring of the environment after the mark."""
    head = (DOCS / "sokoban.md").read_text(encoding="utf-8").split(SOKOBAN_MARK)[0]
    rows = []
    for entry in ENTRIES:
        if entry.game != "sokoban":
            continue
        rules, levels = preset_rules(entry.name), PRESETS_OF_SOKOBAN[entry.name].levels
        size = f"{rules.dim_room[0]} x {rules.dim_room[1]}"
        rooms = f"`{levels}`" if levels else "drawn"
        rows.append(
            f"| `{entry.id}` | {size} | {rules.num_boxes} | {rules.max_steps} | {rules.action_count} | {rooms} | {entry.about} |"
        )
    table, sets = "\n".join(rows), "\n".join(_set_row(name) for name in packaged_names())
    return f"""{head}{SOKOBAN_MARK}

## Packaged rooms

| `levels=` | rooms | rows x columns | boxes | pushes of the best solution |
|---|---|---|---|---|
{sets}

## Every id

| id | rows x columns | boxes | steps | actions | rooms | |
|---|---|---|---|---|---|---|
{table}

## The environment

{inspect.cleandoc(SokobanEnv.__doc__ or "").replace("## ", "### ")}

## Two players in PettingZoo

```python
{example_of(duo)}
```

{inspect.cleandoc(duo.Pair.__doc__ or "").replace("## ", "### ")}
"""


def race_page() -> str:
    """docs/race.md with the ids and the docstrings of the environments after the mark."""
    head = (DOCS / "race.md").read_text(encoding="utf-8").split(RACE_MARK)[0]
    ids = "\n".join(f"| `{entry.id}` | {entry.about} |" for entry in ENTRIES if entry.game == "race")
    return f"""{head}{RACE_MARK}

## The environment

| id | |
|---|---|
{ids}

{inspect.cleandoc(RaceEnv.__doc__ or "").replace("## ", "### ")}

## Several cars in PettingZoo

```python
{example_of(aec)}
```

{inspect.cleandoc(aec.Field.__doc__ or "").replace("## ", "### ")}
"""


def example_of(module: ModuleType) -> str:
    """The indented lines of a module's docstring."""
    lines = inspect.cleandoc(module.__doc__ or "").split("\n")
    return "\n".join(line[4:] for line in lines if line.startswith("    ") or not line).strip()


def _set_row(name: str) -> str:
    levels = packaged(name)
    sizes = sorted({(level.rows, level.cols) for level in levels})
    boxes = sorted({level.box_count for level in levels})
    pushes = [sum(map(str.isupper, level.solution)) for level in levels]
    shown = ", ".join(f"{rows} x {cols}" for rows, cols in (sizes if len(sizes) < 4 else (sizes[0], sizes[-1])))
    return (
        f'| `"{name}"` | {len(levels)} | {shown if len(sizes) < 4 else shown.replace(", ", " to ")} | '
        f"{boxes[0]} to {boxes[-1]} | {min(pushes)} to {max(pushes)} |"
    )


def pictures() -> None:
    from PIL import Image

    folder = DOCS / "pictures"
    folder.mkdir(exist_ok=True)
    legend = Map.parse("A.B#L\n.BB.#\n.BB.L")
    shots = {
        "legend": (legend, "milestone1", 64),
        **{name: (bundled(name), bundled_preset(name), 28) for name in ("12-hellify", "16-the-great-dock")},
    }
    for name, (m, preset, size) in shots.items():
        env = ShoverWorldEnv(rules=preset, render_mode="rgb_array", cell_size=size)
        env.reset(seed=0, options={"map": m})
        Image.fromarray(env.render()).save(folder / f"{name}.png", optimize=True)


def main() -> int:
    makers = {"env.md": env_page, "maps.md": maps_page, "sokoban.md": sokoban_page, "race.md": race_page}
    pages = {DOCS / name: make() for name, make in makers.items()}
    if "--check" in sys.argv:
        stale = [
            path.name for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text
        ]
        print("out of date: " + ", ".join(stale) if stale else "up to date")
        return bool(stale)
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    pictures()
    return 0


if __name__ == "__main__":
    sys.exit(main())
