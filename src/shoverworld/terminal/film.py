"""Games as pictures in a row: frames of one size, and the animated GIF made of them."""

from pathlib import Path

import numpy as np

from shoverworld.core.errors import ConfigError
from shoverworld.games.shover import draw
from shoverworld.games.shover.state import State

CANVAS = 360, 520  # height and width of the GIF
BACKGROUND = (24, 26, 32)
HOLD = 6  # how many frames the end of a game stays


def frame(state: State) -> np.ndarray:
    """The game in the middle of the canvas, as large as fits."""
    rows, cols = state.grid().shape[1:]
    size = max(4, min(56, CANVAS[0] // rows, CANVAS[1] // cols))
    picture = draw.picture(state, 0, size)
    coarser = max(-(-picture.shape[0] // CANVAS[0]), -(-picture.shape[1] // CANVAS[1]))  # 1, but for very large maps
    picture = picture[::coarser, ::coarser]
    canvas = np.full((*CANVAS, 3), BACKGROUND, np.uint8)
    top, left = (CANVAS[0] - picture.shape[0]) // 2, (CANVAS[1] - picture.shape[1]) // 2
    canvas[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return canvas


def save_gif(frames: list[np.ndarray], path: Path, milliseconds: int = 140) -> Path:
    """Write an animated GIF; all frames share the palette of the busiest one."""
    from PIL import Image

    sample = np.concatenate(frames[:: max(1, len(frames) // 16)])
    palette = Image.fromarray(sample).quantize(128, dither=Image.Dither.NONE)
    images = [Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        images[0].save(path, save_all=True, append_images=images[1:], duration=milliseconds, loop=0, optimize=True)
    except (OSError, ValueError) as reason:
        raise ConfigError(f"--gif {path}: cannot be written ({reason}); expected a path like game.gif") from None
    return path
