/** Help from Python, if `shover web` serves the page: hints, stronger agents, records of the window, and local files. */

import { capital } from "./phrases.js";
import { Search, stageText } from "./plans.js";
import { RemoteError, connect } from "./remote.js";
import { scoreOf } from "./results.js";

/** @import { App } from "./app.js" */
/** @import { Remote } from "./remote.js" */
/** @import { Table } from "./table.js" */

const SOLVE_SECONDS = 60; // as in the editor of the window
const TICK = 500; // milliseconds between two updates of the progress of a search
const HINT_SECONDS = [2, 10, 30]; // each further request on the same position lets the planner think longer

export class Helpers {
  /**
   * @param {App} app
   * @param {Remote} remote
   */
  constructor(app, remote) {
    this.app = app;
    this.remote = remote;
    /** @type {AbortController | null} */
    this.job = null;
    this.asked = { at: -1, times: 0, table: /** @type {Table | null} */ (null) };
  }

  /**
   * Return the helpers, or null if the page comes from a static host.
   *
   * @param {App} app
   * @returns {Promise<Helpers | null>}
   */
  static async connect(app) {
    const remote = await connect();
    return remote === null ? null : new Helpers(app, remote);
  }

  /**
   * The agents that can play a game.
   *
   * @param {string} game
   * @returns {string[]}
   */
  agents(game) {
    return this.remote.games[game]?.agents ?? [];
  }

  stop() {
    this.job?.abort();
    this.job = null;
  }

  /**
   * Show a hint. A second request on the same position lets the planner think longer.
   *
   * @param {Table} table
   */
  async hint(table) {
    this.stop();
    const { at } = table.session;
    const again = this.asked.table === table && this.asked.at === at;
    this.asked = { at, table, times: again ? this.asked.times + 1 : 0 };
    const job = new AbortController();
    this.job = job;
    const began = performance.now();
    let stage = "thinking";
    let shown = ""; // the progress
    const show = (/** @type {string} */ text) => {
      if (table.hintText === shown && table.session.at === at) {
        table.hintText = text;
        table.view.content();
      }
      shown = text;
    };
    const showProgress = () => {
      const passed = Math.floor((performance.now() - began) / 1000);
      show(`${capital(stageText(table.index.labels, stage))} … ${passed} s`);
    };
    const onProgress = (/** @type {import("./remote.js").Progress} */ progress) => {
      ({ stage } = progress);
      showProgress();
    };
    table.hintText = "";
    showProgress();
    const timer = setInterval(showProgress, TICK);
    try {
      const seconds = HINT_SECONDS[Math.min(this.asked.times, HINT_SECONDS.length - 1)];
      const { action, text } = await this.remote.hint(this.position(table), { seconds, onProgress, signal: job.signal });
      if (this.job === job && table.session.at === at) {
        table.showHint(action, capital(text));
      }
    } catch (error) {
      this.failed(table, error, job);
    } finally {
      clearInterval(timer);
      show(""); // if the search was stopped
      this.done(job);
    }
  }

  /**
   * Search for a plan and show the progress. If the search is stopped, the best plan so far is kept.
   *
   * @param {Table} table
   */
  async solve(table) {
    this.stop();
    const job = new AbortController();
    const seconds = Math.min(SOLVE_SECONDS, this.remote.limits.seconds);
    const search = new Search(table, seconds);
    this.job = job;
    table.plans.search = search;
    table.view.content();
    const timer = setInterval(() => table.view.content(), TICK);
    const onProgress = (/** @type {import("./remote.js").Progress} */ progress) => {
      search.update(progress);
      table.view.content();
    };
    try {
      const plan = await this.remote.solve(this.position(table), { seconds, onProgress, signal: job.signal });
      search.update({ stage: "thinking", plan });
      table.plans.showResult(search, false);
    } catch (error) {
      table.plans.search = null;
      if (job.signal.aborted) {
        table.plans.showResult(search, true);
      } else {
        this.failed(table, error, job);
      }
    } finally {
      clearInterval(timer);
      this.done(job);
    }
  }

  /** @param {AbortController} job */
  done(job) {
    if (this.job === job) {
      this.job = null;
    }
  }

  /**
   * Let an agent play until the game is over, or until somebody stops it.
   *
   * @param {Table} table
   * @param {string} agent
   */
  async play(table, agent) {
    this.stop();
    const job = new AbortController();
    this.job = job;
    try {
      await this.remote.play(this.position(table), agent, {
        signal: job.signal,
        onAction: (action) => {
          if (this.job === job && table.session.outcome === null) {
            table.play({ kind: "act", action }, { by: agent });
          }
        },
      });
    } catch (error) {
      this.failed(table, error, job);
    } finally {
      this.done(job);
    }
  }

  /**
   * Return one action of an agent.
   *
   * @param {Table} table
   * @param {string} agent
   * @returns {Promise<number[] | null>}
   */
  async move(table, agent) {
    /** @type {number[] | null} */
    let chosen = null;
    await this.remote.play(this.position(table), agent, {
      moves: 1,
      seed: table.session.setup.seed,
      onAction: (action) => {
        chosen = action;
      },
    });
    return chosen;
  }

  /** Whether a job is running. */
  get busy() {
    return this.job !== null;
  }

  /**
   * Save the result of a game that was won without help, where the window finds it too.
   *
   * @param {Table} table
   */
  async save(table) {
    const { origin } = table.session.setup;
    const score = scoreOf(table);
    if (score !== null && "collection" in origin) {
      try {
        await this.remote.saveRecord(this.position(table), score.numbers);
      } catch (error) {
        this.failed(table, error, null);
      }
    }
  }

  /** @param {Table} table */
  position(table) {
    return /** @type {import("./remote.js").Position} */ (table.session.position());
  }

  /**
   * @param {Table} table
   * @param {unknown} error
   * @param {AbortController | null} job
   */
  failed(table, error, job) {
    if (job?.signal.aborted) {
      return;
    }
    table.hintText = "";
    table.say(error instanceof RemoteError ? error.message : String(error), "bad");
    table.view.content();
  }

  /** Open the first file that was named on the command line. Return whether there is one. */
  async openFirstFile() {
    if (this.remote.fileCount === 0) {
      return false;
    }
    const [{ number }] = await this.remote.files();
    const file = await this.remote.file(number);
    const game = await this.app.games.load(file.game);
    if (file.kind === "replay") {
      await game.library.add([file.level]);
      await this.app.openPosition(file.position);
    } else {
      const { list, place } = await game.library.add(file.levels);
      this.app.openLevel(game, list, place);
    }
    return true;
  }
}
