"""Makes what in the docs comes from the program itself: the environment pages, the table of maps, the pictures.

`python docs/make.py` writes them; `python docs/make.py --check` only says whether the texts are up to date.
"""

import inspect
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType

from shoverworld import Map, Reward, Rules, ShoverWorldEnv, bundled, bundled_names, race
from shoverworld.games.shover.maps import bundled_preset, bundled_title
from shoverworld.games.sokoban.presets import PRESETS as PRESETS_OF_SOKOBAN
from shoverworld.games.sokoban.presets import preset_rules
from shoverworld.race import RaceEnv, aec
from shoverworld.registry import ENTRIES
from shoverworld.sokoban import SokobanEnv, duo, packaged, packaged_names

DOCS = Path(__file__).parent
MARK = "<!-- bundled maps -->"
TRACKS_MARK = "<!-- bundled tracks -->"
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

{inspect.cleandoc(duo.SokobanPair.__doc__ or "").replace("## ", "### ")}
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

{inspect.cleandoc(aec.RaceField.__doc__ or "").replace("## ", "### ")}
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


def race_tracks_page() -> str:
    """docs/race-tracks.md with the table of the bundled tracks after the mark."""
    head = (DOCS / "race-tracks.md").read_text(encoding="utf-8").split(TRACKS_MARK)[0]
    rows = []
    for name in race.bundled_names():
        track = race.bundled(name)
        moves = race.solve(track).steps
        rows.append(f"| `{name}` | {track.title} | {track.rows} x {track.cols} | {len(track.starts)} | {moves} |")
    return (
        f"{head}{TRACKS_MARK}\n\n| track | title | size | starts | moves |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def race_pictures() -> None:
    """All bundled tracks, each with a quickest way; random ones; and what `shover solve 14-lakes --out` draws."""
    bundled_tracks = [race.bundled(name) for name in race.bundled_names()]
    _sheet(
        "race-tracks", bundled_tracks, [[(y, x) for x, y in race.solve(track).positions] for track in bundled_tracks]
    )
    made = [
        race.random_track(seed, closed, width=width, twist=twist)
        for closed in (True, False)
        for seed, width, twist in ((1, 3, 0.2), (2, 3, 0.6), (0, 3, 1.0), (1, 5, 1.0))
    ]
    _sheet("race-random", made, [[] for _ in made], wide=4 * (40 * 5 + 8))
    _way("race-way", race.bundled("14-lakes"))


def _way(name: str, track: race.Track) -> None:
    from PIL import Image

    from shoverworld.commands.solve_picture import way_picture

    plan = race.solve(track)
    way = way_picture(track, plan.positions, f"{track.title}: {plan.steps} moves, the fewest", longest=1000)
    Image.fromarray(way).save(DOCS / "pictures" / f"{name}.png", optimize=True)


def _sheet(name: str, tracks: list, ways: list, wide: int = 1000) -> None:
    """Tracks side by side, five pixels a cell, in rows as they fit."""
    from PIL import Image

    from shoverworld.games.race.draw import picture

    pieces = [picture(track.cells, cell_size=5, ways=[way]) for track, way in zip(tracks, ways, strict=True)]
    shelves: list[list] = [[]]
    for piece in pieces:
        if sum(other.shape[1] + 8 for other in (*shelves[-1], piece)) > wide:
            shelves.append([])
        shelves[-1].append(piece)
    sheet = Image.new("RGB", (wide, sum(max(p.shape[0] for p in shelf) + 8 for shelf in shelves)), "white")
    top = 4
    for shelf in shelves:
        left = 4
        for piece in shelf:
            sheet.paste(Image.fromarray(piece), (left, top))
            left += piece.shape[1] + 8
        top += max(piece.shape[0] for piece in shelf) + 8
    sheet.quantize(64, dither=Image.Dither.NONE).save(DOCS / "pictures" / f"{name}.png", optimize=True)


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
    makers = {
        "env.md": env_page,
        "maps.md": maps_page,
        "sokoban.md": sokoban_page,
        "race.md": race_page,
        "race-tracks.md": race_tracks_page,
    }
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
    race_pictures()
    return 0


if __name__ == "__main__":
    sys.exit(main())
