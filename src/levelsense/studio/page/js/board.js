// A level's board as SVG: tiles with jelly, pieces, blockers, covers, where pieces enter, leave and jump.

import { CANDIES, GROUNDS, readToken } from "./candies.js";
import { cellAt, cellName, parseCell } from "./level.js";
import { html } from "./ui.js";

export const SIDE = 40; // of a cell, in units of the drawing
export const MARGIN = 20; // for letters and numbers

/** The middle of a cell. */
export const center = (row, column) => [MARGIN + SIDE * (column + 0.5), MARGIN + SIDE * (row + 0.5)];

/**
 * The board of a level as read from its text. `overlay` draws above the cells, `below` between tiles and
 * pieces; pointer events get the row and column. `exits` are the cells where ingredients leave.
 */
export function Board({ level, exits = [], named = true, below, overlay, children, label, ...events }) {
  const margin = named ? MARGIN : 2;
  const [width, height] = [SIDE * level.columns + margin + 4, SIDE * level.rows + margin + 12];
  const shift = margin - MARGIN;
  const cells = [];
  for (let row = 0; row < level.rows; row += 1) {
    for (let column = 0; column < level.columns; column += 1) cells.push([row, column, cellAt(level, row, column)]);
  }
  const tiles = cells.filter(([, , cell]) => cell.token !== "-");
  return html`<svg class="board" viewBox="${-shift} ${-shift} ${width} ${height}" role="img"
      aria-label=${label ?? `Board of ${level.rows} rows and ${level.columns} columns`} ...${events}>
    ${named && names(level)}
    <g class="tiles">${tiles.map(([row, column, cell]) => html`<${Tile} key=${`${row}-${column}`} row=${row} column=${column} jelly=${cell.jelly} />`)}</g>
    ${below}
    <g class="pieces">${tiles.map(([row, column, cell]) => html`<${Piece} key=${`${row}-${column}`} row=${row} column=${column}
        token=${cell.token} lock=${cell.lock} />`)}</g>
    <${Marks} data=${level.data} exits=${exits} />
    ${overlay}${children}
  </svg>`;
}

function names(level) {
  const texts = [];
  for (let column = 0; column < level.columns; column += 1) {
    texts.push(html`<text class="name" x=${center(0, column)[0]} y=${MARGIN - 7}>${"abcdefghijkl"[column]}</text>`);
  }
  for (let row = 0; row < level.rows; row += 1) {
    texts.push(html`<text class="name" x=${MARGIN / 2 - 1} y=${center(row, 0)[1] + 4}>${row + 1}</text>`);
  }
  return html`<g class="names" aria-hidden="true">${texts}</g>`;
}

function Tile({ row, column, jelly }) {
  const [x, y] = [MARGIN + SIDE * column + 1, MARGIN + SIDE * row + 1];
  const layers = jelly === "1" || jelly === "2" ? ` jelly-${jelly}` : "";
  return html`<rect class=${`tile${layers}`} x=${x} y=${y} width=${SIDE - 2} height=${SIDE - 2} rx="5" />`;
}

/** What stands in a cell, at its place or, for palettes, in a drawing of its own. */
export function Piece({ row, column, token, lock = "." }) {
  const [x, y] = center(row, column);
  return html`<g class="piece" transform="translate(${x} ${y})">${drawn(token)}${lock !== "." && lock !== "-" && cover(lock)}</g>`;
}

function drawn(token) {
  const piece = readToken(token);
  if (piece.kind === "gap") return null;
  if (piece.kind === "blocker") return blocker(piece);
  if (piece.kind === "candy") return candy(piece);
  if (piece.kind === "color bomb") return bomb();
  if (piece.kind === "swirl") return swirl();
  return ingredient(piece.kind);
}

function candy({ letter, mark, timer }) {
  if (!letter && !mark && !timer) return html`<circle class="random" r="4" />`;
  const look = letter ? CANDIES[letter] : { fill: "var(--any)", edge: "var(--any-edge)", path: CANDIES.r.path };
  const shape = html`<path d=${look.path} transform="scale(14)" style=${{ fill: look.fill, stroke: look.edge, strokeWidth: 0.09 }} />`;
  if (timer) {
    return html`${shape}<circle class="bomb-face" r="9.5" /><text class="token light" y="5">${timer}</text>`;
  }
  return html`${shape}${mark && marked(mark)}`;
}

function marked(mark) {
  if (mark === "=") return html`<path class="stripe" d="M-12-5H12M-13 0H13M-12 5H12" />`;
  if (mark === "|") return html`<path class="stripe" d="M-5-12V12M0-13V13M5-12V12" />`;
  if (mark === "+") return html`<rect class="wrap" x="-15" y="-15" width="30" height="30" rx="6" />`;
  if (mark === "~") return html`<path class="stripe" d="M-8 3q4-8 8 0t8 0" />`;
  return html`<circle class="clock" r="8" /><path class="clock" d="M0-4V0L3 2" />`;
}

function bomb() {
  const dots = Object.values(CANDIES).slice(0, 6).map((look, number) => {
    const angle = (number * Math.PI) / 3;
    return html`<circle cx=${7.5 * Math.cos(angle)} cy=${7.5 * Math.sin(angle)} r="3" style=${{ fill: look.fill }} />`;
  });
  return html`<circle class="color-bomb" r="14" />${dots}`;
}

function swirl() {
  return html`<circle class="swirl" r="13.5" /><path class="swirl-line" d="M0 0a3 3 0 0 1 6 0 6 6 0 0 1-12 0 9 9 0 0 1 17-3" />`;
}

function ingredient(kind) {
  if (kind === "cherry") {
    return html`<path class="stem" d="M-5 4Q-2-8 6-13M6 6Q6-6 6-13" /><circle class="cherry" cx="-6" cy="7" r="7" /><circle class="cherry" cx="7" cy="8" r="7" />`;
  }
  return html`<path class="nut" d="M0 14C-12 8-13-4-9-6H9C13-4 12 8 0 14Z" /><path class="nut-cap" d="M-11-5C-10-13 10-13 11-5Z" />`;
}

function blocker({ token, layers }) {
  const look = GROUNDS[token] ?? { ground: "#999", ink: "#111", edge: "#555" };
  const number = layers > 1 || "#TDP".includes(token) ? layers : "";
  return html`<rect x="-16.5" y="-16.5" width="33" height="33" rx="6" style=${{ fill: look.ground, stroke: look.edge, strokeWidth: 2 }} />
    ${token === "X" || token === "D" ? html`<path d="M-16 0H16M0-16V16" style=${{ stroke: look.edge, strokeWidth: 2 }} />` : null}
    ${token === "P" ? html`<path d="M-9 4a6 6 0 1 1 6-8 6 6 0 0 1 11 3 6 6 0 1 1-5 9 7 7 0 0 1-12-4Z" style=${{ fill: "#fffdf2", stroke: look.edge, strokeWidth: 1.5 }} />` : null}
    ${number && html`<text class="token" y="5.5" style=${{ fill: look.ink }}>${number}</text>`}`;
}

function cover(lock) {
  if (lock === "M") return html`<rect class="marmalade" x="-17" y="-17" width="34" height="34" rx="8" />`;
  return html`<path class="lock" d="M-16-16L16 16M-16 16L16-16" /><rect class="lock" x="-17" y="-17" width="34" height="34" rx="5" />`;
}

function Marks({ data, exits }) {
  const at = (name) => parseCell(name).map((place, side) => MARGIN + SIDE * place - (side ? 0 : 0));
  const corner = (name) => {
    const [y, x] = at(name);
    return [x, y];
  };
  const valid = (name) => typeof name === "string" && /^[a-l]\d+$/.test(name);
  const dispensers = (Array.isArray(data.dispensers) ? data.dispensers : []).flatMap((one) => (Array.isArray(one?.at) ? one.at : [])).filter(valid);
  const teleporters = (Array.isArray(data.teleporters) ? data.teleporters : []).filter((one) => valid(one?.from) && valid(one?.to));
  return html`<g class="marks">
    ${dispensers.map((name) => {
      const [x, y] = corner(name);
      return html`<path class="dispenser" d="M${x + 12} ${y - 2}h16l-8 9z"><title>dispenser at ${name}</title></path>`;
    })}
    ${exits.map((name) => {
      const [x, y] = corner(name);
      return html`<path class="exit" d="M${x + 12} ${y + SIDE - 2}h16l-8 9z"><title>exit at ${name}</title></path>`;
    })}
    ${teleporters.map(({ from, to }, number) => {
      const [x1, y1] = corner(from);
      const [x2, y2] = corner(to);
      return html`<g class=${`teleporter hue-${number % 4}`}>
        <path d="M${x1 + 4} ${y1 + SIDE - 3}h${SIDE - 8}" /><path d="M${x2 + 4} ${y2 + 3}h${SIDE - 8}" />
        <text x=${x1 + 8} y=${y1 + SIDE - 6}>${number + 1}↓</text><text x=${x2 + SIDE - 9} y=${y2 + 13}>${number + 1}↓</text></g>`;
    })}
  </g>`;
}

/** The cell that a pointer is over, as [row, column]; null outside of the board. */
export function cellUnder(svg, event, level) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const [row, column] = [Math.floor((point.y - MARGIN) / SIDE), Math.floor((point.x - MARGIN) / SIDE)];
  return row >= 0 && row < level.rows && column >= 0 && column < level.columns ? [row, column] : null;
}

export { cellName };
