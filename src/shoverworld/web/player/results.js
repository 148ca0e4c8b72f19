/** The result of a game: its score, and the lines that compare it with the best results. */

import { named } from "./phrases.js";
import { isBetter } from "./storage.js";

/** @import { Table } from "./table.js" */
/** @import { Figure, Score } from "./types.js" */

/**
 * Return the score of the game; null if it was not won. With several players, the best score of a person.
 *
 * @param {Table} table
 * @returns {Score | null}
 */
export function scoreOf(table) {
  const { module, session } = table;
  if (session.outcome === null) {
    return null;
  }
  const { players } = session.setup;
  if (players.length < 2 || !module.has("player_score")) {
    return module.has("score") ? session.sheet("score").score() : null;
  }
  /** @type {Score | null} */
  let best = null;
  players.forEach((player, place) => {
    const score = player.agent === "" ? session.sheet("player_score", place).score() : null;
    if (score !== null && (best === null || isBetter(score, best))) {
      best = score;
    }
  });
  return /** @type {Score | null} */ (best);
}

/**
 * Return the best known result on this level, or null.
 *
 * @param {Table} table
 */
function knownResult(table) {
  const { level, rules } = table.session.setup;
  return level?.best[rules] ?? null;
}

/**
 * Return the lines about the player's best result, the best known result and help.
 *
 * @param {Table} table
 * @returns {Figure[]}
 */
export function resultLines(table) {
  const { labels } = table.index;
  const best = table.storage.best(table.identity);
  const known = knownResult(table);
  const lines = [];
  if (best !== null) {
    lines.push(figure(labels.best, best.words));
  }
  if (known !== null) {
    lines.push(figure(known.proved ? labels["best possible"] : labels["best known"], known.words));
  }
  return [...lines, ...helpLines(table)];
}

/**
 * Return the line about the help that the player had, if any. A game with help does not set a record.
 *
 * @param {Table} table
 * @returns {Figure[]}
 */
export function helpLines(table) {
  const { labels } = table.index;
  const help = table.helpers;
  return help.length === 0 ? [] : [figure(labels.help, named(labels["no record"], { help: help.join(", ") }), "warn")];
}

/**
 * Return the lines of the end screen: first the outcome, then figures and results.
 *
 * @param {Table} table
 * @returns {Figure[]}
 */
export function endingLines(table) {
  const { labels } = table.index;
  const lines = table.module.has("ending") ? table.session.sheet("ending").figures() : [];
  lines.splice(1, 0, ...table.standings());
  lines.push(...helpLines(table));
  const best = table.storage.best(table.identity);
  const known = knownResult(table);
  if (best !== null && table.newRecord) {
    lines.push(figure(labels.best, named(labels["new record"], { best: best.words }), "good"));
  } else if (best !== null) {
    lines.push(figure(labels.best, best.words));
  }
  if (known !== null) {
    lines.push(compared(table, known));
  }
  return lines;
}

/**
 * Return the line about the best known result, with praise if the player reached it without help.
 *
 * @param {Table} table
 * @param {Score} known
 */
function compared(table, known) {
  const { labels } = table.index;
  const score = scoreOf(table);
  const label = known.proved ? labels["best possible"] : labels["best known"];
  const text = known.proved ? named(labels.proved, { known: known.words }) : known.words;
  const alone = table.helpers.length === 0;
  if (!alone || score === null || score.numbers[0] > known.numbers[0]) {
    return figure(label, text);
  }
  const reached = known.proved ? "perfect" : "matched";
  const praise = score.numbers[0] < known.numbers[0] ? "better" : reached;
  return figure(label, named(labels[praise], { known: text }), "good");
}

/**
 * @param {string} label
 * @param {string} value
 * @param {string} [tone]
 * @returns {Figure}
 */
function figure(label, value, tone = "") {
  return { label, value, tone, share: null, colour: null, large: false, idle: false };
}
