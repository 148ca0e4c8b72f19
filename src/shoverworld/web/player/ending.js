/** The end screen: the outcome, the figures, the comparison with the best results, and what to do next. */

import { icon, make } from "./dom.js";
import { figureLines } from "./panel.js";
import { capital, named } from "./phrases.js";
import { endingLines, scoreOf } from "./results.js";

/** @import { Table } from "./table.js" */
/** @import { Figure } from "./types.js" */

const COMMANDS = ["next", "restart", "undo", "levels", "watch", "copy link"];

/** @type {Record<string, string>} */
const SHORT = { "copy link": "link" };

/**
 * Return the end screen of a game.
 *
 * @param {Table} table
 * @param {Set<string>} offered
 * @param {Figure[]} more further lines, such as the progress in the collection
 * @param {{command: (name: string) => void, close: () => void}} actions
 */
export function endingCard(table, offered, more, actions) {
  const [first, ...rest] = [...endingLines(table), ...more];
  const title = first === undefined ? capital(table.session.outcome ?? "") : first.value || first.label;
  const won = scoreOf(table) !== null;
  const close = make("button", { type: "button", class: "icon", "aria-label": "Close", onclick: actions.close });
  close.append(icon("close"));
  const { words } = table.description;
  const buttons = COMMANDS.filter((name) => offered.has(name)).map((name, place) => {
    const command = table.index.commands.find((known) => known.name === name);
    const text = named(command?.button || SHORT[name] || name, words);
    return make(
      "button",
      { type: "button", class: place === 0 ? "strong" : "", data: { command: name }, onclick: () => actions.command(name) },
      `${capital(text)} `,
      make("kbd", { "aria-hidden": "true" }, table.keys[name]),
    );
  });
  const large = rest.filter((figure) => figure.large);
  const lines = rest.filter((figure) => !figure.large && !figure.idle);
  return make(
    "section",
    { class: "ending", role: "dialog", "aria-labelledby": "ending-title", data: { won: String(won) } },
    close,
    make("h2", { id: "ending-title", data: { tone: won ? "good" : "bad" } }, title),
    large.length > 0
      ? make("dl", { class: "large" }, ...large.map((figure) => make("div", {}, make("dt", {}, figure.label), make("dd", {}, figure.value))))
      : null,
    figureLines(lines),
    make("div", { class: "row" }, ...buttons),
  );
}
