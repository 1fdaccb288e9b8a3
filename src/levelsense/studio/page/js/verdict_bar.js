// The verdict as an analysis board shows an evaluation: a bar with the band, and the target as a handle.

import { band, clamp, Field, html, percent, useEffect, useRef, useState, verdictClass } from "./ui.js";
import { verdictOn } from "./verdict.js";

const WIDTH = 320;
const TICKS = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99];
const [LOW, HIGH] = [Math.log(0.004 / 0.996), Math.log(0.996 / 0.004)];

/** Rates lie on the bar by their log odds, so that 1 and 4 % can be told apart as well as 40 and 60 %. */
const place = (rate) => WIDTH * clamp((Math.log(clamp(rate, 1e-6, 1 - 1e-6) / (1 - clamp(rate, 1e-6, 1 - 1e-6))) - LOW) / (HIGH - LOW), 0, 1);
const rateAt = (x) => 1 / (1 + Math.exp(-(LOW + (HIGH - LOW) * clamp(x / WIDTH, 0, 1))));
const rounded = (rate) => clamp(Math.round(rate * 100) / 100, 0.01, 0.99);

const WORDS = {
  "on target": "On target",
  "easier": "Easier than your target",
  "probably easier": "Probably easier than your target",
  "harder": "Harder than your target",
  "probably harder": "Probably harder than your target",
  "cannot tell": "Cannot tell yet",
};

export function Verdict({ estimate, stale, target, setTarget, before, onSuggest }) {
  const { figure, problem, running } = estimate;
  const verdict = verdictOn(target, figure);
  const svg = useRef(null);
  const slow = useSlow(figure === null && running);
  const drag = (event) => {
    if (event.type !== "pointerdown" && !event.buttons) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const box = svg.current.getBoundingClientRect();
    setTarget(rounded(rateAt(((event.clientX - box.left) / box.width) * (WIDTH + 20) - 10)));
  };
  const step = (event) => {
    const by = { ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setTarget(rounded(target + by));
  };
  const sharp = figure && !stale;
  const misses = sharp && figure.final && !problem && verdict !== "on target";
  return html`<section class=${`evaluation panel${stale && !problem ? " stale" : ""}`} aria-label="Verdict" aria-live="polite">
    <div class="evaluation-head">
      <strong class="rate" data-testid="rate">${problem ? "–" : figure ? percent(figure.rate) : "…"}</strong>
      <div>
        <p class=${`verdict-words ${figure && !problem ? verdictClass(verdict) : ""}`} data-testid="verdict">
          ${problem ? "No figure" : figure ? WORDS[verdict] ?? verdict : "Agents begin to play …"}</p>
        <p class="soft small">${problem ? "This level cannot be played as it is:" : figure
          ? html`of ${figure.simulated ? "simulated players'" : "players'"} attempts succeed; 95 % band ${band(figure.band_95)}`
          : slow ? "The first start compiles the rules, for about half a minute." : "The success rate to expect of players comes here."}</p>
      </div>
    </div>
    ${problem && html`<p class="problem" role="alert" title=${problem}>${problem}</p>`}
    <svg ref=${svg} class="evaluation-bar" viewBox="-10 0 ${WIDTH + 20} 62" onPointerDown=${drag} onPointerMove=${drag}>
      <rect class="track" x="0" y="16" width=${WIDTH} height="18" rx="5" />
      ${figure && !problem && html`<rect class="band-95" x=${place(figure.band_95[0])} y="16" height="18" rx="4"
          width=${Math.max(place(figure.band_95[1]) - place(figure.band_95[0]), 2)} />
        <rect class="band-50" x=${place(figure.band_50[0])} y="16" height="18" rx="3"
          width=${Math.max(place(figure.band_50[1]) - place(figure.band_50[0]), 2)} />
        <rect class="middle" x=${place(figure.rate) - 1.5} y="13" width="3" height="24" rx="1.5" />`}
      ${before && html`<path class="pinned" d="M${place(before.rate)} 38l-5 7h10z"><title>${before.label}: ${percent(before.rate)}</title></path>`}
      ${TICKS.map((rate) => html`<g class="tick"><path d="M${place(rate)} 34v4" /><text x=${place(rate)} y="56">${Math.round(rate * 100)}</text></g>`)}
      <g class="handle" role="slider" tabindex="0" aria-label="Target success rate" aria-valuemin="1" aria-valuemax="99"
         aria-valuenow=${Math.round(target * 100)} aria-valuetext=${percent(target)} onKeyDown=${step} data-testid="target">
        <path d="M${place(target)} 8v30" /><circle cx=${place(target)} cy="8" r="6.5" />
      </g>
    </svg>
    <div class="row evaluation-target"><label>Target <${Field} type="number" min="1" max="99" step="1" value=${Math.round(target * 100)}
        onChange=${(event) => setTarget(rounded(Number(event.target.value) / 100 || target))} aria-label="Target in per cent" /> %</label>
      ${misses && html`<button class="primary" onClick=${onSuggest} data-testid="suggest-now" title=${`Small changes that bring it to ${percent(target)}`}>What to change?</button>`}</div>
    <p class="evaluation-foot soft small"><span data-testid="progress">${problem ? "" : running || stale ? progressWords(figure, stale) : sharp && figure.final ? "all attempts played" : ""}</span>
      ${before && html`<span data-testid="before">▲ ${percent(before.rate)} ${before.label}</span>`}</p>
  </section>`;
}

function progressWords(figure, stale) {
  if (stale || !figure) return "playing the first attempts …";
  return figure.final ? "looking into lost attempts …" : "getting sharper …";
}

/** Whether something has been going on for some seconds. */
function useSlow(active) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!active) return undefined;
    const timer = setTimeout(() => setSlow(true), 4000);
    return () => clearTimeout(timer);
  }, [active]);
  return slow;
}
