"""The board draws only what has changed. The result must look as if everything had been drawn again."""

import pytest

# Play moves with all overlays on. After each, return the layers whose pixels change if the whole board is drawn again.
PLAY = """([keys, count]) => {
  const app = globalThis.shoverworld, { board } = app.view, wrong = [];
  let state = 1;
  const random = (most) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return (state >>> 16) % most; };
  for (const { key, plans } of app.table.description.overlays) {
    if (!plans && !app.table.overlays.shown.has(key)) app.table.overlays.toggle(key);
  }
  const pixels = () => Object.entries(board.layers).map(([name, { canvas }]) => [name, canvas.toDataURL()]);
  for (let move = 0; move < count; move += 1) {
    const { rows, cols } = app.table.session.block.dimensions;
    const cell = [random(rows), random(cols)];
    if (random(3) === 0) app.table.click(cell);
    app.press(keys[random(keys.length)]);
    app.table.pointer.move({ cell, side: random(5) - 1 });
    if (move % 10 === 9) app.commands.run(["undo", "redo", "restart"][random(3)]);
    const drawn = pixels();
    board.refresh();
    pixels().forEach(([name, picture], k) => { if (picture !== drawn[k][1]) wrong.push(`${name} after move ${move}`); });
  }
  return { wrong, moves: app.table.session.entries.length };
}"""
LEVELS = {
    "shover": ("game=shover&random=3&rules=walker", ["up", "right", "down", "left"]),
    "sokoban": ("game=sokoban&level=medium/4", ["up", "right", "down", "left"]),
    "race": ("game=race&level=02-bend", ["5", "6", "9", "3"]),
}


@pytest.mark.parametrize("game", LEVELS)
def test_changed_cells_look_like_a_whole_new_drawing(open_player, game):
    query, keys = LEVELS[game]
    player = open_player(query).without_animation()
    found = player.page.evaluate(f"({PLAY})({[keys, 40]})")
    assert found["wrong"] == []
    assert found["moves"] > 0


def test_a_long_message_does_not_change_the_size_of_the_board(open_player):
    player = open_player("game=shover&level=09-perfect-square")
    say = """([text]) => {
      const { table } = globalThis.shoverworld;
      table.say(text);
      table.view.content();
      return [document.querySelector("#board").clientHeight, document.querySelector("#message span").offsetHeight];
    }"""
    (board, one), (same, two) = (player.page.evaluate(f"({say})({['word ' * count]})") for count in (1, 30))
    assert two == 2 * one, "the second message needs two lines"
    assert same == board
