"""Random keys, clicks, drags, swipes and jumps in every game under every preset: no error, and every link restores its state."""

EVENTS = """async (app, seed, count) => {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const one = (list) => list[random(list.length)];
  const problems = [];
  app.view.board.animated = false;

  const event = (table, description) => {
    const { rows, cols } = table.session.block.dimensions;
    const cell = [random(rows), random(cols)];
    const commands = ["u", "y", "x", "return", "escape", "r", "shift+up", "shift+left"];
    const keys = [...description.press_keys, ...description.overlays.map(({ key }) => key), ...commands];
    const kind = random(10);
    if (kind < 5) app.press(one(keys));
    else if (kind < 7) table.click(cell);
    else if (kind === 7) table.drag(cell, random(4));
    else if (kind === 8) table.pointer.move({ cell, side: random(5) - 1 });
    else table.swipe(cell, one(["up", "right", "down", "left"]), random(4));
    if (random(40) === 0) table.goTo(random(table.session.entries.length + 1));
  };

  for (const { name } of app.index.games) {
    const game = await app.games.load(name);
    const { description } = game.module;
    for (const preset of description.presets) {
      game.library.rules = preset.name;
      const list = await game.library.list(one(description.collections).name);
      const people = Array.from({ length: 1 + random(3) }, (_, k) => ({ name: `Person ${k}`, agent: "" }));
      app.openLevel(game, list, random(list.levels.length), description.players ? people : undefined);
      for (let number = 0; number < count; number += 1) {
        event(app.table, description);
        if (/\\{[0-9a-z]/.test(app.table.message.text)) problems.push(app.table.message.text);
      }
      const { at, block } = app.table.session;
      const hash = block.stateHash();
      const link = await app.address.link();
      await app.openLink(link);
      if (app.table.session.at !== at || app.table.session.block.stateHash() !== hash) problems.push(link);
    }
  }
  return problems;
}"""


def test_random_input_causes_no_error_and_links_restore_every_state(open_player):
    player = open_player("game=shover")
    assert player.page.evaluate(f"() => ({EVENTS})(globalThis.shoverworld, 1, 60)") == []
