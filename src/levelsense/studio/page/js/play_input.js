// How a move is made: a drag, two clicks, or the keyboard. All of them end in `swap(first, second)`.

import { useKeys, useRef } from "./ui.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const DRAGGED = 0.4; // of a cell's side

/** The neighbor of a cell that way; null if the board ends there. */
export function neighbor(cell, [down, right], { rows, columns }) {
  const [row, column] = [Math.floor(cell / columns) + down, (cell % columns) + right];
  return row >= 0 && column >= 0 && row < rows && column < columns ? row * columns + column : null;
}

const areNeighbors = (one, other, level) =>
  Object.values(STEPS).some((step) => neighbor(one, step, level) === other);

/**
 * Handlers for the canvas, and keys for the page. `board` has the painter, marks that change call `redraw`,
 * `say(cell)` tells what the cursor is on, `isOpen()` whether a move can be made.
 */
export function useSwaps({ board, level, swap, say, redraw, isOpen, interrupt }) {
  const drag = useRef(null);
  const marks = () => board.current?.marks;

  const down = (event) => {
    interrupt();
    if (!board.current || !isOpen()) return;
    const cell = board.current.cellUnder(event);
    if (cell === null) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const { held } = marks();
    if (held !== null && areNeighbors(held, cell, level)) {
      release();
      swap(held, cell);
      return;
    }
    drag.current = { cell, x: event.clientX, y: event.clientY, wasHeld: held === cell };
    marks().held = cell;
    marks().cursor = null;
    redraw();
  };
  const move = (event) => {
    const from = drag.current;
    if (!from) return;
    const [right, below] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.max(Math.abs(right), Math.abs(below)) < DRAGGED * board.current.shown) return;
    const step = Math.abs(right) > Math.abs(below) ? [0, Math.sign(right)] : [Math.sign(below), 0];
    const other = neighbor(from.cell, step, level);
    drag.current = null;
    release();
    if (other !== null) swap(from.cell, other);
  };
  const up = () => {
    if (drag.current?.wasHeld) release();
    drag.current = null;
  };
  const release = () => {
    marks().held = null;
    redraw();
  };

  useKeys((event) => {
    if (!marks() || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const onControl = event.target.closest?.("button, a, summary");
    if (event.key in STEPS) {
      event.preventDefault();
      interrupt();
      const { held, cursor } = marks();
      if (held !== null) {
        const other = neighbor(held, STEPS[event.key], level);
        marks().cursor = held;
        release();
        if (other !== null && isOpen()) {
          marks().cursor = other;
          swap(held, other);
        }
        return;
      }
      const middle = Math.floor(level.rows / 2) * level.columns + Math.floor(level.columns / 2);
      marks().cursor = cursor === null ? middle : neighbor(cursor, STEPS[event.key], level) ?? cursor;
      say(marks().cursor);
      redraw();
    } else if ((event.key === " " || event.key === "Enter") && !onControl) {
      event.preventDefault();
      interrupt();
      const { held, cursor } = marks();
      if (cursor === null || !isOpen()) return;
      marks().held = held === cursor ? null : cursor;
      redraw();
    } else if (event.key === "Escape") release();
  });

  return { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: up };
}
