/** The games of the page: their modules, pictures and levels, and the rules and players that a level is played with. */

import { rulesPreset } from "./formats.js";
import { Library, presetNamed } from "./levels.js";
import { GameModule } from "./module.js";
import { levelsIn } from "./open.js";
import { GameError, roomFor } from "./session.js";
import { Sprites } from "./sprites.js";

/** @import { LevelList } from "./levels.js" */
/** @import { Storage } from "./storage.js" */
/** @import { Index, Level, Player, Position, Preset } from "./types.js" */

/** @typedef {{module: GameModule, sprites: Sprites, library: Library}} Game */

export class Games {
  /**
   * @param {Index} index
   * @param {Storage} storage
   */
  constructor(index, storage) {
    this.index = index;
    this.storage = storage;
    /** @type {Map<string, Promise<Game>>} */
    this.loaded = new Map();
  }

  /**
   * Return a game. Its files are loaded once.
   *
   * @param {string} name
   * @returns {Promise<Game>}
   */
  load(name) {
    let found = this.loaded.get(name);
    if (found === undefined) {
      found = this.read(name);
      this.loaded.set(name, found);
    }
    return found;
  }

  /**
   * @param {string} name
   * @returns {Promise<Game>}
   */
  async read(name) {
    if (!this.index.games.some((game) => game.name === name)) {
      throw new GameError(`There is no game "${name}". The games are ${this.index.games.map((game) => game.name).join(", ")}.`);
    }
    const [module, sheet] = await Promise.all([GameModule.load(this.index, name), Sprites.load(name)]);
    const sprites = new Sprites(sheet, module.description.sprites);
    const library = new Library(module, this.storage);
    library.rules = this.storage.setting(`rules ${name}`, "");
    return { module, sprites, library };
  }

  /**
   * Return the rules in an address, or the error if they are wrong.
   *
   * @param {Game} game
   * @param {string | null} rules
   * @returns {{rules: string | null, error: unknown}}
   */
  rulesIn(game, rules) {
    try {
      return { rules: rules === null ? null : this.presetOf(game, rules, null).name, error: null };
    } catch (error) {
      return { rules: null, error };
    }
  }

  /**
   * Return the level of a position, and its place in a list of levels.
   *
   * @param {Game} game
   * @param {Position} position
   * @returns {Promise<{list: LevelList | null, level: Level | null, place: number, origin: Position["level"]}>}
   */
  async levelOf(game, position) {
    const origin = position.level;
    if ("seed" in origin) {
      return { list: null, level: null, place: -1, origin };
    }
    if ("text" in origin) {
      const known = await game.library.opened(origin.text);
      const { list, place } = known ?? (await game.library.add([levelsIn(game.module, origin.text, "link")[0]]));
      return { list, level: list.levels[place], place, origin };
    }
    const list = await game.library.list(origin.collection);
    const place = list.levels.findIndex(({ name }) => name === origin.name);
    if (place < 0) {
      throw new GameError(`The collection ${origin.collection} has no ${game.module.description.words.level} "${origin.name}".`);
    }
    return { list, level: list.levels[place], place, origin };
  }

  /**
   * Return the numbers of rules: those of a preset, or those of a level with rules of its own.
   *
   * @param {Game} game
   * @param {string} rules
   * @param {Level | null} level
   * @returns {Preset}
   */
  presetOf(game, rules, level) {
    const found = presetNamed(game.module, rules) ?? (level?.rules?.name === rules ? level.rules : undefined);
    if (found !== undefined) {
      return found;
    }
    const own = presetNamed(game.module, level?.preset ?? "") ?? game.module.description.presets[0];
    const changed = rulesPreset(game.module, own, rules);
    if ("error" in changed) {
      throw new GameError(changed.error);
    }
    return changed;
  }

  /**
   * Return the players for a level: those of the last game, but not more than the level has room for.
   *
   * @param {Game} game
   * @param {Level} level
   * @param {Preset} preset
   * @returns {Player[]}
   */
  playersFor(game, level, preset) {
    const { description } = game.module;
    if (!description.players) {
      return [];
    }
    const kept = /** @type {Player[]} */ (this.storage.setting(`players ${description.name}`, [{ name: "You", agent: "" }]));
    return kept.length < 2 ? kept : kept.slice(0, roomFor(game.module, preset, level, kept.length));
  }
}
