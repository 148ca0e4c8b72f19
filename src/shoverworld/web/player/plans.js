/** Plans: the remaining moves from a state, their marks on the board, and a search for a plan as sentences. */

import { capital, named, numberText } from "./phrases.js";

/** @import { Plan as Report, Progress } from "./remote.js" */
/** @import { Session } from "./session.js" */
/** @import { Table } from "./table.js" */
/** @import { Mark, Message } from "./types.js" */

/** @typedef {{actions: number[][], next: number}} Plan actions, of which those from `next` on remain to be played */

/** The plans that are known for the states of a game. Playing the next action of a plan keeps the plan, and so does undo. */
export class Plans {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {WeakMap<object, Plan>} */
    this.known = new WeakMap();
    /** @type {Search | null} */
    this.search = null; // the search for a plan that is running
  }

  /** What stands for the current state: the move that led to it. */
  get state() {
    return this.table.session.last ?? this.table.session;
  }

  /** The plan for the current state, or null. @returns {Plan | null} */
  get current() {
    return this.table.session.outcome === null ? (this.known.get(this.state) ?? null) : null;
  }

  /**
   * @param {object} state
   * @param {number[][]} actions
   */
  add(state, actions) {
    this.known.set(state, { actions, next: 0 });
  }

  /**
   * A move was made. If it is the next action of a plan, the rest of the plan is a plan for the new state.
   *
   * @param {Plan | null} plan the plan for the state before the move
   */
  follow(plan) {
    const { last } = this.table.session;
    if (plan === null || last === null || last.intent.kind !== "act") {
      return;
    }
    const { action } = last.intent;
    const next = plan.next + 1;
    if (next < plan.actions.length && plan.actions[plan.next].every((number, k) => number === action[k])) {
      this.known.set(last, { actions: plan.actions, next });
    }
  }

  /** The plan for the current state; null if there is none or while the planner is still searching. */
  get ready() {
    return this.search === null ? this.current : null;
  }

  /** The overlay that shows plans, if the game has one. */
  get overlay() {
    return this.table.description.overlays.find((overlay) => overlay.plans);
  }

  /** Whether plans can be shown: there is a planner, and it can plan all moves of the game. */
  get possible() {
    return this.table.view.solve !== null && this.table.session.setup.players.length < 2;
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
      this.add(search.state, search.actions);
    }
    if (search.state === this.state) {
      if (search.actions.length > 0 && this.overlay !== undefined) {
        this.table.overlays.shown.add(this.overlay.key);
      }
      if (!stopped || search.actions.length > 0) {
        this.table.help.add(this.table.index.labels.planner);
      }
      const { text, tone } = search.result(stopped);
      this.table.say(text, tone);
    }
    this.table.view.content();
  }

  /**
   * Play the plan as moves of this game.
   *
   * @param {boolean} all all moves, or only the next one
   */
  play(all) {
    const plan = this.ready;
    if (plan !== null) {
      this.table.pointer.rest();
      this.table.walk(plan.actions.slice(plan.next, all ? undefined : plan.next + 1), this.table.index.labels.planner);
    }
  }

  /** Stop playing a plan. Return whether one was being played. */
  stop() {
    const { table } = this;
    const played = table.wayBy !== "" && table.way.length > 0;
    if (played) {
      table.way = [];
    }
    return played;
  }

  /** The progress of a search, or what remains of the plan; "" if there is neither. */
  get text() {
    const { ready: plan, search } = this;
    if (search !== null || plan === null) {
      return search?.text ?? "";
    }
    const { labels } = this.table.index;
    const count = plan.actions.length - plan.next;
    const overlay = this.overlay;
    const cut = overlay !== undefined && this.table.overlays.shown.has(overlay.key) && overlay.most > 0 && overlay.most < count;
    const shown = cut ? [named(labels.shown, { most: overlay.most, count })] : [];
    return capital([named(labels["to go"], { moves: this.table.movesText(count) }), ...shown].join(", "));
  }
}

/**
 * Return the marks of a plan. A module without `plan_marks` marks each action with `hint`, in a copy of the game.
 *
 * @param {Session} session
 * @param {Plan} plan
 * @returns {Mark[]}
 */
export function planMarks(session, { actions, next }) {
  const { module } = session;
  const numbers = actions.slice(next).flat();
  if (!module.has("plan_marks")) {
    return [];
  }
  return module.briefly(() => {
    const address = module.reserve(4 * numbers.length);
    new Int32Array(module.memory.buffer, address, numbers.length).set(numbers);
    return session.sheet("plan_marks", address, actions.length - next).marks();
  });
}

/**
 * Return what the planner is doing.
 *
 * @param {Record<string, string>} labels
 * @param {string} stage as the server reports it
 */
export function stageText(labels, stage) {
  return stage === "waiting" || stage === "thinking" ? labels[stage] : labels["getting ready"];
}

/** A search for a plan: what the planner has reported so far. */
export class Search {
  /**
   * @param {Table} table
   * @param {number} seconds the time limit
   */
  constructor(table, seconds) {
    this.table = table;
    this.seconds = seconds;
    this.state = table.plans.state;
    this.began = performance.now();
    this.stage = "waiting";
    /** @type {Report | null} */
    this.report = null;
    /** @type {number[][]} */
    this.actions = [];
  }

  /** @param {Progress} progress */
  update({ plan, stage }) {
    this.stage = stage;
    this.report = plan ?? this.report;
    this.actions = plan?.actions ?? this.actions;
  }

  /** The progress as a sentence. */
  get text() {
    const { keys } = this.table;
    const { labels } = this.table.index;
    const seconds = Math.floor((performance.now() - this.began) / 1000);
    return named(labels.planning, { seconds, what: this.stageText(), key: keys.solve });
  }

  stageText() {
    const { labels } = this.table.index;
    const { report, stage } = this;
    if (stage !== "thinking") {
      return stageText(labels, stage);
    }
    const found = this.actions.length > 0;
    const best = found ? named(labels["plan so far"], { moves: this.moves(this.actions.length) }) : labels["no plan so far"];
    if (report === null) {
      return best;
    }
    const least = named(labels["at least"], { moves: this.moves(report.lower_bound) });
    return [best, least, named(labels.expanded, { count: numberText(report.expanded, ",") })].join(", ");
  }

  /** @param {number} count */
  moves(count) {
    return this.table.movesText(count);
  }

  /**
   * Return the result of the search as a sentence.
   *
   * @param {boolean} stopped whether the player stopped the search
   * @returns {Message}
   */
  result(stopped) {
    const { keys, session } = this.table;
    const { labels } = this.table.index;
    const { report } = this;
    const values = { ...this.table.description.words, undo: keys.undo, seconds: this.seconds };
    if (this.actions.length > 0) {
      const objective = report?.objective ?? "";
      const best = named(labels[report?.proved_optimal ? "best plan" : "good plan"], { objective });
      return { text: named(labels["plan found"], { moves: this.moves(this.actions.length), best }), tone: "good" };
    }
    if (report?.status === "unsolvable") {
      return { text: named(labels[session.canUndo ? "unsolvable now" : "unsolvable"], values), tone: "bad" };
    }
    if (report?.status === "solved") {
      return { text: labels["any step"], tone: "good" };
    }
    return { text: named(labels[stopped ? "no plan stopped" : "no plan"], values), tone: "warn" };
  }
}
