/**
 * The cells where the players start, in the map of a replay or a link: its last line, such as `cars 1,2 1,1`. Each pair is
 * a column and a row (games/race/record.py). Level files do not contain such a line.
 */

import { decodeBase64, encodeBase64 } from "./bytes.js";

/** @import { Session } from "./session.js" */
/** @import { Description, Level } from "./types.js" */

/** @typedef {[number, number]} Place a column and a row */

/**
 * Return a map without its last line if that line contains the start cells, and these cells; otherwise the map and null.
 *
 * @param {Description} description
 * @param {string} text
 * @returns {{map: string, places: Place[] | null}}
 */
export function splitStarts(description, text) {
  const word = description.constants.starts;
  const rows = text.trimEnd().split("\n");
  const words = (rows.pop() ?? "").trim().split(/\s+/);
  if (word === undefined || words[0] !== word || !words.slice(1).every((pair) => /^[0-9]{1,6},[0-9]{1,6}$/.test(pair))) {
    return { map: text, places: null };
  }
  const places = words.slice(1).map((pair) => /** @type {Place} */ (pair.split(",").map(Number)));
  return { map: `${rows.join("\n")}\n`, places };
}

/**
 * Return a level on which the players start on these cells, or null if they cannot start there. The module does not check
 * the cells.
 *
 * @template {Level} T
 * @param {Description} description
 * @param {T} level
 * @param {Place[]} places
 * @returns {T | null}
 */
export function withStarts(description, level, places) {
  const { cols, rows } = level.dimensions;
  const cells = new Int8Array(decodeBase64(String(level.arrays.level)).buffer);
  const isFree = (/** @type {Place} */ [x, y]) => x < cols && y < rows && cells[y * cols + x] !== description.constants.off;
  if (places.length === 0 || new Set(places.map(String)).size < places.length || !places.every(isFree)) {
    return null;
  }
  const start = { .../** @type {Record<string, number>} */ (level.arrays.start), places: 1 };
  const numbers = new BigInt64Array(places.flat().map(BigInt));
  return {
    ...level,
    dimensions: { ...level.dimensions, [description.players]: places.length },
    arrays: { ...level.arrays, start, places: encodeBase64(new Uint8Array(numbers.buffer)) },
  };
}

/**
 * Return the line with the start cells that `note_level` has written.
 *
 * @param {string | number} word the first word of the line
 * @param {Session} session
 */
export function startsLine(word, { block, playerCount }) {
  const number = (/** @type {number} */ at) => block.number("places", at);
  const places = Array.from({ length: playerCount }, (_, k) => `${number(2 * k)},${number(2 * k + 1)}`);
  return `${word} ${places.join(" ")}`;
}
