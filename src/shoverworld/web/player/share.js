/** Share a position: copy its link, or show the link if the page may not use the clipboard. */

import { make, openDialog } from "./dom.js";

/** @import { Table } from "./table.js" */

/**
 * @param {Table} table
 * @param {string} address
 */
export async function openShare(table, address) {
  try {
    await navigator.clipboard.writeText(address);
    table.tell("copied", { what: "link", text: shortened(address) });
  } catch {
    const field = make("input", { type: "url", readonly: true, value: address, "aria-label": "Link" });
    const text = make("p", {}, "This link contains the level, the rules and the moves. Nothing is sent to a server.");
    openDialog("Link to this position", make("div", { class: "dialog-body form" }, text, field), { className: "small" });
    field.select();
  }
}

/** @param {string} address */
function shortened(address) {
  return address.length > 60 ? `${address.slice(0, 59)}…` : address;
}
