/** Plans: the remaining moves from a state, their marks on the board, and a search for a plan as sentences. */

import { named, numberText } from "./phrases.js";

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
      return stage === "waiting" ? labels.waiting : labels["getting ready"];
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
