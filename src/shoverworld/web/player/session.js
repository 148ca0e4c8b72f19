/**
 * A game in progress: its moves, undo and redo, and the moves as a position that a link can contain.
 *
 * The session keeps the state after every move, so any move can be shown again at once. `at` is the number of moves that
 * have been made up to the state in the block; the moves after it can be redone.
 */

/** @import { GameModule } from "./module.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { Act, Intent, Level, MoveText, Origin, Place, Player, Position, Preset } from "./types.js" */

/**
 * @typedef {object} Setup what a game starts from
 * @property {Level | null} level null for a random level
 * @property {Origin} origin where the level comes from
 * @property {string} rules the rules as a string (core/rules_text.py)
 * @property {Preset} preset the rules as numbers
 * @property {Player[]} players the players in a multiplayer game, otherwise empty
 * @property {number} seed determines what the level does not specify
 *
 * @typedef {object} Entry a move that was made
 * @property {Act | Place} intent
 * @property {Uint8Array} asked the state with the selection as it was before the player's input
 * @property {Uint8Array} after
 * @property {MoveText} move
 * @property {boolean} valid
 * @property {boolean} follows whether a single undo reverts this move and the move before it
 * @property {number} player the index of the player who moved
 * @property {string} by the helper who made the move; "" for the player
 * @property {string} symbol
 */

const LANDING = 12; // bytes

/** A level or a move cannot be played. */
export class GameError extends Error {}

export class Session {
  /**
   * Start a game.
   *
   * @param {GameModule} module
   * @param {Setup} setup
   */
  constructor(module, setup) {
    this.module = module;
    this.setup = setup;
    const { description } = module;
    const players = description.players ? { [description.players]: Math.max(1, setup.players.length) } : {};
    this.block = module.levelBlock(setup.preset, setup.level, players);
    this.before = module.block(this.block.dimensions); // the state before the last move
    this.block.seed(setup.seed);
    const result = this.block.call(setup.level === null ? description.random : "reset");
    if (setup.level !== null && result < 0) {
      throw new GameError(`The ${description.words.level} has too few start cells for these ${description.words.players}.`);
    }
    this.block.call("copy", this.before.address);
    /** @type {Entry[]} */
    this.entries = [];
    this.at = 0;
    this.start = this.block.snapshot();
    /** @type {Uint8Array | null} */
    this.asked = null;
    this.givenUp = 0; // after a restart, the number of moves in the game that the restart ended
    this.landings = this.reserveLandings();
    const names = setup.players.map((player) => player.name);
    this.names = { name: names };
  }

  // --- the current state

  /** How the game ended; null while it is in progress. */
  get outcome() {
    return this.module.description.outcomes[this.block.field("game", "outcome")];
  }

  /** Whether the game was won. */
  get won() {
    return this.outcome === this.module.description.won;
  }

  /** The index of the player to move. */
  get turn() {
    const { turn } = this.module.description;
    return turn ? this.block.field("game", turn) : 0;
  }

  /** The agent whose turn it is; null if it is a person's turn or if the game is over. */
  get waitsFor() {
    const player = this.setup.players[this.turn];
    return player !== undefined && player.agent !== "" && this.outcome === null ? player : null;
  }

  get hasPeople() {
    return this.setup.players.length === 0 || this.setup.players.some((player) => player.agent === "");
  }

  get canUndo() {
    return this.givenUp > 0 || this.entries.slice(0, this.at).some((entry) => !entry.follows);
  }

  get canRedo() {
    return this.at < this.entries.length;
  }

  /** The move that led to the current state, or null at the start. */
  get last() {
    return this.at > 0 ? this.entries[this.at - 1] : null;
  }

  /** The helpers in the game so far. A game with help does not set a record. */
  get helpers() {
    return [...new Set(this.entries.slice(0, this.at).map((entry) => entry.by))].filter((name) => name !== "");
  }

  /**
   * Call a function of the module that writes rows. Texts contain the names of the players.
   *
   * @param {string} name
   * @param {...number} numbers
   * @returns {Sheet}
   */
  sheet(name, ...numbers) {
    return this.block.sheet(name, ...numbers).with(this.names);
  }

  // --- playing

  /**
   * Pass the player's input to the module and return the intent. Undo restores the selection as it was before this input.
   *
   * @param {string} name press, click or drag
   * @param {...number} numbers
   * @returns {Intent | null}
   */
  ask(name, ...numbers) {
    this.asked = this.block.snapshot();
    return this.module.has(name) ? this.sheet(name, ...numbers).intent() : null;
  }

  /**
   * Make a move. `follows`: whether undo reverts this move together with the move before it.
   *
   * @param {Act | Place} intent
   * @param {{by?: string, follows?: boolean}} [details]
   * @returns {Entry}
   */
  play(intent, { by = "", follows = false } = {}) {
    const player = this.turn;
    const together = follows || (this.waitsFor !== null && this.hasPeople);
    const asked = this.asked ?? this.block.snapshot();
    const symbol = this.symbolOf(intent);
    this.asked = null;
    this.perform(intent);
    const move = this.module.has("move")
      ? this.sheet("move", this.before.address).move()
      : { kind: "", words: "" };
    if (this.setup.players.length > 1) {
      const label = this.module.index.labels["player move"];
      move.words = label.replace("{name}", this.setup.players[player].name).replace("{move}", move.words);
    }
    const valid = intent.kind === "place" || this.block.field("game", this.module.description.reason_field) === 0;
    this.settle();
    this.noteLanding();
    this.entries.length = this.at;
    const after = this.block.snapshot();
    this.entries.push({ intent, asked, after, move, valid, follows: together, player, by, symbol });
    this.at += 1;
    this.givenUp = 0;
    return this.entries[this.at - 1];
  }

  /** @param {Act | Place} intent */
  perform(intent) {
    this.block.call("copy", this.before.address);
    if (intent.kind === "place") {
      if (this.block.call("place", ...intent.cell) === 0) {
        throw new GameError(`The cell at row ${intent.cell[0]}, column ${intent.cell[1]} cannot be reached.`);
      }
    } else {
      this.block.call("step", ...intent.action);
    }
  }

  settle() {
    if (this.module.has("played")) {
      this.block.call("played");
    }
  }

  /**
   * Return a move in the game's notation, or "" if there is none.
   *
   * @param {Act | Place} intent
   */
  symbolOf(intent) {
    if (intent.kind === "place" || !this.module.has("symbol")) {
      return "";
    }
    return this.sheet("symbol", ...intent.action).text();
  }

  /**
   * Show the state after the first `count` moves. The later moves can be redone.
   *
   * @param {number} count
   */
  goTo(count) {
    this.at = Math.max(0, Math.min(count, this.entries.length));
    this.block.restore(this.at === 0 ? this.start : this.entries[this.at - 1].after);
    this.block.call("copy", this.before.address);
    if (this.at > 0) {
      this.before.restore(this.at === 1 ? this.start : this.entries[this.at - 2].after);
    }
    this.settle();
  }

  /**
   * Undo the last move with the moves that belong to it, or undo a restart. Return what was undone, or null.
   *
   * @returns {string | null}
   */
  undo() {
    const { labels } = this.module.index;
    if (this.givenUp > 0) {
      this.goTo(this.givenUp);
      this.givenUp = 0;
      return labels["undone restart"];
    }
    if (!this.canUndo) {
      return null;
    }
    const last = this.entries[this.at - 1];
    let first = this.at - 1;
    while (this.entries[first].follows) {
      first -= 1;
    }
    const { asked } = this.entries[first];
    const { move } = this.setup.players.length > 0 ? this.entries[first] : last;
    this.goTo(first);
    this.block.restore(asked);
    return labels.undone.replace("{move}", move.words);
  }

  /**
   * Redo the next move with the moves that belong to it.
   *
   * @returns {Entry | null}
   */
  redo() {
    if (!this.canRedo) {
      return null;
    }
    let count = this.at + 1;
    while (count < this.entries.length && this.entries[count].follows) {
      count += 1;
    }
    this.goTo(count);
    this.givenUp = 0;
    return this.last;
  }

  /** Start the same game again. All moves can be redone. */
  restart() {
    const given = this.at;
    this.goTo(0);
    this.givenUp = given;
  }

  /** Whether the move to the current state can be animated: `before` contains the state before it. */
  get motion() {
    return this.at > 0 && this.module.has("motion") ? this.sheet("motion", this.before.address).motion() : null;
  }

  // --- trails

  get playerCount() {
    return Math.max(1, this.setup.players.length);
  }

  /** Reserve memory for the cells where the players landed, if the game shows their paths. */
  reserveLandings() {
    if (!this.module.has("land")) {
      return 0;
    }
    const rules = /** @type {Record<string, number>} */ (this.setup.preset.arrays.rules);
    const steps = this.playerCount * (Number(rules.max_rounds) + 1);
    const address = this.module.reserve(LANDING * (2 * this.playerCount + steps));
    this.block.call("land", address, 0);
    return address;
  }

  noteLanding() {
    if (this.landings !== 0) {
      this.block.call("land", this.landings, this.at + this.playerCount);
    }
  }

  /** Return the marks of the paths of all players. */
  trails() {
    return this.landings === 0 ? [] : this.sheet("trails", this.landings, this.at + this.playerCount).marks();
  }

  // --- positions

  /**
   * Return the game up to now as a position.
   *
   * @param {boolean} [all] whether to include the moves that can be redone
   * @returns {Position}
   */
  position(all = false) {
    const { setup } = this;
    const moves = this.entries.slice(0, all ? this.entries.length : this.at).map(({ intent }) =>
      intent.kind === "place" ? { place: [...intent.cell] } : [...intent.action],
    );
    return {
      game: this.module.description.name,
      rules: setup.rules,
      level: setup.origin,
      players: Math.max(1, setup.players.length),
      seed: setup.seed,
      moves,
    };
  }

  /**
   * Make the moves of a position. Raise GameError if a move is impossible.
   *
   * @param {Position["moves"]} moves
   * @param {string} [by]
   */
  playAll(moves, by = "") {
    moves.forEach((move, place) => {
      if (this.outcome !== null) {
        throw new GameError(`Move ${place + 1} comes after the end of the game.`);
      }
      const intent = this.checked(move, place);
      this.play(intent, { by, follows: false });
    });
  }

  /**
   * Return the actions of letters in the game's notation, played from the start. Raise GameError if a move is impossible.
   *
   * @param {string} letters
   * @param {string} name where the letters come from
   */
  movesOf(letters, name) {
    const now = this.block.snapshot();
    /** @type {number[][]} */
    const actions = [];
    try {
      this.block.restore(this.start);
      for (const letter of letters) {
        const intent = this.sheet("letter", letter.codePointAt(0) ?? 0).intent();
        if (intent !== null && this.outcome !== null) {
          throw new GameError(`${name}: move ${actions.length + 1} comes after the end of the game.`);
        }
        if (intent?.kind === "say") {
          throw new GameError(`${name}: move ${actions.length + 1} is "${letter}": ${intent.text}`);
        }
        if (intent?.kind === "act") {
          this.block.call("step", ...intent.action);
          actions.push(intent.action);
        }
      }
    } finally {
      this.block.restore(now);
    }
    return actions;
  }

  /**
   * Return a move from a link or a file as an intent. The module does not check its arguments, so they are checked here.
   *
   * @param {Position["moves"][number]} move
   * @param {number} place
   * @returns {Act | Place}
   */
  checked(move, place) {
    const { rows, cols } = this.block.dimensions;
    const fail = () => {
      throw new GameError(`Move ${place + 1} is not a move of this game: ${JSON.stringify(move)}.`);
    };
    if (!Array.isArray(move)) {
      const [row, col] = move.place;
      if (!this.module.has("place") || !(row >= 0 && row < rows && col >= 0 && col < cols)) {
        fail();
      }
      return { kind: "place", cell: [row, col] };
    }
    const { actions, first_action: first } = this.setup.preset;
    if (move.length !== actions.length) {
      fail();
    }
    move.forEach((number, k) => {
      const count = actions[k] || [rows, cols][k];
      if (!Number.isInteger(number) || number < first[k] || number >= first[k] + count) {
        fail();
      }
    });
    return { kind: "act", action: [...move] };
  }
}

/**
 * Return how many players a level has room for, but not more than `most`.
 *
 * @param {GameModule} module
 * @param {Preset} preset
 * @param {Level} level
 * @param {number} most
 */
export function roomFor(module, preset, level, most) {
  const { players } = module.description;
  let count = 1;
  while (
    count < most &&
    module.briefly(() => {
      const block = module.levelBlock(preset, level, { [players]: count + 1 });
      block.seed(0);
      return block.call("reset") >= 0;
    })
  ) {
    count += 1;
  }
  return count;
}
