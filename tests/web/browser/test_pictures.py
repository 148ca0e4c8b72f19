"""Pictures of tracks that are dropped on the page."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from shoverworld import race
from shoverworld.core.errors import TrackError
from shoverworld.games import game_named

TRACK = next(board.level.track for board in game_named("race").levels.boards() if board.name == "01-straight")
ADVICE = "; "  # Python's message also contains advice on the command-line option `--colours`


def png(pixels: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def drop_file(player, name: str, content: bytes) -> None:
    player.page.evaluate(
        """([name, text]) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], name, { type: "image/png" }));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        [name, base64.b64encode(content).decode()],
    )


@pytest.mark.parametrize("game", ["race", "sokoban"])
def test_a_dropped_picture_opens_its_track(open_player, game):
    player = open_player(f"game={game}").without_animation()
    drop_file(player, "lane.png", png(TRACK.to_image()))
    player.wait("app => app.table.description.name === 'race' && app.list?.collection.name === 'own'")
    cells = player.evaluate("app => [...new Int8Array(app.table.session.block.bytes('level').slice().buffer)]")
    assert cells == np.asarray(TRACK.cells).ravel().tolist()
    player.press("6")
    assert player.moves == (1, 1)


def test_swapped_colours_are_refused_with_the_same_message_as_in_python(open_player, tmp_path):
    swapped = TRACK.to_image()[..., [1, 0, 2]]
    file = tmp_path / "lane.png"
    file.write_bytes(png(swapped))
    with pytest.raises(TrackError) as raised:
        race.Track.read(file)
    player = open_player("game=race").without_animation()
    before = player.state_hash
    drop_file(player, "lane.png", file.read_bytes())
    player.page.locator("#message [data-tone=bad]").wait_for()
    expected = raised.value.what.split(ADVICE)[0]
    assert expected in player.message and "lane.png" in player.message
    assert player.state_hash == before
