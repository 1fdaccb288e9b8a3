// The board that is played on: a canvas with tiles, pieces, the cursor, the piece that is held, and arrows.

import { CANDIES, readToken } from "./candies.js";
import { cellName, parseCell } from "./level.js";
import { lockAt } from "./play_animation.js";
import { Pieces, themeColors } from "./play_pieces.js";
import { clamp } from "./ui.js";

const NAMES = 0.42; // of a cell's side: the margin with letters and numbers
const FOOT = 0.3;
const TURN = 2 * Math.PI;

/** Draws boards on a canvas; cells are row-major indexes. What is not in the board is in `marks`. */
export class Painter {
  constructor(canvas, level) {
    this.canvas = canvas;
    this.level = level;
    this.pen = canvas.getContext("2d");
    this.marks = { cursor: null, held: null, arrows: [] };
    this.colors = themeColors();
    this.fit(480, 480);
  }

  /** Sizes the canvas so that the board fits into so many pixels of the page. */
  fit(width, height) {
    const { rows, columns } = this.level;
    const side = Math.floor(Math.min(width / (columns + NAMES + 0.1), height / (rows + NAMES + FOOT)));
    const ratio = window.devicePixelRatio || 1;
    this.shown = Math.max(side, 18); // a cell's side in pixels of the page
    this.side = this.shown * ratio;
    const wide = Math.round(this.side * (columns + NAMES + 0.1));
    const high = Math.round(this.side * (rows + NAMES + FOOT));
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
      this.canvas.style.width = `${wide / ratio}px`;
      this.canvas.style.height = `${high / ratio}px`;
    }
    this.restyle();
  }

  /** Makes all pictures anew, for another size, or light and dark. */
  restyle() {
    this.colors = themeColors();
    this.pieces = new Pieces(this.side, this.colors);
    this.ground = null;
    this.groundKey = null;
  }

  /** The cell under a pointer; null outside of the board. */
  cellUnder(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / this.shown - NAMES);
    const row = Math.floor((event.clientY - box.top) / this.shown - NAMES);
    const { rows, columns } = this.level;
    return row >= 0 && column >= 0 && row < rows && column < columns ? row * columns + column : null;
  }

  /** The middle of a cell, also of one that is between two. */
  middle(row, column) {
    return [(NAMES + column + 0.5) * this.side, (NAMES + row + 0.5) * this.side];
  }

  place(cell) {
    return this.middle(Math.floor(cell / this.level.columns), cell % this.level.columns);
  }

  // ---- a frame

  begin(board) {
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    this.pen.globalAlpha = 1;
    this.drawGround(board);
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(NAMES * this.side, NAMES * this.side, this.level.columns * this.side, this.level.rows * this.side);
    this.pen.clip();
  }

  end(isResting) {
    this.pen.restore();
    this.pen.globalAlpha = 1;
    if (isResting) {
      // The best is drawn last, above the others.
      const tags = [...this.marks.arrows.entries()].reverse().map(([rank, arrow]) => this.arrow(arrow, rank));
      this.drawTags(tags.reverse());
      if (this.marks.held !== null) this.frame(this.marks.held, this.colors.accent, 0.09, true);
      if (this.marks.cursor !== null) this.frame(this.marks.cursor, this.colors.ink, 0.05, false);
    }
  }

  /** All pieces of a board but those of some cells. */
  cells(board, skipped) {
    for (let cell = 0; cell < board.board.length; cell += 1) {
      if (!skipped.has(cell)) this.piece(board, cell, cell);
    }
  }

  piece(board, from, at, { scale = 1, alpha = 1 } = {}) {
    const picture = this.pieces.of(board.board[from], lockAt(board, from));
    if (!picture || alpha <= 0 || scale <= 0) return;
    const [x, y] = this.place(at);
    this.copy(picture, x, y, scale, alpha);
  }

  copy(picture, x, y, scale = 1, alpha = 1) {
    const size = this.side * scale;
    this.pen.globalAlpha = alpha;
    if (scale === 1) this.pen.drawImage(picture, Math.round(x - size / 2), Math.round(y - size / 2));
    else this.pen.drawImage(picture, x - size / 2, y - size / 2, size, size);
    this.pen.globalAlpha = 1;
  }

  /** A piece on its way from a cell to another; `shown` is the cell whose piece it is. */
  between(board, from, to, way, shown = from) {
    const picture = this.pieces.of(board.board[shown], lockAt(board, shown));
    if (!picture) return;
    const [x, y] = this.place(from);
    const [u, v] = this.place(to);
    this.copy(picture, x + (u - x) * way, y + (v - y) * way);
  }

  /** A piece that teleports: it leaves one cell and appears in the other. */
  jump(board, from, to, t) {
    const picture = this.pieces.of(board.board[to], lockAt(board, to));
    if (!picture) return;
    const [x, y] = this.place(from);
    const [u, v] = this.place(to);
    if (t < 0.5) this.copy(picture, x, y + t * this.side * 0.8, 1 - t, 1 - 2 * t);
    else this.copy(picture, u, v - (1 - t) * this.side * 0.8, t, 2 * t - 1);
  }

  /** A new piece that falls in from so many rows above. */
  dropIn(board, cell, rows, way) {
    const picture = this.pieces.of(board.board[cell], lockAt(board, cell));
    if (!picture) return;
    const [x, y] = this.place(cell);
    this.copy(picture, x, y - rows * (1 - way) * this.side, 1, Math.min(1, 0.2 + 1.6 * way));
  }

  flash(cell, t) {
    const [x, y] = this.place(cell);
    const half = this.side * 0.47;
    this.pen.globalAlpha = 0.5 * (1 - t);
    this.pen.fillStyle = "#fff";
    this.pen.beginPath();
    this.pen.roundRect(x - half, y - half, 2 * half, 2 * half, this.side * 0.12);
    this.pen.fill();
    this.pen.globalAlpha = 1;
  }

  sparks(board, cell, t) {
    const look = CANDIES[board.board[cell][0]];
    const [x, y] = this.place(cell);
    this.pen.fillStyle = look?.fill ?? "#c9c2b4";
    this.pen.globalAlpha = 1 - t;
    for (let number = 0; number < 6; number += 1) {
      const angle = (number / 6) * TURN + cell;
      const far = this.side * (0.15 + 0.5 * t);
      this.pen.beginPath();
      this.pen.arc(x + far * Math.cos(angle), y + far * Math.sin(angle), this.side * 0.07 * (1 - t), 0, TURN);
      this.pen.fill();
    }
    this.pen.globalAlpha = 1;
  }

  /** What a round scored, over the middle of the cells that it cleared. */
  points(cells, score, t) {
    const places = cells.map((cell) => this.place(cell));
    const mean = (part) => places.reduce((sum, place) => sum + place[part], 0) / places.length;
    this.pen.globalAlpha = Math.min(1, 2 - 2 * t);
    this.pen.font = `800 ${Math.round(this.side * 0.5)}px system-ui, sans-serif`;
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    this.pen.lineWidth = this.side * 0.1;
    this.pen.strokeStyle = "rgb(0 0 0 / .65)";
    this.pen.fillStyle = "#fff";
    const [x, y] = [mean(0), mean(1) - t * this.side * 0.4];
    this.pen.strokeText(`+${score.toLocaleString("en")}`, x, y);
    this.pen.fillText(`+${score.toLocaleString("en")}`, x, y);
    this.pen.globalAlpha = 1;
  }

  frame(cell, color, width, filled) {
    const [x, y] = this.place(cell);
    const half = this.side * 0.46;
    this.pen.beginPath();
    this.pen.roundRect(x - half, y - half, 2 * half, 2 * half, this.side * 0.14);
    this.pen.strokeStyle = color;
    this.pen.lineWidth = Math.max(2, width * this.side);
    if (!filled) this.pen.setLineDash([this.side * 0.12, this.side * 0.08]);
    this.pen.stroke();
    this.pen.setLineDash([]);
    if (filled) {
      this.pen.globalAlpha = 0.16;
      this.pen.fillStyle = color;
      this.pen.fill();
      this.pen.globalAlpha = 1;
    }
  }

  /** A move as an arrow: {move, words, color}. The best is drawn widest. Gives its worth as a tag, with places for it. */
  arrow({ move, words, color = this.colors.ghost }, rank) {
    const cut = move.slice(1).search(/[a-l]/) + 1;
    const index = (name) => {
      const [row, column] = parseCell(name);
      return row * this.level.columns + column;
    };
    let [x, y] = this.place(index(move.slice(0, cut)));
    let [u, v] = this.place(index(move.slice(cut)));
    const [dx, dy] = [Math.sign(u - x), Math.sign(v - y)];
    // A swap may be two moves, one each way: they lie beside each other.
    const side = dx + dy;
    [x, u] = [x + Math.abs(dy) * side * this.side * 0.08, u + Math.abs(dy) * side * this.side * 0.08];
    [y, v] = [y - Math.abs(dx) * side * this.side * 0.08, v - Math.abs(dx) * side * this.side * 0.08];
    const width = this.side * (0.17 - 0.03 * rank);
    const tip = this.side * 0.24;
    const [fx, fy, tx, ty] = [x - dx * this.side * 0.12, y - dy * this.side * 0.12, u + dx * this.side * 0.16, v + dy * this.side * 0.16];
    const line = () => {
      this.pen.beginPath();
      this.pen.moveTo(fx, fy);
      this.pen.lineTo(tx - dx * tip, ty - dy * tip);
      this.pen.moveTo(tx - dx * tip - dy * tip, ty - dy * tip - dx * tip);
      this.pen.lineTo(tx, ty);
      this.pen.lineTo(tx - dx * tip + dy * tip, ty - dy * tip + dx * tip);
      this.pen.stroke();
    };
    this.pen.lineCap = this.pen.lineJoin = "round";
    this.pen.strokeStyle = "rgb(255 255 255 / .92)";
    this.pen.lineWidth = width + this.side * 0.1;
    line();
    this.pen.strokeStyle = color;
    this.pen.lineWidth = width;
    line();
    // Beside the arrow, so that it covers neither its tip nor the pieces; or on its other side, or at its ends.
    const [right, up] = [Math.abs(dy) * side * this.side * 0.5, Math.abs(dx) * side * this.side * 0.36];
    const middle = [(x + u) / 2, (y + v) / 2];
    const [along, down] = [dx * this.side * 0.95, dy * this.side * 0.75];
    return { words, color, places: [
      [middle[0] + right, middle[1] - up], [middle[0] - right, middle[1] + up],
      [middle[0] + along, middle[1] + down], [middle[0] - along, middle[1] - down],
    ] };
  }

  /** The worths of arrows, each at the first of its places where it covers no other one. */
  drawTags(tags) {
    const taken = [];
    for (const { words, color, places } of tags.filter((one) => one.words)) {
      this.pen.font = `700 ${Math.round(this.side * 0.27)}px system-ui, sans-serif`;
      const half = this.pen.measureText(words).width / 2 + this.side * 0.1;
      const inside = ([x, y]) => [clamp(x, half + 2, this.canvas.width - half - 2), clamp(y, this.side * 0.21, this.canvas.height - this.side * 0.21)];
      const isFree = ([x, y]) => taken.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > this.side * 0.4);
      const spots = places.map(inside);
      const [x, y] = spots.find(isFree) ?? spots[0];
      taken.push({ x, y, half });
      this.tag(words, x, y, half, color);
    }
  }

  tag(words, x, y, half, color) {
    const high = this.side * 0.19;
    this.pen.fillStyle = color;
    this.pen.beginPath();
    this.pen.roundRect(x - half, y - high, 2 * half, 2 * high, high);
    this.pen.fill();
    this.pen.strokeStyle = "rgb(255 255 255 / .92)";
    this.pen.lineWidth = this.side * 0.04;
    this.pen.stroke();
    this.pen.fillStyle = this.colors["accent-ink"];
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    this.pen.fillText(words, x, y + this.side * 0.015);
  }

  // ---- what is under the pieces, drawn anew only when jelly changes

  drawGround(board) {
    const key = String(board?.jelly);
    if (key !== this.groundKey || !this.ground) {
      this.ground = this.newGround(board);
      this.groundKey = key;
    }
    this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.pen.drawImage(this.ground, 0, 0);
  }

  newGround(board) {
    const ground = document.createElement("canvas");
    ground.width = this.canvas.width;
    ground.height = this.canvas.height;
    const pen = ground.getContext("2d");
    const { rows, columns } = this.level;
    for (let cell = 0; cell < rows * columns; cell += 1) {
      if ((board?.board[cell] ?? "-") === "-") continue;
      const [x, y] = this.place(cell);
      const jelly = board.jelly?.[cell];
      pen.fillStyle = this.colors[jelly === "1" || jelly === "2" ? `jelly-${jelly}` : "tile"];
      pen.beginPath();
      pen.roundRect(x - this.side * 0.475, y - this.side * 0.475, this.side * 0.95, this.side * 0.95, this.side * 0.12);
      pen.fill();
    }
    this.drawNames(pen);
    this.drawWays(pen);
    return ground;
  }

  drawNames(pen) {
    pen.fillStyle = this.colors.soft;
    pen.font = `${Math.round(Math.min(this.side * 0.27, 13 * (window.devicePixelRatio || 1)))}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let column = 0; column < this.level.columns; column += 1) pen.fillText("abcdefghijkl"[column], this.middle(0, column)[0], this.side * 0.2);
    for (let row = 0; row < this.level.rows; row += 1) pen.fillText(String(row + 1), this.side * 0.2, this.middle(row, 0)[1]);
  }

  /** Where pieces enter, leave and jump. */
  drawWays(pen) {
    const hues = ["#9a5cf0", "#1fa3ae", "#d6791f", "#c93c8f"];
    const triangle = (name, side, color) => {
      const [x, y] = this.middle(...parseCell(name));
      const edge = y + side * this.side * 0.5;
      pen.fillStyle = color;
      pen.beginPath();
      pen.moveTo(x - this.side * 0.2, edge - this.side * 0.06);
      pen.lineTo(x + this.side * 0.2, edge - this.side * 0.06);
      pen.lineTo(x, edge + this.side * 0.16);
      pen.fill();
    };
    const bar = (name, side, color) => {
      const [x, y] = this.middle(...parseCell(name));
      pen.fillStyle = color;
      pen.fillRect(x - this.side * 0.4, y + side * this.side * 0.45 - this.side * 0.05, this.side * 0.8, this.side * 0.1);
    };
    for (const name of this.level.dispensers ?? []) triangle(name, -1, "#7a5cd6");
    for (const name of this.level.exits ?? []) triangle(name, 1, "#2f9e5a");
    (this.level.teleporters ?? []).forEach(([from, to], number) => {
      bar(from, 1, hues[number % hues.length]);
      bar(to, -1, hues[number % hues.length]);
    });
  }
}

/** What a cell holds, in words for who listens. */
export function cellWords(board, cell, level) {
  const name = cellName(Math.floor(cell / level.columns), cell % level.columns);
  const token = board.board[cell];
  if (token === "-") return `${name}, no tile`;
  if (token === ":") return `${name}, empty`;
  const piece = readToken(token);
  const marks = { "=": "striped in its row", "|": "striped in its column", "+": "wrapped", "~": "sugar", "@": "time candy" };
  let words = piece.kind;
  if (piece.kind === "candy") words = `${CANDIES[piece.letter]?.name ?? "any"} ${piece.timer !== undefined ? `bomb ${piece.timer}` : marks[piece.mark] ?? ""}`.trim();
  if (piece.kind === "blocker") words = { "#": "icing", X: "chocolate", T: "toffee", D: "dark chocolate", P: "popcorn" }[piece.token] + (piece.layers > 1 ? ` of ${piece.layers} layers` : "");
  const lock = { L: ", locked", M: ", in marmalade" }[lockAt(board, cell)] ?? "";
  const jelly = board.jelly?.[cell] > 0 ? ", on jelly" : "";
  return `${name}, ${words}${lock}${jelly}`;
}
