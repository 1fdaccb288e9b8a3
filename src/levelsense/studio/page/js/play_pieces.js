// Pieces, blockers and covers drawn on a canvas, each once: a frame then only copies pictures.

import { CANDIES, GROUNDS, readToken } from "./candies.js";

const UNIT = 40; // the side of a cell in the units that shapes are drawn in, as on the SVG board
const TURN = 2 * Math.PI;

/** Colors of the style sheet as the canvas takes them; they follow light and dark. */
export function themeColors() {
  const probe = document.createElement("i");
  document.body.append(probe);
  const read = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const names = ["tile", "jelly-1", "jelly-2", "ink", "soft", "line", "accent", "accent-ink", "any", "any-edge", "ghost", "good", "hard", "panel"];
  const colors = Object.fromEntries(names.map((name) => [name, read(name)]));
  probe.remove();
  return colors;
}

/** Pictures of pieces for one size of cells, made when they are first needed. */
export class Pieces {
  constructor(side, colors) {
    this.side = side; // in pixels of the canvas
    this.colors = colors;
    this.made = new Map();
  }

  /** The picture of what a cell holds; null for a gap or an empty tile. */
  of(token, lock = ".") {
    const key = `${token} ${lock}`;
    if (!this.made.has(key)) this.made.set(key, this.draw(token, lock));
    return this.made.get(key);
  }

  draw(token, lock) {
    if (token === "-" || token === ":" || token === ".") return null;
    const picture = document.createElement("canvas");
    picture.width = picture.height = Math.ceil(this.side);
    const pen = picture.getContext("2d");
    pen.setTransform(this.side / UNIT, 0, 0, this.side / UNIT, this.side / 2, this.side / 2);
    pen.lineJoin = pen.lineCap = "round";
    const piece = readToken(token);
    if (piece.kind === "blocker") drawBlocker(pen, piece);
    else if (piece.kind === "candy") this.drawCandy(pen, piece);
    else if (piece.kind === "color bomb") drawBomb(pen);
    else if (piece.kind === "swirl") drawSwirl(pen);
    else if (piece.kind === "cherry") drawCherry(pen);
    else drawNut(pen);
    if (lock === "L" || lock === "M") this.drawCover(pen, lock);
    return picture;
  }

  drawCandy(pen, { letter, mark, timer }) {
    const look = CANDIES[letter] ?? { fill: this.colors.any, edge: this.colors["any-edge"], path: CANDIES.r.path };
    pen.save();
    pen.scale(14, 14);
    shape(pen, look.path, look.fill, look.edge, 0.09);
    pen.restore();
    if (timer !== undefined) {
      disc(pen, 0, 0, 9.5, "#23262e");
      label(pen, timer, "#fff");
    } else if (mark) drawMark(pen, mark);
  }

  drawCover(pen, lock) {
    if (lock === "M") {
      box(pen, 17, 8, "rgb(255 179 0 / .55)", "#c07f00", 2);
      return;
    }
    pen.globalAlpha = 0.8;
    shape(pen, "M-16-16L16 16M16-16L-16 16", null, this.colors.ink, 3);
    box(pen, 16, 5, null, this.colors.ink, 3);
    pen.globalAlpha = 1;
  }
}

function shape(pen, path, fill, stroke, width) {
  const drawn = new Path2D(path);
  if (fill) {
    pen.fillStyle = fill;
    pen.fill(drawn);
  }
  if (stroke) {
    pen.strokeStyle = stroke;
    pen.lineWidth = width;
    pen.stroke(drawn);
  }
}

function disc(pen, x, y, radius, fill, stroke = null, width = 0) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, TURN);
  pen.fillStyle = fill;
  pen.fill();
  if (stroke) {
    pen.strokeStyle = stroke;
    pen.lineWidth = width;
    pen.stroke();
  }
}

function box(pen, half, radius, fill, stroke, width, dash = []) {
  pen.beginPath();
  pen.roundRect(-half, -half, 2 * half, 2 * half, radius);
  if (fill) {
    pen.fillStyle = fill;
    pen.fill();
  }
  pen.setLineDash(dash);
  pen.strokeStyle = stroke;
  pen.lineWidth = width;
  pen.stroke();
  pen.setLineDash([]);
}

function label(pen, text, color) {
  pen.fillStyle = color;
  pen.font = "700 15px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(String(text), 0, 1);
}

function drawMark(pen, mark) {
  if (mark === "+") return box(pen, 15, 6, null, "#fff", 3, [5, 3]);
  const paths = {
    "=": "M-12-5H12M-13 0H13M-12 5H12",
    "|": "M-5-12V12M0-13V13M5-12V12",
    "~": "M-8 3q4-8 8 0t8 0",
    "@": "M0-8A8 8 0 1 1 0 8 8 8 0 1 1 0-8M0-4V0L3 2",
  };
  return shape(pen, paths[mark], null, "#fff", mark === "@" ? 2 : 2.6);
}

function drawBomb(pen) {
  disc(pen, 0, 0, 14, "#3b2a20");
  Object.values(CANDIES).slice(0, 6).forEach((look, number) => {
    const angle = (number * Math.PI) / 3;
    disc(pen, 7.5 * Math.cos(angle), 7.5 * Math.sin(angle), 3, look.fill);
  });
}

function drawSwirl(pen) {
  disc(pen, 0, 0, 13.5, "#1c1c22", "#55555f", 2);
  shape(pen, "M0 0a3 3 0 0 1 6 0 6 6 0 0 1-12 0 9 9 0 0 1 17-3", null, "#d8d8de", 2);
}

function drawCherry(pen) {
  shape(pen, "M-5 4Q-2-8 6-13M6 6Q6-6 6-13", null, "#3f7a2b", 2.5);
  disc(pen, -6, 7, 7, "#d11f3f", "#7d0d22", 1.5);
  disc(pen, 7, 8, 7, "#d11f3f", "#7d0d22", 1.5);
}

function drawNut(pen) {
  shape(pen, "M0 14C-12 8-13-4-9-6H9C13-4 12 8 0 14Z", "#a8692f", "#66390f", 1.5);
  shape(pen, "M-11-5C-10-13 10-13 11-5Z", "#6d4a2b", null, 0);
}

function drawBlocker(pen, { token, layers }) {
  const look = GROUNDS[token] ?? { ground: "#999", ink: "#111", edge: "#555" };
  box(pen, 16.5, 6, look.ground, look.edge, 2);
  if (token === "X" || token === "D") shape(pen, "M-16 0H16M0-16V16", null, look.edge, 2);
  if (token === "P") {
    shape(pen, "M-9 4a6 6 0 1 1 6-8 6 6 0 0 1 11 3 6 6 0 1 1-5 9 7 7 0 0 1-12-4Z", "#fffdf2", look.edge, 1.5);
  }
  if (layers > 1 || "#TDP".includes(token)) label(pen, layers, look.ink);
}
