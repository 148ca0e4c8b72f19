/** The help page: the keys of the game, the mouse, the commands and the overlays, all from the descriptions of the games. */

import { make, openDialog } from "./dom.js";
import { RESERVED } from "./input.js";
import { capital, named } from "./phrases.js";

/** @import { KeyHelp } from "./types.js" */
/** @import { Table } from "./table.js" */

const TOUCH = [
  { keys: ["tap"], what: "the same as a click" },
  { keys: ["swipe"], what: "the same as an arrow key; a swipe on a box pushes it if no box is selected" },
];
const LINKS = [
  { keys: ["drop"], what: "open a {level}, moves or a replay: drop a file on the page, or paste its text" },
  { keys: ["slider"], what: "show any move of the game; the arrow keys step through the moves" },
];

/**
 * Show the help page.
 *
 * @param {Table} table
 * @param {Set<string>} offered the commands that can be used now
 */
export function openHelp(table, offered) {
  const { description, index } = table;
  /** @type {KeyHelp[]} */
  const commands = [];
  for (const { help, keys, name } of index.commands) {
    const usable = keys.filter((key) => !RESERVED.has(key) || key === "ctrl+v");
    if (!offered.has(name) || usable.length === 0) {
      continue;
    }
    if (help) {
      commands.push({ keys: usable, what: help });
    } else {
      commands[commands.length - 1]?.keys.push(...usable);
    }
  }
  const overlays = description.overlays
    .filter((overlay) => !overlay.plans || table.plans.possible)
    .map(({ about, key, name }) => ({ keys: [key], what: `${name}: ${about}` }));
  const sections = /** @type {[string, KeyHelp[]][]} */ ([
    ["Game", description.keys],
    ["Mouse", description.mouse],
    ["Touch", TOUCH],
    ["Commands", commands],
    ["Overlays", overlays],
    ["Page", LINKS],
  ]);
  const content = make("div", { class: "dialog-body help-columns", tabindex: 0 });
  for (const [heading, keys] of sections.filter(([, keys]) => keys.length > 0)) {
    const list = make("dl");
    for (const help of keys) {
      const names = make("dt");
      help.keys.forEach((key) => names.append(make("kbd", {}, capital(table.keyName(key))), " "));
      list.append(names, make("dd", {}, capital(named(help.what, description.words))));
    }
    content.append(make("section", {}, make("h3", {}, heading), list));
  }
  openDialog(`${description.title}: keys`, content);
}
