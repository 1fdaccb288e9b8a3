// A move as a sequence of phases, each a function of time: swap, burst, fall, and what follows.

/** Tokens of a board as the server sends them, by layer. */
export function readBoard(data) {
  const split = (text) => (text ? text.split(" ") : null);
  return { board: split(data.board), jelly: split(data.jelly), locks: split(data.locks) };
}

export const lockAt = (board, cell) => board.locks?.[cell] ?? ".";

const SPEEDS = { normal: 1, quick: 0.45, none: 0 };
const SWAP = 150;
const BURST = 210;
const FADE = 280;
const FALL = 75; // for the square root of a cell's height

const easeOut = (t) => 1 - (1 - t) ** 3;
const easeInOut = (t) => (t < 0.5 ? 2 * t * t : 1 - (-2 * t + 2) ** 2 / 2);

/** Where a swapped piece goes and how long it takes. */
export function swapPhase(board, first, second, speed, back = false) {
  return {
    ms: SWAP * SPEEDS[speed] * (back ? 2 : 1),
    board,
    draw(painter, t) {
      const way = back ? Math.sin(Math.PI * t) * 0.45 : easeInOut(t);
      painter.cells(board, new Set([first, second]));
      painter.between(board, first, second, way);
      painter.between(board, second, first, way);
    },
  };
}

/** The phases of what the server tells of a move, after its swap. */
export function turnPhases(turn, before, final, speed) {
  const phases = [];
  let present = readBoard(turn.swapped);
  const cascade = (rounds, pace) => {
    for (const round of rounds) {
      const cleared = readBoard(round.cleared_board);
      const after = readBoard(round.after);
      phases.push(burstPhase(present, cleared, round, pace), fallPhase(cleared, after, round, before.columns, pace));
      present = after;
    }
  };
  cascade(turn.rounds, SPEEDS[speed]);
  for (const rounds of turn.bonus) cascade(rounds, SPEEDS[speed] * 0.55);
  if (differ(present, final)) phases.push(fadePhase(present, final, SPEEDS[speed]));
  return SPEEDS[speed] === 0 ? [] : phases;
}

const differ = (one, other) => ["board", "jelly", "locks"].some((layer) => String(one[layer]) !== String(other[layer]));

function burstPhase(before, after, round, pace) {
  const changed = round.cleared.filter(
    (cell) => before.board[cell] !== after.board[cell] || lockAt(before, cell) !== lockAt(after, cell));
  const made = new Set(round.made);
  const skipped = new Set(changed);
  return {
    ms: BURST * pace,
    board: after,
    draw(painter, t) {
      painter.cells(before, skipped);
      for (const cell of round.cleared) painter.flash(cell, t);
      for (const cell of changed) {
        const out = easeOut(t);
        if (after.board[cell] !== "-" && after.board[cell] !== ":") {
          painter.piece(after, cell, cell, { scale: made.has(cell) ? 0.4 + 0.6 * easeOut(t) : 1, alpha: t });
        }
        painter.piece(before, cell, cell, { scale: 1 + 0.25 * t - 0.9 * t * t, alpha: 1 - out * out });
        painter.sparks(before, cell, t);
      }
      if (round.score) painter.points(round.cleared, round.score, t);
    },
  };
}

function fallPhase(before, after, round, columns, pace) {
  const falls = round.fallen.map(([source, target]) => ({ source, target, rows: Math.max(1, distance(source, target, columns)) }));
  const drops = dropsOf(round.dropped, columns);
  const moved = new Set([...falls.map((fall) => fall.target), ...falls.map((fall) => fall.source), ...round.dropped]);
  const longest = Math.max(1, ...falls.map((fall) => fall.rows), ...drops.map((drop) => drop.rows));
  const ms = falls.length || drops.length ? (60 + FALL * Math.sqrt(longest)) * pace : 0;
  const share = (rows, t) => Math.min(1, t * Math.sqrt(longest / rows)) ** 2;
  return {
    ms,
    board: after,
    draw(painter, t) {
      painter.cells(before, moved);
      for (const { source, target, rows } of falls) {
        const jumps = Math.abs((source % columns) - (target % columns)) > 1 || target < source;
        if (jumps) painter.jump(after, source, target, t);
        else painter.between(after, source, target, share(rows, t), target);
      }
      for (const { target, rows } of drops) painter.dropIn(after, target, rows, share(rows, t));
    },
  };
}

const distance = (source, target, columns) =>
  Math.max(Math.abs(Math.floor(target / columns) - Math.floor(source / columns)), Math.abs((target % columns) - (source % columns)));

/** New pieces fall in above the uppermost new one of their column, in a row one behind the other. */
function dropsOf(dropped, columns) {
  const runs = new Map();
  for (const target of [...dropped].sort((one, other) => one - other)) {
    const column = target % columns;
    const run = runs.get(column) ?? [];
    run.push(target);
    runs.set(column, run);
  }
  return [...runs.values()].flatMap((run) => {
    const rows = Math.floor((run.at(-1) - run[0]) / columns) + 1;
    return run.map((target) => ({ target, rows }));
  });
}

function fadePhase(before, after, pace) {
  const changed = new Set(before.board.flatMap((token, cell) =>
    token !== after.board[cell] || lockAt(before, cell) !== lockAt(after, cell) ? [cell] : []));
  return {
    ms: FADE * pace,
    board: after,
    draw(painter, t) {
      painter.cells(after, changed);
      for (const cell of changed) {
        painter.piece(before, cell, cell, { alpha: 1 - t });
        painter.piece(after, cell, cell, { alpha: t, scale: 0.7 + 0.3 * easeOut(t) });
      }
    },
  };
}

/** The one animation loop: plays phases one after the other, a frame at a time, and stops when it is idle. */
export class Stage {
  constructor(painter) {
    this.painter = painter;
    this.queue = [];
    this.began = null;
    this.resting = null;
    this.frame = null;
    this.waiting = [];
    this.frames = null; // when each frame began and how long it took to draw, if somebody measures it
  }

  /** Shows a board at rest. */
  show(board) {
    this.resting = board;
    this.request();
  }

  /** Plays phases after those that are under way; the promise is kept when they are done. */
  play(phases) {
    this.queue.push(...phases);
    this.request();
    return this.queue.length ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();
  }

  get isBusy() {
    return this.queue.length > 0;
  }

  /** Ends what is under way at once. */
  finish() {
    const last = this.queue.at(-1);
    this.queue = [];
    if (last) this.resting = last.board;
    this.settle();
    this.request();
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.queue = [];
    this.settle();
  }

  request() {
    this.frame ??= requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    this.frame = null;
    const start = performance.now();
    this.began ??= now;
    while (this.queue.length && now - this.began >= this.queue[0].ms) {
      this.began += this.queue[0].ms;
      this.resting = this.queue.shift().board;
    }
    const phase = this.queue[0];
    this.painter.begin(phase ? phase.board : this.resting);
    if (phase) phase.draw(this.painter, (now - this.began) / phase.ms);
    else if (this.resting) this.painter.cells(this.resting, new Set());
    this.painter.end(!phase);
    this.frames?.push({ at: now, spent: performance.now() - start, moving: Boolean(phase) });
    if (phase) this.request();
    else this.settle();
  }

  settle() {
    this.began = null;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
