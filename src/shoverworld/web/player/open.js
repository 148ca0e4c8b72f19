/** Open levels, replays and links from files, from the clipboard or from a text field. */

import { make, openDialog } from "./dom.js";
import { levelText, readLevels, readMoves, readPicture, recognise } from "./formats.js";
import { readReplay } from "./replay.js";
import { presetNamed } from "./levels.js";
import { GameError } from "./session.js";
import { contextOf } from "./sprites.js";
import { splitStarts, withStarts } from "./starts.js";

/** @import { App } from "./app.js" */
/** @import { GameModule } from "./module.js" */
/** @import { ListedLevel } from "./levels.js" */
/** @import { Level } from "./types.js" */

const MOST_BYTES = 4 << 20;
const LIKELY = 30; // the score of a text with symbols of a game, of 100

/**
 * Return the levels in a text. Each has its own text, from which a link can restore it. Raise GameError if there are none.
 *
 * @param {GameModule} module
 * @param {string} text
 * @param {string} name where the text comes from
 * @returns {ListedLevel[]}
 */
export function levelsIn(module, text, name) {
  const { description } = module;
  const { map, places } = splitStarts(description, text);
  const { error, levels } = readLevels(module, map, name);
  if (levels.length === 0) {
    throw new GameError(error ?? `${name}: no ${description.words.levels}`);
  }
  if (places !== null) {
    const level = withStarts(description, levels[0], places);
    if (level === null) {
      throw new GameError(`${name}: the ${description.words.players} cannot start on the cells in the last line.`);
    }
    return [{ ...level, text }];
  }
  return levels.map((level) => ({ ...level, text: levels.length === 1 ? text : textOf(module, level) }));
}

/**
 * Return a level in the game's own format.
 *
 * @param {GameModule} module
 * @param {Level} level
 */
export function textOf(module, level) {
  const preset = level.rules ?? presetNamed(module, level.preset) ?? module.description.presets[0];
  return module.briefly(() => {
    const block = module.levelBlock(preset, level);
    block.seed(0);
    block.call("reset");
    return levelText(module, block, level.title);
  });
}

/**
 * Open levels of any game: the game that most likely has this format comes first. If no game reads the text, the error is that
 * of a game that recognises the format, or of the game on the page.
 *
 * @param {App} app
 * @param {string} text
 * @param {string} name
 */
async function openLevels(app, text, name) {
  const games = await Promise.all(app.index.games.map((game) => app.games.load(game.name)));
  /** @type {unknown} */
  let shown = null;
  for (const { host: module, score } of recognise(games.map((game) => game.module), text)) {
    const game = /** @type {typeof games[number]} */ (games.find((known) => known.module === module));
    try {
      const { list, place } = await game.library.add(levelsIn(module, text, name));
      app.openLevel(game, list, place);
      return;
    } catch (error) {
      shown ??= score >= LIKELY || game === app.game ? error : null;
    }
  }
  throw shown;
}

/**
 * Open a level that is a picture.
 *
 * @param {App} app
 * @param {File} file
 */
async function openPicture(app, file) {
  const bitmap = await createImageBitmap(file);
  const canvas = make("canvas", { width: bitmap.width, height: bitmap.height });
  const context = contextOf(canvas);
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height);
  for (const { name } of app.index.games) {
    const game = await app.games.load(name);
    if (game.module.has("read_picture")) {
      const { error, levels } = readPicture(game.module, pixels, file.name);
      if (levels.length === 0) {
        throw new GameError(error ?? file.name);
      }
      const listed = levels.map((level) => ({ ...level, text: textOf(game.module, level) }));
      const { list, place } = await game.library.add(listed);
      app.openLevel(game, list, place);
      return;
    }
  }
  throw new GameError(`${file.name}: no game reads pictures`);
}

/**
 * Play moves from the start of the game on the page. Return whether the text contains moves.
 *
 * @param {App} app
 * @param {string} text
 * @param {string} name
 */
async function openMoves(app, text, name) {
  const { table } = app;
  if (table === null) {
    return false;
  }
  const { error, letters } = readMoves(table.module, text);
  if (error !== undefined) {
    throw new GameError(`${name}: ${error}`);
  }
  if (letters === "") {
    return false;
  }
  await app.openPosition({ ...table.session.position(), moves: table.session.movesOf(letters, name) });
  return true;
}

/**
 * Open a text: a link, a replay, moves, or levels of any game.
 *
 * @param {App} app
 * @param {string} text
 * @param {string} name
 */
export async function openText(app, text, name) {
  const link = /#(?:v=1&)?game=\S+$/.exec(text.trim());
  if (link !== null) {
    await app.openLink(link[0]);
    return;
  }
  if (text.trimStart().startsWith(app.index.replay.title)) {
    const replay = await readReplay(text.trimStart(), name);
    await app.openPosition(replay.position, 0, replay);
    return;
  }
  if (!(await openMoves(app, text, name))) {
    await openLevels(app, text, name);
  }
}

/**
 * @param {App} app
 * @param {File} file
 */
async function openFile(app, file) {
  await app.guard(async () => {
    if (file.size > MOST_BYTES) {
      throw new GameError(`${file.name} is too large: ${file.size} bytes; expected at most ${MOST_BYTES}.`);
    }
    if (file.type.startsWith("image/")) {
      await openPicture(app, file);
    } else {
      await openText(app, await file.text(), file.name);
    }
  });
}

/**
 * Accept files that are dropped on the page and texts that are pasted.
 *
 * @param {App} app
 */
export function listenForFiles(app) {
  const sign = /** @type {HTMLElement} */ (document.getElementById("drop"));
  const hasFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (hasFile(event)) {
      event.preventDefault();
      sign.hidden = false;
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      sign.hidden = true;
    }
  });
  document.addEventListener("drop", (event) => {
    sign.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) {
      event.preventDefault();
      void openFile(app, file);
    }
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    const field = event.target instanceof Element && event.target.matches("textarea, input:not([type=range])");
    if (!field && text.trim() !== "") {
      event.preventDefault();
      void app.guard(() => openText(app, text, "the clipboard"));
    }
  });
}

/**
 * Ask for a file or a text.
 *
 * @param {App} app
 */
export function openFileDialog(app) {
  const input = make("input", { type: "file", "aria-label": "File" });
  const text = make("textarea", { rows: 10, spellcheck: "false", "aria-label": "Level, moves, replay or link as text" });
  const error = make("p", { role: "alert" });
  // After an error, the dialog stays open, so that the text can be corrected.
  const tryText = async () => {
    try {
      if (text.value.trim() !== "") {
        await openText(app, text.value, "the text");
      }
      dialog.close();
    } catch (problem) {
      error.dataset.tone = "bad";
      error.textContent = problem instanceof Error ? problem.message : String(problem);
      text.focus();
    }
  };
  const dialog = openDialog(
    "Open a file or paste a level",
    make(
      "form",
      {
        class: "dialog-body form",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void tryText();
        },
      },
      make("p", {}, "Choose a file, drop it on the page, or paste a level, moves, a replay or a link. Nothing is sent to a server."),
      input,
      text,
      error,
      make("div", { class: "row" }, make("button", { type: "submit", class: "strong" }, "Open")),
    ),
    { className: "small" },
  );
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) {
      dialog.close();
      void openFile(app, file);
    }
  });
  text.focus();
}
