// Why a level is as hard as it is: the sentences of `explain`, agents, how it feels, scores and stars, groups.

import { html, percent } from "./ui.js";

export function Reasons({ reasons, stale, onCells, problem }) {
  if (!reasons) return html`<p class="soft small">${problem ? "" : "The reasons come once attempts have been lost."}</p>`;
  return html`<div class=${stale ? "stale" : ""}>
    ${reasons.findings.length
      ? html`<ol class="reasons">${reasons.findings.map((finding) => html`<li>
          ${finding.cells.length
            ? html`<button class="sentence" onClick=${() => onCells(finding.cells)} title="Show these cells">${finding.sentence}</button>`
            : finding.sentence}</li>`)}</ol>`
      : null}
    <p class="soft small">${reasons.basis}</p></div>`;
}

const AGENTS = {
  random: "random moves", greedy: "most points now", heuristic: "a careful bot", policy: "as a player",
};

export function Agents({ figure, stale }) {
  if (!figure) return null;
  return html`<div class=${`agents${stale ? " stale" : ""}`}>
    ${Object.entries(figure.agents).map(([name, rate]) => html`<div class="agent"><span><b>${name}</b> <span class="soft">${AGENTS[name]}</span></span>
      <span class="meter"><span style=${{ width: `${100 * rate}%` }}></span></span><span class="small">${percent(rate)}</span></div>`)}
    <p class="soft small">Agents are evidence, not players: how often each wins.</p></div>`;
}

const interval = (figure) => (figure ? `${percent(Math.max(figure.value, 0))} (${percent(figure.low)} – ${percent(figure.high)})` : "cannot be told");

export function Feel({ feel, stale, stars, onStars }) {
  if (!feel) return html`<p class="soft small">comes with the attempts</p>`;
  const suggested = feel.stars?.suggested;
  return html`<div class=${stale ? "stale" : ""}><dl class="figures">
      <dt>Near misses</dt><dd>${interval(feel.near_misses)} of lost attempts</dd>
      <dt>Skill</dt><dd>${Math.round(100 * feel.skill.value)} points from ${feel.skill.worst} to ${feel.skill.best}</dd>
      <dt>Luck</dt><dd>${feel.luck ? `${interval(feel.luck)} is decided by the board` : "cannot be told"}</dd>
      ${feel.bottleneck && html`<dt>Bottleneck</dt><dd>${feel.bottleneck}</dd>`}
      ${feel.scores && html`<dt>Score of wins</dt><dd>${number(feel.scores.quantiles["0.1"])} · <strong>${number(feel.scores.quantiles["0.5"])}</strong> · ${number(feel.scores.quantiles["0.9"])}
        <span class="soft"> (10, 50, 90 of 100)</span></dd>`}
      <dt>Stars</dt><dd>${stars ? stars.map(number).join(" · ") : "none"}
        ${feel.stars?.now && html`<span class="soft"> earned by ${feel.stars.now.map(percent).join(", ")} of wins</span>`}
        ${suggested && String(suggested) !== String(stars) && html` <button class="link" onClick=${() => onStars(suggested)}>take ${suggested.map(number).join(" · ")}</button>`}</dd>
    </dl>
    <h3>Groups of simulated players</h3>
    <div class="agents">${feel.personas.map((group) => html`<div class="agent"><span>${group.name}</span>
      <span class="meter"><span style=${{ width: `${100 * group.rate}%` }}></span></span><span class="small">${percent(group.rate)}</span></div>`)}</div>
    <p class="soft small">By ${feel.attempts} attempts of the ${feel.agent} agent, which plays as simulated players do.</p></div>`;
}

const number = (value) => Number(value).toLocaleString("en-US");
