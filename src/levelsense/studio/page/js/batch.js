// Runs over the whole folder: one at a time, going on while one looks at other views, with progress and cancel.

import { stream, TAB } from "./api.js";
import { html, Problem, useEffect, useState } from "./ui.js";

const listeners = new Set();
let state = { kind: null, done: 0, total: 0, name: null, skipped: [], problem: null, finished: null, address: null };
let controller = null;

/** What agents did in playtests since the page was opened: rows by level. */
export const played = new Map();

function change(next) {
  state = { ...state, ...next };
  for (const listener of listeners) listener(state);
}

const points = new Set();

/** Calls a function with the point of each level that is predicted; gives the function that ends it. */
export function onPoint(hear) {
  points.add(hear);
  return () => points.delete(hear);
}

/** The state of the run, drawn again when it changes. */
export function useBatch() {
  const [now, setNow] = useState(state);
  useEffect(() => {
    listeners.add(setNow);
    return () => listeners.delete(setNow);
  }, []);
  return now;
}

const DONE = {
  predict: (levels) => `${levels} predicted`,
  playtest: (levels) => `${levels} played`,
  report: (levels) => `The report of ${levels} is ready`,
};

/**
 * Starts a run: predict, playtest or report. A run that is under way ends, and what it has played is kept.
 */
export async function startBatch(kind, request) {
  controller?.abort();
  const mine = (controller = new AbortController());
  change({ kind, done: 0, total: 0, name: null, skipped: [], problem: null, finished: null, address: null });
  try {
    await stream(`/api/saga/${kind}`, { ...request, tab: `${TAB.slice(0, 30)}-saga` }, (event, data) => {
      if (mine !== controller) return;
      if (event === "progress") change({ done: data.done, total: data.total, name: data.name });
      else if (event === "level") hearLevel(kind, data);
      else if (event === "skipped") change({ skipped: [...state.skipped, data] });
      else if (event === "ready") change({ address: data.address });
      else if (event === "problem") change({ kind: null, problem: data.problem });
      else if (event === "superseded") change({ kind: null, finished: "Ended by another run" });
      else if (event === "done") change({ kind: null, finished: DONE[kind](data.levels === 1 ? "1 level" : `${data.levels} levels`) });
    }, mine.signal);
    if (mine === controller && state.kind) change({ kind: null, problem: "The server has ended the run. What was played is kept." });
  } catch (error) {
    if (mine === controller) change(error.name === "AbortError" ? { kind: null } : { kind: null, problem: error.message });
  }
}

function hearLevel(kind, data) {
  if (kind === "predict") for (const hear of points) hear(data);
  if (kind === "playtest") played.set(data.name, data.rows);
}

export function cancelBatch() {
  controller?.abort();
  change({ kind: null, finished: `Ended after ${state.done} of ${state.total} levels; what was played is kept` });
}

const DOING = { predict: "Predicting", playtest: "Playing", report: "Making the report" };

/** Progress of the run, what became of it, and levels that could not be played. */
export function BatchPanel() {
  const batch = useBatch();
  if (!batch.kind && !batch.finished && !batch.problem) return null;
  return html`<div class="batch panel" aria-live="polite">
    ${batch.kind && html`<div class="row">
      <b>${DOING[batch.kind]}</b> <span>${batch.done} of ${batch.total || "…"}</span> <span class="soft small">${batch.name ?? ""}</span>
      <progress value=${batch.done} max=${batch.total || 1} aria-label="Progress"></progress>
      <button onClick=${cancelBatch}>Cancel</button></div>`}
    <${Problem} problem=${batch.problem} />
    ${!batch.kind && batch.finished && html`<p>${batch.finished}.
      ${batch.address && html` <a class="button" href=${batch.address} download="report.html">Download the report</a>`}</p>`}
    ${batch.skipped.length > 0 && html`<details open><summary>${batch.skipped.length} skipped</summary>
      <ul>${batch.skipped.map((one) => html`<li><a href="#/edit/${one.name}">${one.name}</a>: ${one.problem}</li>`)}</ul></details>`}
  </div>`;
}
