// Success by limit: one curve for all limits, with the present limit as a handle to drag.

import { clamp, html, percent, useRef, useState } from "./ui.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [330, 130, 34, 20];

export function LimitChart({ limits, target, current, onLimit, onFind, finding, found, stale }) {
  const svg = useRef(null);
  const [dragged, setDragged] = useState(null);
  if (!limits) return html`<p class="soft small">Success by limit comes with the attempts.</p>`;
  const longest = limits.limits.at(-1);
  const x = (limit) => LEFT + ((WIDTH - LEFT - 8) * limit) / longest;
  const y = (rate) => 6 + (HEIGHT - BOTTOM - 8) * (1 - rate);
  const line = limits.limits.map((limit, number) => `${number ? "L" : "M"}${x(limit).toFixed(1)} ${y(limits.rates[number]).toFixed(1)}`).join("");
  const shown = dragged ?? current;
  const rateAt = (limit) => {
    const after = limits.limits.findIndex((one) => one >= limit);
    return after < 0 ? limits.rates.at(-1) : limits.rates[after];
  };
  const drag = (event) => {
    if (event.type !== "pointerdown" && dragged === null) return;
    svg.current.setPointerCapture?.(event.pointerId);
    const box = svg.current.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    setDragged(clamp(Math.round(((at - LEFT) / (WIDTH - LEFT - 8)) * longest), 1, longest));
  };
  const drop = () => {
    if (dragged !== null && dragged !== current) onLimit(dragged);
    setDragged(null);
  };
  const step = (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onLimit(Math.max(1, current + by));
  };
  return html`<figure class=${`limit-chart${stale ? " stale" : ""}`}>
    <svg ref=${svg} viewBox="0 0 ${WIDTH} ${HEIGHT}" onPointerDown=${drag} onPointerMove=${drag} onPointerUp=${drop} onPointerCancel=${() => setDragged(null)}>
      ${[0, 0.25, 0.5, 0.75, 1].map((rate) => html`<path class="grid" d="M${LEFT} ${y(rate)}H${WIDTH - 8}" /><text class="axis" x=${LEFT - 5} y=${y(rate) + 3.5} text-anchor="end">${100 * rate}</text>`)}
      <path class="target-line" d="M${LEFT} ${y(target)}H${WIDTH - 8}" />
      <path class="curve" d=${line} />
      ${found?.limits.map((one) => html`<circle class="predicted" cx=${x(one.limit)} cy=${y(one.rate)} r="3"><title>${one.limit}: ${percent(one.rate)}, predicted by itself</title></circle>`)}
      <g class="handle" role="slider" tabindex="0" aria-label="Limit" aria-valuemin="1" aria-valuemax=${longest} aria-valuenow=${shown}
         aria-valuetext=${`${shown} ${limits.unit}`} onKeyDown=${step} data-testid="limit">
        <path d="M${x(shown)} ${y(1)}V${y(0)}" /><circle cx=${x(shown)} cy=${y(rateAt(shown))} r="6" /></g>
      <text class="axis" x=${clamp(x(shown), LEFT + 20, WIDTH - 30)} y=${HEIGHT - 5} text-anchor="middle">${shown} ${limits.unit}: ${percent(rateAt(shown))}</text>
    </svg>
    <figcaption class="soft small">Drag to change the limit. The shape is that of ${limits.attempts} attempts of an agent that plays as players do.
      <button class="link" onClick=${onFind} disabled=${finding}>${finding ? "looking …" : `Find the limit for ${percent(target)}`}</button>
      ${found && (found.best
        ? html` <button class="primary small" onClick=${() => onLimit(found.best.limit)}>Set ${found.best.limit} ${limits.unit}: ${percent(found.best.rate)}</button>`
        : html` No limit reaches ${percent(target)}.`)}
    </figcaption>
  </figure>`;
}
