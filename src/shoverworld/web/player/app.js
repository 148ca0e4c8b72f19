/** The player: which game and level to show, the commands, and what the page remembers. */

import { isEmbedded, load } from "./data.js";
import { byId, make } from "./dom.js";
import { rulesPreset } from "./formats.js";
import { openHelp } from "./help.js";
import { Helpers } from "./helpers.js";
import { keyName, usesKey } from "./input.js";
import { Library, OWN, presetNamed } from "./levels.js";
import { decodeLink, encodeLink, linkAt } from "./link.js";
import { GameModule } from "./module.js";
import { levelsIn, listenForFiles, openFileDialog } from "./open.js";
import { label } from "./panel.js";
import { named } from "./phrases.js";
import { Picker } from "./picker.js";
import { openPlayers } from "./players.js";
import { readReplay, verifyReplay } from "./replay.js";
import { replayText, startText } from "./replay_writer.js";
import { GameError, Session, roomFor } from "./session.js";
import { copyLink, download, openShare } from "./share.js";
import { Sprites } from "./sprites.js";
import { Storage } from "./storage.js";
import { RESERVED, Table } from "./table.js";
import { PageView, showFailure } from "./view.js";

/** @import { LevelList, ListedLevel } from "./levels.js" */
/** @import { Replay } from "./replay.js" */
/** @import { Setup } from "./session.js" */
/** @import { Index, Level, Player, Position, Preset } from "./types.js" */

/** @typedef {{module: GameModule, sprites: Sprites, library: Library}} Game */

const MOST_PLAYERS = 16; // the cars in the sprite sheet
const LINK_PAUSE = 120; // milliseconds after a change before the address is updated
const WATCHING = ["undo", "redo", "restart", "animation", "copy moves", "copy link", "help"]; // in an embedded replay

export class App {
  /** @param {Index} index */
  constructor(index) {
    this.index = index;
    this.storage = new Storage();
    /** @type {Map<string, Promise<Game>>} */
    this.games = new Map();
    this.view = new PageView({
      command: (name) => this.command(name),
      press: (key) => this.press(key),
      useRules: (rules) => void this.useRules(rules),
      useAgent: (agent) => this.useAgent(agent),
    });
    /** @type {Game | null} */
    this.game = null;
    /** @type {Table | null} */
    this.table = null;
    /** @type {LevelList | null} */
    this.list = null;
    this.place = -1;
    /** @type {Helpers | null} */
    this.helpers = null; // only if `shover web` serves the page
    this.linkTimer = 0;
    this.saved = ""; // the level whose record was saved
    this.shownOffer = "";
    this.ownLink = ""; // the fragment that this page wrote
    this.embedded = isEmbedded("page.json");
    /** @type {string | null} */
    this.publicLink = null; // in an embedded replay, the link to the game in the public player
    /** @type {Record<string, () => unknown>} */
    this.actions = {
      undo: () => this.table?.undo(),
      redo: () => this.table?.redo(),
      restart: () => this.table?.restart(),
      cursor: () => this.table?.toggleCursor(),
      continue: () => this.continueGame(),
      next: () => this.step(1),
      previous: () => this.step(-1),
      levels: () => this.openPicker(),
      unsolved: () => this.nextUnsolved(),
      random: () => this.openRandom(),
      hint: () => this.table !== null && this.helpers?.hint(this.table),
      solve: () => this.toggleSearch(),
      "plan move": () => this.table?.playPlan(false),
      "plan moves": () => this.table?.playPlan(true),
      agent: () => this.toggleAgent(),
      faster: () => this.changeSpeed(2),
      slower: () => this.changeSpeed(0.5),
      animation: () => this.toggleAnimation(),
      watch: () => this.view.timeline.focus(),
      "copy link": () => this.copyLink(),
      save: () => this.saveReplay(),
      copy: () => this.copyLevel(),
      "copy moves": () => this.copyMoves(),
      players: () => this.openPlayers(),
      help: () => this.table !== null && openHelp(this.table, this.offered),
    };
    this.prepare();
  }

  // --- the page

  prepare() {
    const reduced = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.view.board.animated = this.storage.setting("animation", !reduced);
    const select = /** @type {HTMLSelectElement} */ (byId("game"));
    select.append(...this.index.games.map(({ name, title }) => make("option", { value: name }, title)));
    select.addEventListener("change", () => void this.guard(() => this.openGame(select.value)));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => {
      if (location.hash.length > 1 && location.hash !== this.ownLink) {
        void this.guard(() => this.openLink(location.hash));
      }
    });
    window.addEventListener("pagehide", () => this.table?.keepUnfinished());
    const [open, share, theme] = [byId("open"), byId("share"), byId("theme")];
    label(open, "open", "Open a file or paste a level");
    open.addEventListener("click", () => openFileDialog(this));
    label(share, "share", "Share this game: a link or a replay");
    share.addEventListener("click", () => void this.guard(() => this.openShare()));
    label(theme, "theme", "Light or dark");
    theme.addEventListener("click", () => this.toggleTheme());
    const kept = this.storage.setting("theme", "");
    if (kept) {
      document.documentElement.dataset.theme = kept;
    }
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.view.board.refresh());
    listenForFiles(this);
  }

  toggleTheme() {
    const { dataset } = document.documentElement;
    const dark = dataset.theme ? dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = dark ? "light" : "dark";
    this.storage.set("theme", dataset.theme);
    this.view.board.refresh();
  }

  /**
   * Show errors in the message line.
   *
   * @param {() => unknown} work
   */
  async guard(work) {
    try {
      await work();
    } catch (error) {
      this.report(error);
    }
  }

  /** @param {unknown} error */
  report(error) {
    const text = error instanceof Error ? error.message : String(error);
    if (this.table === null) {
      showFailure(text);
      return;
    }
    this.table.say(text, "bad");
    this.table.view.content();
  }

  // --- starting

  /** Show what the page's address asks for. */
  async start() {
    if (this.embedded) {
      const { at, link, position, replay, title } = await load("page.json");
      this.publicLink = link;
      document.body.dataset.mode = "replay";
      await this.openPosition(position, at, replay === null ? null : await readReplay(replay));
      document.title = title || document.title;
      return;
    }
    const query = new URLSearchParams(location.search);
    const known = this.index.games.map(({ name }) => name);
    const linked = new URLSearchParams(location.hash.slice(1)).get("game");
    const wanted = query.get("game") ?? linked ?? this.storage.setting("game", known[0]);
    const game = known.includes(wanted) ? wanted : known[0];
    if (location.hash.length > 1) {
      try {
        await this.openLink(location.hash);
        return;
      } catch (error) {
        await this.openGame(game);
        this.report(error);
        return;
      }
    }
    await this.openGame(game, query.get("level") ?? "", query.get("rules"));
    if (query.has("random")) {
      this.openRandom(Number(query.get("random")) || 0);
    }
  }

  /** Offer what `shover web` can do, if it serves the page. */
  async connect() {
    this.helpers = this.embedded ? null : await Helpers.connect(this);
    if (this.helpers !== null && this.table !== null) {
      this.table.view.solve = () => this.toggleSearch();
      const asked = location.search !== "" || location.hash.length > 1;
      const opened = !asked && (await this.helpers.openFirstFile().catch((error) => this.report(error)));
      if (!opened) {
        this.show();
      }
    }
  }

  /**
   * @param {string} name
   * @returns {Promise<Game>}
   */
  loadGame(name) {
    let found = this.games.get(name);
    if (found === undefined) {
      found = this.readGame(name);
      this.games.set(name, found);
    }
    return found;
  }

  /**
   * @param {string} name
   * @returns {Promise<Game>}
   */
  async readGame(name) {
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
   * Play a game: the given level, or the level that was played last.
   *
   * @param {string} name
   * @param {string} [wanted]
   * @param {string | null} [rules]
   */
  async openGame(name, wanted = "", rules = null) {
    const game = await this.loadGame(name);
    const [usual, chosen] = [game.library.rules, this.rulesIn(game, rules)];
    game.library.rules = chosen.rules ?? usual;
    const last = wanted || this.storage.setting(`level ${name}`, "");
    const found = last ? await game.library.find(last) : null;
    const list = found?.list ?? (await game.library.list(game.module.description.collections[0].name));
    this.openLevel(game, list, found?.place ?? 0);
    if (chosen.error !== null) {
      this.report(chosen.error);
    } else if (wanted && found === null) {
      this.report(new GameError(`There is no ${game.module.description.words.level} "${wanted}".`));
    }
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
   * Play a level of a list.
   *
   * @param {Game} game
   * @param {LevelList} list
   * @param {number} place
   * @param {Player[]} [players]
   */
  openLevel(game, list, place, players) {
    const level = list.levels[place];
    const rules = game.library.rulesFor(level);
    const preset = this.presetOf(game, rules, level);
    const setup = { level, origin: list.origin(place), rules, preset, players: players ?? this.playersFor(game, level, preset), seed: 0 };
    this.startGame(game, setup, [], 0);
    this.list = list;
    this.place = place;
    if (list.collection.name !== OWN) {
      this.storage.set(`level ${game.module.description.name}`, `${list.collection.name}/${level.name}`);
    }
    this.show();
  }

  /**
   * Play a random level.
   *
   * @param {number} [seed]
   */
  openRandom(seed = Math.floor(Math.random() * 1_000_000)) {
    const game = /** @type {Game} */ (this.game);
    const { presets } = game.module.description;
    const rules = game.library.rules || this.table?.session.setup.preset.name || presets[0].name;
    const preset = presetNamed(game.module, rules) ?? presets[0];
    this.startGame(game, { level: null, origin: { seed }, rules: preset.name, preset, players: [], seed }, [], 0);
    this.list = null;
    this.place = -1;
    this.show();
  }

  /**
   * Open a link: show its position.
   *
   * @param {string} link
   */
  async openLink(link) {
    const { at, position } = await decodeLink(link);
    await this.openPosition(position, at);
  }

  /**
   * Show a game up to a move.
   *
   * @param {Position} position
   * @param {number} [at]
   * @param {Replay | null} [replay] the replay that the moves come from; its hashes are verified
   */
  async openPosition(position, at = position.moves.length, replay = null) {
    const game = await this.loadGame(position.game);
    const { list, level, place, origin } = await this.levelOf(game, position);
    const rules = position.rules || level?.preset || game.module.description.presets[0].name;
    const preset = this.presetOf(game, rules, level);
    const players = Array.from({ length: game.module.description.players ? position.players : 0 }, (_, k) => ({
      name: k === 0 ? "You" : `Player ${k + 1}`,
      agent: "",
    }));
    const starts = level?.dimensions[game.module.description.players];
    if (starts !== undefined && starts !== players.length) {
      throw new GameError(`Start cells in the link: ${starts}; ${game.module.description.words.players}: ${players.length}.`);
    }
    this.startGame(game, { level, origin, rules, preset, players, seed: position.seed }, position.moves, at, replay);
    this.list = list;
    this.place = place;
    this.show();
    if (position.moves.length > 0) {
      this.view.timeline.focus();
    }
  }

  /**
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
      const { list, place } = known ?? (await game.library.add([await this.readLevel(game, origin.text)]));
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
   * Return the first level in a text.
   *
   * @param {Game} game
   * @param {string} text
   * @returns {Promise<ListedLevel>}
   */
  async readLevel(game, text) {
    return levelsIn(game.module, text, "link")[0];
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

  /**
   * Start a game. If it cannot start, the current game goes on.
   *
   * @param {Game} game
   * @param {Setup} setup
   * @param {Position["moves"]} moves
   * @param {number} at
   * @param {Replay | null} [replay]
   */
  startGame(game, setup, moves, at, replay = null) {
    const { table } = this;
    table?.close();
    const former = table !== null && this.game === game ? { setup: table.session.setup, moves: table.session.position(true).moves, at: table.session.at } : null;
    game.module.release();
    let session;
    try {
      session = new Session(game.module, setup);
      if (replay === null) {
        session.playAll(moves);
      } else {
        const difference = verifyReplay(session, replay);
        if (difference !== null) {
          throw difference;
        }
      }
      session.goTo(at);
    } catch (error) {
      if (former !== null && table !== null) {
        game.module.release();
        table.session = new Session(game.module, former.setup);
        table.session.playAll(former.moves);
        table.session.goTo(former.at);
      }
      throw error;
    }
    this.game = game;
    this.helpers?.stop();
    this.table = new Table(session, this.storage, {
      changed: (motion) => this.changed(motion),
      content: () => this.content(),
      animated: () => this.view.animated,
      solve: this.helpers === null ? null : () => this.toggleSearch(),
      choose: async (agent) => this.helpers?.move(/** @type {Table} */ (this.table), agent) ?? null,
    });
  }

  /** Show the new table. */
  show() {
    const [table, game] = [/** @type {Table} */ (this.table), /** @type {Game} */ (this.game)];
    const { name } = game.module.description;
    /** @type {HTMLSelectElement} */ (byId("game")).value = name;
    this.storage.set("game", name);
    table.say(table.description.goal);
    const left = this.left;
    if (left !== null) {
      const { labels } = this.index;
      const count = left.moves.length;
      table.tell("left", { moves: count === 1 ? labels.one : named(labels.many, { count }) });
    }
    this.view.begin(table, game.sprites, {
      list: this.list,
      place: this.place,
      offered: this.offered,
      chosen: game.library.rules,
      agents: this.agents(game),
      agent: this.agent,
    });
    document.body.dataset.game = name;
    this.updateLink();
    table.letAgentPlay();
  }

  /** @param {boolean} motion */
  changed(motion) {
    const table = /** @type {Table} */ (this.table);
    if (table.newRecord && this.saved !== table.identity) {
      this.saved = table.identity;
      void this.helpers?.save(table);
    } else if (!table.newRecord) {
      this.saved = "";
    }
    if (table.search !== null && table.search.state !== table.plans.state) {
      this.helpers?.stop(); // the plan would be for another state
    }
    this.view.changed(motion);
    this.showOffer();
    this.updateLink();
  }

  /** Marks, messages or settings have changed. */
  content() {
    this.view.content();
    this.showOffer();
  }

  /** Show the commands that can be used now, if they have changed. */
  showOffer() {
    const offer = [...this.offered, this.table?.search == null ? "" : "searching"].join();
    if (this.shownOffer !== offer) {
      this.shownOffer = offer;
      this.view.offer(this.offered);
    }
  }

  // --- links

  /** Put the link to the current position into the address. */
  updateLink() {
    clearTimeout(this.linkTimer);
    if (this.embedded) {
      return;
    }
    this.linkTimer = window.setTimeout(() => void this.writeLink(), LINK_PAUSE);
  }

  async writeLink() {
    try {
      const link = await this.link();
      this.ownLink = link;
      history.replaceState(null, "", location.pathname + link);
    } catch {
      // A position without a link, or a page that may not change its address (file://)
    }
  }

  /** Return the fragment for the current position. */
  async link() {
    const { session } = /** @type {Table} */ (this.table);
    return encodeLink(session.position(true), session.at);
  }

  /** Return the address of the current position. */
  async address() {
    const { session } = /** @type {Table} */ (this.table);
    if (this.publicLink !== null) {
      return linkAt(this.publicLink, session.at, session.entries.length);
    }
    return new URL(await this.link(), location.href.replace(/[?#].*$/, "")).href;
  }

  async copyLink() {
    const table = /** @type {Table} */ (this.table);
    await copyLink(table, await this.address(), () => this.saveReplay());
    this.view.content();
  }

  async openShare() {
    openShare(/** @type {Table} */ (this.table), await this.address(), () => this.saveReplay());
  }

  /** Save the game up to the move that is shown as a replay file. */
  saveReplay() {
    const table = /** @type {Table} */ (this.table);
    const { description, session } = table;
    const { level, origin } = session.setup;
    const title = level?.name || ("seed" in origin ? `random-${origin.seed}` : description.words.level);
    const name = `${description.name}-${title}.replay`.replace(/[^A-Za-z0-9._-]+/g, "-");
    download(name, replayText(session, table.helpers, new Date()));
    table.tell("saved", { path: name });
    this.view.content();
  }

  // --- commands

  /** An unfinished game on this level, or null. */
  get left() {
    const table = /** @type {Table} */ (this.table);
    return table.session.entries.length === 0 ? this.storage.unfinished(table.identity) : null;
  }

  /** The names of the commands that can be used now. */
  get offered() {
    const table = /** @type {Table} */ (this.table);
    const { description, module } = table;
    const missing = new Set();
    const without = (/** @type {boolean} */ possible, /** @type {string[]} */ ...names) => {
      if (!possible) {
        names.forEach((name) => missing.add(name));
      }
    };
    without(this.list !== null, "next", "previous", "unsolved");
    without(description.random !== "", "random");
    without(description.players !== "" && this.list !== null, "players");
    without(this.left !== null, "continue");
    without(module.has("symbol"), "copy moves");
    without(module.has("write"), "copy");
    without(this.helpers !== null, "hint");
    without(table.canPlan, "solve");
    without(table.plan !== null, "plan move", "plan moves");
    without(module.has("greedy") || this.helpers !== null, "agent");
    without(!this.embedded || this.publicLink !== null, "copy link");
    without(!this.embedded, "save");
    const names = this.embedded ? WATCHING : Object.keys(this.actions);
    return new Set(names.filter((name) => !missing.has(name)));
  }

  /** @param {string} name */
  command(name) {
    if (this.offered.has(name)) {
      this.table?.finishWalk();
      void this.guard(() => this.actions[name]());
    }
  }

  /**
   * Press a key of the game or of an overlay. Return whether the key has a meaning.
   *
   * @param {string} key
   */
  press(key) {
    const table = /** @type {Table} */ (this.table);
    if ((key === "escape" && this.stopPlanning()) || table.steer(key)) {
      return true;
    }
    if (this.pressCommand(key)) {
      return true;
    }
    if (table.description.overlays.some((overlay) => overlay.key === key && (!overlay.plans || table.canPlan))) {
      table.toggleOverlay(key);
      return true;
    }
    this.view.timeline.stop();
    return table.press(key) || (key.startsWith("shift+") && table.press(key.slice(6)));
  }

  /**
   * Carry out the command of a key. Return whether the key has one.
   *
   * @param {string} key
   */
  pressCommand(key) {
    const command = this.index.commands.find(({ keys, name }) => keys.includes(key) && !RESERVED.has(key) && this.offered.has(name));
    if (command !== undefined) {
      this.command(command.name);
    }
    return command !== undefined;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = keyName(event);
    if (this.table === null || key === "" || RESERVED.has(key) || usesKey(event.target, key)) {
      return;
    }
    if (document.querySelector("dialog[open]") !== null) {
      return;
    }
    if (key === "ctrl+c" && String(window.getSelection()) !== "") {
      return; // the browser copies the selected text
    }
    if (this.embedded ? this.view.timeline.press(key) || this.pressCommand(key) : this.press(key)) {
      event.preventDefault();
    }
  }

  /** @param {number} step */
  step(step) {
    const { game, list, place } = this;
    if (game !== null && list !== null) {
      const count = list.levels.length;
      this.openLevel(game, list, (place + step + count) % count);
    }
  }

  nextUnsolved() {
    const { game, list, place } = this;
    if (game === null || list === null) {
      return;
    }
    const next = list.nextUnsolved(place);
    if (next < 0 || next === place) {
      const values = { title: list.collection.title, progress: list.progress };
      this.table?.tell(next < 0 ? "all solved" : "others solved", values);
      this.view.content();
    } else {
      this.openLevel(game, list, next);
    }
  }

  continueGame() {
    const { game, left, list, place, table } = this;
    if (game !== null && table !== null && left !== null) {
      const setup = { ...table.session.setup, players: left.players, seed: left.seed };
      this.startGame(game, setup, left.moves, left.moves.length);
      [this.list, this.place] = [list, place];
      left.help?.forEach((name) => this.table?.help.add(name));
      this.show();
      const { labels } = this.index;
      const count = left.moves.length;
      this.table?.tell("continued", { moves: count === 1 ? labels.one : named(labels.many, { count }) });
      this.view.content();
    }
  }

  openPicker() {
    const { game, list, place } = this;
    if (game !== null) {
      new Picker(game.library, game.sprites, list, place, {
        open: (chosen, at) => void this.guard(() => this.openLevel(game, chosen, at)),
        random: game.module.description.random ? () => this.openRandom() : null,
        file: () => openFileDialog(this),
      });
    }
  }

  openPlayers() {
    const [game, table] = [/** @type {Game} */ (this.game), /** @type {Table} */ (this.table)];
    const { level, preset } = table.session.setup;
    const { list, place } = this;
    if (level === null || list === null) {
      return;
    }
    const { description } = game.module;
    openPlayers({
      index: this.index,
      description,
      players: table.session.setup.players,
      room: roomFor(game.module, preset, level, MOST_PLAYERS),
      agents: this.agents(game),
      start: (players) => {
        this.storage.set(`players ${description.name}`, players);
        void this.guard(() => this.openLevel(game, list, place, players));
      },
    });
  }

  /**
   * The agents that can play here: the one in the module first, then those of `shover web`.
   *
   * @param {Game} game
   */
  agents({ module }) {
    const own = module.has("greedy") ? ["greedy"] : [];
    return [...new Set([...own, ...(this.helpers?.agents(module.description.name) ?? [])])];
  }

  /** The agent that the `agent` command starts. */
  get agent() {
    const game = /** @type {Game} */ (this.game);
    const [first, ...others] = this.agents(game);
    const kept = this.storage.setting(`agent ${game.module.description.name}`, first);
    return others.includes(kept) ? kept : first;
  }

  toggleAgent() {
    const [table, game] = [/** @type {Table} */ (this.table), /** @type {Game} */ (this.game)];
    const several = table.session.setup.players.length > 1;
    if (this.helpers?.busy) {
      this.helpers.stop();
    } else if (this.helpers === null || several || (game.module.has("greedy") && this.agent === "greedy")) {
      table.toggleAgent();
    } else if (table.session.outcome === null) {
      void this.helpers.play(table, this.agent);
    }
  }

  /** Start a search for a plan, or stop the search that is running. */
  toggleSearch() {
    const table = /** @type {Table} */ (this.table);
    if (this.stopPlanning()) {
      return;
    }
    if (table.session.outcome === null) {
      void this.helpers?.solve(table);
    } else {
      table.tell("over");
      this.content();
    }
  }

  /** Stop the search for a plan, or the plan that is being played. Return whether there was one. */
  stopPlanning() {
    const table = /** @type {Table} */ (this.table);
    if (table.search === null) {
      return table.stopPlan();
    }
    this.helpers?.stop();
    return true;
  }

  /** @param {string} agent */
  useAgent(agent) {
    const { name } = /** @type {Game} */ (this.game).module.description;
    this.storage.set(`agent ${name}`, agent);
  }

  /** @param {string} rules a preset, or "" for the rules of each level */
  async useRules(rules) {
    await this.guard(() => {
      const { game, list, place, table } = this;
      if (game === null || table === null) {
        return;
      }
      game.library.rules = rules;
      this.storage.set(`rules ${game.module.description.name}`, rules);
      if (list === null) {
        const { origin } = table.session.setup;
        this.openRandom("seed" in origin ? origin.seed : undefined);
      } else {
        this.openLevel(game, list, place);
      }
    });
  }

  /** @param {number} factor */
  changeSpeed(factor) {
    const table = /** @type {Table} */ (this.table);
    table.speed = Math.min(8, Math.max(0.25, table.speed * factor));
    this.view.board.speed = table.speed;
    table.tell("speed", { speed: String(table.speed) });
    this.view.content();
  }

  toggleAnimation() {
    const { board } = this.view;
    board.finish();
    board.animated = !board.animated;
    this.storage.set("animation", board.animated);
    this.table?.say(`Animation: ${board.animated ? "on" : "off"}`);
    this.view.content();
  }

  /** Copy the level as text. A random level is copied as it was at the start. */
  copyLevel() {
    const table = /** @type {Table} */ (this.table);
    const { level, origin } = table.session.setup;
    const text = "text" in origin ? origin.text : startText(table.session, level?.title ?? "");
    void this.guard(async () => {
      await navigator.clipboard.writeText(text);
      table.tell("copied", { what: table.description.words.level, text: text.trim().split("\n")[0] });
      this.view.content();
    });
  }

  copyMoves() {
    const table = /** @type {Table} */ (this.table);
    const symbols = table.session.entries.slice(0, table.session.at).map((entry) => entry.symbol);
    const separator = symbols.some((symbol) => symbol.length > 1) ? " " : "";
    const text = symbols.filter(Boolean).join(separator);
    if (text === "") {
      table.tell("no moves");
      this.view.content();
      return;
    }
    void this.guard(async () => {
      await navigator.clipboard.writeText(text);
      table.tell("copied", { what: "moves", text });
      this.view.content();
    });
  }
}

/** Start the page. */
async function main() {
  try {
    const app = new App(await load("index.json"));
    await app.start();
    await app.connect();
    document.body.dataset.ready = "true";
    performance.mark("playable");
    Object.assign(globalThis, { shoverworld: app }); // for tests and for the curious
  } catch (error) {
    showFailure(error instanceof Error ? error.message : String(error));
  }
  if ("serviceWorker" in navigator && location.protocol.startsWith("http") && !isEmbedded("index.json")) {
    navigator.serviceWorker.register("sw.js").catch(() => {}); // the page works without it, but not offline
  }
}

void main();
