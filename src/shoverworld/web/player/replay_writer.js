/**
 * Write a game as a replay file (docs/replays.md). Hashes, rewards, figures and the map come from the module, so `shover replay`
 * accepts the file.
 */

import { decodeBase64 } from "./bytes.js";
import { levelText, rulesPreset } from "./formats.js";
import { startsLine } from "./starts.js";

/** @import { GameModule } from "./module.js" */
/** @import { ReplayData } from "./replay.js" */
/** @import { Session } from "./session.js" */
/** @import { Preset } from "./types.js" */

/**
 * Return the game up to the move that is shown as the content of a replay file.
 *
 * @param {Session} session
 * @param {string[]} helpers who helped the player
 * @param {Date} date
 */
export function replayText(session, helpers, date) {
  const { module, setup } = session;
  const data = module.index.replay;
  const { config, id } = recipe(module, setup.preset, data);
  const several = data.rules[module.description.name].players;
  const name = setup.level?.name ?? "";
  const title = setup.level?.title ?? "";
  const header = [
    `${data.title} ${data.version}`,
    `env: ${id}`,
    ...config,
    ...(several !== "" && session.playerCount > 1 ? [`config.${several}: ${session.playerCount}`] : []),
    `seed: ${setup.seed}`,
    `date: ${localDate(date)}`,
    ...(name === "" ? [] : [`note.map: ${oneLine(name)}`]),
    ...(title === "" ? [] : [`note.title: ${oneLine(title)}`]),
    ...(helpers.length === 0 ? [] : [`note.help: ${oneLine(helpers.join(", "))}`]),
  ];
  const now = session.block.snapshot();
  try {
    const map = startMap(session).map((row) => (row === "" ? "|" : `| ${row}`));
    return `${[...header, "map:", ...map, "moves:", ...moveLines(session, data)].join("\n")}\n`;
  } finally {
    session.block.restore(now);
  }
}

/**
 * Return the level as it was at the start of the game, as text in the game's own format.
 *
 * @param {Session} session
 * @param {string} title
 */
export function startText(session, title) {
  const { block, module } = session;
  const now = block.snapshot();
  block.restore(session.start);
  if (module.has("note_level")) {
    block.call("note_level"); // a random level exists only on the board
  }
  const text = levelText(module, block, title);
  block.restore(now);
  return text;
}

/**
 * Return the rows of the map at the start of the game, in the game's own format.
 *
 * @param {Session} session
 */
function startMap(session) {
  const rows = startText(session, "").trimEnd().split("\n");
  const word = session.module.description.constants.starts;
  return word === undefined ? rows : [...rows, startsLine(word, session)];
}

/**
 * Return the lines of the start, the moves and the end.
 *
 * @param {Session} session
 * @param {ReplayData} data
 */
function moveLines(session, { words }) {
  const { block } = session;
  const line = (/** @type {number} */ number, /** @type {string} */ what, /** @type {string} */ remark) =>
    `${String(number).padStart(4)}  ${what.padEnd(12)}  ${block.stateHash()}${remark ? `  # ${oneLine(remark)}` : ""}`;
  block.restore(session.start);
  const lines = [line(0, words.start, "")];
  let reward = 0;
  session.entries.slice(0, session.at).forEach(({ after, intent, move }, place) => {
    block.restore(after);
    if (intent.kind === "place") {
      lines.push(line(place + 1, [words.place, ...intent.cell].join(" "), ""));
    } else {
      block.call("result");
      reward += block.number("result");
      lines.push(line(place + 1, intent.action.join(" "), move.words));
    }
  });
  const count = block.call("result");
  const figures = session.module.description.figure_names
    .slice(0, count)
    .map((name, k) => `${name} ${block.number("result", k + 1)}`);
  lines.push(`end: ${[session.outcome ?? words.playing, ...figures, `reward ${reward}`].join(", ")}`);
  return lines;
}

/**
 * Return the environment id whose rules are most similar to those of the game, and the lines with the differences.
 *
 * @param {GameModule} module
 * @param {Preset} preset
 * @param {ReplayData} data
 */
function recipe(module, preset, data) {
  const { name, presets, rule_fields: fields } = module.description;
  const values = ruleValues(preset);
  const seen = new Set();
  /** @type {{id: string, different: Set<string>} | null} */
  let best = null;
  for (const [id, [game, rules]] of Object.entries(data.environments)) {
    const usual = game === name && !seen.has(rules) ? rulesPreset(module, presets[0], rules) : null;
    seen.add(rules);
    if (usual !== null && !("error" in usual)) {
      const own = ruleValues(usual);
      const different = new Set(fields.filter((_, k) => !Object.is(values[k], own[k])).map((field) => field.name));
      if (best === null || different.size < best.different.size) {
        best = { id, different };
      }
    }
  }
  const { different, id } = /** @type {{id: string, different: Set<string>}} */ (best);
  const rewarded = [...different].some((field) => field.includes(".")); // a reward is written with all its parts
  const written = fields.flatMap((field, k) =>
    different.has(field.name) || (rewarded && field.name.includes(".")) ? [`config.${field.name}: ${ruleText(field, values[k])}`] : [],
  );
  return { id, config: written };
}

/** @param {Preset} preset */
function ruleValues(preset) {
  return new Float64Array(decodeBase64(String(preset.arrays.rule_values)).slice().buffer);
}

/**
 * Return the value of a rule in JSON syntax.
 *
 * @param {{kind: string, words?: string[]}} field
 * @param {number} value
 */
function ruleText({ kind, words }, value) {
  if (Number.isNaN(value)) {
    return "null";
  }
  if (kind === "word") {
    return JSON.stringify(words?.[value]);
  }
  return kind === "truth" ? String(value !== 0) : String(value);
}

/** @param {string} text */
function oneLine(text) {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}

/** @param {Date} date */
function localDate(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
