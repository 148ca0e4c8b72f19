/** The panel beside the board: figures with bars, special moves, results, switches, rules and the list of moves. */

import { icon, make, replaceContent } from "./dom.js";
import { capital, named } from "./phrases.js";
import { resultLines } from "./results.js";

/** @import { Command, Figure } from "./types.js" */
/** @import { Table } from "./table.js" */

const ARROWS = { up: "↑", left: "←", right: "→", down: "↓" };
const NINE = ["↖", "↑", "↗", "←", "•", "→", "↙", "↓", "↘"]; // move buttons, row by row
const SOLVE = "solve"; // the command whose button stops the search while it is running
const PLAN = new Set(["plan move", "plan moves"]); // the commands below the plan
const ELSEWHERE = new Set(["undo", "restart", "continue", ...PLAN]); // commands whose buttons are in other places
const MOST_SYMBOLS = 400; // moves in the list
const MOST_LINES = 60; // lines in the log

/**
 * @typedef {object} PanelActions
 * @property {(key: string) => void} press
 * @property {(name: string) => void} command
 * @property {(rules: string) => void} useRules
 * @property {(agent: string) => void} useAgent
 * @property {(count: number) => void} goTo
 */

export class Panel {
  /**
   * @param {HTMLElement} element
   * @param {PanelActions} actions
   */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    this.parts = Object.fromEntries(
      ["continue", "about", "large", "lines", "specials", "results", "standings", "pad", "hint", "plan", "arrows", "switches", "rules", "agent", "moves", "log", "commands"].map(
        (name) => [name, make("div", { data: { part: name } })],
      ),
    );
    element.append(...Object.values(this.parts));
    /** @type {Table | null} */
    this.listed = null; // whose moves are listed
  }

  /**
   * Show what changes rarely: the description of the level, switches, rules and commands.
   *
   * @param {Table} table
   * @param {{offered: Set<string>, chosen: string, agents: string[], agent: string}} settings
   */
  begin(table, { agent, agents, chosen, offered }) {
    const { description, session } = table;
    const { level } = session.setup;
    const about = level === null ? description.goal : level.about;
    replaceContent(this.parts.about, [about ? make("p", { class: "about" }, about) : null]);
    this.drawRules(table, chosen);
    this.drawArrows(table);
    this.drawCommands(table, offered);
    this.drawAgents(agents, agent);
  }

  /** @param {Table} table */
  update(table) {
    const figures = table.figures();
    const large = figures.filter((figure) => figure.large);
    const lines = figures.filter((figure) => !figure.large && !figure.idle);
    replaceContent(this.parts.large, [large.length > 0 ? make("dl", { class: "large" }, ...large.map(largeFigure)) : null]);
    replaceContent(this.parts.lines, [figureLines(lines)]);
    replaceContent(this.parts.results, [figureLines(resultLines(table))]);
    replaceContent(this.parts.standings, [figureLines(table.standings())]);
    this.drawSpecials(table);
    this.drawPad(table);
    this.drawMoves(table);
    this.drawLog(table);
  }

  /**
   * Draw what can change without a move: the hint, the plan and the switches.
   *
   * @param {Table} table
   */
  drawSettings(table) {
    this.drawHint(table);
    this.drawPlan(table);
    this.drawSwitches(table);
  }

  /** @param {Table} table */
  drawSpecials(table) {
    const buttons = table.specials().map(({ key, effect }) =>
      make(
        "button",
        { type: "button", class: "strong", data: { key }, onclick: () => this.actions.press(key) },
        make("kbd", {}, table.keyName(key)),
        capital(effect),
      ),
    );
    replaceContent(this.parts.specials, buttons.length > 0 ? [make("div", { class: "specials" }, ...buttons)] : []);
  }

  /** @param {Table} table */
  drawHint(table) {
    replaceContent(this.parts.hint, [table.hintText ? make("p", { class: "about" }, table.hintText) : null]);
  }

  /**
   * Draw the progress of a search, or the plan that can be played.
   *
   * @param {Table} table
   */
  drawPlan(table) {
    const { text } = table.plans;
    const commands = table.plans.ready === null ? [] : table.index.commands.filter(({ name }) => PLAN.has(name));
    const buttons = commands.map((command) => this.commandButton(table, command));
    replaceContent(this.parts.plan, [
      text ? make("p", { class: "about" }, text) : null,
      buttons.length > 0 ? make("div", { class: "commands" }, ...buttons) : null,
    ]);
  }

  /**
   * Draw the nine buttons of a game that has them.
   *
   * @param {Table} table
   */
  drawPad(table) {
    const buttons = table.buttons();
    const waits = table.session.waitsFor !== null;
    const made = buttons.map(({ about, cell, key, legal }) =>
      make(
        "button",
        {
          type: "button",
          disabled: waits,
          title: about,
          "aria-label": `${about}, key ${table.keyName(key)}`,
          data: { key, legal: String(legal) },
          onclick: () => this.actions.press(key),
        },
        make("kbd", { "aria-hidden": "true" }, table.keyName(key)),
        NINE[3 * (cell[0] + 1) + cell[1] + 1] ?? key,
      ),
    );
    const group = { class: "pad", role: "group", "aria-label": "Moves" };
    replaceContent(this.parts.pad, made.length > 0 ? [make("div", group, ...made)] : []);
  }

  /**
   * Draw buttons for touch screens: the arrow keys, and the other keys of the game by their names.
   *
   * @param {Table} table
   */
  drawArrows(table) {
    const { description, module } = table;
    const keys = description.press_keys;
    if (module.has("buttons") || !keys.includes("up")) {
      replaceContent(this.parts.arrows, []);
      return;
    }
    const button = (/** @type {string} */ key, text = "") => {
      const help = capital(description.keys.find((known) => known.keys.includes(key))?.what ?? key);
      const attributes = { type: "button", class: text ? "" : "other", "aria-label": help, title: help };
      const name = help.split(/[:(]/)[0].trim(); // "Hellify: burn a square" and "Wait one step (walker only)"
      return make("button", { ...attributes, data: { key }, onclick: () => this.actions.press(key) }, text || name);
    };
    const others = [...new Set(description.keys.flatMap((help) => help.keys))].filter(
      (key) => keys.includes(key) && !(key in ARROWS) && !(key in table.index.steering),
    );
    const [first, second, third, ...rest] = others.map((key) => button(key));
    const space = () => make("span");
    const rows = [
      [first ?? space(), button("up", ARROWS.up), second ?? space(), third ?? null],
      [button("left", ARROWS.left), button("down", ARROWS.down), button("right", ARROWS.right), ...rest],
    ];
    const group = { class: "arrows", role: "group", "aria-label": "Keys" };
    replaceContent(this.parts.arrows, [make("div", group, ...rows.flat())]);
  }

  /** @param {Table} table */
  drawSwitches(table) {
    const shown = table.description.overlays.filter((overlay) => !overlay.plans || table.plans.possible);
    const switches = shown.map((overlay) =>
      make(
        "button",
        {
          type: "button",
          title: capital(overlay.about),
          "aria-pressed": String(table.overlays.shown.has(overlay.key)),
          data: { key: `overlay ${overlay.key}` },
          onclick: () => table.overlays.toggle(overlay.key),
        },
        make("kbd", { "aria-hidden": "true" }, table.keyName(overlay.key)),
        capital(overlay.name),
      ),
    );
    const group = { class: "switches", role: "group", "aria-label": "Overlays" };
    replaceContent(this.parts.switches, switches.length > 0 ? [make("div", group, ...switches)] : []);
  }

  /**
   * @param {Table} table
   * @param {string} chosen the preset for every level, or ""
   */
  drawRules(table, chosen) {
    const { description, session } = table;
    const own = session.setup.level?.preset;
    const names = description.presets.map(({ name }) => name);
    const known = chosen === "" || names.includes(chosen) ? names : [...names, chosen];
    const options = known.map((name) => make("option", { value: name, selected: chosen === name }, name));
    const usual = own === undefined ? null : make("option", { value: "", selected: chosen === "" }, `${own} (of the ${description.words.level})`);
    const select = make("select", {
      data: { key: "rules" },
      onchange: (/** @type {Event} */ event) =>
        this.actions.useRules(/** @type {HTMLSelectElement} */ (event.target).value),
    });
    if (usual !== null) {
      select.append(usual);
    }
    select.append(...options);
    if (chosen === "" && usual === null) {
      select.value = session.setup.preset.name;
    }
    const text = make("p", {}, session.setup.preset.about || session.setup.rules);
    replaceContent(this.parts.rules, [make("div", { class: "rules" }, make("label", {}, "Rules", select), text)]);
  }

  /**
   * @param {string[]} agents
   * @param {string} chosen
   */
  drawAgents(agents, chosen) {
    const options = agents.map((agent) => make("option", { value: agent, selected: agent === chosen }, agent));
    const select = make("select", { data: { key: "agent" } }, ...options);
    select.addEventListener("change", () => this.actions.useAgent(select.value));
    const label = make("div", { class: "rules" }, make("label", {}, "Agent", select));
    replaceContent(this.parts.agent, agents.length > 1 ? [label] : []);
  }

  /** @param {Table} table */
  drawMoves(table) {
    const { at, entries } = table.session;
    if (!table.module.has("symbol") || entries.length === 0) {
      replaceContent(this.parts.moves, []);
      return;
    }
    const title = `${table.index.labels.moves} (${entries.length})`;
    const shown = this.parts.moves.querySelector("details");
    if (shown !== null && !shown.open && this.listed === table) {
      /** @type {HTMLElement} */ (shown.firstElementChild).textContent = title;
      return;
    }
    const open = shown?.open ?? false;
    this.listed = table;
    const first = Math.max(0, Math.min(at - MOST_SYMBOLS / 2, entries.length - MOST_SYMBOLS));
    const text = make("p");
    const symbols = open ? entries.slice(first, first + MOST_SYMBOLS) : [];
    symbols.forEach((entry, k) => {
      const count = first + k + 1;
      const state = count === at ? "now" : count > at ? "later" : "";
      const name = `${table.index.labels.moves} ${count}: ${entry.move.words}`;
      const attributes = { type: "button", class: state, title: name, data: { key: `move ${count}` } };
      text.append(make("button", { ...attributes, onclick: () => this.actions.goTo(count) }, entry.symbol || "·"));
      if (entry.symbol.length > 1) {
        text.append(" ");
      }
    });
    const summary = make("summary", { data: { key: "moves" } }, title);
    const details = make("details", { class: "moves", open }, summary, text);
    details.addEventListener("toggle", () => {
      if (details.open && text.childElementCount === 0) {
        this.drawMoves(table);
      }
    });
    replaceContent(this.parts.moves, [details]);
    text.querySelector(".now")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Table} table */
  drawLog(table) {
    const { at, entries, setup } = table.session;
    if (setup.players.length < 2 || at === 0) {
      replaceContent(this.parts.log, []);
      return;
    }
    const open = this.parts.log.querySelector("details")?.open ?? true;
    const lines = entries.slice(Math.max(0, at - MOST_LINES), at).map((entry, k) => {
      const number = Math.max(0, at - MOST_LINES) + k + 1;
      const spot = make("span", { class: "spot" });
      spot.style.background = table.colourOf(entry.player);
      return make("li", { data: { tone: entry.valid ? "" : "bad" } }, spot, `${number}  ${entry.move.words}`);
    });
    const list = make("ol", {}, ...lines.reverse());
    replaceContent(this.parts.log, [make("details", { class: "log", open }, make("summary", {}, "Log"), list)]);
  }

  /**
   * @param {Table} table
   * @param {Set<string>} offered
   */
  drawCommands(table, offered) {
    const { commands } = table.index;
    const buttons = commands.filter(({ button, name }) => button && offered.has(name) && !ELSEWHERE.has(name));
    const made = buttons.map((command) => this.commandButton(table, command));
    replaceContent(this.parts.commands, [make("div", { class: "commands" }, ...made)]);
    const left = commands.find(({ name }) => name === "continue" && offered.has(name));
    const proposal = left === undefined ? null : this.commandButton(table, left);
    proposal?.classList.add("strong");
    replaceContent(this.parts.continue, [proposal && make("div", { class: "specials" }, proposal)]);
  }

  /**
   * @param {Table} table
   * @param {Command} command
   */
  commandButton(table, { button, help, name }) {
    const text = name === SOLVE && table.plans.search !== null ? table.index.labels["stop search"] : button;
    return make(
      "button",
      {
        type: "button",
        title: capital(named(help, table.description.words)),
        data: { key: `command ${name}` },
        onclick: () => this.actions.command(name),
      },
      make("kbd", { "aria-hidden": "true" }, table.keys[name]),
      named(text, table.description.words),
    );
  }
}

/** @param {Figure} figure */
function largeFigure(figure) {
  return make(
    "div",
    {},
    make("dt", {}, figure.label),
    make("dd", { data: { tone: figure.tone } }, figure.value),
    figure.share === null ? null : meter(figure),
  );
}

/**
 * Return figures as a list of labels and values, or null if there are none.
 *
 * @param {Figure[]} figures
 */
export function figureLines(figures) {
  if (figures.length === 0) {
    return null;
  }
  const lines = figures.map((figure) => {
    const label = make("dt", {}, figure.label);
    if (figure.colour !== null) {
      const spot = make("span", { class: "spot" });
      spot.style.background = figure.colour;
      label.prepend(spot);
    }
    const value = make("dd", { data: { tone: figure.tone } }, figure.value);
    return make("div", {}, label, value, figure.share === null ? null : meter(figure));
  });
  return make("dl", { class: "lines" }, ...lines);
}

/** @param {Figure} figure */
function meter(figure) {
  const bar = make("i");
  bar.style.width = `${Math.round(100 * Math.min(Math.max(figure.share ?? 0, 0), 1))}%`;
  return make("div", { class: "meter", "aria-hidden": "true", data: { tone: figure.tone } }, bar);
}

/**
 * Give a button an icon, a name and the keys of its command.
 *
 * @param {HTMLElement} button
 * @param {string} picture
 * @param {string} name
 * @param {string} [key]
 */
export function label(button, picture, name, key = "") {
  button.replaceChildren(icon(picture));
  button.setAttribute("aria-label", name);
  button.title = key ? `${name} (${key})` : name;
}
