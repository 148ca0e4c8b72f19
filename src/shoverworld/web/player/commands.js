/** The commands of the page, which buttons and keys start, and the settings: rules, agent, speed and animation. */

import { openHelp } from "./help.js";
import { RESERVED } from "./input.js";
import { openFileDialog } from "./open.js";
import { Picker } from "./picker.js";
import { openPlayers } from "./players.js";
import { startText } from "./replay_writer.js";
import { roomFor } from "./session.js";

/** @import { App } from "./app.js" */
/** @import { Game } from "./games.js" */
/** @import { Table } from "./table.js" */

const MOST_PLAYERS = 16; // the cars in the sprite sheet
const WATCHING = ["undo", "redo", "restart", "animation", "copy moves", "copy link", "help"]; // in an embedded replay

export class Commands {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Record<string, () => unknown>} */
    this.actions = {
      undo: () => this.app.table?.undo(),
      redo: () => this.app.table?.redo(),
      restart: () => this.app.table?.restart(),
      cursor: () => this.app.table?.pointer.toggleCursor(),
      continue: () => this.continueGame(),
      next: () => this.step(1),
      previous: () => this.step(-1),
      levels: () => this.openPicker(),
      unsolved: () => this.nextUnsolved(),
      random: () => this.app.openRandom(),
      hint: () => this.app.table !== null && this.app.helpers?.hint(this.app.table),
      solve: () => this.toggleSearch(),
      "plan move": () => this.app.table?.plans.play(false),
      "plan moves": () => this.app.table?.plans.play(true),
      agent: () => this.toggleAgent(),
      faster: () => this.changeSpeed(2),
      slower: () => this.changeSpeed(0.5),
      animation: () => this.toggleAnimation(),
      watch: () => this.app.view.timeline.focus(),
      "copy link": () => this.app.address.copy(),
      save: () => this.app.address.save(),
      copy: () => this.copyLevel(),
      "copy moves": () => this.copyMoves(),
      players: () => this.openPlayers(),
      help: () => this.app.table !== null && openHelp(this.app.table, this.offered),
    };
  }

  /** An unfinished game on this level, or null. */
  get left() {
    const table = /** @type {Table} */ (this.app.table);
    return table.session.entries.length === 0 ? this.app.storage.unfinished(table.identity) : null;
  }

  /** The names of the commands that can be used now. */
  get offered() {
    const table = /** @type {Table} */ (this.app.table);
    const { description, module } = table;
    const missing = new Set();
    const without = (/** @type {boolean} */ possible, /** @type {string[]} */ ...names) => {
      if (!possible) {
        names.forEach((name) => missing.add(name));
      }
    };
    without(this.app.list !== null, "next", "previous", "unsolved");
    without(description.random !== "", "random");
    without(description.players !== "" && this.app.list !== null, "players");
    without(this.left !== null, "continue");
    without(module.has("symbol"), "copy moves");
    without(module.has("write"), "copy");
    without(this.app.helpers !== null, "hint");
    without(table.plans.possible, "solve");
    without(table.plans.ready !== null, "plan move", "plan moves");
    without(module.has("greedy") || this.app.helpers !== null, "agent");
    without(!this.app.embedded || this.app.publicLink !== null, "copy link");
    without(!this.app.embedded, "save");
    const names = this.app.embedded ? WATCHING : Object.keys(this.actions);
    return new Set(names.filter((name) => !missing.has(name)));
  }

  /** @param {string} name */
  run(name) {
    if (this.offered.has(name)) {
      this.app.table?.finishWalk();
      void this.app.guard(() => this.actions[name]());
    }
  }

  /**
   * Carry out the command of a key. Return whether the key has one.
   *
   * @param {string} key
   */
  press(key) {
    const command = this.app.index.commands.find(({ keys, name }) => keys.includes(key) && !RESERVED.has(key) && this.offered.has(name));
    if (command !== undefined) {
      this.run(command.name);
    }
    return command !== undefined;
  }

  /** @param {number} step */
  step(step) {
    const { game, list, place } = this.app;
    if (game !== null && list !== null) {
      const count = list.levels.length;
      this.app.openLevel(game, list, (place + step + count) % count);
    }
  }

  nextUnsolved() {
    const { game, list, place } = this.app;
    if (game === null || list === null) {
      return;
    }
    const next = list.nextUnsolved(place);
    if (next < 0 || next === place) {
      const values = { title: list.collection.title, progress: list.progress };
      this.app.table?.tell(next < 0 ? "all solved" : "others solved", values);
      this.app.view.content();
    } else {
      this.app.openLevel(game, list, next);
    }
  }

  continueGame() {
    const { game, list, place, table } = this.app;
    const { left } = this;
    if (game !== null && table !== null && left !== null) {
      const setup = { ...table.session.setup, players: left.players, seed: left.seed };
      this.app.startGame(game, setup, left.moves, left.moves.length);
      [this.app.list, this.app.place] = [list, place];
      left.help?.forEach((name) => this.app.table?.help.add(name));
      this.app.show();
      const { table: shown } = this.app;
      shown?.tell("continued", { moves: shown.movesText(left.moves.length) });
      this.app.view.content();
    }
  }

  openPicker() {
    const { game, list, place } = this.app;
    if (game !== null) {
      new Picker(game.library, game.sprites, list, place, {
        open: (chosen, at) => void this.app.guard(() => this.app.openLevel(game, chosen, at)),
        random: game.module.description.random ? () => this.app.openRandom() : null,
        file: () => openFileDialog(this.app),
      });
    }
  }

  openPlayers() {
    const [game, table] = [/** @type {Game} */ (this.app.game), /** @type {Table} */ (this.app.table)];
    const { level, preset } = table.session.setup;
    const { list, place } = this.app;
    if (level === null || list === null) {
      return;
    }
    const { description } = game.module;
    openPlayers({
      index: this.app.index,
      description,
      players: table.session.setup.players,
      room: roomFor(game.module, preset, level, MOST_PLAYERS),
      agents: this.agents(game),
      start: (players) => {
        this.app.storage.set(`players ${description.name}`, players);
        void this.app.guard(() => this.app.openLevel(game, list, place, players));
      },
    });
  }

  toggleAgent() {
    const [table, game] = [/** @type {Table} */ (this.app.table), /** @type {Game} */ (this.app.game)];
    const several = table.session.setup.players.length > 1;
    if (this.app.helpers?.busy) {
      this.app.helpers.stop();
    } else if (this.app.helpers === null || several || (game.module.has("greedy") && this.agent === "greedy")) {
      table.autoplay.toggle();
    } else if (table.session.outcome === null) {
      void this.app.helpers.play(table, this.agent);
    }
  }

  /** Start a search for a plan, or stop the search that is running. */
  toggleSearch() {
    const table = /** @type {Table} */ (this.app.table);
    if (this.stopPlanning()) {
      return;
    }
    if (table.session.outcome === null) {
      void this.app.helpers?.solve(table);
    } else {
      table.tell("over");
      this.app.content();
    }
  }

  /** Stop the search for a plan, or the plan that is being played. Return whether there was one. */
  stopPlanning() {
    const table = /** @type {Table} */ (this.app.table);
    if (table.plans.search === null) {
      return table.plans.stop();
    }
    this.app.helpers?.stop();
    return true;
  }

  /** @param {number} factor */
  changeSpeed(factor) {
    const table = /** @type {Table} */ (this.app.table);
    table.speed = Math.min(8, Math.max(0.25, table.speed * factor));
    this.app.view.board.speed = table.speed;
    table.tell("speed", { speed: String(table.speed) });
    this.app.view.content();
  }

  toggleAnimation() {
    const { board } = this.app.view;
    board.finish();
    board.animated = !board.animated;
    this.app.storage.set("animation", board.animated);
    this.app.table?.say(`Animation: ${board.animated ? "on" : "off"}`);
    this.app.view.content();
  }

  /** Copy the level as text. A random level is copied as it was at the start. */
  copyLevel() {
    const table = /** @type {Table} */ (this.app.table);
    const { level, origin } = table.session.setup;
    const text = "text" in origin ? origin.text : startText(table.session, level?.title ?? "");
    void this.app.guard(async () => {
      await navigator.clipboard.writeText(text);
      table.tell("copied", { what: table.description.words.level, text: text.trim().split("\n")[0] });
      this.app.view.content();
    });
  }

  copyMoves() {
    const table = /** @type {Table} */ (this.app.table);
    const symbols = table.session.entries.slice(0, table.session.at).map((entry) => entry.symbol);
    const separator = symbols.some((symbol) => symbol.length > 1) ? " " : "";
    const text = symbols.filter(Boolean).join(separator);
    if (text === "") {
      table.tell("no moves");
      this.app.view.content();
      return;
    }
    void this.app.guard(async () => {
      await navigator.clipboard.writeText(text);
      table.tell("copied", { what: "moves", text });
      this.app.view.content();
    });
  }

  /**
   * The agents that can play here: the one in the module first, then those of `shover web`.
   *
   * @param {Game} game
   */
  agents({ module }) {
    const own = module.has("greedy") ? ["greedy"] : [];
    return [...new Set([...own, ...(this.app.helpers?.agents(module.description.name) ?? [])])];
  }

  /** The agent that the `agent` command starts. */
  get agent() {
    const game = /** @type {Game} */ (this.app.game);
    const [first, ...others] = this.agents(game);
    const kept = this.app.storage.setting(`agent ${game.module.description.name}`, first);
    return others.includes(kept) ? kept : first;
  }

  /** @param {string} agent */
  useAgent(agent) {
    const { name } = /** @type {Game} */ (this.app.game).module.description;
    this.app.storage.set(`agent ${name}`, agent);
  }

  /** @param {string} rules a preset, or "" for the rules of each level */
  async useRules(rules) {
    await this.app.guard(() => {
      const { game, list, place, table } = this.app;
      if (game === null || table === null) {
        return;
      }
      game.library.rules = rules;
      this.app.storage.set(`rules ${game.module.description.name}`, rules);
      if (list === null) {
        const { origin } = table.session.setup;
        this.app.openRandom("seed" in origin ? origin.seed : undefined);
      } else {
        this.app.openLevel(game, list, place);
      }
    });
  }
}
