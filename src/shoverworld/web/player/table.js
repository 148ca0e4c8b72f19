/**
 * A game table: one game in progress, the player's input, and the content to show. It has no elements of the page.
 *
 * The rules, the meaning of keys and all texts about the game come from the module. The texts around the game come from
 * index.json (`messages` and `labels`), as in the window and the terminal.
 */

import { capital, named } from "./phrases.js";
import { Plans, planMarks } from "./plans.js";
import { colourText } from "./sheet.js";
import { identityOf, isBetter } from "./storage.js";

/** @import { Search } from "./plans.js" */
/** @import { Entry, Session } from "./session.js" */
/** @import { Act, Cell, Figure, Intent, Mark, Message, Place, Scene, Score } from "./types.js" */
/** @import { Storage } from "./storage.js" */

const AGENT_PAUSE = 350; // milliseconds between the moves of an agent
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
    /** @type {Message} */
    this.message = { text: "", tone: "" };
    /** @type {Cell | null} */
    this.cursor = null;
    /** @type {{cell: Cell, side: number} | null} */
    this.pointed = null;
    /** @type {Cell | null} */
    this.ignored = null; // no preview is shown until the pointer has left this cell
    /** @type {{marks: Mark[], text: string}} */
    this.preview = { marks: [], text: "" };
    /** @type {Mark[]} */
    this.lying = []; // the marks that change with the game
    /** @type {unknown[]} */
    this.lyingKey = []; // what they depend on
    /** @type {Mark[]} */
    this.hintMarks = [];
    this.hintText = "";
    /** @type {Act[]} */
    this.way = []; // the remaining steps of a walk or of a plan
    this.wayBy = ""; // who makes these moves: "" for the player
    this.plans = new Plans(this);
    /** @type {Search | null} */
    this.search = null; // the search for a plan that is running
    this.arrived = false; // whether the last change was a move, not a jump to another move
    /** @type {Set<string>} */
    this.help = new Set(); // the help that the player had, apart from moves of others: a hint or a plan
    this.agentOn = session.setup.players.some((player) => player.agent !== "");
    this.autopilot = false; // whether an agent plays instead of the only player
    this.agentTimer = 0;
    this.keepTimer = 0;
    this.newRecord = false;
    this.noted = -1; // the number of moves at the ending that was recorded
    this.speed = 1;
    const kept = /** @type {string[] | null} */ (storage.setting(`overlays ${this.description.name}`, null));
    const usual = this.description.overlays.filter((overlay) => overlay.default).map(({ key }) => key);
    this.overlays = new Set(kept ?? usual);
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
    this.rest();
    this.intend(intent);
    return true;
  }

  /** @param {Cell} cell */
  click(cell) {
    this.finishWalk();
    this.cursor = null;
    this.intend(this.session.ask("click", ...cell));
  }

  /**
   * @param {Cell} cell
   * @param {number} direction
   */
  drag(cell, direction) {
    this.finishWalk();
    this.cursor = null;
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
      this.rest();
      this.intend(pressed);
    } else if (cell !== null) {
      const dragged = this.session.ask("drag", ...cell, direction);
      this.intend(dragged ?? pressed);
    } else {
      this.intend(pressed);
    }
  }

  /**
   * The pointer is over a cell, nearest to this side; null if it is not over the board.
   *
   * @param {{cell: Cell, side: number} | null} place
   */
  point(place) {
    if (place === null || !sameCell(place.cell, this.ignored)) {
      this.ignored = null;
    }
    const pointed = this.ignored === null ? place : null;
    const same =
      pointed === this.pointed ||
      (pointed !== null &&
        this.pointed !== null &&
        sameCell(pointed.cell, this.pointed.cell) &&
        pointed.side === this.pointed.side);
    this.pointed = pointed;
    if (!same && this.cursor === null) {
      this.look(true);
      this.view.content();
    }
  }

  /** After a move, show no preview of the cell under the pointer until the pointer moves to another cell. */
  rest() {
    this.ignored = this.pointed?.cell ?? this.ignored;
    this.pointed = null;
  }

  /**
   * Preview the cell at the pointer or at the cursor.
   *
   * @param {boolean} speaks whether the text of the preview becomes the message
   */
  look(speaks) {
    const place = this.cursor === null ? this.pointed : { cell: this.cursor, side: -1 };
    if (place === null || this.session.outcome !== null || !this.module.has("hover")) {
      this.preview = { marks: [], text: "" };
      return;
    }
    const sheet = this.session.sheet("hover", ...place.cell, place.side);
    this.preview = { marks: sheet.marks(), text: sheet.text() };
    if (speaks && this.preview.text !== "") {
      this.say(this.preview.text);
    }
  }

  // --- the cursor

  toggleCursor() {
    if (this.session.outcome !== null) {
      this.tell("over");
    } else if (this.cursor !== null) {
      this.cursor = null;
      this.tell("cursor off");
    } else {
      this.rest();
      this.cursor = this.focus();
    }
    this.look(true);
    this.view.content();
  }

  /** The cell of the first actor, or the middle of the board. */
  focus() {
    const { rows, cols, sprites } = this.scene();
    const [first] = sprites;
    return /** @type {Cell} */ (
      first === undefined ? [rows >> 1, cols >> 1] : [Math.round(first.end[0]), Math.round(first.end[1])]
    );
  }

  /**
   * Let the cursor handle a key. Return whether the key was meant for it.
   *
   * @param {string} key
   */
  steer(key) {
    const { cursor } = this;
    if (cursor === null) {
      return false;
    }
    if (key === "return") {
      this.finishWalk();
      this.intend(this.session.ask("click", ...cursor));
      return true;
    }
    if (key === "escape") {
      this.toggleCursor();
      return true;
    }
    const direction = this.index.steering[key];
    if (direction === undefined) {
      return false;
    }
    const { rows, cols } = this.session.block.dimensions;
    const [down, right] = this.index.steps[direction];
    this.cursor = [clamp(cursor[0] + down, rows), clamp(cursor[1] + right, cols)];
    this.look(true);
    this.view.content();
    return true;
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
      this.tell(this.agentOn ? "turn" : "turn of stopped", { name: other.name });
    } else if (intent?.kind === "walk") {
      this.rest();
      this.walk(intent.actions);
      return;
    } else if (intent !== null) {
      this.rest();
      this.play(intent);
      return;
    }
    this.look(false);
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
    this.look(false);
    this.view.changed(motion);
    this.letAgentPlay();
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
    this.cursor = null;
    const { score } = this;
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
    this.stopAgent();
    this.rest();
    this.hintMarks = [];
    this.hintText = "";
    const { message } = this;
    this.arrived = false;
    work();
    const said = this.message === message ? null : this.message;
    this.noteEnding();
    this.message = said ?? this.message;
    this.look(false);
    this.view.changed(false);
  }

  /**
   * Show the state after the first `count` moves, with an animation if this is the next move.
   *
   * @param {number} count
   */
  goTo(count) {
    this.way = [];
    this.stopAgent();
    this.arrived = false;
    const next = count === this.session.at + 1;
    this.session.goTo(count);
    this.session.givenUp = 0;
    const { last } = this.session;
    this.hintMarks = [];
    this.say(last === null ? this.index.messages["at the start"][0] : capital(last.move.words), last?.valid === false ? "bad" : "");
    this.look(false);
    this.view.changed(next);
  }

  // --- agents

  /** Let the agent whose turn it is play, after a short pause. */
  letAgentPlay() {
    clearTimeout(this.agentTimer);
    const waits = this.session.waitsFor !== null;
    if (!this.agentOn || this.session.outcome !== null || (!waits && this.session.setup.players.length > 1)) {
      return;
    }
    if (!waits && !this.autopilot) {
      return;
    }
    this.agentTimer = window.setTimeout(() => void this.agentMove(), AGENT_PAUSE / this.speed);
  }

  async agentMove() {
    const at = this.session.at;
    const name = this.session.waitsFor?.agent ?? "greedy";
    let action = null;
    if (name === "greedy" && this.module.has("greedy")) {
      action = [this.session.block.call("greedy", this.pick())];
    } else {
      action = await this.view.choose(name);
    }
    if (action !== null && at === this.session.at && this.agentOn) {
      this.play({ kind: "act", action }, { by: this.session.waitsFor === null ? name : "" });
    }
  }

  /** A number that selects one of several equally good moves. The same game gives the same number. */
  pick() {
    const { at, setup } = this.session;
    return Math.imul(at + 1, 0x9e3779b1 ^ setup.seed) >>> 8;
  }

  toggleAgent() {
    if (this.session.outcome !== null) {
      this.tell("over");
    } else if (this.agentOn && (this.autopilot || this.session.setup.players.length > 1)) {
      this.stopAgent();
    } else {
      this.agentOn = true;
      this.autopilot = this.session.setup.players.length < 2;
      this.letAgentPlay();
    }
    this.view.content();
  }

  stopAgent() {
    clearTimeout(this.agentTimer);
    if (this.autopilot || this.session.waitsFor !== null) {
      this.agentOn = false;
      this.autopilot = false;
    }
  }

  /** Stop the agent and keep the game. */
  close() {
    clearTimeout(this.agentTimer);
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

  // --- plans

  /** The plan for the current state; null if there is none or while the planner is still searching. */
  get plan() {
    return this.search === null ? this.plans.current : null;
  }

  /** Whether plans can be shown: there is a planner, and it can plan all moves of the game. */
  get canPlan() {
    return this.view.solve !== null && this.session.setup.players.length < 2;
  }

  /** The overlay that shows plans, if the game has one. */
  get planOverlay() {
    return this.description.overlays.find((overlay) => overlay.plans);
  }

  /**
   * Show the result of a search, unless the game has changed meanwhile.
   *
   * @param {Search} search
   * @param {boolean} stopped whether the player stopped the search
   */
  showResult(search, stopped) {
    this.search = null;
    if (search.actions.length > 0) {
      this.plans.add(search.state, search.actions);
    }
    if (search.state === this.plans.state) {
      if (search.actions.length > 0 && this.planOverlay !== undefined) {
        this.overlays.add(this.planOverlay.key);
      }
      if (!stopped || search.actions.length > 0) {
        this.help.add(this.index.labels.planner);
      }
      const { text, tone } = search.result(stopped);
      this.say(text, tone);
    }
    this.view.content();
  }

  /**
   * Play the plan as moves of this game.
   *
   * @param {boolean} all all moves, or only the next one
   */
  playPlan(all) {
    const { plan } = this;
    if (plan !== null) {
      this.rest();
      this.walk(plan.actions.slice(plan.next, all ? undefined : plan.next + 1), this.index.labels.planner);
    }
  }

  /** Stop playing a plan. Return whether one was being played. */
  stopPlan() {
    const played = this.wayBy !== "" && this.way.length > 0;
    if (played) {
      this.way = [];
    }
    return played;
  }

  /** The progress of a search, or what remains of the plan; "" if there is neither. */
  get planText() {
    const { plan, search } = this;
    if (search !== null || plan === null) {
      return search?.text ?? "";
    }
    const { labels } = this.index;
    const count = plan.actions.length - plan.next;
    const overlay = this.planOverlay;
    const cut = overlay !== undefined && this.overlays.has(overlay.key) && overlay.most > 0 && overlay.most < count;
    const shown = cut ? [named(labels.shown, { most: overlay.most, count })] : [];
    return capital([named(labels["to go"], { moves: this.movesText(count) }), ...shown].join(", "));
  }

  /** @param {number} count */
  movesText(count) {
    const { labels } = this.index;
    return count === 1 ? labels.one : named(labels.many, { count });
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

  /** The marks that change with the game: trails and overlays. */
  lyingMarks() {
    const { at, entries } = this.session;
    const { plan } = this;
    const key = [this.session, at, entries[at - 1], [...this.overlays].join(), plan];
    if (key.every((part, k) => part === this.lyingKey[k])) {
      return this.lying;
    }
    /** @type {Mark[]} */
    const marks = [];
    marks.push(...this.session.trails());
    this.description.overlays.forEach((overlay, number) => {
      if (this.overlays.has(overlay.key) && overlay.plans) {
        marks.push(...(plan === null ? [] : planMarks(this.session, plan)));
      } else if (this.overlays.has(overlay.key) && this.module.has("overlay")) {
        const own = this.session.sheet("overlay", number).marks();
        marks.push(...(own.length > 0 ? own : this.ghostMarks()));
      }
    });
    this.lyingKey = key;
    this.lying = marks;
    return marks;
  }

  /** The marks of the best known run. It is part of the level's data, so `overlay` writes nothing for it. */
  ghostMarks() {
    const { level, preset } = this.session.setup;
    const run = level?.run?.[preset.name];
    if (!this.module.has("ghost") || run === undefined) {
      return [];
    }
    this.session.block.writeNumbers("run", run);
    return this.session.sheet("ghost", run.length / 2).marks();
  }

  /** The marks that follow the pointer, and the selection. */
  topMarks() {
    const marks = [...this.preview.marks];
    if (this.session.waitsFor === null && this.session.outcome === null && this.module.has("selection")) {
      marks.push(...this.session.sheet("selection").marks());
    }
    marks.push(...this.hintMarks);
    if (this.cursor !== null) {
      const [red, green, blue] = this.index.cursor_colour;
      const colour = `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
      const place = { cell: this.cursor, rows: 1, cols: 1, direction: 0, strength: 1, style: "", text: "" };
      marks.push({ kind: "frame", colour, ...place });
    }
    return marks;
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

  /** The key under which the result of this game is stored. */
  get identity() {
    const { origin, rules } = this.session.setup;
    return identityOf(this.description.name, origin, rules);
  }

  /** The score of the game; null if it was not won. With several players, the best score of a person. */
  get score() {
    const { session } = this;
    if (session.outcome === null) {
      return null;
    }
    const { players } = session.setup;
    if (players.length < 2 || !this.module.has("player_score")) {
      return this.module.has("score") ? session.sheet("score").score() : null;
    }
    /** @type {Score | null} */
    let best = null;
    players.forEach((player, place) => {
      const score = player.agent === "" ? session.sheet("player_score", place).score() : null;
      if (score !== null && (best === null || isBetter(score, best))) {
        best = score;
      }
    });
    return /** @type {Score | null} */ (best);
  }

  /** The best known result on this level, or null. */
  get known() {
    const { level, rules } = this.session.setup;
    return level?.best[rules] ?? null;
  }

  /**
   * The lines about the player's best result, the best known result and help.
   *
   * @returns {Figure[]}
   */
  results() {
    const { labels } = this.index;
    const best = this.storage.best(this.identity);
    const { known } = this;
    const lines = [];
    if (best !== null) {
      lines.push(figure(labels.best, best.words));
    }
    if (known !== null) {
      lines.push(figure(known.proved ? labels["best possible"] : labels["best known"], known.words));
    }
    return [...lines, ...this.assistance()];
  }

  /** The helpers in the game so far, and the help that the player had. A game with help does not set a record. */
  get helpers() {
    return [...new Set([...this.session.helpers, ...this.help])];
  }

  assistance() {
    const { labels } = this.index;
    const help = this.helpers;
    return help.length === 0 ? [] : [figure(labels.help, named(labels["no record"], { help: help.join(", ") }), "warn")];
  }

  /**
   * The lines of the end screen: first the outcome, then figures and results.
   *
   * @returns {Figure[]}
   */
  ending() {
    const { labels } = this.index;
    const lines = this.module.has("ending") ? this.session.sheet("ending").figures() : [];
    lines.splice(1, 0, ...this.standings());
    lines.push(...this.assistance());
    const best = this.storage.best(this.identity);
    if (best !== null && this.newRecord) {
      lines.push(figure(labels.best, named(labels["new record"], { best: best.words }), "good"));
    } else if (best !== null) {
      lines.push(figure(labels.best, best.words));
    }
    if (this.known !== null) {
      lines.push(this.compared(this.known));
    }
    return lines;
  }

  /**
   * Return the line about the best known result, with praise if the player reached it without help.
   *
   * @param {Score} known
   */
  compared(known) {
    const { labels } = this.index;
    const { score } = this;
    const label = known.proved ? labels["best possible"] : labels["best known"];
    const text = known.proved ? named(labels.proved, { known: known.words }) : known.words;
    const alone = this.helpers.length === 0;
    if (!alone || score === null || score.numbers[0] > known.numbers[0]) {
      return figure(label, text);
    }
    const reached = known.proved ? "perfect" : "matched";
    const praise = score.numbers[0] < known.numbers[0] ? "better" : reached;
    return figure(label, named(labels[praise], { known: text }), "good");
  }

  /**
   * The colour of a player.
   *
   * @param {number} player
   */
  colourOf(player) {
    return this.module.has("colour") ? colourText(this.session.block.call("colour", player)) : "transparent";
  }

  // --- overlays

  /** @param {string} key */
  toggleOverlay(key) {
    const overlay = this.description.overlays.find((known) => known.key === key);
    if (overlay === undefined) {
      return;
    }
    if (!this.overlays.delete(key)) {
      this.overlays.add(key);
    }
    const kept = this.description.overlays.filter((known) => this.overlays.has(known.key) && !known.plans);
    this.storage.set(
      `overlays ${this.description.name}`,
      kept.map((known) => known.key),
    );
    this.say(`${capital(overlay.name)}: ${this.overlays.has(key) ? overlay.about : "off"}`);
    if (overlay.plans && this.overlays.has(key) && this.plans.current === null && this.search === null) {
      this.view.solve?.();
    }
    this.view.content();
  }
}

/** Keys that belong to the browser: without them, the page could not be used with the keyboard alone. */
export const RESERVED = new Set(["tab", "shift+tab", "ctrl+l", "ctrl+v"]);

/**
 * @param {string} label
 * @param {string} value
 * @param {string} [tone]
 * @returns {Figure}
 */
function figure(label, value, tone = "") {
  return { label, value, tone, share: null, colour: null, large: false, idle: false };
}

/**
 * @param {Cell} one
 * @param {Cell | null} other
 */
function sameCell(one, other) {
  return other !== null && one[0] === other[0] && one[1] === other[1];
}

/**
 * @param {number} number
 * @param {number} count
 */
function clamp(number, count) {
  return Math.max(0, Math.min(number, count - 1));
}
