/** The dialog in which the players of a multiplayer game are chosen: people at one screen, and agents. */

import { make, openDialog } from "./dom.js";
import { capital, named } from "./phrases.js";

/** @import { Description, Index, Player } from "./types.js" */

const LONGEST_NAME = 24;

/**
 * @param {object} setup
 * @param {Index} setup.index
 * @param {Description} setup.description
 * @param {Player[]} setup.players the players now
 * @param {number} setup.room the maximum number of players
 * @param {string[]} setup.agents
 * @param {(players: Player[]) => void} setup.start
 */
export function openPlayers({ agents, description, index, players, room, start }) {
  const { words } = description;
  let chosen = players.length > 0 ? players.map((player) => ({ ...player })) : [{ name: unusedName([], ""), agent: "" }];
  const list = make("ul", { class: "people" });
  const message = make("p", { role: "status", "aria-live": "polite" });
  const draw = () => {
    list.replaceChildren(
      ...chosen.map((player, place) => {
        const name = make("input", {
          type: "text",
          maxlength: LONGEST_NAME,
          value: player.name,
          "aria-label": `Name of ${words.player} ${place + 1}`,
          oninput: () => {
            player.name = name.value;
          },
        });
        const kinds = ["", ...agents].map((agent) =>
          make("option", { value: agent, selected: agent === player.agent }, agent || "person"),
        );
        const kind = make("select", { "aria-label": `Who plays for ${player.name}` }, ...kinds);
        kind.addEventListener("change", () => {
          player.agent = kind.value;
        });
        const remove = () => {
          chosen = chosen.filter((other) => other !== player);
          draw();
        };
        const button = make("button", { type: "button", disabled: chosen.length === 1, "aria-label": `Remove ${player.name}`, onclick: remove }, "✗");
        return make("li", {}, name, kind, button);
      }),
    );
    message.textContent = `${chosen.length} of ${room} ${words.players}`;
    for (const button of adders) {
      button.disabled = chosen.length >= room;
    }
  };
  const add = (/** @type {string} */ agent) => {
    chosen.push({ name: unusedName(chosen, agent), agent });
    draw();
  };
  const adders = [
    make("button", { type: "button", onclick: () => add("") }, "Add a person"),
    ...agents.slice(0, 1).map((agent) => make("button", { type: "button", onclick: () => add(agent) }, `Add ${agent}`)),
  ];
  const begin = () => {
    const named = chosen.map((player, place) => ({ ...player, name: player.name.trim() || `${place + 1}` }));
    dialog.close();
    start(named);
  };
  const form = make(
    "form",
    {
      class: "dialog-body form",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        begin();
      },
    },
    make("p", { class: "about" }, named(index.players_help, words)),
    list,
    message,
    make("div", { class: "row" }, ...adders, make("button", { type: "submit", class: "strong" }, "Start")),
  );
  const dialog = openDialog(capital(words.players), form, { className: "small" });
  draw();
}

/**
 * @param {Player[]} players
 * @param {string} agent
 */
export function unusedName(players, agent) {
  const taken = new Set(players.map(({ name }) => name));
  const name = agent || (taken.has("You") ? "Player" : "You");
  let [number, found] = [1, name];
  while (taken.has(found)) {
    number += 1;
    found = `${name} ${number}`;
  }
  return found;
}
