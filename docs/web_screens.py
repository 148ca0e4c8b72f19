"""Take the screenshots of the web player: `python docs/web_screens.py` (or `make pictures`) writes docs/pictures/web-*.png.

Chromium opens the page from a local server, and the script acts like a person. Look at the pictures after each change. No test
compares them with the page, because fonts differ between machines; a test only checks that all of them exist and are used.
"""

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from shoverworld.games import game_named  # noqa: E402
from tests.web.browser.page import DESKTOP, PHONE, Player, chromium, served  # noqa: E402

FOLDER = Path(__file__).parent / "pictures"
WIDEST, PHONE_WIDTH = 900, 300  # pixels
COLOURS = 256
ARROWS = dict(zip("udlr", ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"), strict=True))


class Camera:
    """Opens the page and takes screenshots."""

    def __init__(self, browser: Any, address: str, folder: Path):
        self.browser, self.address, self.folder = browser, address, folder

    def open(self, query: str, **options: Any) -> Player:
        context = self.browser.new_context(service_workers="block", **{**DESKTOP, "color_scheme": "dark", **options})
        return Player(context.new_page(), self.address).open(query).without_animation()

    def take(self, player: Player, name: str, width: int = WIDEST) -> None:
        """Save a screenshot with few colours and this width, and close the page."""
        image = Image.open(io.BytesIO(player.page.screenshot())).convert("RGB")
        image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
        # Rare colours, such as those of marks, must survive, and large areas keep their exact colour.
        image = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
        image.save(self.folder / f"{name}.png", optimize=True)
        player.page.context.close()


def solution(name: str) -> list[str]:
    """Return the keys of the stored solution to a Sokoban level, such as "tiny#5"."""
    levels = game_named("sokoban").levels
    boards: list[Any] = [board for one in levels.collections() for board in levels.boards(one.name)]
    level = next(board.level for board in boards if board.name == name)
    return [ARROWS[letter] for letter in level.solution.lower()]


def drive(player: Player, moves: int) -> None:
    """Let the greedy agent choose some moves of a race."""
    for _ in range(moves):
        player.press("789456123"[player.evaluate("app => app.table.session.block.call('greedy', 0)")])


# --- screenshots


def shover(camera: Camera) -> None:
    player = camera.open("game=shover&level=09-perfect-square")
    player.click(1, 9)
    player.press("ArrowDown", "ArrowDown")  # completes a square
    player.page.mouse.move(*player.middle(3, 8))
    camera.take(player, "web-shover")


def sokoban(camera: Camera) -> None:
    player = camera.open("game=sokoban&level=medium/4", color_scheme="light")
    player.press("1", *solution("medium#4")[:12])
    camera.take(player, "web-sokoban")


def race(camera: Camera) -> None:
    player = camera.open("game=race&level=07-fork")
    player.press("b")
    drive(player, 12)
    camera.take(player, "web-race")


def phones(camera: Camera) -> None:
    player = camera.open("game=shover&level=09-perfect-square", **PHONE)
    player.tap(1, 9)
    for _ in range(2):
        player.page.locator('.arrows [data-key="down"]').tap()
    camera.take(player, "web-phone-shover", PHONE_WIDTH)
    player = camera.open("game=sokoban&level=tiny/5", **PHONE, color_scheme="light")
    player.press(*solution("tiny#5")[:4])
    camera.take(player, "web-phone-sokoban", PHONE_WIDTH)
    player = camera.open("game=race&level=02-bend", **PHONE)
    drive(player, 6)
    camera.take(player, "web-phone-race", PHONE_WIDTH)


def levels(camera: Camera) -> None:
    player = camera.open("game=sokoban&level=tiny/1")
    for number in (1, 2, 3, 5):
        player.open(f"game=sokoban&level=tiny/{number}").without_animation()
        player.press(*solution(f"tiny#{number}"))
    player.open("game=sokoban&level=tiny/4")
    player.press("l")
    player.page.wait_for_selector("dialog .grid canvas")
    camera.take(player, "web-levels")


def ending(camera: Camera) -> None:
    player = camera.open("game=sokoban&level=tiny/5", color_scheme="light")
    player.press(*solution("tiny#5"))
    player.page.wait_for_selector(".ending")
    camera.take(player, "web-ending")


def replay(camera: Camera) -> None:
    player = camera.open("game=sokoban&level=medium/4")
    keys = solution("medium#4")
    player.press(*keys, "Escape")
    player.page.locator(".ending .icon").click()
    player.page.locator(".track input").fill(str(len(keys) * 2 // 3))
    camera.take(player, "web-replay")


SCREENS: tuple[Callable[[Camera], None], ...] = (shover, sokoban, race, phones, levels, ending, replay)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the output folder (default: %(default)s)")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, chromium() as browser:
        for screen in SCREENS:
            screen(Camera(browser, address, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
