// The saga's difficulty curve: a band, a rate and a target for each level, in the order of the saga.

import { band, clamp, html, percent, useRef, useState, verdictClass } from "./ui.js";
import { verdictOn } from "./verdict.js";

const [HEIGHT, TOP, BOTTOM, LEFT, RIGHT] = [250, 12, 34, 44, 10];
const STEPS = [6, 190]; // the narrowest and the widest place of a level
const NAMED = 70; // so wide a place has room for the level's title
const shortened = (title, width) => (title.length * 6.2 > width ? `${title.slice(0, Math.floor(width / 6.2) - 1)}…` : title);
const y = (rate) => TOP + (1 - rate) * (HEIGHT - TOP - BOTTOM);

/** How far apart the numbers under the curve are. */
function numberStep(count, step) {
  return [1, 2, 5, 10, 20, 25, 50, 100, 200, 500].find((every) => every * step >= 26) ?? Math.ceil(count / 10);
}

/**
 * `levels` are the points of the saga; `onTarget(name, rate)` is called while a target is dragged, `onSelect(name)`
 * for a level that is chosen.
 */
export function SagaChart({ levels, width, selected, onSelect, onTarget }) {
  const svg = useRef(null);
  const [held, setHeld] = useState(null);
  const step = clamp((width - LEFT - RIGHT) / Math.max(levels.length, 1), ...STEPS);
  const full = LEFT + RIGHT + step * levels.length;
  const x = (place) => LEFT + step * (place + 0.5);
  const rateAt = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current.getScreenCTM().inverse());
    return clamp(Math.round(100 * (1 - (point.y - TOP) / (HEIGHT - TOP - BOTTOM))) / 100, 0.01, 0.99);
  };
  const hold = (name) => (event) => {
    svg.current.setPointerCapture(event.pointerId);
    setHeld(name);
    onSelect(name);
    event.preventDefault();
  };
  const move = (event) => held && onTarget(held, rateAt(event));
  const keys = ({ name, target }) => (event) => {
    const steps = { ArrowUp: 0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1 }[event.key];
    if (!steps) return;
    event.preventDefault();
    onTarget(name, clamp(Math.round(100 * (target + steps)) / 100, 0.01, 0.99));
  };
  const every = numberStep(levels.length, step);
  const bar = clamp(step * 0.62, 3, 16);
  const known = levels.filter((level) => level.prediction).length;
  return html`<div class="curve" tabindex="0" role="region" aria-label="Difficulty curve">
    <svg ref=${svg} class="saga-chart" viewBox="0 0 ${full} ${HEIGHT}" width=${full} height=${HEIGHT} onPointerMove=${move}
        onPointerUp=${() => setHeld(null)} onPointerCancel=${() => setHeld(null)} role="group"
        aria-label=${`Success rates of ${known} of ${levels.length} levels, with their 95 % bands and targets`}>
      ${[0, 0.25, 0.5, 0.75, 1].map((rate) => html`<line class="grid" x1=${LEFT} x2=${full - RIGHT} y1=${y(rate)} y2=${y(rate)} />
        <text class="scale" x=${LEFT - 6} y=${y(rate) + 4}>${100 * rate} %</text>`)}
      ${levels.map((level, place) => place % every === every - 1 || every === 1
        ? html`<text class="place" x=${x(place)} y=${HEIGHT - 16}>${place + 1}</text>` : null)}
      ${step >= NAMED
        ? levels.map((level, place) => html`<text class="place" x=${x(place)} y=${HEIGHT - 2}>${shortened(level.title ?? level.name, step)}</text>`)
        : html`<text class="axis" x=${LEFT} y=${HEIGHT - 2}>place in the saga</text>`}
      <path class="rates" d=${ratesPath(levels, x)} />
      ${levels.map((level, place) => html`<${Point} key=${level.name} level=${level} x=${x(place)} step=${step} bar=${bar}
        selected=${level.name === selected} onSelect=${onSelect} />`)}
      <path class="targets" d=${targetsPath(levels, x, step)} />
      ${levels.map((level, place) => html`<rect key=${level.name} class=${`target-handle${level.name === selected ? " selected" : ""}`} x=${x(place) - step / 2} y=${y(level.target) - 5}
        width=${step} height="10" role="slider" tabindex=${level.name === selected ? 0 : -1} aria-label=${`Target of ${level.title ?? level.name}`} aria-valuemin="1"
        aria-valuemax="99" aria-valuenow=${Math.round(100 * level.target)} onPointerDown=${hold(level.name)} onKeyDown=${keys(level)} />`)}
    </svg></div>`;
}

function Point({ level, x, step, bar, selected, onSelect }) {
  const { prediction, target } = level;
  const verdict = verdictOn(target, prediction);
  const words = level.problem ?? (prediction
    ? `${percent(prediction.rate)} (${band(prediction.band_95)}), target ${percent(target)}: ${verdict}` : "not predicted yet");
  const clear = verdict === "harder" || verdict === "easier";
  return html`<g class=${`point ${prediction ? verdictClass(verdict) : "unknown"}${selected ? " selected" : ""}${clear ? " outlier" : ""}`}
      onClick=${() => onSelect(level.name)}>
    <title>${level.title ?? level.name}: ${words}</title>
    <rect class="column" x=${x - step / 2} y=${TOP} width=${step} height=${HEIGHT - TOP - BOTTOM} />
    ${prediction && html`<rect class="band" x=${x - bar / 2} width=${bar} y=${y(prediction.band_95[1])}
        height=${Math.max(y(prediction.band_95[0]) - y(prediction.band_95[1]), 1)} rx="2" />
      <circle class="dot" cx=${x} cy=${y(prediction.rate)} r=${clamp(step / 3, 2, 4.5)} />
      ${clear && html`<path class="mark" d=${verdict === "harder" ? `M${x - 5} ${y(prediction.band_95[1]) - 12}h10l-5 8z` : `M${x - 5} ${y(prediction.band_95[0]) + 12}h10l-5-8z`} />`}`}
    ${!prediction && html`<text class="question" x=${x} y=${HEIGHT - BOTTOM - 6}>${level.problem ? "!" : step > 12 ? "?" : "·"}</text>`}
  </g>`;
}

/** A line through the predicted rates, broken where one is not known. */
function ratesPath(levels, x) {
  let joined = false;
  return levels.map(({ prediction }, place) => {
    const part = prediction ? `${joined ? "L" : "M"}${x(place)} ${y(prediction.rate)}` : "";
    joined = Boolean(prediction);
    return part;
  }).join("");
}

function targetsPath(levels, x, step) {
  return levels.map(({ target }, place) => `${place ? "V" : `M${x(place) - step / 2} `}${y(target)}H${x(place) + step / 2}`).join("");
}
