/** Open levels, replays and links from files, from the clipboard or from a text field. */

import { make, openDialog } from "./dom.js";
import { readReplay } from "./replay.js";
import { GameError } from "./session.js";

/** @import { App } from "./app.js" */
/** @import { GameModule } from "./module.js" */
/** @import { ListedLevel } from "./levels.js" */

const MOST_BYTES = 4 << 20;

/**
 * Return the levels in a text.
 *
 * @param {GameModule} module
 * @param {string} text
 * @param {string} name where the text comes from
 * @returns {ListedLevel[]}
 */
export function levelsIn(module, text, name) {
  throw new GameError(`${name}: this page cannot read levels of ${module.description.title} yet (${text.length} characters).`);
}

/**
 * Open a text: a link, a replay or levels of any game.
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
  const game = /** @type {NonNullable<typeof app.game>} */ (app.game);
  const { list, place } = await game.library.add(levelsIn(game.module, text, name));
  app.openLevel(game, list, place);
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
    await openText(app, await file.text(), file.name);
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
    const field = event.target instanceof Element && event.target.matches("input, textarea");
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
  const text = make("textarea", { rows: 10, spellcheck: "false", "aria-label": "Level, replay or link as text" });
  const dialog = openDialog(
    "Open a file or paste a level",
    make(
      "form",
      {
        class: "dialog-body form",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          dialog.close();
          if (text.value.trim() !== "") {
            void app.guard(() => openText(app, text.value, "the text"));
          }
        },
      },
      make("p", {}, "Choose a file, drop it on the page, or paste a level, a replay or a link. Nothing is sent to a server."),
      input,
      text,
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
