/** The keyboard, the mouse and touch: key names as in the window (desktop/input.py), and gestures on the board. */

import { directionOf } from "./board.js";

/** @import { Board } from "./board.js" */
/** @import { Cell } from "./types.js" */

/** @type {Record<string, string>} */
const NAMES = {
  " ": "space",
  "=": "+",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  Backspace: "backspace",
  Delete: "delete",
  End: "end",
  Enter: "return",
  Escape: "escape",
  Home: "home",
  PageDown: "page down",
  PageUp: "page up",
  Tab: "tab",
};
const WAYS = ["up", "right", "down", "left"]; // the arrow keys in the order of directions
const SWIPE = 24; // how far a finger must move, in CSS pixels
const TYPED = /^[+\-.,[\]?0-9]$/; // recognised wherever they are on the keyboard

/** Keys that belong to the browser: without them, the page could not be used with the keyboard alone. */
export const RESERVED = new Set(["tab", "shift+tab", "ctrl+l", "ctrl+v"]);

/**
 * Return the name of a pressed key: "up", "w", "shift+u", "ctrl+c"; "" for a modifier alone.
 *
 * @param {KeyboardEvent} event
 */
export function keyName(event) {
  const { altKey, code, ctrlKey, key, metaKey, shiftKey } = event;
  if (altKey || ["Alt", "Control", "Meta", "Shift", "Dead", "Process", "Unidentified"].includes(key)) {
    return "";
  }
  let name = NAMES[key] ?? key.toLowerCase();
  const pad = /^Numpad(\d)$/.exec(code);
  if (pad !== null) {
    [, name] = pad; // with and without Num Lock
  } else if (name.length === 1 && !TYPED.test(name) && !/[a-z]/.test(name)) {
    const place = /^(?:Key([A-Z])|Digit(\d))$/.exec(code); // keyboards without Latin letters
    name = (place?.[1] ?? place?.[2] ?? name).toLowerCase();
  }
  if (ctrlKey || metaKey) {
    return `ctrl+${shiftKey ? "shift+" : ""}${name}`;
  }
  return shiftKey && !TYPED.test(name) ? `shift+${name}` : name;
}

/**
 * Return whether an element uses a key itself, so that the game must not.
 *
 * @param {EventTarget | null} target
 * @param {string} key
 */
export function usesKey(target, key) {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  if (target.closest("dialog") !== null || target.matches("textarea, select, input:not([type=range])")) {
    return true;
  }
  if (target.matches("input[type=range]")) {
    return [...WAYS, "home", "end", "page up", "page down"].includes(key);
  }
  return target.matches("button, a, summary") && ["return", "space"].includes(key);
}

/**
 * @typedef {object} Gestures
 * @property {(cell: Cell) => void} click
 * @property {(cell: Cell, direction: number) => void} drag
 * @property {(cell: Cell | null, key: string, direction: number) => void} swipe
 * @property {(place: {cell: Cell, side: number} | null) => void} point
 */

/**
 * Turn pointer events on the board into gestures. A mouse drags cells; a finger swipes.
 *
 * @param {Board} board
 * @param {Gestures} gestures
 */
export function listenToBoard(board, gestures) {
  const { frame } = board;
  /** @type {{x: number, y: number, place: {cell: Cell, side: number} | null, touch: boolean, moved: boolean} | null} */
  let held = null;

  const direction = (/** @type {PointerEvent} */ event, /** @type {number} */ least) => {
    if (held === null) {
      return -1;
    }
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    return Math.max(Math.abs(dx), Math.abs(dy)) > least ? directionOf(dx, dy) : -1;
  };
  const least = (/** @type {boolean} */ touch) => (touch ? SWIPE : Math.max(board.cellSize, 8) / 2);

  frame.addEventListener("pointerenter", () => board.forgetPlace());
  frame.addEventListener("pointerdown", (event) => {
    board.forgetPlace();
    if (event.button !== 0 || !event.isPrimary || isInside(event.target, ".ending")) {
      return;
    }
    const touch = event.pointerType !== "mouse";
    held = { x: event.clientX, y: event.clientY, place: board.cellAt(event.clientX, event.clientY), touch, moved: false };
    if (!board.scrolls) {
      frame.setPointerCapture(event.pointerId);
    }
  });
  frame.addEventListener("pointermove", (event) => {
    if (held !== null && held.touch) {
      const way = board.scrolls ? -1 : direction(event, SWIPE);
      if (way >= 0) {
        // A finger that moves on repeats the move, so the next swipe starts here.
        gestures.swipe(held.moved ? null : (held.place?.cell ?? null), WAYS[way], way);
        held = { ...held, x: event.clientX, y: event.clientY, moved: true };
      }
      return;
    }
    const way = held === null ? -1 : direction(event, least(false));
    if (held !== null && held.place !== null && way >= 0) {
      gestures.point({ cell: held.place.cell, side: way });
    } else {
      gestures.point(isInside(event.target, ".ending") ? null : board.cellAt(event.clientX, event.clientY));
    }
  });
  frame.addEventListener("pointerup", (event) => {
    const gesture = held;
    if (gesture === null) {
      return;
    }
    const way = direction(event, least(gesture.touch)); // before `held` is forgotten
    held = null;
    if (gesture.touch && way >= 0) {
      if (!gesture.moved && !board.scrolls) {
        gestures.swipe(gesture.place?.cell ?? null, WAYS[way], way); // a flick that ended before the browser reported a move
      }
      return;
    }
    if (gesture.place === null || gesture.moved) {
      return;
    }
    if (way >= 0) {
      gestures.drag(gesture.place.cell, way);
    } else {
      gestures.click(gesture.place.cell);
    }
  });
  frame.addEventListener("pointercancel", () => {
    held = null;
  });
  frame.addEventListener("pointerleave", () => gestures.point(null));
}

/**
 * @param {EventTarget | null} target
 * @param {string} selector
 */
function isInside(target, selector) {
  return target instanceof Element && target.closest(selector) !== null;
}
