/**
 * Links to positions: a game up to any move as the fragment of an address, which a browser never sends to a server.
 *
 *     #v=1&game=sokoban&level=tiny/3&rules=sokoban&moves=0AQIFBQ&at=2
 *
 * `core/links.py` reads and writes the same format and reports the same errors; docs/web.md describes the format. A link
 * may come from anyone: it is checked completely, and decompression stops at a limit.
 */

import { TooLong, decodeBase64Url, deflate, encodeBase64Url, inflate } from "./bytes.js";

const VERSION = 1;
const FIELDS = ["v", "game", "level", "text", "random", "rules", "players", "seed", "moves", "at"];
const MOST_LETTERS = 1 << 17; // in a fragment
const MOST_BYTES = 1 << 20; // in a decompressed field
const MOST_MOVES = 100_000;
const MOST_NUMBERS = 8; // in an action
const MOST_PLAYERS = 99;
const MOST_NAME = 200; // letters in the name of a level or in the rules
const LARGEST_IN_MOVE = 65_535;
const RAW = "0"; // the first letter of a field with bytes
const DEFLATED = "1";

/**
 * @typedef {{collection: string, name: string} | {text: string} | {seed: number}} LinkLevel a packaged level, a level in
 *   the format of its game, or a random level
 * @typedef {number[] | {place: number[]}} LinkMove an action, or a free move to a row and a column
 * @typedef {object} Position a game up to a move
 * @property {string} game
 * @property {string} rules such as "phase2, initial_force=30"; "" means the rules of the level
 * @property {LinkLevel} level
 * @property {number} players
 * @property {number} seed the seed for the reset
 * @property {LinkMove[]} moves
 */

/** A link is invalid, or a position cannot be written as a link. */
export class LinkError extends Error {}

/**
 * Return the fragment for a position, with its `#`.
 *
 * @param {Position} position
 * @param {number} [at] the number of moves to show; by default, all
 * @returns {Promise<string>}
 */
export async function encodeLink(position, at = position.moves.length) {
  const { game, level, moves, players, rules, seed } = position;
  const fields = [["v", String(VERSION)], ["game", game], await levelField(level)];
  fields.push(["rules", rules.split(",").map((part) => part.trim()).join(",")]);
  fields.push(["players", players === 1 ? "" : String(players)]);
  fields.push(["seed", seed === 0 ? "" : String(seed)]);
  fields.push(["moves", moves.length > 0 ? await pack(movesBytes(moves)) : ""]);
  fields.push(["at", at === moves.length ? "" : String(at)]);
  const parts = fields.filter(([, value]) => value !== "").map(([name, value]) => `${name}=${quoted(value)}`);
  const link = `#${parts.join("&")}`;
  await decodeLink(link); // a link that cannot be opened is reported where it is made
  return link;
}

/**
 * Return a link to another move of the same game, without encoding the moves again.
 *
 * @param {string} link a fragment from `encodeLink`
 * @param {number} at the number of moves to show
 * @param {number} last the number of moves in the game
 * @returns {string}
 */
export function linkAt(link, at, last) {
  return link.replace(/&at=[0-9]+$/, "") + (at === last ? "" : `&at=${at}`);
}

/**
 * @param {LinkLevel} level
 * @returns {Promise<string[]>} the name and the value of a field
 */
async function levelField(level) {
  if ("text" in level) {
    if (!isWellFormed(level.text)) {
      fail("text", "the level is not UTF-8 text");
    }
    return ["text", await pack(new TextEncoder().encode(level.text))];
  }
  if ("seed" in level) {
    return ["random", String(level.seed)];
  }
  const { collection, name } = level;
  if (/^[0-9]+$/.test(name) || collection.includes("/")) {
    fail("level", `${shown(`${collection}/${name}`)} cannot be linked by name`);
  }
  const prefix = `${collection}#`;
  const number = name.slice(prefix.length);
  return ["level", `${collection}/${name.startsWith(prefix) && /^[0-9]+$/.test(number) ? number : name}`];
}

/**
 * Return moves as bytes: how many numbers an action has, then each move.
 *
 * A number is one byte if it is less than 127 (LEB128 of the number + 1). A free move is a 0, its row and its column.
 *
 * @param {LinkMove[]} moves
 * @returns {Uint8Array<ArrayBuffer>}
 */
function movesBytes(moves) {
  const first = /** @type {number[] | undefined} */ (moves.find((move) => Array.isArray(move)));
  const size = first === undefined ? 0 : first.length;
  const content = [size];
  for (const move of moves) {
    if (!Array.isArray(move)) {
      content.push(0);
    } else if (move.length !== size) {
      fail("moves", `all actions must have ${size} numbers`);
    }
    for (const number of Array.isArray(move) ? move : move.place) {
      writeNumber(content, number + 1);
    }
  }
  return Uint8Array.from(content);
}

/**
 * @param {number[]} content
 * @param {number} number
 */
function writeNumber(content, number) {
  if (!Number.isInteger(number) || number < 1 || number > LARGEST_IN_MOVE + 1) {
    fail("moves", `a number in a move must be from 0 to ${LARGEST_IN_MOVE}`);
  }
  let rest = number;
  while (rest > 127) {
    content.push((rest & 127) | 128);
    rest >>= 7;
  }
  content.push(rest);
}

/**
 * Return bytes as Base64 for addresses, deflated if that is shorter.
 *
 * @param {Uint8Array<ArrayBuffer>} content
 * @returns {Promise<string>}
 */
async function pack(content) {
  const deflated = await deflate(content);
  return deflated.length < content.length ? DEFLATED + encodeBase64Url(deflated) : RAW + encodeBase64Url(content);
}

/**
 * @param {string} value
 * @returns {string}
 */
function quoted(value) {
  return encodeURIComponent(value)
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%2C", ",")
    .replaceAll("%2F", "/")
    .replaceAll("%3D", "=");
}

/**
 * Return the position in an address or its fragment, and the number of moves to show.
 *
 * @param {string} link
 * @returns {Promise<{position: Position, at: number}>}
 */
export async function decodeLink(link) {
  const fragment = link.slice(link.indexOf("#") + 1);
  if (fragment.length > MOST_LETTERS) {
    throw new LinkError(`the link is too long: ${fragment.length} characters; expected at most ${MOST_LETTERS}`);
  }
  if (/[^\x21-\x7e]/.test(fragment)) {
    throw new LinkError("the link contains spaces or characters outside ASCII; expected an address");
  }
  const fields = fieldsOf(fragment);
  const version = fields.get("v") ?? String(VERSION);
  if (version !== String(VERSION)) {
    fail("v", `${shown(version)} is not a supported version; expected ${VERSION}`);
  }
  for (const name of fields.keys()) {
    if (!FIELDS.includes(name)) {
      throw new LinkError(`unknown field ${shown(name)}; expected ${FIELDS.join(", ")}`);
    }
  }
  const game = fields.get("game") ?? "";
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(game)) {
    fail("game", `${shown(game)} is not the name of a game`);
  }
  const level = await levelOf(fields);
  const rules = fields.get("rules") ?? "";
  if ([...rules].length > MOST_NAME) {
    fail("rules", `longer than ${MOST_NAME} characters`);
  }
  const players = numberIn(fields, "players", 1, 1, MOST_PLAYERS);
  const seed = numberIn(fields, "seed", 0, 0, Number.MAX_SAFE_INTEGER);
  const packed = fields.get("moves");
  const moves = packed === undefined ? [] : movesIn(await unpack("moves", packed));
  const at = numberIn(fields, "at", moves.length, 0, moves.length);
  return { position: { game, rules: rules.split(",").join(", "), level, players, seed, moves }, at };
}

/**
 * @param {string} fragment
 * @returns {Map<string, string>}
 */
function fieldsOf(fragment) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  for (const part of fragment.split("&")) {
    const sign = part.indexOf("=");
    const name = part.slice(0, sign);
    const value = part.slice(sign + 1);
    if (sign < 0 || value === "") {
      throw new LinkError(`found ${shown(part)}; expected fields of the form name=value, joined by &`);
    }
    if (fields.has(name)) {
      fail(name, "occurs twice");
    }
    fields.set(name, plain(name, value));
  }
  return fields;
}

/**
 * Return a value without percent encoding.
 *
 * @param {string} name
 * @param {string} value
 * @returns {string}
 */
function plain(name, value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return fail(name, "the percent encoding is invalid");
  }
}

/**
 * @param {Map<string, string>} fields
 * @returns {Promise<LinkLevel>}
 */
async function levelOf(fields) {
  const given = ["level", "text", "random"].filter((name) => fields.has(name));
  if (given.length !== 1) {
    throw new LinkError(`found ${given.join(" and ") || "no level"}; expected one of level, text and random`);
  }
  const value = /** @type {string} */ (fields.get(given[0]));
  if (given[0] === "random") {
    return { seed: numberIn(fields, "random", 0, 0, Number.MAX_SAFE_INTEGER) };
  }
  if (given[0] === "text") {
    return { text: await levelText(value) };
  }
  const slash = value.indexOf("/");
  const collection = value.slice(0, slash);
  const name = value.slice(slash + 1);
  if (slash < 1 || name === "" || [...value].length > MOST_NAME) {
    fail("level", `${shown(value)} is not a level; expected COLLECTION/NAME`);
  }
  return { collection, name: /^[0-9]+$/.test(name) ? `${collection}#${name}` : name };
}

/**
 * @param {string} value
 * @returns {Promise<string>}
 */
async function levelText(value) {
  const content = await unpack("text", value);
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    fail("text", "the level is not UTF-8 text");
  }
  return text || fail("text", "the level is empty");
}

/**
 * @param {Map<string, string>} fields
 * @param {string} name
 * @param {number} usual the value if the field is missing
 * @param {number} least
 * @param {number} most
 * @returns {number}
 */
function numberIn(fields, name, usual, least, most) {
  const value = fields.get(name);
  if (value === undefined) {
    return usual;
  }
  const number = Number(value);
  if (!/^(0|[1-9][0-9]{0,15})$/.test(value) || number < least || number > most) {
    fail(name, `${shown(value)} is not an integer from ${least} to ${most}`);
  }
  return number;
}

/**
 * Return the bytes of a field.
 *
 * @param {string} name
 * @param {string} value
 * @returns {Promise<Uint8Array>}
 */
async function unpack(name, value) {
  const kind = String.fromCodePoint(/** @type {number} */ (value.codePointAt(0)));
  if (kind !== RAW && kind !== DEFLATED) {
    fail(name, `found ${shown(kind)} first; expected ${RAW} or ${DEFLATED}`);
  }
  const content = decodeBase64Url(value.slice(1)) ?? fail(name, "invalid Base64");
  if (kind === RAW) {
    return content;
  }
  try {
    return await inflate(content, MOST_BYTES);
  } catch (error) {
    return fail(
      name,
      error instanceof TooLong ? `more than ${MOST_BYTES} bytes when decompressed` : "cannot be decompressed",
    );
  }
}

/**
 * @param {Uint8Array} content
 * @returns {LinkMove[]}
 */
function movesIn(content) {
  if (content.length === 0 || content[0] > MOST_NUMBERS) {
    fail("moves", `an action must have at most ${MOST_NUMBERS} numbers`);
  }
  const size = content[0];
  /** @type {LinkMove[]} */
  const moves = [];
  const reader = { content, place: 1 };
  while (reader.place < content.length) {
    if (moves.length === MOST_MOVES) {
      fail("moves", `more than ${MOST_MOVES} moves`);
    }
    if (content[reader.place] === 0) {
      reader.place += 1;
      moves.push({ place: [readNumber(reader), readNumber(reader)] });
    } else if (size === 0) {
      fail("moves", "an action has no numbers");
    } else {
      moves.push(Array.from({ length: size }, () => readNumber(reader)));
    }
  }
  return moves;
}

/**
 * Read a number (LEB128 of the number + 1) and move the reader to the byte after it.
 *
 * @param {{content: Uint8Array, place: number}} reader
 * @returns {number}
 */
function readNumber(reader) {
  let number = 0;
  for (let shift = 0; reader.place < reader.content.length && shift < 21; shift += 7) {
    const byte = reader.content[reader.place];
    reader.place += 1;
    number |= (byte & 127) << shift;
    if (byte < 128) {
      if (byte === 0 || number > LARGEST_IN_MOVE + 1) {
        break;
      }
      return number - 1;
    }
  }
  return fail("moves", "a move is incomplete or contains an invalid number");
}

/**
 * @param {string} field
 * @param {string} what
 * @returns {never}
 */
function fail(field, what) {
  throw new LinkError(`${field}: ${what}`);
}

/**
 * Return the beginning of a value in quotation marks, in ASCII.
 *
 * @param {string} value
 * @returns {string}
 */
function shown(value) {
  const letters = [...value].slice(0, 40).map((letter) => (/^[ -~]$/.test(letter) ? letter : "?"));
  return `'${letters.join("")}'`;
}

/**
 * Return whether a string has no halves of surrogate pairs.
 *
 * @param {string} text
 * @returns {boolean}
 */
function isWellFormed(text) {
  return !/\p{Surrogate}/u.test(text);
}
