/** Short ways to make elements. Text is always text, never HTML. */

/**
 * Make an element. Properties that start with "on" are listeners; `data` sets data attributes; all others are attributes.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined) {
      element.append(child);
    }
  }
  return element;
}

/**
 * Return an icon from the page.
 *
 * @param {string} name
 */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#i-${name}`);
  picture.append(use);
  return picture;
}

/**
 * Replace the content of an element. If a part with the attribute data-key had the focus, its successor gets the focus.
 *
 * @param {HTMLElement} element
 * @param {(Node | null)[]} content
 */
export function replaceContent(element, content) {
  if (content.every((part) => part === null) && element.childElementCount === 0) {
    return;
  }
  const active = document.activeElement;
  const key = active instanceof HTMLElement && element.contains(active) ? active.dataset.key : undefined;
  element.replaceChildren(...content.filter((part) => part !== null));
  if (key !== undefined) {
    /** @type {HTMLElement | null} */ (element.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
  }
}

/**
 * Return an element of the page by its id.
 *
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/**
 * Open a dialog with a heading and a button that closes it. The dialog is removed when it is closed.
 *
 * @param {string} title
 * @param {Node} content
 * @param {{className?: string, onclose?: () => void}} [options]
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, { className = "", onclose } = {}) {
  const close = make("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() });
  close.append(icon("close"));
  const head = make("div", { class: "dialog-head" }, make("h2", { id: "dialog-title" }, title), close);
  const dialog = make("dialog", { class: className, "aria-labelledby": "dialog-title" }, head, content);
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) {
      dialog.close(); // a click on the backdrop
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
