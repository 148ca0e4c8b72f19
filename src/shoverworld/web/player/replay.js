/**
 * Replay files (docs/replays.md): read them, and verify the hash of the state after every move.
 *
 * The errors are the same sentences as in `core/replay_text.py` and `core/replay.py`: index.json contains them.
 */

import { load } from "./data.js";

/** @import { Session } from "./session.js" */
/** @import { LinkMove, Position } from "./link.js" */

const LONGEST = 32 << 20; // letters in a file

/**
 * @typedef {object} ReplayData what index.json contains about replays
 * @property {string} title
 * @property {number} version
 * @property {string[]} texts
 * @property {string[]} keys
 * @property {{place: string, start: string, playing: string}} words
 * @property {Record<string, string>} messages
 * @property {Record<string, [string, string]>} environments the game and the rules of each environment id
 * @property {Record<string, {names: string[], of_level: string[], players: string,
 *   reward: Record<string, number | null>}>} rules
 *
 * @typedef {number | string | boolean | null} Value
 *
 * @typedef {object} Replay
 * @property {Position} position the whole game
 * @property {string[]} hashes the hash of the start, and of the state after each move
 * @property {string} title the title of the level, its name, or ""
 * @property {string} player
 * @property {string | null} outcome how the game ended; null if it was not over
 * @property {string} end the last line
 * @property {string} source the name of the file
 * @property {number[]} lines the number of the line of each move, and of the last line
 * @property {ReplayData} data
 */

/** A replay cannot be read, or does not match the rules. */
export class ReplayError extends Error {
  /**
   * @param {string} what
   * @param {string} source
   * @param {number | null} [line]
   * @param {number | null} [step] 0 means the start of the game
   */
  constructor(what, source, line = null, step = null) {
    super(`${source}${line ? `, line ${line}` : ""}: ${what}`);
    this.line = line;
    this.step = step;
  }
}

/**
 * Read a replay file without playing it.
 *
 * @param {string} text
 * @param {string} [source] the name of the file
 * @returns {Promise<Replay>}
 */
export async function readReplay(text, source = "replay") {
  const index = await load("index.json");
  if (text.length > LONGEST) {
    throw new ReplayError(`the text is longer than ${LONGEST >> 20} MiB`, source);
  }
  return new Reader(text.replace(/^\ufeff/, ""), source, index.replay).read();
}

/**
 * Play a replay in a session that has just started from its position, without moves. Return the error at the first step
 * that differs from the recording, or null if the whole replay is valid. Afterwards, the session contains the moves.
 *
 * The total reward and the other values in the last line are not compared.
 *
 * @param {Session} session
 * @param {Replay} replay
 * @returns {ReplayError | null}
 */
export function verifyReplay(session, replay) {
  const { data, hashes, lines, position, source } = replay;
  /** @param {string} name @param {Record<string, unknown>} values */
  const message = (name, values) => filled(data.messages[name], values);
  /** @param {string} where @param {string} recorded */
  const different = (where, recorded) => {
    const actual = session.block.stateHash();
    return actual === recorded ? null : message("different state", { where, recorded, actual });
  };
  const start = different(message("at the start", {}), hashes[0]);
  if (start !== null) {
    return new ReplayError(start, source, null, 0);
  }
  let step = 0;
  for (const [place, move] of position.moves.entries()) {
    const number = place + 1;
    step += Array.isArray(move) ? 1 : 0;
    let where = message(Array.isArray(move) ? "step" : "placement", { step });
    where += number === step ? "" : message("move number", { number });
    let problem = null;
    if (session.outcome !== null) {
      problem = message("over", { where, outcome: session.outcome });
    } else {
      try {
        session.playAll([move], "replay");
        problem = different(where, hashes[number]);
      } catch (error) {
        problem = message("impossible", { where, reason: /** @type {Error} */ (error).message });
      }
    }
    if (problem !== null) {
      return new ReplayError(problem, source, lines[place], step);
    }
  }
  if (session.outcome !== replay.outcome) {
    const actual = session.outcome ?? data.words.playing;
    const problem = message("different end", { step, recorded: replay.end, actual });
    return new ReplayError(problem, source, lines[position.moves.length], step);
  }
  return null;
}

/** A parser that reads the lines from top to bottom: title, header, map, moves and end. */
class Reader {
  /**
   * @param {string} text
   * @param {string} source
   * @param {ReplayData} data
   */
  constructor(text, source, data) {
    this.source = source;
    this.data = data;
    this.lines = text.split("\n");
    this.at = 0; // the number of the current line, counted from 1
    this.line = "";
    this.step = 0;
    /** @type {Map<string, string>} */
    this.header = new Map();
    /** @type {Map<string, Value>} */
    this.config = new Map();
    /** @type {string[]} */
    this.rows = [];
    /** @type {LinkMove[]} */
    this.moves = [];
    /** @type {string[]} */
    this.hashes = [];
    /** @type {number[]} */
    this.moveLines = [];
  }

  /**
   * @param {string} name the name of a message
   * @param {Record<string, unknown>} [values]
   * @param {number | null} [step]
   * @param {number | null} [line]
   */
  wrong(name, values = {}, step = null, line = this.at) {
    return new ReplayError(filled(this.data.messages[name], values), this.source, line, step);
  }

  /** @returns {Replay} */
  read() {
    const { data } = this;
    this.readTitle();
    let line = this.readHeader();
    if (line === "map:") {
      line = this.readMap();
    }
    if (line !== "moves:") {
      throw this.wrong("moves", { found: line });
    }
    this.readStart(this.next(`the line \`0  ${data.words.start}  HASH\``));
    for (;;) {
      line = this.next("the next move or `end:`");
      if (line.startsWith("end:")) {
        break;
      }
      this.readMove(line);
    }
    const end = stripped(line.slice("end:".length));
    const outcome = this.readEnd(end);
    this.moveLines.push(this.at);
    const rest = this.written();
    if (rest !== "") {
      throw this.wrong("after the end", { found: rest });
    }
    const title = this.header.get("note.title") || this.header.get("note.map") || "";
    const player = this.header.get("player") ?? "";
    const { hashes, source } = this;
    return { position: this.position(), hashes, title, player, outcome, end, source, lines: this.moveLines, data };
  }

  /** Return the next line that is neither blank nor a comment, or "". */
  written() {
    while (this.at < this.lines.length) {
      this.line = this.lines[this.at];
      this.at += 1;
      const words = stripped(this.line);
      if (words !== "" && !words.startsWith("#")) {
        return words;
      }
    }
    return "";
  }

  /** @param {string} expected */
  next(expected) {
    const line = this.written();
    if (line === "") {
      this.at = this.lines.length;
      throw this.wrong("end of file", { step: this.step, expected }, this.step);
    }
    return line;
  }

  readTitle() {
    const { title, version } = this.data;
    const line = stripped(this.lines[0] ?? "");
    const found = line.startsWith(`${title} `) ? /^[1-9][0-9]{0,5}$/.exec(line.slice(title.length + 1)) : null;
    this.at = 1;
    if (found === null) {
      throw this.wrong("title", { expected: `${title} ${version}` });
    }
    if (Number(found[0]) !== version) {
      throw this.wrong("version", { found: found[0], expected: version });
    }
  }

  /** Read the `key: value` lines and return the line after them. */
  readHeader() {
    for (;;) {
      const line = this.next("a line of the form `key: value`, `map:` or `moves:`");
      if (line === "map:" || line === "moves:") {
        return line;
      }
      const colon = line.indexOf(":");
      if (colon < 0) {
        throw this.wrong("header line", { found: line });
      }
      const key = stripped(line.slice(0, colon));
      if (this.header.has(key)) {
        throw this.wrong("duplicate", { key });
      }
      this.header.set(key, stripped(line.slice(colon + 1)));
      this.readField(key, stripped(line.slice(colon + 1)));
    }
  }

  /**
   * @param {string} key
   * @param {string} value
   */
  readField(key, value) {
    if (key === "seed" && !/^[0-9]{1,4000}$/.test(value)) {
      throw this.wrong("seed", { found: value });
    }
    if (key === "env" || key === "seed") {
      return;
    }
    if (this.data.texts.includes(key) || /^note\.[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) {
      if (isUnprintable(value)) {
        throw this.wrong("unprintable", { key, found: value });
      }
      return;
    }
    const found = /^config\.([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?$/.exec(key);
    if (found === null) {
      throw this.wrong("unknown key", { key, known: this.data.keys.join(", ") });
    }
    const [, name, part] = found;
    const isPart = (/** @type {string} */ known) => known.startsWith(`${name}.`);
    if (part === undefined ? [...this.config.keys()].some(isPart) : this.config.has(name)) {
      throw this.wrong("config twice", { name });
    }
    this.config.set(part === undefined ? name : `${name}.${part}`, this.value(key, value));
  }

  /**
   * Return a value in JSON syntax: a number, "word", true, false or null.
   *
   * @param {string} key
   * @param {string} text
   * @returns {Value}
   */
  value(key, text) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    if (value === undefined || (typeof value === "object" && value !== null) || Math.abs(value) === Infinity) {
      throw this.wrong("config value", { key, found: text });
    }
    return value;
  }

  /** Read the rows of the map, which start with `| `, and return the line after them. */
  readMap() {
    for (;;) {
      const line = this.next("a row of the map or `moves:`");
      if (!line.startsWith("|")) {
        if (this.rows.length === 0) {
          throw this.wrong("map", { found: line });
        }
        return line;
      }
      const row = this.line.trimStart().replace(/\r$/, "");
      this.rows.push(row.startsWith("| ") ? row.slice(2) : row.slice(1));
    }
  }

  /**
   * Split the line for the move with this number into words, and keep its hash.
   *
   * @param {string} line
   * @param {number} number
   * @param {string} what
   */
  words(line, number, what) {
    const content = line.split("#", 1)[0];
    const words = content.split(/\s+/).filter((word) => word !== "");
    const hash = words[words.length - 1];
    if (words.length < 3 || words[0] !== String(number) || !/^[0-9a-f]{16}$/.test(hash)) {
      throw this.wrong("move line", { found: stripped(content), number, what }, this.step);
    }
    this.hashes.push(hash);
    return words.slice(1, -1);
  }

  /** @param {string} line */
  readStart(line) {
    const { start } = this.data.words;
    const words = this.words(line, 0, start);
    if (words.length !== 1 || words[0] !== start) {
      throw this.wrong("start", { found: line, expected: `0  ${start}  HASH` }, 0);
    }
  }

  /** @param {string} line */
  readMove(line) {
    const { place } = this.data.words;
    const isFree = line.split(/\s+/)[1] === place;
    this.step += isFree ? 0 : 1;
    const words = this.words(line, this.moves.length + 1, "ACTION");
    const numbers = isFree ? words.slice(1) : words;
    if (numbers.length === 0 || !numbers.every((word) => /^-?[0-9]{1,9}$/.test(word))) {
      throw this.wrong("move", { found: words.join(" "), place }, this.step);
    }
    const found = numbers.map(Number);
    this.moves.push(isFree ? { place: found } : found);
    this.moveLines.push(this.at);
  }

  /**
   * Return the outcome.
   *
   * @param {string} text
   */
  readEnd(text) {
    const [outcome, ...values] = text.split(", ");
    const figure = /^([a-z_]+) -?[0-9]{1,25}(\.[0-9]{1,25})?(e[+-]?[0-9]{1,2})?$/;
    const names = values.map((value) => figure.exec(value)?.[1]);
    const isWrong = !/^[a-z_]+$/.test(outcome) || names.includes(undefined) || new Set(names).size < names.length;
    if (isWrong) {
      throw this.wrong("end", { found: text }, this.step);
    }
    return outcome === this.data.words.playing ? null : outcome;
  }

  /** @returns {Position} */
  position() {
    const id = this.header.get("env");
    if (id === undefined) {
      throw this.wrong("no env", {}, null, null);
    }
    const seed = Number(this.header.get("seed") ?? 0);
    if (this.rows.length === 0 && !(this.header.has("seed") && Number.isSafeInteger(seed))) {
      throw this.wrong("no level", {}, null, null);
    }
    if (this.rows.some(isUnprintable)) {
      throw this.wrong("unprintable map", {}, null, null);
    }
    const found = Object.hasOwn(this.data.environments, id) ? this.data.environments[id] : null;
    if (found === null) {
      throw this.wrong("unknown env", { found: id, hint: "`shover envs` lists the environments" }, null, null);
    }
    const [game, rules] = found;
    return {
      game,
      rules: this.rules(game, rules),
      level: this.rows.length > 0 ? { text: `${this.rows.join("\n")}\n` } : { seed },
      players: this.players(game),
      seed: Number.isSafeInteger(seed) ? seed : 0, // a seed has no effect if the map contains the start
      moves: this.moves,
    };
  }

  /**
   * Return the rules as a string, such as "phase2, initial_force=30".
   *
   * @param {string} game
   * @param {string} own the rules of the environment id
   */
  rules(game, own) {
    const { names, of_level: ofLevel, reward } = this.data.rules[game];
    const base = this.config.get("rules");
    const [preset, ...parts] = (typeof base === "string" ? this.preset(base) : own).split(", ");
    const rules = new Map(parts.map((part) => /** @type {[string, string]} */ (part.split("="))));
    if ([...this.config.keys()].some((name) => name.startsWith("reward."))) {
      for (const [part, value] of Object.entries(reward)) {
        rules.set(`reward.${part}`, written(value));
      }
    }
    for (const [name, value] of this.config) {
      this.checkWord(name, value);
    }
    for (const [name, value] of this.config) {
      if (names.includes(name)) {
        rules.set(name, written(value));
      } else if (name !== "rules" && !(name === "levels" && value === "random") && !ofLevel.includes(name)) {
        throw this.wrong("not a rule", { name, hint: `the rules are ${names.join(", ")}` }, null, null);
      }
    }
    return [preset, ...[...rules].map((rule) => rule.join("="))].join(", ");
  }

  /**
   * Return the rules that the line `config.rules` names: a preset, or the name of an environment.
   *
   * @param {string} name
   */
  preset(name) {
    const found = Object.entries(this.data.environments).find(([id]) => id.split("/")[1] === name);
    return found === undefined ? name : found[1][1];
  }

  /**
   * Check that a value is a number or a plain word.
   *
   * @param {string} name
   * @param {Value} value
   */
  checkWord(name, value) {
    if (typeof value === "string" && !/^[A-Za-z0-9_-]{1,60}$/.test(value)) {
      throw this.wrong("config word", { name: name.split(".")[0], found: value }, null, null);
    }
  }

  /**
   * Return the number of players in a multiplayer game, otherwise 1.
   *
   * @param {string} game
   */
  players(game) {
    const count = this.config.get(this.data.rules[game].players);
    return typeof count === "number" ? count : 1;
  }
}

/**
 * Return a value as in a string of rules.
 *
 * @param {Value} value
 */
function written(value) {
  return value === null ? "none" : String(value);
}

/**
 * Return a text without the spaces around it.
 *
 * @param {string} text
 */
function stripped(text) {
  return text.trim();
}

/**
 * Return whether a text contains characters that a line cannot show.
 *
 * @param {string} text
 */
function isUnprintable(text) {
  return /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text);
}

/**
 * Fill the placeholders of a message: `{name}`, or `{name!r:.60}` for the beginning of a value in quotation marks.
 *
 * @param {string} template
 * @param {Record<string, unknown>} values
 */
export function filled(template, values) {
  return template.replace(/\{(\w+)(!r)?(?::\.(\d+))?\}/g, (_, name, quotes, most) => {
    const text = quotes ? quoted(String(values[name])) : String(values[name]);
    return most ? [...text].slice(0, Number(most)).join("") : text;
  });
}

/**
 * Return a string as Python's `repr` writes it.
 *
 * @param {string} text
 */
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named = new Map([["\\", "\\\\"], ["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"], [mark, `\\${mark}`]]);
  const letters = [...text].map((letter) => {
    const code = /** @type {number} */ (letter.codePointAt(0));
    if (named.has(letter) || !isUnprintable(letter)) {
      return named.get(letter) ?? letter;
    }
    const [kind, digits] = code < 256 ? ["x", 2] : code < 65_536 ? ["u", 4] : ["U", 8];
    return `\\${kind}${code.toString(16).padStart(Number(digits), "0")}`;
  });
  return mark + letters.join("") + mark;
}
