// A level's text: read with the places of its values, and changed so that all else stays as it is written.

const ROW_KEYS = ["board", "jelly", "locks"];
const WIDTH = 100; // letters of a line, as the server writes level files

/** Every value of a JSON text with its place: a map from path ("goals/score") to [start, stop]. Throws if it is no JSON. */
export function places(text) {
  const found = new Map();
  let at = 0;
  const fail = () => {
    throw new SyntaxError(`no JSON at letter ${at}`);
  };
  const space = () => {
    while (/[\s]/.test(text[at] ?? "")) at += 1;
  };
  const string = () => {
    const match = /"(?:[^"\\]|\\.)*"/y;
    match.lastIndex = at;
    const part = match.exec(text) ?? fail();
    at += part[0].length;
    return JSON.parse(part[0]);
  };
  const members = (path, close, one) => {
    at += 1;
    space();
    for (let number = 0; text[at] !== close; number += 1) {
      one(path, number);
      space();
      if (text[at] === ",") {
        at += 1;
        space();
        if (text[at] === close) fail();
      } else if (text[at] !== close) fail();
    }
    at += 1;
  };
  const value = (path) => {
    space();
    const start = at;
    if (text[at] === "{") {
      members(path, "}", () => {
        const key = string();
        space();
        if (text[at] !== ":") fail();
        at += 1;
        value(path ? `${path}/${key}` : key);
      });
    } else if (text[at] === "[") {
      members(path, "]", (_, number) => value(`${path}/${number}`));
    } else if (text[at] === '"') string();
    else {
      const match = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
      match.lastIndex = at;
      const part = match.exec(text) ?? fail();
      at += part[0].length;
    }
    found.set(path, [start, at]);
  };
  value("");
  space();
  if (at !== text.length) fail();
  return found;
}

/** The board of a level's text: data, rows of tokens by layer; null if it is no JSON or has no even rows. */
export function readLevel(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(data?.board) || !data.board.length) return null;
  const split = (rows) => rows.map((row) => String(row).trim().split(/\s+/));
  const board = split(data.board);
  const [rows, columns] = [board.length, board[0].length];
  if (rows > 12 || columns > 12 || board.some((row) => row.length !== columns)) return null;
  const overlay = (key) => {
    if (!Array.isArray(data[key])) return null;
    const drawn = split(data[key]);
    return drawn.length === rows && drawn.every((row) => row.length === columns) ? drawn : null;
  };
  return { data, rows, columns, board, jelly: overlay("jelly"), locks: overlay("locks") };
}

export const cellName = (row, column) => `${"abcdefghijkl"[column]}${row + 1}`;
export const parseCell = (name) => [Number(name.slice(1)) - 1, "abcdefghijkl".indexOf(name[0])];

/** The three tokens of a cell. */
export function cellAt(level, row, column) {
  return {
    token: level.board[row][column],
    jelly: level.jelly?.[row][column] ?? ".",
    lock: level.locks?.[row][column] ?? ".",
  };
}

/**
 * The text with cells painted: a list of {row, column, layer, token}. A gap has neither jelly nor locks,
 * and a lock covers no blocker, so that what is painted on one layer may clear another.
 */
export function paint(text, changes) {
  const level = readLevel(text);
  if (!level) return text;
  const layers = { board: copy(level.board), jelly: level.jelly && copy(level.jelly), locks: level.locks && copy(level.locks) };
  const empty = () => level.board.map((row) => row.map((token) => (token === "-" ? "-" : ".")));
  for (const { row, column, layer, token } of changes) {
    if (layer === "board") {
      const wasGap = layers.board[row][column] === "-";
      layers.board[row][column] = token;
      for (const key of ["jelly", "locks"]) {
        if (!layers[key]) continue;
        if (token === "-") layers[key][row][column] = "-";
        else if (wasGap) layers[key][row][column] = ".";
      }
      if (layers.locks && /^[#XTDP]/.test(token)) layers.locks[row][column] = ".";
    } else if (layers.board[row][column] !== "-") {
      layers[layer] ??= empty();
      layers[layer][row][column] = token;
      if (layer === "locks" && token !== "." && /^[#XTDP]/.test(layers.board[row][column])) {
        layers.board[row][column] = ".";
      }
    }
  }
  const values = {};
  for (const key of ROW_KEYS) {
    const before = level[key];
    const after = layers[key];
    if (!after || (before && same(before, after))) continue;
    const bare = key !== "board" && after.every((row) => row.every((token) => token === "." || token === "-"));
    if (bare && !before) continue;
    values[key] = after.map((row) => row.join(" "));
  }
  return withValues(text, values);
}

const copy = (rows) => rows.map((row) => [...row]);
const same = (one, other) => one.every((row, r) => row.every((token, c) => token === other[r][c]));

/** The text with other values of top-level keys; undefined takes a key away. What is not named stays as it is. */
export function withValues(text, values) {
  let changed = text;
  for (const [key, value] of Object.entries(values)) changed = withValue(changed, key, value, values.board);
  return changed;
}

function withValue(text, key, value, board) {
  const at = places(text).get(key);
  if (value === undefined) return at ? without(text, key) : text;
  const written = format(key, value, board ?? JSON.parse(text).board);
  if (at) return text.slice(0, at[0]) + written + text.slice(at[1]);
  return inserted(text, key, written);
}

/** A new key goes where level files have it: behind the last of the keys that come before it. */
const ORDER = [
  "$schema", "name", "about", "moves", "seconds", "colors", "board", "jelly", "locks", "goals", "drops", "dispensers",
  "teleporters", "exits", "stars", "bonus", "pace", "sugar", "rules", "scoring",
];

function inserted(text, key, written) {
  const found = places(text);
  const before = ORDER.slice(0, ORDER.indexOf(key)).reverse().find((other) => found.has(other));
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const line = `${indent}${JSON.stringify(key)}: ${written}`;
  if (!before) {
    const open = text.indexOf("{") + 1;
    return `${text.slice(0, open)}\n${line},${text.slice(open)}`;
  }
  const stop = found.get(before)[1];
  return `${text.slice(0, stop)},\n${line}${text.slice(stop)}`;
}

function without(text, key) {
  const found = places(text);
  const [start, stop] = found.get(key);
  let from = text.lastIndexOf(JSON.stringify(key), start);
  let to = stop;
  const after = /^\s*,/.exec(text.slice(to));
  if (after) {
    to += after[0].length;
    from -= /[ \t]*$/.exec(text.slice(0, from))[0].length;
    to += /^[ \t]*\n?/.exec(text.slice(to))[0].length;
  } else {
    from -= /,?\s*$/.exec(text.slice(0, from))[0].length;
  }
  return text.slice(0, from) + text.slice(to);
}

function format(key, value, board) {
  if (!ROW_KEYS.includes(key)) return block(value, 2);
  const rows = board.map((row) => row.trim().split(/\s+/));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const lines = value.map((row) =>
    row.trim().split(/\s+/).map((token, column) => token.padEnd(widths[column] ?? 1)).join(" ").trimEnd());
  return `[\n${lines.map((line) => `    ${JSON.stringify(line)}`).join(",\n")}\n  ]`;
}

/** A value on one line if it fits and is no list of several objects, else an entry a line; as the server writes it. */
function block(value, indent) {
  const line = oneLine(value);
  const several = Array.isArray(value) && value.length > 1 && typeof value[0] === "object";
  if (typeof value !== "object" || value === null || (!several && line.length + indent <= WIDTH)) return line;
  const [inner, outer] = [" ".repeat(indent + 2), " ".repeat(indent)];
  if (Array.isArray(value)) {
    return `[\n${value.map((entry) => inner + block(entry, indent + 2)).join(",\n")}\n${outer}]`;
  }
  const entries = Object.entries(value).map(([name, entry]) => `${inner}${JSON.stringify(name)}: ${block(entry, indent + 2)}`);
  return `{\n${entries.join(",\n")}\n${outer}}`;
}

function oneLine(value) {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (value && typeof value === "object") {
    return `{${Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${oneLine(entry)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}

/** The text with a board of another size: what lies outside is cut, what is new is open. */
export function resized(text, rows, columns) {
  const level = readLevel(text);
  if (!level) return text;
  const grow = (drawn, fill) =>
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => drawn[row]?.[column] ?? fill).join(" "));
  const inside = (name) => {
    const [row, column] = parseCell(name);
    return row < rows && column < columns;
  };
  const values = { board: grow(level.board, ".") };
  for (const key of ["jelly", "locks"]) if (level[key]) values[key] = grow(level[key], ".");
  const { exits, teleporters, dispensers } = level.data;
  if (Array.isArray(exits)) values.exits = kept(exits.filter(inside));
  if (Array.isArray(teleporters)) values.teleporters = kept(teleporters.filter((one) => inside(one.from) && inside(one.to)));
  if (Array.isArray(dispensers)) {
    values.dispensers = kept(dispensers.map((one) => ({ ...one, at: one.at.filter(inside) })).filter((one) => one.at.length));
  }
  return withValues(text, values);
}

const kept = (list) => (list.length ? list : undefined);
