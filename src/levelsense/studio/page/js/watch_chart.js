// The course of an attempt: what was done of the goals after each move, and how often it could still be won.

import { html, percent } from "./ui.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [320, 130, 36, 18];

/** How far the goals have come, as a share from 0 to 1: the mean over them. */
export function progressOf(state) {
  const shares = state.goals.map((goal) => Math.min(1, goal.done / goal.asked));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/**
 * `states` are those as dealt and after each move; `shares` the wins of continuations by turn, as far as they
 * are known; `at` the position that is shown. A click calls `onStep` with a position.
 */
export function CourseChart({ states, shares, at, lostAt, onStep }) {
  const last = Math.max(1, states.length - 1);
  const x = (turn) => LEFT + ((WIDTH - LEFT - 8) * turn) / last;
  const y = (share) => 8 + (HEIGHT - BOTTOM - 8) * (1 - share);
  const line = states.map((state, turn) => `${turn ? "L" : "M"}${x(turn).toFixed(1)} ${y(progressOf(state)).toFixed(1)}`).join("");
  const step = (WIDTH - LEFT - 8) / last;
  const click = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * WIDTH;
    onStep(Math.min(last, Math.max(0, Math.round((place - LEFT) / step))));
  };
  return html`<svg class="course" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" onClick=${click}
      aria-label=${`Goals done after each move: ${percent(progressOf(states.at(-1)))} at the end`}>
    ${[0, 0.5, 1].map((share) => html`<line class="course-grid" x1=${LEFT} x2=${WIDTH - 8} y1=${y(share)} y2=${y(share)} />
      <text class="course-name" x=${LEFT - 5} y=${y(share) + 3.5}>${100 * share}%</text>`)}
    ${shares.map(({ turn, wins, of }) => html`<rect class="course-share" x=${x(turn) - step * 0.38} width=${step * 0.76}
      y=${y(wins / of)} height=${Math.max(1, y(0) - y(wins / of))}><title>after ${turn} moves: ${wins} of ${of} continuations win</title></rect>`)}
    <path class="course-line" d=${line} />
    ${lostAt !== null && lostAt !== undefined && html`<line class="course-lost" x1=${x(lostAt)} x2=${x(lostAt)} y1="4" y2=${y(0)} />`}
    <line class="course-at" x1=${x(at)} x2=${x(at)} y1="4" y2=${y(0)} /><circle class="course-dot" cx=${x(at)} cy=${y(progressOf(states[at]))} r="4" />
    <text class="course-name start" x=${LEFT} y=${HEIGHT - 4}>0</text><text class="course-name" x=${WIDTH - 8} y=${HEIGHT - 4}>${last} moves</text>
  </svg>`;
}
