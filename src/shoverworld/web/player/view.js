/** The page around a table: board, panel, controls, message and end screen. */

import { Board } from "./board.js";
import { byId, make } from "./dom.js";
import { endingCard } from "./ending.js";
import { listenToBoard } from "./input.js";
import { Panel, label } from "./panel.js";
import { capital, named } from "./phrases.js";
import { helpLines, scoreOf } from "./results.js";
import { Timeline } from "./timeline.js";

/** @import { LevelList } from "./levels.js" */
/** @import { Sprites } from "./sprites.js" */
/** @import { Table } from "./table.js" */
/** @import { Figure } from "./types.js" */

const LEAST = 7; // the minimum size of a cell in CSS pixels; larger boards scroll
const LEAST_TOUCH = 12;
const ICONS = { levels: "", previous: "previous", next: "next", random: "random", players: "players", help: "help" };

/**
 * @typedef {object} ViewActions
 * @property {(name: string) => void} command
 * @property {(key: string) => void} press
 * @property {(rules: string) => void} useRules
 * @property {(agent: string) => void} useAgent
 */

/**
 * @typedef {object} Surroundings
 * @property {LevelList | null} list the collection of the level
 * @property {number} place of the level in its collection
 * @property {Set<string>} offered the commands that can be used
 * @property {string} chosen the preset for every level, or ""
 * @property {string[]} agents
 * @property {string} agent the agent that the `agent` command starts
 */

export class PageView {
  /** @param {ViewActions} actions */
  constructor(actions) {
    this.actions = actions;
    const least = window.matchMedia("(pointer: coarse)").matches ? LEAST_TOUCH : LEAST;
    this.frame = byId("board");
    this.board = new Board(this.frame, least);
    const goTo = (/** @type {number} */ count) => this.table?.goTo(count);
    this.panel = new Panel(byId("panel"), { ...actions, goTo });
    this.timeline = new Timeline(byId("controls"), { command: actions.command, goTo });
    this.message = byId("message");
    /** @type {Table | null} */
    this.table = null;
    /** @type {Surroundings} */
    this.around = { list: null, place: -1, offered: new Set(), chosen: "", agents: [], agent: "" };
    /** @type {HTMLElement | null} */
    this.card = null;
    this.figures = ""; // the figures that are shown
    this.settings = ""; // the switches, the hint and the plan that are shown
    this.closed = -1; // the number of moves at the ending that the player closed
    this.board.onRest = () => {
      this.table?.rested();
      this.drawEnding();
    };
    listenToBoard(this.board, {
      click: (cell) => this.table?.click(cell),
      drag: (cell, direction) => this.table?.drag(cell, direction),
      swipe: (cell, key, direction) => this.table?.swipe(cell, key, direction),
      point: (place) => this.table?.pointer.move(place),
    });
    for (const button of document.querySelectorAll("header [data-command]")) {
      const name = /** @type {HTMLElement} */ (button).dataset.command ?? "";
      button.addEventListener("click", () => actions.command(name));
    }
  }

  /**
   * Show a game from its beginning.
   *
   * @param {Table} table
   * @param {Sprites} sprites
   * @param {Surroundings} around
   */
  begin(table, sprites, around) {
    this.timeline.stop();
    this.table = table;
    this.around = around;
    this.closed = -1;
    if (this.board.sprites !== sprites) {
      this.board.useSprites(sprites);
    }
    this.settings = "";
    this.drawHeader();
    this.panel.begin(table, around);
    this.changed(false);
  }

  /** Show the commands that can be used now. @param {Set<string>} offered */
  offer(offered) {
    this.around = { ...this.around, offered };
    this.drawHeader();
    if (this.table !== null) {
      this.panel.drawCommands(this.table, offered);
    }
  }

  drawHeader() {
    const { list, offered, place } = this.around;
    const table = /** @type {Table} */ (this.table);
    const { description, index, session } = table;
    this.board.forgetPlace(); // a long title may move the board
    const { level, origin, rules } = session.setup;
    const seed = "seed" in origin ? origin.seed : "";
    const title = level === null ? named(index.labels.random, { ...description.words, seed }) : level.title || level.name;
    byId("level-name").textContent = title;
    byId("level-place").textContent = list === null ? rules : list.position(place);
    document.title = `${title} · ${description.title}`;
    for (const button of document.querySelectorAll("header [data-command]")) {
      const name = /** @type {keyof typeof ICONS} */ (/** @type {HTMLElement} */ (button).dataset.command);
      const command = index.commands.find((known) => known.name === name);
      /** @type {HTMLElement} */ (button).hidden = !offered.has(name);
      const help = name === "next" || name === "previous" ? `${name} {level}` : (command?.help ?? name);
      const text = capital(named(help, description.words));
      if (ICONS[name]) {
        label(/** @type {HTMLElement} */ (button), ICONS[name], text, table.keys[name]);
      } else {
        /** @type {HTMLElement} */ (button).title = `${text} (${table.keys[name]})`;
      }
    }
    this.frame.setAttribute("aria-label", `${title}. ${description.goal}`);
  }

  /**
   * The game has changed.
   *
   * @param {boolean} motion whether to animate the last move
   */
  changed(motion) {
    const table = /** @type {Table} */ (this.table);
    this.board.show(table.scene(), motion ? table.session.motion : null);
    this.timeline.update(table);
    this.figures = ""; // the panel also shows the moves, so it is drawn again after every move
    this.content();
    this.drawEnding();
  }

  /** Marks, messages or settings have changed. */
  content() {
    const table = /** @type {Table} */ (this.table);
    this.board.showMarks(table.overlays.lyingMarks(), table.overlays.topMarks());
    const { text, tone } = table.message;
    const line = /** @type {HTMLElement} */ (this.message.firstElementChild);
    if (line.textContent !== text || line.dataset.tone !== tone) {
      line.textContent = text;
      line.dataset.tone = tone;
    }
    this.drawPanel(table);
  }

  /**
   * Draw the parts of the panel that have changed. Most movements of the pointer change none of them.
   *
   * @param {Table} table
   */
  drawPanel(table) {
    const figures = JSON.stringify([table.figures(), helpLines(table)]); // a selection can change the figures, and a hint is help
    const { possible, ready, search, text } = table.plans;
    const settings = JSON.stringify([...table.overlays.shown, possible, table.hintText, ready === null, text, search === null]);
    if (figures !== this.figures) {
      this.panel.update(table);
    }
    if (settings !== this.settings) {
      this.panel.drawSettings(table);
    }
    this.figures = figures;
    this.settings = settings;
  }

  drawEnding() {
    const table = /** @type {Table} */ (this.table);
    const { at, entries, outcome } = table.session;
    const over = outcome !== null && table.arrived && at === entries.length && this.closed !== at;
    if (!over || this.board.moving) {
      if (!over) {
        this.hideEnding();
      }
      return;
    }
    if (this.card !== null) {
      return;
    }
    const { list, offered } = this.around;
    const more = list !== null && scoreOf(table) !== null ? [progressLine(list)] : [];
    this.card = endingCard(table, offered, more, {
      command: this.actions.command,
      close: () => {
        this.closed = at;
        this.hideEnding();
      },
    });
    this.frame.append(this.card);
    /** @type {HTMLElement | null} */ (this.card.querySelector(".strong"))?.focus({ preventScroll: true });
  }

  hideEnding() {
    if (this.card !== null) {
      const focused = this.card.contains(document.activeElement);
      this.card.remove();
      this.card = null;
      if (focused) {
        this.frame.focus({ preventScroll: true });
      }
    }
  }

  /** Whether the moves are animated. */
  get animated() {
    return this.board.animated;
  }
}

/**
 * @param {LevelList} list
 * @returns {Figure}
 */
function progressLine(list) {
  const all = list.solved === list.levels.length;
  const empty = { share: null, colour: null, large: false, idle: false };
  return { label: list.collection.title, value: list.progress, tone: all ? "good" : "", ...empty };
}

/**
 * Show that the page cannot go on.
 *
 * @param {string} text
 */
export function showFailure(text) {
  document.querySelector("main")?.replaceChildren(make("p", { class: "failed", role: "alert" }, text));
}
