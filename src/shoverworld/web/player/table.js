/**
 * A game table: one game in progress, the player's input, and the content to show. It has no elements of the page.
 *
 * The rules, the meaning of keys and all texts about the game come from the module. The texts around the game come from
 * index.json (`messages` and `labels`), as in the window and the terminal.
 */

import { Autoplay } from "./autoplay.js";
import { RESERVED } from "./input.js";
import { Overlays } from "./overlays.js";
import { capital, named } from "./phrases.js";
import { Plans } from "./plans.js";
import { Pointer } from "./pointer.js";
import { scoreOf } from "./results.js";
import { colourText } from "./sheet.js";
import { identityOf } from "./storage.js";

/** @import { Entry, Session } from "./session.js" */
/** @import { Act, Cell, Figure, Intent, Mark, Message, Place, Scene } from "./types.js" */
/** @import { Storage } from "./storage.js" */

const KEEP_PAUSE = 500; // milliseconds after a move before an unfinished game is stored
const HINT = "hint";

/**
 * @typedef {object} View what a table needs from the page
 * @property {(motion: boolean) => void} changed the game has changed; `motion`: whether to animate the last move
 * @property {() => void} content only marks, messages or settings have changed
 * @property {() => boolean} animated whether moves are animated
 * @property {(agent: string) => Promise<number[] | null>} choose asks an agent that is not part of the module for an action
 * @property {(() => void) | null} solve starts a search for a plan; null if there is no planner
 */

export class Table {
  /**
   * @param {Session} session
   * @param {Storage} storage
   * @param {View} view
   */
  constructor(session, storage, view) {
    this.session = session;
    this.module = session.module;
    this.index = session.module.index;
    this.description = session.module.description;
    this.storage = storage;
    this.view = view;
    const { origin, rules } = session.setup;
    this.identity = identityOf(this.description.name, origin, rules); // the key under which the result is stored
    /** @type {Message} */
    this.message = { text: "", tone: "" };
    /** @type {Mark[]} */
    this.hintMarks = [];
    this.hintText = "";
    /** @type {Act[]} */
    this.way = []; // the remaining steps of a walk or of a plan
    this.wayBy = ""; // who makes these moves: "" for the player
    this.pointer = new Pointer(this);
    this.overlays = new Overlays(this);
    this.autoplay = new Autoplay(this);
    this.plans = new Plans(this);
    this.arrived = false; // whether the last change was a move, not a jump to another move
    /** @type {Set<string>} */
    this.help = new Set(); // the help that the player had, apart from moves of others: a hint or a plan
    this.keepTimer = 0;
    this.newRecord = false;
    this.noted = -1; // the number of moves at the ending that was recorded
    this.speed = 1;
    this.keys = Object.fromEntries(
      this.index.commands.map(({ keys, name }) => [name, this.keyName(keys.find((key) => !RESERVED.has(key)) ?? keys[0])]),
    );
  }

  // --- messages

  /** @param {string} key */
  keyName(key) {
    return this.index.key_names[key] ?? this.description.key_names[key] ?? key;
  }

  /**
   * @param {string} text
   * @param {string} [tone]
   */
  say(text, tone = "") {
    this.message = { text, tone };
  }

  /**
   * Show the message with this name in index.json.
   *
   * @param {string} name
   * @param {Record<string, string | number>} [values]
   * @param {string} [tone]
   */
  tell(name, values = {}, tone) {
    const [text, usual] = this.index.messages[name];
    this.say(named(text, { ...this.keys, ...this.description.words, ...values }), tone ?? usual);
  }

  /** @param {number} count */
  movesText(count) {
    const { labels } = this.index;
    return count === 1 ? labels.one : named(labels.many, { count });
  }

  // --- input

  /**
   * Pass a key to the game. Return whether the game uses it.
   *
   * @param {string} key
   */
  press(key) {
    const number = this.description.press_keys.indexOf(key);
    if (number < 0) {
      return false;
    }
    this.finishWalk();
    const intent = this.session.ask("press", number);
    if (intent === null) {
      return false;
    }
    this.pointer.rest();
    this.intend(intent);
    return true;
  }

  /** @param {Cell} cell */
  click(cell) {
    this.finishWalk();
    this.pointer.cursor = null;
    this.intend(this.session.ask("click", ...cell));
  }

  /**
   * @param {Cell} cell
   * @param {number} direction
   */
  drag(cell, direction) {
    this.finishWalk();
    this.pointer.cursor = null;
    this.intend(this.session.ask("drag", ...cell, direction));
  }

  /**
   * A finger moved over the board: the direction key is pressed or, if it has no effect, the cell is dragged.
   *
   * @param {Cell | null} cell where the finger started
   * @param {string} key
   * @param {number} direction
   */
  swipe(cell, key, direction) {
    this.finishWalk();
    const number = this.description.press_keys.indexOf(key);
    const pressed = number < 0 ? null : this.session.ask("press", number);
    if (pressed !== null && pressed.kind !== "say") {
      this.pointer.rest();
      this.intend(pressed);
    } else if (cell !== null) {
      const dragged = this.session.ask("drag", ...cell, direction);
      this.intend(dragged ?? pressed);
    } else {
      this.intend(pressed);
    }
  }

  // --- moves

  /** @param {Intent | null} intent */
  intend(intent) {
    const other = this.session.waitsFor;
    if (intent !== null && this.session.outcome !== null) {
      this.tell("over");
    } else if (intent?.kind === "say") {
      this.say(intent.text);
    } else if (intent !== null && other !== null) {
      this.tell(this.autoplay.on ? "turn" : "turn of stopped", { name: other.name });
    } else if (intent?.kind === "walk") {
      this.pointer.rest();
      this.walk(intent.actions);
      return;
    } else if (intent !== null) {
      this.pointer.rest();
      this.play(intent);
      return;
    }
    this.pointer.look(false);
    this.view.content();
  }

  /**
   * Make a move. Return whether it was valid.
   *
   * @param {Act | Place} intent
   * @param {{by?: string, follows?: boolean}} [details]
   */
  play(intent, details = {}) {
    this.hintMarks = [];
    this.hintText = "";
    const plan = this.plans.current;
    const entry = this.session.play(intent, details);
    this.plans.follow(plan);
    this.changed(entry, true);
    return entry.valid;
  }

  /**
   * Make several moves, one after the other. Undo reverts a walk as a whole, but the moves of a helper one by one.
   *
   * @param {number[][]} actions
   * @param {string} [by]
   */
  walk(actions, by = "") {
    this.way = actions.map((action) => ({ kind: "act", action }));
    this.wayBy = by;
    this.walkOn(true);
  }

  /** @param {boolean} [first] */
  walkOn(first = false) {
    let begins = first;
    while (this.way.length > 0) {
      const next = /** @type {Act} */ (this.way.shift());
      const follows = !begins && this.wayBy === "";
      if (!this.play(next, { by: this.wayBy, follows }) || this.session.outcome !== null) {
        this.way = [];
      }
      begins = false;
      if (this.view.animated()) {
        return; // `rested` takes the next step
      }
    }
  }

  /** A motion has ended. */
  rested() {
    this.walkOn();
  }

  /** Take all remaining steps of a walk at once. The moves of a helper are not finished: the player takes over. */
  finishWalk() {
    if (this.wayBy !== "") {
      this.way = [];
    }
    while (this.way.length > 0) {
      const next = /** @type {Act} */ (this.way.shift());
      if (!this.play(next, { follows: true }) || this.session.outcome !== null) {
        this.way = [];
      }
    }
  }

  /**
   * @param {Entry | null} entry
   * @param {boolean} motion
   */
  changed(entry, motion) {
    this.arrived = true;
    if (entry !== null) {
      this.say(capital(entry.move.words), entry.valid ? "" : "bad");
    }
    this.noteEnding();
    this.pointer.look(false);
    this.view.changed(motion);
    this.autoplay.begin();
  }

  /** Record the result if the game is over, once for each ending. */
  noteEnding() {
    if (this.session.outcome === null) {
      this.noted = -1;
      this.newRecord = false;
      this.keepSoon();
      return;
    }
    if (this.noted === this.session.at) {
      return;
    }
    this.noted = this.session.at;
    this.pointer.cursor = null;
    const score = scoreOf(this);
    const alone = this.helpers.length === 0;
    this.newRecord = score !== null && alone && this.storage.note(this.identity, score);
    this.storage.keep(this.identity, null);
    this.tell("over", {}, score === null ? "bad" : "good");
  }

  /** Keep the unfinished game in the browser soon. */
  keepSoon() {
    clearTimeout(this.keepTimer);
    this.keepTimer = window.setTimeout(() => this.keepUnfinished(), KEEP_PAUSE);
  }

  keepUnfinished() {
    clearTimeout(this.keepTimer);
    const { at, outcome, setup } = this.session;
    if (at > 0 && outcome === null) {
      const { moves, seed } = this.session.position();
      const help = this.helpers;
      this.storage.keep(this.identity, { moves, seed, players: setup.players, help, time: Date.now() });
    }
  }

  undo() {
    this.stepBack(() => {
      const what = this.session.undo();
      if (what === null) {
        this.tell("nothing to undo");
      } else {
        this.say(capital(what));
      }
    });
  }

  redo() {
    this.stepBack(() => {
      const entry = this.session.redo();
      if (entry === null) {
        this.tell("nothing to redo");
      } else {
        this.arrived = true;
        this.say(capital(entry.move.words), entry.valid ? "" : "bad");
      }
    });
  }

  restart() {
    this.stepBack(() => {
      const moves = this.session.at;
      this.session.restart();
      this.tell(moves > 0 ? "restarted" : "at the start");
    });
  }

  /** @param {() => void} work */
  stepBack(work) {
    this.finishWalk();
    this.autoplay.stop();
    this.pointer.rest();
    this.hintMarks = [];
    this.hintText = "";
    const { message } = this;
    this.arrived = false;
    work();
    const said = this.message === message ? null : this.message;
    this.noteEnding();
    this.message = said ?? this.message;
    this.pointer.look(false);
    this.view.changed(false);
  }

  /**
   * Show the state after the first `count` moves, with an animation if this is the next move.
   *
   * @param {number} count
   */
  goTo(count) {
    this.way = [];
    this.autoplay.stop();
    this.arrived = false;
    const next = count === this.session.at + 1;
    this.session.goTo(count);
    this.session.givenUp = 0;
    const { last } = this.session;
    this.hintMarks = [];
    this.say(last === null ? this.index.messages["at the start"][0] : capital(last.move.words), last?.valid === false ? "bad" : "");
    this.pointer.look(false);
    this.view.changed(next);
  }

  /** Stop the agent and keep the game. */
  close() {
    clearTimeout(this.autoplay.timer);
    this.way = [];
    this.keepUnfinished();
  }

  /**
   * Show a hint.
   *
   * @param {number[] | null} action
   * @param {string} text
   */
  showHint(action, text) {
    this.help.add(HINT);
    this.hintMarks = action !== null && this.module.has("hint") ? this.session.sheet("hint", ...action).marks() : [];
    this.hintText = text;
    this.view.content();
  }

  // --- content

  /** @returns {Scene} */
  scene() {
    const { block } = this.session;
    const sheet = this.session.sheet("scene");
    const { rows, cols } = block.dimensions;
    const bytes = block.bytes("tiles").slice();
    const rim = sheet.result === this.index.sheet.no_rim ? null : sheet.result;
    return { tiles: new Int16Array(bytes.buffer), rows, cols, sprites: sheet.sprites(), rim };
  }

  /** @returns {Figure[]} */
  figures() {
    return this.module.has("figures") ? this.session.sheet("figures").figures() : [];
  }

  specials() {
    const own = this.session.waitsFor === null && this.session.outcome === null;
    return own && this.module.has("specials") ? this.session.sheet("specials").specials() : [];
  }

  buttons() {
    return this.module.has("buttons") ? this.session.sheet("buttons").buttons() : [];
  }

  /** @returns {Figure[]} */
  standings() {
    const several = this.session.setup.players.length > 1 && this.module.has("standings");
    return several ? this.session.sheet("standings").figures() : [];
  }

  /** The helpers in the game so far, and the help that the player had. A game with help does not set a record. */
  get helpers() {
    return [...new Set([...this.session.helpers, ...this.help])];
  }

  /**
   * The colour of a player.
   *
   * @param {number} player
   */
  colourOf(player) {
    return this.module.has("colour") ? colourText(this.session.block.call("colour", player)) : "transparent";
  }

}
