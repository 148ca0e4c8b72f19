"""Race tracks for `shover generate race`: printed, or a file each. Track number i has seed + i."""

import argparse


def make_tracks(chosen: argparse.Namespace, count: int) -> None:
    from rich.console import Console
    from rich.progress import track as progress

    from shoverworld.core.checks import word
    from shoverworld.core.errors import ConfigError
    from shoverworld.games.race.generate import random_track

    form = word("format", chosen.format or "symbols", ("symbols", "numbers", "png"))
    names = ("closed", "rows", "cols", "width", "twist")
    settings = {name: getattr(chosen, name) for name in names if getattr(chosen, name) is not None}
    seeds = range(chosen.seed, chosen.seed + count)
    if not chosen.out:
        if form == "png":
            raise ConfigError("--format png: pictures are not printed; name a folder for them by --out")
        for seed in seeds:
            print(random_track(seed, **settings).to_text(form))
        return
    ending = "png" if form == "png" else "txt"
    random_track(chosen.seed, **settings)  # what makes no sense is said before a folder is made
    chosen.out.mkdir(parents=True, exist_ok=True)
    for seed in progress(seeds, "making tracks", console=Console(stderr=True)):
        made = random_track(seed, **settings)
        made.write(chosen.out / f"track-{seed}.{ending}", form if form != "png" else "symbols")
    print(f"{count} tracks in {chosen.out}")
