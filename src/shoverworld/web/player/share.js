/** Share a game: copy a link to the position, or save a replay file. */

import { make, openDialog } from "./dom.js";

/** @import { Table } from "./table.js" */

/**
 * Copy a link, or show it if the page may not use the clipboard.
 *
 * @param {Table} table
 * @param {string} address
 * @param {() => void} save saves a replay
 */
export async function copyLink(table, address, save) {
  try {
    await navigator.clipboard.writeText(address);
    table.tell("copied", { what: "link", text: shortened(address) });
  } catch {
    openShare(table, address, save);
  }
}

/**
 * Show a link, and buttons that copy it and save a replay.
 *
 * @param {Table} table
 * @param {string} address
 * @param {() => void} save saves a replay
 */
export function openShare(table, address, save) {
  const field = make("input", { type: "url", readonly: true, value: address, "aria-label": "Link" });
  const said = make("p", { role: "status" });
  const copy = make("button", { type: "button", class: "strong" }, "Copy the link");
  copy.addEventListener("click", () => {
    field.select();
    navigator.clipboard.writeText(address).then(
      () => said.replaceChildren("Copied."),
      () => said.replaceChildren("The browser does not allow copying. The link is selected: press Ctrl+C, or hold it to copy."),
    );
  });
  const keep = make("button", { type: "button" }, "Save a replay");
  keep.addEventListener("click", () => {
    save();
    said.replaceChildren(table.message.text);
  });
  const content = make(
    "div",
    { class: "dialog-body form" },
    make("p", {}, "The link contains the level, the rules and the moves. It opens exactly this position. Nothing is sent to a server."),
    field,
    make("div", { class: "row" }, copy, keep),
    said,
  );
  openDialog("Share this game", content, { className: "small" });
  field.select();
}

/**
 * Save a text as a file.
 *
 * @param {string} name of the file
 * @param {string} text
 */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address)); // the download has started by then
}

/** @param {string} address */
function shortened(address) {
  return address.length > 60 ? `${address.slice(0, 59)}…` : address;
}
