/**
 * The client of `shover web`: planners, agents, records and local files, which need Python (docs/web.md).
 *
 * `connect()` returns null on a static host. It sends a request only if the page contains the mark that the server adds:
 * `<meta name="shoverworld-server">`. All functions reject with a RemoteError whose message can be shown to people, or with
 * the reason of the signal if it was aborted. An aborted job is cancelled on the server at once.
 */

/** @typedef {number[] | {place: [number, number]}} Move The numbers of an action, or a free placement. */
/** @typedef {{collection: string, name: string} | {text: string, number?: number} | {seed: number}} LevelPlace */
/**
 * @typedef {object} Position
 * @property {string} game
 * @property {string} [rules] A preset, possibly with changes: "phase2, initial_force=30". Default: the rules of the level.
 * @property {LevelPlace} level
 * @property {number | string[]} [players] The number of people, or "human" or the name of an agent for each player.
 * @property {number | null} [seed] The seed of the reset.
 * @property {Move[]} [moves]
 * @property {string} [hash] The state hash after the moves, 16 hexadecimal digits.
 */
/**
 * @typedef {object} Plan
 * @property {"solved" | "unsolvable" | "unknown"} status
 * @property {number[][]} [actions] Progress contains the actions only if they are a better plan than before.
 * @property {number} steps
 * @property {string} objective
 * @property {number | null} cost
 * @property {number} lower_bound
 * @property {boolean} proved_optimal
 * @property {number} expanded
 * @property {number} seconds
 * @property {string} stopped_by
 */
/** @typedef {{action: number[] | null, text: string, marks: object[], plan: Plan}} Hint */
/** @typedef {{stage: "waiting" | "preparing" | "thinking", plan?: Plan}} Progress */
/** @typedef {{outcome: string | null, played: number, hash: string}} Played */
/** @typedef {{numbers: number[], words: string}} Score */
/**
 * @typedef {object} JobOptions
 * @property {number} [seconds] The time limit, without the time for compilation.
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 */

const MARK = 'meta[name="shoverworld-server"]';
const RETRIES = 3; // attempts to continue an event stream that was interrupted
const RETRY_DELAY = 500; // milliseconds

/** An error that the server reported, or a server that does not answer (status 0). */
export class RemoteError extends Error {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 0) {
    super(message);
    this.name = "RemoteError";
    this.status = status;
  }
}

/**
 * Find out whether the page comes from `shover web`.
 * @returns {Promise<Remote | null>}
 */
export async function connect() {
  if (!document.querySelector(MARK)) return null;
  try {
    return new Remote(await request("GET", "hello"));
  } catch {
    return null; // the page was saved, or the server has ended
  }
}

export class Remote {
  /** @param {any} hello The answer of the server to `GET /api/hello`. */
  constructor(hello) {
    /** @type {string} */
    this.version = hello.version;
    /** @type {Record<string, {agents: string[], objectives: string[]}>} */
    this.games = hello.games;
    /** @type {{moves: number, seconds: number}} */
    this.limits = hello.limits;
    /** @type {number} The number of files named on the command line. */
    this.fileCount = hello.files;
  }

  /**
   * Search for a good next action. `action` is null if there is none, and `text` says why.
   * @param {Position} position
   * @param {JobOptions & {objective?: string}} [options]
   * @returns {Promise<Hint>}
   */
  hint(position, { objective, seconds, onProgress, signal } = {}) {
    return run({ kind: "hint", position, objective, seconds }, { onProgress, signal });
  }

  /**
   * Search for a plan. `onProgress` gets the best plan so far, the lower bound and the number of expanded states.
   * @param {Position} position
   * @param {JobOptions & {objective?: string}} [options]
   * @returns {Promise<Plan>}
   */
  solve(position, { objective, seconds, onProgress, signal } = {}) {
    return run({ kind: "solve", position, objective, seconds }, { onProgress, signal });
  }

  /**
   * Let an agent play. `onAction` gets each action and a description of what it did.
   * @param {Position} position
   * @param {string} agent One of `games[position.game].agents`.
   * @param {JobOptions & {moves?: number, seed?: number, onAction?: (action: number[], text: string) => void}} [options]
   *   `moves`: the number of actions to play; by default, until the game is over.
   * @returns {Promise<Played>}
   */
  play(position, agent, { moves, seed, seconds, onAction, onProgress, signal } = {}) {
    return run({ kind: "agent", position, agent, moves, seed, seconds }, { onAction, onProgress, signal });
  }

  /**
   * The player's results for the packaged levels, which the window shows too.
   * @param {string} game
   * @param {string} [rules] Rules that replace or change the rules of every level.
   * @returns {Promise<Array<Score & {collection: string, name: string, rules: string}>>}
   */
  async records(game, rules = "") {
    return (await request("GET", `records?${new URLSearchParams({ game, rules })}`)).records;
  }

  /**
   * Save the result of a game that was won without help. The server plays the moves again.
   * @param {Position} position
   * @param {number[]} numbers The numbers of the score, best first: those of `best` in the level data.
   * @returns {Promise<{improved: boolean, score: Score, best: Score, identity: string}>}
   */
  saveRecord(position, numbers) {
    return request("PUT", "records", { position, numbers });
  }

  /**
   * The files named on the command line.
   * @returns {Promise<Array<{number: number, name: string, kind: "levels" | "replay", game: string}>>}
   */
  async files() {
    return (await request("GET", "files")).files;
  }

  /**
   * The content of a file: levels, each with the data of a packaged level and its `text`, or a replay as a `position`.
   * @param {number} number
   * @returns {Promise<any>}
   */
  file(number) {
    return request("GET", `files/${number}`);
  }
}

/**
 * Start a job, follow its events and return its result.
 * @param {object} message
 * @param {{onProgress?: (progress: Progress) => void, onAction?: (action: number[], text: string) => void,
 *   signal?: AbortSignal}} options
 * @returns {Promise<any>}
 */
async function run(message, { onProgress, onAction, signal }) {
  const { id } = await request("POST", "jobs", message, signal);
  try {
    for await (const event of events(id, signal)) {
      if (event.type === "progress") onProgress?.(event);
      else if (event.type === "action") onAction?.(event.action, event.text);
      else if (event.type === "done") return event.result;
      else throw new RemoteError(event.error ?? "the job was cancelled");
    }
    throw new RemoteError("the server ended the job without a result"); // not reached: `events` never returns
  } catch (error) {
    request("DELETE", `jobs/${id}`).catch(() => {}); // a job that is over is not an error
    throw error;
  }
}

/**
 * Yield the events of a job. If the connection is interrupted, continue after the last event.
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<any>}
 */
async function* events(id, signal) {
  let last = -1;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const headers = { "Last-Event-ID": String(last) };
      const response = await answered(fetch(`api/jobs/${id}/events`, { headers, signal, cache: "no-store" }));
      for await (const [number, event] of parsed(response)) {
        yield event;
        last = number;
        attempt = 0;
      }
      throw new TypeError("the stream ended"); // the caller stops at the last event of a job
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TypeError) || attempt >= RETRIES) throw readable(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    }
  }
}

/**
 * Yield the numbers and the data of server-sent events.
 * @param {Response} response
 * @returns {AsyncGenerator<[number, any]>}
 */
async function* parsed(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = /** @type {string} */ (blocks.pop());
      for (const block of blocks) {
        const fields = /^id: (\d+)\ndata: (.*)$/.exec(block);
        if (fields) yield [Number(fields[1]), JSON.parse(fields[2])]; // other blocks are signs of life
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [message]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function request(method, path, message, signal) {
  /** @type {RequestInit} */
  const options = { method, signal, cache: "no-store" };
  if (message !== undefined) {
    options.body = JSON.stringify(message);
    options.headers = { "Content-Type": "application/json" };
  }
  if (method === "DELETE") options.keepalive = true; // also while the page is being closed
  try {
    const response = await answered(fetch(`api/${path}`, options));
    return response.status === 204 ? null : await response.json();
  } catch (error) {
    signal?.throwIfAborted();
    throw readable(error);
  }
}

/**
 * Return a successful response. Throw the error in any other response.
 * @param {Promise<Response>} promise
 * @returns {Promise<Response>}
 */
async function answered(promise) {
  const response = await promise;
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new RemoteError(body.error ?? `the server answered with status ${response.status}`, response.status);
}

/** @param {unknown} error */
function readable(error) {
  return error instanceof RemoteError ? error : new RemoteError("the server does not answer; is `shover web` still running?");
}
