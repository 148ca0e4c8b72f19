/** What the browser keeps: settings, the player's best results, and unfinished games. Nothing leaves the browser. */

/** @import { Origin, Score } from "./types.js" */

const PREFIX = "shoverworld/";
const MOST_UNFINISHED = 20;

/**
 * @typedef {{moves: (number[] | {place: number[]})[], seed: number, players: {name: string, agent: string}[],
 *   help?: string[], time: number}} Unfinished
 */

/** Keeps JSON values in localStorage. If the browser forbids that, they are kept until the page is closed. */
export class Storage {
  constructor() {
    /** @type {Map<string, string>} */
    this.memory = new Map();
  }

  /**
   * @template T
   * @param {string} name
   * @param {T} usual the value if nothing is stored
   * @returns {T}
   */
  read(name, usual) {
    const text = this.memory.get(name) ?? this.stored(name);
    if (text === null) {
      return usual;
    }
    try {
      return JSON.parse(text);
    } catch {
      return usual; // another program changed the entry
    }
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  write(name, value) {
    const text = JSON.stringify(value);
    try {
      localStorage.setItem(PREFIX + name, text);
      this.memory.delete(name);
    } catch {
      this.memory.set(name, text); // storage is full or forbidden
    }
  }

  /** @param {string} name */
  stored(name) {
    try {
      return localStorage.getItem(PREFIX + name);
    } catch {
      return null;
    }
  }

  /**
   * @template T
   * @param {string} name
   * @param {T} usual
   * @returns {T}
   */
  setting(name, usual) {
    const settings = /** @type {Record<string, any>} */ (this.read("settings", {}));
    return settings[name] ?? usual;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  set(name, value) {
    this.write("settings", { ...this.read("settings", {}), [name]: value });
  }

  // --- results

  /**
   * @param {string} identity
   * @returns {Score | null}
   */
  best(identity) {
    return /** @type {Record<string, Score>} */ (this.read("results", {}))[identity] ?? null;
  }

  /**
   * Keep a result if it is better than the best one so far. Return whether it is.
   *
   * @param {string} identity
   * @param {Score} score
   */
  note(identity, score) {
    const results = /** @type {Record<string, Score>} */ (this.read("results", {}));
    if (identity in results && !isBetter(score, results[identity])) {
      return false;
    }
    this.write("results", { ...results, [identity]: score });
    return true;
  }

  // --- unfinished games

  /**
   * @param {string} identity
   * @returns {Unfinished | null}
   */
  unfinished(identity) {
    return /** @type {Record<string, Unfinished>} */ (this.read("unfinished", {}))[identity] ?? null;
  }

  /**
   * Keep an unfinished game, or forget it if `game` is null. Only the newest games are kept.
   *
   * @param {string} identity
   * @param {Unfinished | null} game
   */
  keep(identity, game) {
    const games = /** @type {Record<string, Unfinished>} */ (this.read("unfinished", {}));
    delete games[identity];
    if (game !== null) {
      games[identity] = game;
    }
    const newest = Object.entries(games).sort(([, one], [, other]) => other.time - one.time);
    this.write("unfinished", Object.fromEntries(newest.slice(0, MOST_UNFINISHED)));
  }
}

/**
 * Return whether a score is better than another: lower numbers are better, and the first counts most.
 *
 * @param {Score} score
 * @param {Score} other
 */
export function isBetter(score, other) {
  for (let place = 0; place < score.numbers.length; place += 1) {
    if (score.numbers[place] !== other.numbers[place]) {
      return score.numbers[place] < other.numbers[place];
    }
  }
  return false;
}

/**
 * Return the key under which the results on a level with these rules are stored.
 *
 * @param {string} game
 * @param {Origin} origin
 * @param {string} rules
 */
export function identityOf(game, origin, rules) {
  let place;
  if ("text" in origin) {
    place = `text ${textHash(origin.text)}`;
  } else if ("seed" in origin) {
    place = `random ${origin.seed}`;
  } else {
    place = `${origin.collection}/${origin.name}`;
  }
  return `${game}: ${place} (${rules})`;
}

/**
 * Return a short hash of a text (FNV-1a, 53 bits from two passes).
 *
 * @param {string} text
 */
function textHash(text) {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return `${(one >>> 0).toString(16)}${(other >>> 0).toString(16)}`;
}
