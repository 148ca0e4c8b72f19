/** The player: which game and level the page shows, and the keys. */

import { Address } from "./address.js";
import { Commands } from "./commands.js";
import { isEmbedded, load } from "./data.js";
import { byId, make } from "./dom.js";
import { Games } from "./games.js";
import { Helpers } from "./helpers.js";
import { RESERVED, keyName, usesKey } from "./input.js";
import { OWN, presetNamed } from "./levels.js";
import { decodeLink } from "./link.js";
import { listenForFiles, openFileDialog } from "./open.js";
import { label } from "./panel.js";
import { readReplay, verifyReplay } from "./replay.js";
import { GameError, Session } from "./session.js";
import { Storage } from "./storage.js";
import { Table } from "./table.js";
import { PageView, showFailure } from "./view.js";

/** @import { Game } from "./games.js" */
/** @import { LevelList } from "./levels.js" */
/** @import { Replay } from "./replay.js" */
/** @import { Setup } from "./session.js" */
/** @import { Index, Player, Position } from "./types.js" */

export class App {
  /** @param {Index} index */
  constructor(index) {
    this.index = index;
    this.storage = new Storage();
    this.games = new Games(index, this.storage);
    this.commands = new Commands(this);
    this.address = new Address(this);
    this.view = new PageView({
      command: (name) => this.commands.run(name),
      press: (key) => this.press(key),
      useRules: (rules) => void this.commands.useRules(rules),
      useAgent: (agent) => this.commands.useAgent(agent),
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
    this.saved = ""; // the level whose record was saved
    this.shownOffer = "";
    this.embedded = isEmbedded("page.json");
    /** @type {string | null} */
    this.publicLink = null; // in an embedded replay, the link to the game in the public player
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
      if (location.hash.length > 1 && location.hash !== this.address.own) {
        void this.guard(() => this.openLink(location.hash));
      }
    });
    window.addEventListener("pagehide", () => this.table?.keepUnfinished());
    const [open, share, theme] = [byId("open"), byId("share"), byId("theme")];
    label(open, "open", "Open a file or paste a level");
    open.addEventListener("click", () => openFileDialog(this));
    label(share, "share", "Share this game: a link or a replay");
    share.addEventListener("click", () => void this.guard(() => this.address.share()));
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
      this.table.view.solve = () => this.commands.toggleSearch();
      const asked = location.search !== "" || location.hash.length > 1;
      const opened = !asked && (await this.helpers.openFirstFile().catch((error) => this.report(error)));
      if (!opened) {
        this.show();
      }
    }
  }

  /**
   * Play a game: the given level, or the level that was played last.
   *
   * @param {string} name
   * @param {string} [wanted]
   * @param {string | null} [rules]
   */
  async openGame(name, wanted = "", rules = null) {
    const game = await this.games.load(name);
    const [usual, chosen] = [game.library.rules, this.games.rulesIn(game, rules)];
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
    const preset = this.games.presetOf(game, rules, level);
    const setup = { level, origin: list.origin(place), rules, preset, players: players ?? this.games.playersFor(game, level, preset), seed: 0 };
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
    const game = await this.games.load(position.game);
    const { list, level, place, origin } = await this.games.levelOf(game, position);
    const rules = position.rules || level?.preset || game.module.description.presets[0].name;
    const preset = this.games.presetOf(game, rules, level);
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
      solve: this.helpers === null ? null : () => this.commands.toggleSearch(),
      choose: async (agent) => this.helpers?.move(/** @type {Table} */ (this.table), agent) ?? null,
    });
    this.table.speed = this.view.board.speed;
  }

  /** Show the new table. */
  show() {
    const [table, game] = [/** @type {Table} */ (this.table), /** @type {Game} */ (this.game)];
    const { name } = game.module.description;
    /** @type {HTMLSelectElement} */ (byId("game")).value = name;
    this.storage.set("game", name);
    table.say(table.description.goal);
    const { left } = this.commands;
    if (left !== null) {
      table.tell("left", { moves: table.movesText(left.moves.length) });
    }
    this.view.begin(table, game.sprites, {
      list: this.list,
      place: this.place,
      offered: this.commands.offered,
      chosen: game.library.rules,
      agents: this.commands.agents(game),
      agent: this.commands.agent,
    });
    document.body.dataset.game = name;
    this.address.update();
    table.autoplay.begin();
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
    const { search, state } = table.plans;
    if (search !== null && search.state !== state) {
      this.helpers?.stop(); // the plan would be for another state
    }
    this.view.changed(motion);
    this.showOffer();
    this.address.update();
  }

  /** Marks, messages or settings have changed. */
  content() {
    this.view.content();
    this.showOffer();
  }

  /** Show the commands that can be used now, if they have changed. */
  showOffer() {
    const { offered } = this.commands;
    const offer = [...offered, this.table?.plans.search == null ? "" : "searching"].join();
    if (this.shownOffer !== offer) {
      this.shownOffer = offer;
      this.view.offer(offered);
    }
  }

  // --- keys

  /**
   * Press a key of the game, of a command or of an overlay. Return whether the key has a meaning.
   *
   * @param {string} key
   */
  press(key) {
    const table = /** @type {Table} */ (this.table);
    if ((key === "escape" && this.commands.stopPlanning()) || table.pointer.steer(key)) {
      return true;
    }
    if (this.commands.press(key)) {
      return true;
    }
    if (table.description.overlays.some((overlay) => overlay.key === key && (!overlay.plans || table.plans.possible))) {
      table.overlays.toggle(key);
      return true;
    }
    this.view.timeline.stop();
    return table.press(key) || (key.startsWith("shift+") && table.press(key.slice(6)));
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
    if (this.embedded ? this.view.timeline.press(key) || this.commands.press(key) : this.press(key)) {
      event.preventDefault();
    }
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
