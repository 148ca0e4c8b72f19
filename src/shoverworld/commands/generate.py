"""`shover generate`: random maps of Shover-World, Sokoban rooms with their solutions, or race tracks."""

import argparse
from pathlib import Path
from typing import Any

GAMES = ("shover", "sokoban", "race")
_USAGE = "%(prog)s [shover | sokoban | race] [COUNT] [options]"
_EPILOG = """examples:
  shover generate 10 --rules phase2 --solvable --out maps
  shover generate sokoban 500 --size 10x10 --boxes 4 --min-pushes 20 --out rooms.xsb
  shover generate race 10 --closed --width 4 --twist 0.8 --rows 60 --cols 80 --format png --out tracks
"""


def add(commands: Any) -> None:
    generate = commands.add_parser(
        "generate",
        help="make random maps, Sokoban rooms or race tracks",
        usage=_USAGE,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    generate.add_argument(
        "what", nargs="*", metavar="GAME COUNT", help="of which game (default: shover), and how many (default: 1)"
    )
    generate.add_argument("--seed", type=int, default=0, help="of the first; the next has one more (default: 0)")
    generate.add_argument(
        "--out",
        type=Path,
        help="a folder for map-SEED.txt or track-SEED.txt files; Sokoban: a file (default: print them)",
    )
    several = generate.add_argument_group("of several games")
    boxes = several.add_argument("--boxes", type=int, help="Shover-World (default: 15 %% of the cells), Sokoban (3)")
    rows = several.add_argument("--rows", type=int, help="Shover-World (default: of the preset), race (30)")
    cols = several.add_argument("--cols", type=int, help="Shover-World (default: of the preset), race (40)")
    form = several.add_argument(
        "--format",
        choices=("A", "B", "symbols", "numbers", "png"),
        help="Shover-World: A numbers, B symbols (default: B); race: symbols, numbers or png (default: symbols)",
    )
    shover = generate.add_argument_group("Shover-World")
    shover.add_argument("--rules", help="preset: milestone1, walker, phase2 (default: milestone1)")
    shover.add_argument("--barriers", type=int, help="default: 8 %% of the cells")
    shover.add_argument("--lavas", type=int, help="default: 5 %% of the cells")
    shover.add_argument("--solvable", action="store_true", default=None, help="only maps that the solver has cleared")
    sokoban = generate.add_argument_group("Sokoban")
    sokoban.add_argument("--size", metavar="ROWSxCOLS", help="walls included (default: 10x10)")
    sokoban.add_argument("--players", type=int, help="1 or 2 (default: 1)")
    sokoban.add_argument("--fixed-targets", action="store_true", default=None, help="each box has a target of its own")
    sokoban.add_argument("--min-score", type=int, help="box swaps x displacement, at least (default: any)")
    sokoban.add_argument("--min-pushes", type=int, help="pushes of its solution, at least (default: any)")
    sokoban.add_argument("--jobs", type=int, help="processes; the rooms are the same (default: one a core)")
    race = generate.add_argument_group("race")
    race.add_argument("--closed", action="store_true", default=None, help="loops, not roads from side to side")
    race.add_argument("--width", type=int, help="of the track, in cells (default: 3)")
    race.add_argument("--twist", type=float, help="from 0, few bends, to 1, many (default: 0.5)")
    groups = {
        "shover": _names(shover, boxes, rows, cols, form),
        "sokoban": _names(sokoban, boxes),
        "race": _names(race, rows, cols, form),
    }
    generate.set_defaults(run=run, groups=groups)


def _names(group: Any, *shared: Any) -> list[str]:
    return [option.dest for option in (*shared, *group._group_actions)]


def run(chosen: argparse.Namespace) -> None:
    from shoverworld.core.checks import seed_number, whole

    game, count = _game_and_count(chosen.what)
    _refuse(chosen, game)
    whole("count", count, 1, 10**9)
    seed_number(chosen.seed)
    if game == "sokoban":
        from .rooms import make_rooms

        make_rooms(chosen, count)
    elif game == "race":
        from .tracks import make_tracks

        make_tracks(chosen, count)
    else:
        make_maps(chosen, count)


def _game_and_count(what: list[str]) -> tuple[str, int]:
    """`sokoban 500`, `500` or `sokoban`: what is missing has a default."""
    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError

    words = list(what)
    game = "shover"
    if words and not words[0].lstrip("-").isdecimal():
        game = word("game", words.pop(0), GAMES)
    try:
        (number,) = words or ["1"]
        return game, int(number)
    except ValueError:
        raise ConfigError(f"{' '.join(words)}: expected how many, a whole number") from None


def _refuse(chosen: argparse.Namespace, game: str) -> None:
    """Options of other games would be passed over in silence."""
    from shoverworld.core.errors import ConfigError

    own = chosen.groups[game]
    for name in dict.fromkeys(name for names in chosen.groups.values() for name in names if name not in own):
        if getattr(chosen, name) is not None:
            mine = ", ".join(map(_option, ("seed", "out", *own)))
            raise ConfigError(f"{_option(name)} is not for {game}; expected {mine}")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def make_maps(chosen: argparse.Namespace, count: int) -> None:
    """Maps of Shover-World: printed, or a file each."""
    from rich.console import Console
    from rich.progress import track

    from shoverworld.core.checks import word
    from shoverworld.games.shover.generate import random_map

    rules = chosen.rules or "milestone1"
    form = word("format", chosen.format or "B", ("A", "B"))
    settings = {
        "rules": rules,
        "n_rows": chosen.rows,
        "n_cols": chosen.cols,
        "number_of_boxes": chosen.boxes,
        "number_of_barriers": chosen.barriers,
        "number_of_lavas": chosen.lavas,
        "solvable": bool(chosen.solvable),
    }
    seeds = range(chosen.seed, chosen.seed + count)
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        seeds = track(seeds, "making maps", console=Console(stderr=True))
    for seed in seeds:
        text = random_map(seed, **settings).to_text(form)
        text = f"// shover generate: rules {rules}, seed {seed}\n" + text
        if chosen.out:
            (chosen.out / f"map-{seed}.txt").write_text(text, encoding="utf-8")
        else:
            print(text)
    if chosen.out:
        print(f"{count} maps in {chosen.out}")
