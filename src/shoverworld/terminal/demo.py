"""`shover demo`: the solver plays bundled maps in the terminal, a table says how it went, and a GIF is kept."""

import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.live import Live
from rich.table import Table

from shoverworld.agents import PlanAgent
from shoverworld.core.grid import DIRECTIONS
from shoverworld.games.shover import draw
from shoverworld.games.shover.env import ShoverWorldEnv
from shoverworld.games.shover.maps import bundled_preset

from .board import scene

SELECTION = [
    "01-first-push",
    "02-chains",
    "05-over-the-edge",
    "08-behind-the-box",
    "09-perfect-square",
    "11-the-ring",
    "12-hellify",
    "15-corridor",
]
CANVAS = 360, 520  # height and width of the GIF
BACKGROUND = (24, 26, 32)


def run(names: list[str], out: Path, speed: float, think: float, console: Console) -> None:
    table = Table(
        title="Shover-World, played by the solver",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("map", no_wrap=True)
    table.add_column("rules", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    for column in ("steps", "stamina", "destroyed", "planned"):
        table.add_column(column, justify="right", no_wrap=True)
    frames: list[np.ndarray] = []
    console.print("Getting ready; the very first time the rules are compiled, which takes a moment …", style="dim")
    for name in names or SELECTION:
        table.add_row(*_play(name, frames, speed, think, console))
    console.print(table)
    console.print(f"Saved {len(frames)} frames to [bold]{save_gif(frames, out)}[/bold]")


def _play(name: str, frames: list[np.ndarray], speed: float, think: float, console: Console) -> list[str]:
    """One game on one map; returns its row of the table."""
    preset = bundled_preset(name)
    env = ShoverWorldEnv(rules=preset, map_path=name)
    obs, info = env.reset(seed=0)
    agent = PlanAgent(env, time_limit=think, seed=0)
    with console.status(f"planning {name} …") if console.is_terminal else _nothing():
        agent.reset(info)
    frames.append(_frame(env))
    with Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else _nothing() as live:
        done = False
        while not done:
            action = agent.act(obs, info)
            obs, _, terminated, truncated, info = env.step(action)
            done = terminated or truncated
            frames.append(_frame(env))
            if live is not None:
                live.update(scene(env.get_state(), f"{name} ({preset})", _said(env, action, info)), refresh=True)
                time.sleep(speed)
    if not console.is_terminal:
        console.print(scene(env.get_state(), f"{name} ({preset})"))
    frames += [frames[-1]] * 6
    figures = (info["timestep"], f"{info['stamina']:g}", info["number_destroyed"], f"{agent.plan.seconds:.2f} s")
    return [name, preset, info["outcome"], *map(str, figures)]


def _said(env: ShoverWorldEnv, action: Any, info: dict[str, Any]) -> str:
    kind = int(action[2]) - env.rules.z_base
    word = ("barrier maker", "hellify")[kind - 4] if kind > 3 else f"{DIRECTIONS[kind]}" if kind >= 0 else "no-op"
    return f"{word}, chain of {info['chain_length']}" if info["chain_length"] else word


def _frame(env: ShoverWorldEnv) -> np.ndarray:
    """The game in the middle of the canvas, as large as fits."""
    state = env.get_state()
    rows, cols = state.grid().shape[1:]
    size = max(4, min(56, CANVAS[0] // rows, CANVAS[1] // cols))
    picture = draw.picture(state, 0, size)
    canvas = np.full((*CANVAS, 3), BACKGROUND, np.uint8)
    top, left = (CANVAS[0] - picture.shape[0]) // 2, (CANVAS[1] - picture.shape[1]) // 2
    canvas[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return canvas


def save_gif(frames: list[np.ndarray], path: Path, milliseconds: int = 140) -> Path:
    """Write an animated GIF; all frames share the palette of the busiest one."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    sample = np.concatenate(frames[:: max(1, len(frames) // 16)])
    palette = Image.fromarray(sample).quantize(128, dither=Image.Dither.NONE)
    images = [Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    images[0].save(path, save_all=True, append_images=images[1:], duration=milliseconds, loop=0, optimize=True)
    return path


class _nothing:
    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: Any) -> None:
        return None
