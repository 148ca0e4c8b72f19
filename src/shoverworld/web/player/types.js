/**
 * The types of the data that pages load (docs/web.md) and of the values that the modules of the player exchange.
 *
 * @typedef {[number, number]} Cell a row and a column
 * @typedef {Record<string, number | boolean>} Fields some fields of an array's only record
 * @typedef {Record<string, Fields | string>} Arrays the content of arrays: fields, or all bytes in Base64
 *
 * @typedef {object} Preset
 * @property {string} name
 * @property {string} about
 * @property {Arrays} arrays
 * @property {Record<string, number>} dimensions
 * @property {number[]} actions
 * @property {number[]} first_action
 *
 * @typedef {object} Score
 * @property {number[]} numbers lower numbers are better, and the first counts most
 * @property {string} words
 * @property {boolean} [proved]
 *
 * @typedef {object} Level
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {string} preset
 * @property {Record<string, number>} dimensions
 * @property {Arrays} arrays
 * @property {Record<string, Arrays>} presets the arrays that differ under other presets
 * @property {Record<string, Score>} best the best known results
 * @property {Preset & {level_arrays?: Arrays}} [rules] the rules of a level that has its own: a preset with changes
 * @property {Record<string, number[]>} [run] the cells of the best known runs
 *
 * @typedef {{keys: string[], what: string}} KeyHelp
 * @typedef {{name: string, keys: string[], help: string, button: string}} Command
 * @typedef {{key: string, name: string, about: string, plans: boolean, default: boolean, most: number}} Overlay
 * @typedef {{name: string, title: string, about: string}} Collection
 * @typedef {{size: number, columns: number, tiles: [number, number][],
 *   stacks: [number, number, number, [number, number][]][]}} SpriteTable
 *
 * @typedef {object} Description
 * @property {string} name
 * @property {string} title
 * @property {string} goal
 * @property {Record<string, string>} words
 * @property {string} won
 * @property {boolean} multiplayer
 * @property {number} header_bytes
 * @property {string[]} dimensions
 * @property {[string, string, string][]} arrays name, type and role
 * @property {Record<string, {bytes: number, fields: [string, string, number][]}>} records
 * @property {Record<string, string[]>} functions
 * @property {string[]} action
 * @property {Preset[]} presets
 * @property {(string | null)[]} outcomes
 * @property {string} reason_field
 * @property {KeyHelp[]} keys
 * @property {KeyHelp[]} mouse
 * @property {string[]} phrases
 * @property {Record<string, string[]>} phrase_words
 * @property {string[]} problems the messages about levels and rules
 * @property {Record<string, string[]>} problem_words
 * @property {{name: string, kind: string, least?: number, most?: number, words?: string[]}[]} rule_fields
 * @property {string[]} level_start the fields of the record `start` that a level determines
 * @property {string[]} press_keys
 * @property {string[]} figure_names the figures in the last line of a replay
 * @property {number} score_numbers
 * @property {Overlay[]} overlays
 * @property {Record<string, string>} key_names
 * @property {string} players
 * @property {Record<string, any>} constants
 * @property {string} turn
 * @property {string} random
 * @property {SpriteTable} sprites
 * @property {Collection[]} collections
 *
 * @typedef {object} Index
 * @property {string} version
 * @property {{size: number, kept: number, dimensions: number}} header
 * @property {{columns: number, kinds: string[], mark_kinds: string[], mark_styles: string[], tones: string[],
 *   move_kinds: string[], no_rim: number}} sheet
 * @property {{name: string, title: string, goal: string}[]} games
 * @property {Command[]} commands
 * @property {KeyHelp[]} levels_keys
 * @property {KeyHelp[]} players_keys
 * @property {string} players_help
 * @property {Record<string, string>} key_names
 * @property {import("./replay.js").ReplayData} replay
 * @property {Record<string, [string, string]>} messages text and tone
 * @property {Record<string, string>} labels
 * @property {Record<string, string>} markers
 * @property {Record<string, number>} steering
 * @property {Cell[]} steps
 * @property {[number, number, number]} cursor_colour
 *
 * @typedef {object} Sprite
 * @property {number} tile
 * @property {Cell} start
 * @property {Cell} end
 * @property {[number, number]} opacity
 * @property {[number, number]} scale
 *
 * @typedef {{tiles: Int16Array, rows: number, cols: number, sprites: Sprite[], rim: number | null}} Scene
 * @typedef {{under: [number, number, number][], sprites: Sprite[], seconds: number}} Motion
 *
 * @typedef {object} Mark
 * @property {string} kind
 * @property {Cell} cell
 * @property {string} colour
 * @property {string} text
 * @property {number} rows
 * @property {number} cols
 * @property {number} direction
 * @property {number} strength
 * @property {string} style
 *
 * @typedef {object} Figure
 * @property {string} label
 * @property {string} value
 * @property {number | null} share
 * @property {string} tone
 * @property {string | null} colour
 * @property {boolean} large
 * @property {boolean} idle
 *
 * @typedef {{kind: string, words: string}} MoveText
 * @typedef {{text: string, tone: string}} Message
 * @typedef {{kind: "act", action: number[]}} Act
 * @typedef {{kind: "place", cell: Cell}} Place
 * @typedef {{kind: "walk", actions: number[][]}} Walk
 * @typedef {{kind: "say", text: string}} Say
 * @typedef {Act | Place | Walk | Say} Intent
 *
 * @typedef {{name: string, agent: string}} Player `agent` is "" for a person
 * @typedef {import("./link.js").LinkLevel} Origin
 * @typedef {import("./link.js").Position} Position
 */

export {};
