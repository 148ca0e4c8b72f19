"""Measure the player in a browser: `python benchmarks/player.py` (or `make player-speed`).

A local server sends the exported player, compressed, to Chromium without a window and without a graphics card.

- Transfer and start: every round opens the page in a new browser profile. The time ends when the effect of the first move
  is drawn. The service worker is blocked, because it loads the files for offline use only after the page has started.
- Frames: a 64 x 64 map of each game with all overlays on, a move every third frame and a pointer that moves in every frame.
  The events are sent by the page itself. The time of a frame is the time between two calls of requestAnimationFrame: with
  60 frames per second, 16.7 ms. The work in a frame is the time until the page has handled the events and painted.
- Steps: `benchmarks/wasm.py` in the same run. Node runs the modules on the same engine (V8) as Chromium.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import wasm  # noqa: E402
from shoverworld import bench  # noqa: E402
from shoverworld.commands.bench import short  # noqa: E402
from shoverworld.core.files import write_safely  # noqa: E402
from shoverworld.core.measuring import Aim, Result  # noqa: E402
from shoverworld.games.shover.generate import random_map  # noqa: E402
from tests.web.browser.page import DESKTOP, Player, chromium, compressed, files, served  # noqa: E402

SIDE = 64
WARM = 60  # frames that are not counted: the pictures of tiles and marks are drawn for the first time
MOST_BYTES, MOST_SECONDS, LEAST_RATE = 250_000, 1.0, 59.0
FIRST_MOVES = {  # the level, and the keys that play a move
    "shover": ("level=01-first-push", ("ArrowRight",)),
    "sokoban": ("level=tiny/3", ("ArrowLeft",)),
    "race": ("level=01-straight", ("6",)),
}
RULES = "walker, initial_stamina=1000000, max_timestep=1000000"
START = """([keys]) => {
  const shown = () => requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.startTime = performance.now(); }));
  const play = () => {
    const app = globalThis.shoverworld;
    if (app === undefined) {
      setTimeout(play);
      return;
    }
    keys.forEach((key) => document.dispatchEvent(new KeyboardEvent("keydown", { key })));
    if (app.table.session.at === 0) {
      throw new Error(`${keys}: no move was played`);
    }
    shown();
  };
  play();
}"""
FRAMES = """([warm, frames]) => new Promise((done) => {
  const app = globalThis.shoverworld, { frame } = app.view, times = [], work = [];
  const painted = new MessageChannel(); // its message arrives after the frame has been painted
  let began = 0;
  painted.port1.onmessage = () => work.push(performance.now() - began);
  const { left, top, width, height } = frame.getBoundingClientRect();
  const keys = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];
  let number = 0, moves = 0, state = 1, before = 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) / 65536;
  };
  const key = () => {
    const { block } = app.table.session, { module } = app.table;
    return module.has("greedy") ? "789456123"[block.call("greedy", 0)] : keys[Math.floor(random() * 4)];
  };
  const step = (now) => {
    began = performance.now();
    painted.port2.postMessage(0);
    if (number > warm) {
      times.push(now - before);
    }
    before = now;
    number += 1;
    if (number > warm + frames) {
      done({ times, work: work.slice(warm), moves });
      return;
    }
    if (number % 3 === 0) {
      if (app.table.session.outcome !== null) {
        app.commands.run("restart");
      }
      const at = app.table.session.at;
      document.dispatchEvent(new KeyboardEvent("keydown", { key: key() }));
      moves += app.table.session.at > at ? 1 : 0;
    }
    const angle = number / 20;
    const place = {
      clientX: left + width * (0.5 + 0.4 * Math.cos(angle)), clientY: top + height * (0.5 + 0.4 * Math.sin(angle)),
    };
    frame.dispatchEvent(new PointerEvent("pointermove", { ...place, pointerType: "mouse", isPrimary: true, bubbles: true }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""


# --- transfer and start


def start(browser: Any, address: str, game: str) -> tuple[int, float]:
    """Open the page in a new profile and play a move. Return the number of bytes received and the time in seconds."""
    level, keys = FIRST_MOVES[game]
    context = browser.new_context(service_workers="block", **DESKTOP)
    page = context.new_page()
    received: list[int] = []
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
    page.add_init_script(f"({START})([{json.dumps(keys)}])")
    Player(page, address).open(f"game={game}&{level}")
    page.wait_for_function("() => globalThis.startTime !== undefined")
    seconds = page.evaluate("globalThis.startTime") / 1000
    context.close()
    return sum(received), seconds


def starts(browser: Any, address: str, rounds: int) -> Iterator[Result]:
    for game in FIRST_MOVES:
        measured = [start(browser, address, game) for _ in range(rounds)]
        sizes, times = zip(*measured, strict=True)
        yield Result(f"{game}: transferred, with headers", "bytes", Aim(MOST_BYTES, at_most=True), sizes)
        yield Result(f"{game}: navigation to first move drawn", "s", Aim(MOST_SECONDS, at_most=True), times)
    everything = sum(len(content if name.endswith(".png") else compressed(name)) for name, content in files().items())
    yield Result("all files, for offline use", "bytes", None, (everything,))


# --- frames


def large_map() -> str:
    """Return a random map of Shover-World with enough stamina and time for all measured moves."""
    counts = {"number_of_boxes": 500, "number_of_barriers": 300, "number_of_lavas": 60}
    rows = str(random_map(1, rules="walker", n_rows=SIDE, n_cols=SIDE, **counts)).splitlines()
    return "\n".join([f"// rules: {RULES}", *(row for row in rows if not row.startswith("//"))]) + "\n"


def large_level(signs: str, shares: tuple[float, ...], walls: str, fixed: dict[tuple[int, int], str]) -> str:
    """Return a level with random signs inside walls, and with fixed signs on some cells."""
    cells = np.random.default_rng(1).choice(list(signs), (SIDE, SIDE), p=shares)
    cells[[0, -1], :] = cells[:, [0, -1]] = walls
    for cell, sign in fixed.items():
        cells[cell] = sign
    return "\n".join("".join(row) for row in cells) + "\n"


def large_levels() -> dict[str, str]:
    """Return a 64 x 64 level of each game as text."""
    targets = {(row, SIDE - 2): "." for row in range(1, SIDE - 1)}
    boxes = {(row, 10): "$" for row in range(1, SIDE - 1)}
    ends = {(row, col): sign for row in range(1, SIDE - 1) for col, sign in ((1, "S"), (SIDE - 2, "F"))}
    return {
        "shover": large_map(),
        "sokoban": large_level(" #", (0.92, 0.08), "#", {**targets, **boxes, (32, 32): "@"}),
        "race": large_level(".#", (0.96, 0.04), "#", ends),
    }


def frame_times(browser: Any, address: str, game: str, level: str, frames: int) -> tuple[list[float], list[float]]:
    """Return the time of each frame and the work in it, in milliseconds."""
    context = browser.new_context(service_workers="block", **DESKTOP)
    player = Player(context.new_page(), address).open(f"game={game}")
    player.page.locator("#open").click()
    player.page.locator("dialog textarea").fill(level)
    player.page.locator("dialog button[type=submit]").click()
    player.wait(f"app => app.view.board.scene.rows === {SIDE} && app.view.board.scene.cols === {SIDE}")
    player.evaluate("""app => {
      for (const { key, plans } of app.table.description.overlays) {
        if (!plans && !app.table.overlays.shown.has(key)) {
          app.table.overlays.toggle(key);
        }
      }
    }""")
    measured = player.page.evaluate(f"({FRAMES})([{WARM}, {frames}])")
    context.close()
    if measured["moves"] < frames // 6:
        raise RuntimeError(f"{game}: only {measured['moves']} moves were played in {frames} frames")
    return measured["times"], measured["work"]


def frame_results(browser: Any, address: str, frames: int) -> Iterator[Result]:
    for game, level in large_levels().items():
        times, work = frame_times(browser, address, game, level, frames)
        yield Result(f"{game}: 64 x 64, all overlays, time of a frame", "ms", None, tuple(times))
        yield Result(f"{game}: 64 x 64, all overlays, work in a frame", "ms", None, tuple(work))
        rate = 1000 * len(times) / sum(times)
        yield Result(f"{game}: 64 x 64, all overlays, frames per second", "", Aim(LEAST_RATE), (rate,))


# --- steps


def step_results(steps: int) -> Iterator[Result]:
    for title, native, _, node in wasm.speeds(steps):
        yield Result(f"{title}: steps per second, native", "", None, (native,))
        if node is not None:
            yield Result(f"{title}: steps per second, WebAssembly in Node", "", None, (node,))
            yield Result(f"{title}: WebAssembly compared with native", "x", None, (node / native,))


# --- the whole run


def line(result: Result) -> str:
    """Return a line of the table: median, 95th percentile, worst, target and name."""
    values = result.values
    aim = ""
    if result.aim is not None:
        verdict = "reached" if result.reached else "missed"
        aim = f"{'≤' if result.aim.at_most else '≥'} {short(result.aim.bound)} {verdict}"
    spread = [short(float(np.quantile(values, 0.95))), short(max(values))] if len(values) > 1 else ["", ""]
    return f"{short(result.median) + ' ' + result.unit:>15}{spread[0]:>10}{spread[1]:>10}   {aim:<18}{result.name}"


def measure(rounds: int, frames: int, steps: int) -> Iterator[Result]:
    with served() as address, chromium() as browser:
        start(browser, address, "race")  # warm-up: the browser loads its own files
        yield from starts(browser, address, rounds)
        yield from frame_results(browser, address, frames)
    yield from step_results(steps)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="how often the page is opened (default: %(default)s)")
    parser.add_argument("--frames", type=int, default=600, help="frames per game (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=wasm.STEPS, help="steps per kernel (default: %(default)s)")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    chosen = parser.parse_args()
    print(f"{'median':>15}{'95%':>10}{'worst':>10}   {'target':<18}line")
    results = []
    for result in measure(chosen.rounds, chosen.frames, chosen.steps):
        print(line(result), flush=True)
        results.append(result)
    if chosen.json is not None:
        report = {"machine": bench.machine(), "results": [result.to_json() for result in results]}
        write_safely(chosen.json, json.dumps(report, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
