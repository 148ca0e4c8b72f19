/** The levels of a game: packaged collections, levels that the player opened, and the player's progress in them. */

import { load } from "./data.js";
import { named } from "./phrases.js";
import { identityOf } from "./storage.js";

/** @import { GameModule } from "./module.js" */
/** @import { Collection, Level, Origin, Preset } from "./types.js" */
/** @import { Storage } from "./storage.js" */

export const OWN = "own"; // the name of the collection with the levels that the player opened

/** @typedef {Level & {text?: string}} ListedLevel `text`: the level as text, if the player opened it */

/** The levels in one collection. Indices start at 0; the numbers that people see start at 1. */
export class LevelList {
  /**
   * @param {Library} library
   * @param {Collection} collection
   * @param {ListedLevel[]} levels
   */
  constructor(library, collection, levels) {
    this.library = library;
    this.collection = collection;
    this.levels = levels;
  }

  /** @param {number} place */
  origin(place) {
    const { name, text } = this.levels[place];
    return /** @type {Origin} */ (text === undefined ? { collection: this.collection.name, name } : { text });
  }

  /** @param {number} place */
  title(place) {
    return this.levels[place].title || this.levels[place].name;
  }

  /**
   * The player's best result, or null.
   *
   * @param {number} place
   */
  best(place) {
    return this.library.best(this.origin(place), this.library.rulesFor(this.levels[place]));
  }

  /**
   * The best known result, or null.
   *
   * @param {number} place
   */
  known(place) {
    const level = this.levels[place];
    return level.best[this.library.rulesFor(level)] ?? null;
  }

  get solved() {
    return this.levels.filter((_, place) => this.best(place) !== null).length;
  }

  get progress() {
    const { index, description } = this.library.module;
    const values = { solved: this.solved, count: this.levels.length, word: description.words.solved };
    return named(index.labels.progress, values);
  }

  /** @param {number} place */
  position(place) {
    const values = { title: this.collection.title, place: place + 1, count: this.levels.length };
    return named(this.library.module.index.labels.position, values);
  }

  /**
   * Return the index of the first unsolved level after a place, wrapping around, or -1.
   *
   * @param {number} place
   */
  nextUnsolved(place) {
    const count = this.levels.length;
    for (let step = 1; step <= count; step += 1) {
      const there = (place + step) % count;
      if (this.best(there) === null) {
        return there;
      }
    }
    return -1;
  }

  /**
   * Return the indices of the levels whose title, name or number contains these words.
   *
   * @param {string} words
   */
  search(words) {
    const wanted = words.trim().toLowerCase().replace(/^#/, "");
    const all = this.levels.map((_, place) => place);
    if (/^\d+$/.test(wanted)) {
      const rank = (/** @type {number} */ place) => (place + 1 === Number(wanted) ? 0 : 1);
      const numbered = all.filter((place) => String(place + 1).startsWith(wanted));
      return numbered.sort((one, other) => rank(one) - rank(other) || one - other);
    }
    return all.filter((place) => `${this.title(place)} ${this.levels[place].name}`.toLowerCase().includes(wanted));
  }
}

/** All levels of a game. */
export class Library {
  /**
   * @param {GameModule} module
   * @param {Storage} storage
   */
  constructor(module, storage) {
    this.module = module;
    this.storage = storage;
    /** @type {Map<string, Promise<LevelList>>} */
    this.lists = new Map();
    /** The preset for every level, or "" if each level has its own. */
    this.rules = "";
  }

  /** @returns {Collection[]} */
  get collections() {
    const { collections } = this.module.description;
    const own = { name: OWN, title: "Opened", about: "From files, the clipboard or links." };
    return this.lists.has(OWN) ? [...collections, own] : collections;
  }

  /**
   * @param {string} name
   * @returns {Promise<LevelList>}
   */
  list(name) {
    let found = this.lists.get(name);
    if (found === undefined) {
      found = this.read(name);
      this.lists.set(name, found);
    }
    return found;
  }

  /** @param {string} name */
  async read(name) {
    const { description } = this.module;
    const collection = this.collections.find((known) => known.name === name) ?? { name, title: name, about: "" };
    return new LevelList(this, collection, await load(`${description.name}-${name}.json`));
  }

  /**
   * Add levels that the player opened. Return the list and the index of the first of them.
   *
   * @param {ListedLevel[]} levels
   */
  async add(levels) {
    const before = this.lists.has(OWN) ? (await this.list(OWN)).levels : [];
    const known = before.findIndex((level) => level.text === levels[0].text);
    const more = levels.filter((level) => !before.some(({ text }) => text === level.text));
    this.lists.set(OWN, Promise.resolve(new LevelList(this, { name: OWN, title: "", about: "" }, [])));
    const collection = this.collections[this.collections.length - 1];
    const list = new LevelList(this, collection, [...before, ...more]);
    this.lists.set(OWN, Promise.resolve(list));
    return { list, place: known >= 0 ? known : before.length };
  }

  /**
   * Return the list and the index of a level that was opened from this text, or null.
   *
   * @param {string} text
   */
  async opened(text) {
    const list = this.lists.has(OWN) ? await this.list(OWN) : null;
    const place = list?.levels.findIndex((level) => level.text === text) ?? -1;
    return list === null || place < 0 ? null : { list, place };
  }

  /**
   * Return the rules with which a level is played now.
   *
   * @param {Level} level
   */
  rulesFor(level) {
    return this.rules || level.rules?.name || level.preset;
  }

  /**
   * @param {Origin} origin
   * @param {string} rules
   */
  best(origin, rules) {
    return this.storage.best(identityOf(this.module.description.name, origin, rules));
  }

  /**
   * Return the list that contains a level, and its index; null if there is no such level. `wanted` is the name of a level, or
   * a collection and a name or number, such as "tiny/3".
   *
   * @param {string} wanted
   * @returns {Promise<{list: LevelList, place: number} | null>}
   */
  async find(wanted) {
    const [, first, rest] = /^([^/#]+)[/#](.*)$/.exec(wanted) ?? [null, "", ""];
    const names = this.module.description.collections.map(({ name }) => name);
    const likely = names.includes(first ?? "") ? [first ?? ""] : names;
    for (const name of likely) {
      const list = await this.list(name);
      let place = list.levels.findIndex((level) => level.name === wanted || level.name === rest);
      if (place < 0 && names.includes(first ?? "") && /^\d+$/.test(rest ?? "")) {
        place = Number(rest) - 1;
      }
      if (place >= 0 && place < list.levels.length) {
        return { list, place };
      }
    }
    return null;
  }
}

/**
 * Return the preset with this name, or undefined.
 *
 * @param {GameModule} module
 * @param {string} rules
 * @returns {Preset | undefined}
 */
export function presetNamed(module, rules) {
  return module.description.presets.find(({ name }) => name === rules);
}
