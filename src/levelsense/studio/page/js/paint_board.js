// The board that is painted on: strokes of the tools, heat, findings, ghosts of suggestions, cells that stay.

import { Board, cellUnder, center, MARGIN, Piece, SIDE } from "./board.js";
import { cellAt, cellName, paint, parseCell, withValues } from "./level.js";
import { html, percent, useRef, useState } from "./ui.js";

const WIDEST = 80; // pixels of a cell: a small board does not fill the screen

/** The cells that a cell stands for when painting is mirrored. */
export function mirrored(level, mirror, [row, column]) {
  const cells = new Map();
  const rows = mirror === "rows" || mirror === "both" ? [row, level.rows - 1 - row] : [row];
  const columns = mirror === "columns" || mirror === "both" ? [column, level.columns - 1 - column] : [column];
  for (const r of rows) for (const c of columns) cells.set(`${r},${c}`, [r, c]);
  return [...cells.values()];
}

/** The cells of one kind that hang together with a cell. */
function region(level, layer, [row, column]) {
  const key = { board: "token", jelly: "jelly", locks: "lock" }[layer];
  const kind = cellAt(level, row, column)[key];
  const found = new Map([[`${row},${column}`, [row, column]]]);
  const queue = [[row, column]];
  while (queue.length) {
    const [r, c] = queue.pop();
    for (const [dr, dc] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
      const [nr, nc] = [r + dr, c + dc];
      if (nr < 0 || nc < 0 || nr >= level.rows || nc >= level.columns || found.has(`${nr},${nc}`)) continue;
      if (cellAt(level, nr, nc)[key] !== kind) continue;
      found.set(`${nr},${nc}`, [nr, nc]);
      queue.push([nr, nc]);
    }
  }
  return [...found.values()];
}

function rectangle([row, column], [toRow, toColumn]) {
  const cells = [];
  for (let r = Math.min(row, toRow); r <= Math.max(row, toRow); r += 1) {
    for (let c = Math.min(column, toColumn); c <= Math.max(column, toColumn); c += 1) cells.push([r, c]);
  }
  return cells;
}

/** What an eraser or the eyedropper takes: of the chosen layer or, where that is empty, what can be seen there. */
function topLayer(cell, chosen) {
  const has = { board: cell.token !== ".", jelly: "12".includes(cell.jelly), locks: "LM".includes(cell.lock) };
  return has[chosen] ? chosen : ["locks", "board", "jelly"].find((layer) => has[layer]) ?? chosen;
}

const list = (value) => (Array.isArray(value) ? value : []);

export function PaintBoard({ document, level, checked, tool, changeTool, keep, setKeep, heat, ghost, changed, onCell, selected }) {
  const stroke = useRef(null);
  const run = useRef(null); // cells painted with shift and arrows: one step to undo, as a drag
  const [preview, setPreview] = useState(null); // of a rectangle, or a teleporter on its way
  const [cursor, setCursor] = useState(null); // of the keyboard
  const exits = checked.level && checked.of === document.text ? checked.level.exits : checked.level?.exits ?? [];

  const paintCells = (cells, label, step = stroke.current?.key ?? null) => {
    const token = tool.mode === "erase" ? "." : tool.token;
    const all = cells.flatMap((cell) => mirrored(level, tool.mirror, cell)).filter(([r, c]) => !keep.has(cellName(r, c)));
    const changes = all.map(([row, column]) => ({
      row, column, layer: tool.mode === "erase" ? topLayer(cellAt(level, row, column), tool.layer) : tool.layer, token,
    }));
    document.apply(paint(document.text, changes), label, step);
  };
  const word = tool.mode === "erase" ? `erased on ${tool.layer}` : `painted ${tool.token} on ${tool.layer}`;

  const begin = (cell) => {
    const name = cellName(...cell);
    const { data } = level;
    if (tool.mode === "pick") {
      const at = cellAt(level, ...cell);
      const layer = topLayer(at, tool.layer);
      changeTool({ mode: "brush", layer, token: { board: at.token, jelly: at.jelly, locks: at.lock }[layer] });
    } else if (tool.mode === "keep") {
      markKept(cell, !keep.has(name));
    } else if (tool.mode === "exit") {
      const now = list(data.exits).length ? list(data.exits) : exits;
      const next = now.includes(name) ? now.filter((one) => one !== name) : [...now, name];
      document.apply(withValues(document.text, { exits: next.length ? next : undefined }), `exit at ${name}`);
    } else if (tool.mode === "dispenser") {
      const now = list(data.dispensers);
      const taken = now.some((one) => one.at.includes(name));
      const next = taken
        ? now.map((one) => ({ ...one, at: one.at.filter((at) => at !== name) })).filter((one) => one.at.length)
        : [...now, { at: [name], drops: [{ piece: "swirl", rate: 0.2 }] }];
      document.apply(withValues(document.text, { dispensers: next.length ? next : undefined }), taken ? `no dispenser at ${name}` : `dispenser at ${name}`);
    } else if (tool.mode === "teleport") {
      beginTeleporter(name, cell);
    } else if (tool.mode === "fill") {
      paintCells(region(level, tool.layer, cell), `filled with ${tool.token} on ${tool.layer}`);
    } else if (tool.mode === "rectangle") {
      setPreview({ kind: "rectangle", from: cell, to: cell });
    } else paintCells([cell], word);
  };

  /** Marks a cell as one that must stay, or takes the mark away; a drag does to all what it did to the first. */
  const markKept = (cell, stays) => {
    if (stroke.current) stroke.current.stays = stays;
    setKeep((before) => {
      const next = new Set(before);
      for (const one of mirrored(level, tool.mirror, cell)) stays ? next.add(cellName(...one)) : next.delete(cellName(...one));
      return next;
    });
  };

  /** Either end of a teleporter is dragged elsewhere; from an empty cell a new one is drawn. */
  const beginTeleporter = (name, cell) => {
    const all = list(level.data.teleporters);
    const number = all.findIndex((one) => one.from === name || one.to === name);
    if (number < 0) setPreview({ kind: "teleporter", from: cell, to: cell, number: all.length, end: "to" });
    else {
      const end = all[number].from === name ? "from" : "to";
      const other = parseCell(all[number][end === "from" ? "to" : "from"]);
      setPreview({ kind: "teleporter", from: end === "to" ? other : cell, to: end === "to" ? cell : other, number, end });
    }
  };
  const endTeleporter = ({ from, to, number, moved }) => {
    const all = [...list(level.data.teleporters)];
    const [first, second] = [cellName(...from), cellName(...to)];
    if (number < all.length && !moved) all.splice(number, 1); // a click on an end takes it away
    else if (first !== second) all[number] = { from: first, to: second };
    else return;
    document.apply(withValues(document.text, { teleporters: all.length ? all : undefined }), moved ? `teleporter ${first} to ${second}` : "teleporter gone");
  };

  const down = (event) => {
    const cell = cellUnder(event.currentTarget, event, level);
    if (!cell || event.button > 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    stroke.current = { key: `${Date.now()}-${Math.random()}`, last: cell };
    if (tool.mode === "look") onCell?.(cellName(...cell));
    else begin(cell);
  };
  const move = (event) => {
    if (!stroke.current) return;
    const cell = cellUnder(event.currentTarget, event, level);
    if (!cell) return;
    const [row, column] = stroke.current.last;
    if (row === cell[0] && column === cell[1]) return;
    stroke.current.last = cell;
    if (preview) setPreview({ ...preview, [preview.end ?? "to"]: cell, moved: true });
    else if (tool.mode === "keep") markKept(cell, stroke.current.stays);
    else if (["brush", "erase"].includes(tool.mode)) paintCells([cell], word);
  };
  const up = () => {
    if (preview?.kind === "rectangle") paintCells(rectangle(preview.from, preview.to), `rectangle of ${tool.token} on ${tool.layer}`);
    if (preview?.kind === "teleporter") endTeleporter(preview);
    setPreview(null);
    stroke.current = null;
  };
  const keys = (event) => {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (by) {
      event.preventDefault();
      const [row, column] = cursor ?? [0, -by[1]];
      const next = [Math.min(Math.max(row + by[0], 0), level.rows - 1), Math.min(Math.max(column + by[1], 0), level.columns - 1)];
      setCursor(next);
      if (preview) setPreview({ ...preview, [preview.end ?? "to"]: next, moved: true });
      else if (event.shiftKey && ["brush", "erase"].includes(tool.mode)) {
        run.current ??= `${Date.now()}-${Math.random()}`;
        paintCells([next], word, run.current);
      }
    } else if ((event.key === " " || event.key === "Enter") && cursor) {
      event.preventDefault();
      stroke.current = null;
      if (preview) up(); // the other corner of a rectangle, the other end of a teleporter
      else if (tool.mode === "look") onCell?.(cellName(...cursor));
      else begin(cursor);
    } else if (event.key === "Escape") setPreview(null);
  };
  const keyUp = (event) => {
    if (event.key === "Shift") run.current = null;
  };
  const leave = () => {
    setCursor(null);
    setPreview(null);
    run.current = null;
  };

  const square = (name, kind, title, style) => {
    const [row, column] = parseCell(name);
    if (!(row < level.rows && column < level.columns)) return null;
    return html`<rect class=${kind} x=${MARGIN + SIDE * column + 1} y=${MARGIN + SIDE * row + 1} width=${SIDE - 2} height=${SIDE - 2} rx="5" style=${style}>${title && html`<title>${title}</title>`}</rect>`;
  };
  const found = checked.of === document.text ? checked.findings : [];
  const below = heat && html`<g class=${heat.stale ? "heat-cells stale" : "heat-cells"}>${Object.entries(heat.shares).map(([name, share]) => square(name, `heat ${heat.kind}`, null, { opacity: 0.12 + 0.85 * Math.min(share / (heat.most || 1), 1) }))}</g>`;
  const overlay = html`
    ${heat && html`<g class=${heat.stale ? "shares stale" : "shares"} aria-hidden="true">${Object.entries(heat.shares).filter(([, share]) => share >= (heat.least ?? 0.01)).map(([name, share]) => {
      const [row, column] = parseCell(name);
      return html`<text class="share" x=${MARGIN + SIDE * (column + 1) - 4} y=${MARGIN + SIDE * (row + 1) - 4}>${heat.words(share)}</text>`;
    })}</g>`}
    <g class="changed">${changed?.map((name) => square(name, "changed-cell", "different from the pinned version"))}</g>
    ${ghost && html`<${Ghost} level=${level} ghost=${ghost} />`}
    <g class="kept">${[...keep].map((name) => {
      const [row, column] = parseCell(name);
      return html`${square(name, "kept-cell", `${name} must stay`)}<text class="pin" x=${MARGIN + SIDE * column + 9} y=${MARGIN + SIDE * row + 14}>▣</text>`;
    })}</g>
    <g class="findings">${found.flatMap((finding) => finding.cells.map((name) => square(name, `finding ${finding.severity}`, finding.sentence)))}</g>
    ${selected && square(selected, "selected", null)}
    ${preview && html`<${Preview} preview=${preview} />`}
    ${cursor && square(cellName(...cursor), "cursor", null)}`;
  return html`<div class="paint" tabindex="0" onKeyDown=${keys} onKeyUp=${keyUp} onBlur=${leave} role="application"
      aria-label="Board: arrow keys move, space paints, shift and arrows paint along. A rectangle or a teleporter begins and ends with space." data-testid="board">
    <${Board} level=${level} exits=${exits} below=${below} overlay=${overlay} style=${{ maxHeight: `${WIDEST * (level.rows + 1)}px` }}
      onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${() => { setPreview(null); stroke.current = null; }} />
  </div>`;
}

function Preview({ preview }) {
  const [x1, y1] = center(...preview.from);
  const [x2, y2] = center(...preview.to);
  if (preview.kind === "teleporter") return html`<path class="preview" d="M${x1} ${y1}L${x2} ${y2}" />`;
  return html`<rect class="preview" x=${Math.min(x1, x2) - SIDE / 2} y=${Math.min(y1, y2) - SIDE / 2} width=${Math.abs(x2 - x1) + SIDE} height=${Math.abs(y2 - y1) + SIDE} rx="6" />`;
}

/** A suggested edit on the board: what would stand in each changed cell. */
function Ghost({ level, ghost }) {
  return html`<g class="ghost">${ghost.cells.map((name) => {
    const [row, column] = parseCell(name);
    const after = ghost.level && row < ghost.level.rows && column < ghost.level.columns ? cellAt(ghost.level, row, column) : null;
    const now = cellAt(level, row, column);
    const jelly = after && after.jelly !== now.jelly;
    return html`<g><rect class=${`ghost-cell${after?.token === "-" ? " gone" : ""}`} x=${MARGIN + SIDE * column + 2} y=${MARGIN + SIDE * row + 2} width=${SIDE - 4} height=${SIDE - 4} rx="6" />
      ${after && after.token !== "-" && html`<${Piece} row=${row} column=${column} token=${after.token} lock=${after.lock} />`}
      ${jelly && html`<text class="ghost-jelly" x=${MARGIN + SIDE * column + 8} y=${MARGIN + SIDE * (row + 1) - 6}>${after.jelly === "." ? "no jelly" : `jelly ${after.jelly}`}</text>`}</g>`;
  })}
  ${ghost.cells.length > 0 && badge(parseCell(ghost.cells[0]), percent(ghost.figure.rate))}</g>`;
}

/** The predicted rate beside the first changed cell. */
function badge([row, column], words) {
  const [x, y] = [MARGIN + SIDE * (column + 1) - 6, MARGIN + SIDE * row - 6];
  return html`<g class="badge" transform="translate(${x} ${y})"><rect x="-2" y="-11" width=${12 + 7.5 * words.length} height="18" rx="9" /><text x="5" y="2.5">${words}</text></g>`;
}
