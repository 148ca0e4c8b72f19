"""Measure the window's time per frame: `python benchmarks/frames.py`.

The benchmark plays on a 64 x 64 map with all overlays on, a move every third frame, and a mouse that moves constantly.
Real events pass through the real loop, without the pause that limits the frame rate. It runs with SDL's dummy driver
and, if Xvfb is installed, with an X server, in each case with an idle planner and with a busy one. For comparison, it
also measures frames in which everything is redrawn.
"""

import argparse
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).parent.parent
SIDE = 64
COUNTS = {"number_of_boxes": 500, "number_of_barriers": 300, "number_of_lavas": 60}
KEYS = ("up", "right", "down", "left")
WARM = 30  # warm-up frames, not counted: pictures and kernels are loaded


def session() -> Any:
    """Return a large random map for the walker preset, with enough stamina and time for all measured moves."""
    from shoverworld.games import game_named
    from shoverworld.games.shover.env import ShoverWorldEnv
    from shoverworld.games.shover.generate import random_map
    from shoverworld.play.session import Session

    game = game_named("shover")
    level = random_map(1, rules="walker", n_rows=SIDE, n_cols=SIDE, **COUNTS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.txt"
        path.write_text(f"// rules: walker\n{level}\n", encoding="utf-8")
        board = game.levels.read(str(path))
    env = ShoverWorldEnv(rules="walker", n_rows=SIDE, n_cols=SIDE, initial_stamina=1e6, max_timestep=10**6)
    return Session(game, board, seed=1, env=env)


def measure(frames: int, size: tuple[int, int], everything: bool, thinking: bool) -> list[float]:
    """Return the time of each frame in seconds."""
    import numpy as np
    import pygame

    from shoverworld.desktop.app import App
    from shoverworld.desktop.table import TableScreen
    from shoverworld.play.planning import BackgroundPlanner
    from shoverworld.play.settings import Settings

    game = session()
    app = App(Settings(overlays="1234"), size)
    app.go(TableScreen(app, game))
    planner = BackgroundPlanner()
    if thinking:
        planner.ask(game.game, game.env, game.state, 3600.0)
        while not planner.started:
            time.sleep(0.05)
    rng = np.random.default_rng(1)
    times = []
    for number in range(frames + WARM):
        if number == WARM:
            gc.collect()
            gc.freeze()  # App.run does the same
        if number % 3 == 0:
            _press(pygame, _way(game, rng))
        angle = number / 20
        place = int(size[0] * (0.4 + 0.35 * np.cos(angle))), int(size[1] * (0.5 + 0.4 * np.sin(angle)))
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=place, rel=(1, 1), buttons=(0, 0, 0), touch=False))
        if everything:
            app.refresh()
        began = time.perf_counter()
        app.frame(1 / 30)
        times.append(time.perf_counter() - began)
    assert game.outcome is None and game.steps >= frames // 3, f"{game.outcome} after {game.steps} moves"
    planner.close()
    app.close()
    return times[WARM:]


def _way(game: Any, rng: Any) -> str:
    """Return a valid direction, or a random one if none is valid: the window also shows invalid moves."""
    valid = game.env.action_mask().reshape(SIDE, SIDE, -1)
    z_base = game.env.rules.z_base - (1 if game.env.rules.noop else 0)
    ways = [way for way in range(4) if valid[:, :, way + z_base].any()]
    return KEYS[rng.choice(ways)] if ways else KEYS[rng.integers(4)]


def _press(pygame: Any, name: str) -> None:
    code = pygame.key.key_code(name)
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=code, mod=0, unicode="", scancode=0))


def figures(times: list[float]) -> tuple[float, float, float]:
    """Return the median, the 99th percentile and the maximum, in milliseconds."""
    return median(times) * 1000, quantiles(times, n=100)[98] * 1000, max(times) * 1000


# --- the whole run


def run_apart(chosen: argparse.Namespace, display: str | None, everything: bool, thinking: bool) -> list[float]:
    """Run one measurement in a separate process."""
    driver = {"SDL_VIDEODRIVER": "x11", "DISPLAY": display} if display else {"SDL_VIDEODRIVER": "dummy"}
    command = [sys.executable, __file__, "--frames", str(chosen.frames), "--size", chosen.size, "--one"]
    command += ["--everything"] * everything + ["--thinking"] * thinking
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **driver, "SHOVERWORLD_HOME": home, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout.splitlines()[-1])


def start_x(size: tuple[int, int]) -> tuple[subprocess.Popen, str] | None:
    """Start an X server without a monitor. Return the server and its display, or None if Xvfb is not installed."""
    if shutil.which("Xvfb") is None:
        return None
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        return server, f":{answer.readline().strip()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=600, help="frames per measurement (default: %(default)s)")
    parser.add_argument("--size", default="1600x1000", help="size of the window (default: %(default)s)")
    for name in ("one", "everything", "thinking"):
        parser.add_argument(f"--{name}", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    width, height = (int(number) for number in chosen.size.split("x"))
    if chosen.one:
        print(json.dumps(measure(chosen.frames, (width, height), chosen.everything, chosen.thinking)))
        return 0
    print(
        f"{SIDE} x {SIDE} cells, window {chosen.size}, all overlays, {chosen.frames} frames; at 30 frames per second, a frame may take 33.3 ms"
    )
    print(f"\n{'screen':8}{'planner':10}{'drawn':14}{'median ms':>10}{'p99 ms':>10}{'worst ms':>10}")
    server = start_x((width, height))
    try:
        for screen, display in [("dummy", None)] + ([("X", server[1])] if server else []):
            for thinking in (False, True):
                for everything in (False, True):
                    middle, most, worst = figures(run_apart(chosen, display, everything, thinking))
                    what = "everything" if everything else "changes only"
                    planner = "thinking" if thinking else "idle"
                    print(f"{screen:8}{planner:10}{what:14}{middle:10.2f}{most:10.2f}{worst:10.2f}", flush=True)
    finally:
        if server:
            server[0].terminate()
            server[0].wait()
    if server is None:
        print("(Xvfb is not installed: only the dummy screen was measured)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
