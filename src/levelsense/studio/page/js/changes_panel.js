// What to change: suggestions as ghosts on the board; and what was changed: before and after a pinned version.

import { band, html, percent, useEffect, useState, verdictClass } from "./ui.js";

/** How many seconds something has been going on. */
function useSeconds(running) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    setSeconds(0);
    if (!running) return undefined;
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return seconds;
}

/** The edits of an answer: those that reach the target, or else the one that comes nearest. */
export function suggested(result) {
  if (!result) return [];
  return result.suggestions.length ? result.suggestions : result.nearest ? [result.nearest] : [];
}

export function Suggestions({ request, text, target, onShow, onApply, onUndo, onAsk, shown, keepCount }) {
  const { result, running, problem } = request;
  const seconds = useSeconds(running);
  const items = suggested(result);
  const applied = items.some((item) => item.text === text);
  const stale = result && result.asked.text !== text && !applied;
  return html`<div data-testid="suggestions">
    <div class="row"><button class="primary" onClick=${running ? undefined : onAsk} aria-disabled=${running} data-testid="suggest">
        ${running ? `Trying edits … ${seconds} s` : `Suggest edits for ${percent(target)}`}</button>
      ${running && html`<button onClick=${request.stop}>Stop</button>`}
      ${keepCount > 0 && html`<span class="soft small">${keepCount} cell${keepCount > 1 ? "s" : ""} must stay</span>`}</div>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${!result && !running && !problem && html`<p class="soft small">Agents try small edits and show the ones that bring the level to your target. Cells marked <em>Must stay</em> are left as they are.</p>`}
    ${stale && html`<p class="soft small">These were for an earlier version of the level.</p>`}
    ${result?.reached && html`<p class="good">The level is at your target as it is.</p>`}
    ${result && !items.length && !result.reached && html`<p>No small change was found; ${result.tried} were tried.</p>`}
    ${result && !result.suggestions.length && result.nearest && html`<p class="small">None of ${result.tried} edits reaches the target. The nearest:</p>`}
    <ol class="suggestions">${items.map((item, number) => html`<li class=${shown === number ? "is-shown" : ""}
        onMouseEnter=${() => onShow(number)} onFocusIn=${() => onShow(number)}>
      <div><p>${item.change}</p><p class="small"><strong class=${verdictClass(item.figure.verdict)}>${percent(item.figure.rate)}</strong>
        <span class="soft"> band ${band(item.figure.band_95)}</span></p></div>
      ${item.text === text ? html`<button class="applied" onClick=${onUndo} data-testid="unapply" title="Take this edit back">✓ Undo</button>`
        : html`<button onClick=${() => onApply(item)} disabled=${stale} data-testid="apply">Apply</button>`}</li>`)}</ol>
  </div>`;
}

export function BeforeAfter({ pinned, difference, request, onPin, onCompare, now }) {
  const { result, running, problem } = request;
  const points = (value) => `${value > 0 ? "+" : ""}${(100 * value).toFixed(1)} points`;
  return html`<div data-testid="compare">
    <p class="small">Compared with <strong>${pinned.label}</strong>${difference.length > 0 && pinned.rate !== null && now !== null && html`: ${percent(pinned.rate)} → <strong>${percent(now)}</strong>`}</p>
    ${difference.length ? html`<ul class="small">${difference.map((words) => html`<li>${words}</li>`)}</ul>`
      : html`<p class="soft small">Nothing is different yet. What you change is listed here, and its cells are outlined on the board.</p>`}
    ${difference.length > 0 && html`<div class="row"><button class="small" onClick=${onCompare} disabled=${running}>${running ? "Playing both on the same boards …" : "Compare on the same boards"}</button>
      <button class="small" onClick=${onPin} title="Compare with the level as it is now from here on">Pin this version</button></div>`}
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${result && html`<dl class="figures" data-testid="compared" role="status">
      <dt>Players</dt><dd><strong>${points(result.players.difference)}</strong> (${points(result.players.interval[0])} to ${points(result.players.interval[1])})
        ${result.players.told ? "" : " – cannot be told from no change yet"}</dd>
      ${Object.entries(result.agents).map(([name, shift]) => html`<dt>${name}</dt><dd>${percent(shift.old)} → ${percent(shift.new)}</dd>`)}
    </dl>`}
  </div>`;
}

export function History({ document }) {
  return html`<ol class="history" reversed>${document.steps.map((step, number) => html`<li>
    <button class="quiet" aria-current=${number === document.at ? "step" : undefined} onClick=${() => document.go(number)}>
      <span>${step.label}</span><span class="small">${step.rate === null ? "" : percent(step.rate)}</span></button></li>`).reverse()}</ol>`;
}
