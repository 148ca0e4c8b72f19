/** Sentences as numbers: core/phrases.py describes phrases and their placeholders. */

const PLACEHOLDER = /\{(\d)(?:([:?])([^}]*))?\}/g;
const DIGITS = 6; // significant digits of a number that is not an integer

/** @typedef {Record<string, string[]>} Words lists of words by name */

/** The phrases of a game. */
export class Phrases {
  /**
   * @param {string[]} phrases
   * @param {Words} words
   */
  constructor(phrases, words) {
    this.phrases = phrases;
    this.words = words;
  }

  /**
   * Return the text of phrases, each given as its number and the numbers for its placeholders.
   *
   * @param {ArrayLike<number>[]} rows
   * @param {Words} [more] further lists of words
   */
  text(rows, more = {}) {
    const words = { ...this.words, ...more };
    let text = "";
    for (const row of rows) {
      let part = filled(this.phrases[row[0]], Array.from(row).slice(1), words);
      if (text.endsWith("~") || text.endsWith("^")) {
        const first = text.endsWith("~") ? part.slice(0, 1).toLowerCase() : part.slice(0, 1).toUpperCase();
        part = first + part.slice(1);
        text = text.slice(0, -1);
      }
      text += part;
    }
    return text;
  }
}

/**
 * Return a phrase with its placeholders filled in.
 *
 * @param {string} phrase
 * @param {number[]} numbers
 * @param {Words} words
 */
export function filled(phrase, numbers, words) {
  return phrase.replace(PLACEHOLDER, (whole, place, form, detail) => {
    const number = numbers[Number(place)];
    if (form === "?") {
      const [one, other] = detail.split("|");
      return number === 1 ? one : other;
    }
    if (form === undefined) {
      return numberText(number);
    }
    if (detail === "+") {
      return (number >= 0 ? "+" : "") + numberText(number);
    }
    if (detail === ",") {
      return numberText(number, ",");
    }
    if (detail.includes("|")) {
      const [one, many] = detail.split("|");
      return `${numberText(number, ",")} ${number === 1 ? one : many}`;
    }
    return words[detail]?.[number] ?? whole;
  });
}

/**
 * Return a number as people write it: 40, -1.5 or 0.333333.
 *
 * @param {number} number
 * @param {string} [separator] between groups of three digits
 */
export function numberText(number, separator = "") {
  if (Number.isInteger(number)) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, separator);
  }
  const [digits, exponent] = number.toExponential(DIGITS - 1).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < DIGITS) {
    return String(Number(number.toPrecision(DIGITS)));
  }
  const sign = power < 0 ? "-" : "+";
  return `${Number(digits)}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

/**
 * Return a text with names in braces replaced, as in "Press {undo} to undo."
 *
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function named(text, values) {
  return text.replace(/\{([a-z ]+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Return a text with a capital letter first.
 *
 * @param {string} text
 */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
