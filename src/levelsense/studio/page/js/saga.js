// The saga: the difficulty curve of the folder's levels, their order and targets, and runs over all of them.

import { get, put } from "./api.js";
import { BatchPanel, onPoint, played, startBatch, useBatch } from "./batch.js";
import { SagaChart } from "./saga_chart.js";
import { Compare } from "./saga_compare.js";
import { SagaList } from "./saga_list.js";
import { PlaytestDialog, TargetsDialog } from "./saga_dialogs.js";
import { Field, html, Problem, useEffect, useKept, useRef, useState, useWindowSize } from "./ui.js";

const SAVE_AFTER = 400; // milliseconds without a change

/** All points of the saga, with order and targets; they come in parts. */
async function readSaga(hear) {
  let saga = null;
  for (let offset = 0; offset !== null;) {
    const part = await get(`/api/saga?offset=${offset}`);
    saga = { ...part, levels: [...(saga?.levels ?? []), ...part.levels] };
    offset = part.next;
    hear(saga);
  }
  return saga;
}

/** The saga as it is kept, changed at once on the page and kept a moment later. */
function useSaga() {
  const [saga, setSaga] = useState(null);
  const [problem, setProblem] = useState(null);
  const latest = useRef(null);
  const timer = useRef(null);
  const saving = useRef(Promise.resolve());
  const show = (next) => {
    latest.current = next;
    setSaga(next);
  };
  const load = () => readSaga(show).catch((error) => setProblem(error.message));
  useEffect(() => {
    load();
    // A change that was made just now is kept also if the page is closed.
    const close = () => timer.current && save({ keepalive: true });
    window.addEventListener("pagehide", close);
    return () => {
      window.removeEventListener("pagehide", close);
      if (timer.current) save();
    };
  }, []);
  const keep = async (options) => {
    const { order, target, targets, etag } = latest.current;
    try {
      const kept = await put("/api/saga", { order, target, targets }, { "If-Match": etag }, options);
      latest.current = { ...latest.current, etag: kept.etag };
      setProblem(null);
      if (!timer.current) await readSaga((next) => !timer.current && next.next === null && show(next));
    } catch (error) {
      setProblem(error.code === "conflict" ? "Somebody else has changed the saga meanwhile. Theirs is shown; change it again if need be." : error.message);
      if (error.code === "conflict") await load();
    }
  };
  // One after the other: each names the version that the one before it has made.
  const save = (options = {}) => {
    clearTimeout(timer.current);
    timer.current = null;
    saving.current = saving.current.then(() => keep(options));
  };
  const change = (next) => {
    const changed = { ...latest.current, ...next };
    changed.levels = changed.levels.map((level) => {
      const target = changed.targets[level.name] ?? changed.target;
      return target === level.target ? level : { ...level, target };
    });
    show(changed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => save(), SAVE_AFTER);
  };
  const replace = (point) => {
    const levels = latest.current?.levels ?? [];
    show({ ...latest.current, levels: levels.map((level) => (level.name === point.name ? { ...point, target: level.target } : level)) });
  };
  useEffect(() => onPoint(replace), []);
  return { saga, problem, change };
}

export function View() {
  const { saga, problem, change } = useSaga();
  const batch = useBatch();
  const [width] = useWindowSize();
  const [selected, setSelected] = useState(null);
  const [compared, setCompared] = useState([]);
  const [dialog, setDialog] = useState(null);
  const [agents, setAgents] = useKept("saga.agents", { specs: ["heuristic"], attempts: 100 });
  if (!saga) return html`<main class="saga"><${Problem} problem=${problem} /><p class="loading">reading the levels …</p></main>`;
  const { levels } = saga;
  const order = (names) => {
    const byName = new Map(levels.map((level) => [level.name, level]));
    change({ order: names, levels: names.map((name) => byName.get(name)) });
  };
  const setTarget = (name, rate) => change({ targets: { ...saga.targets, [name]: rate } });
  const setAll = (rate) => change({ target: rate, targets: {} });
  const compare = (name) =>
    setCompared(compared.includes(name) ? compared.filter((other) => other !== name) : [...compared.slice(-1), name]);
  const unknown = levels.filter((level) => !level.prediction && !level.problem).length;
  const distance = ({ prediction, target }) => Math.abs(prediction.rate - target);
  const outliers = levels.filter((level) => level.outlier).sort((one, other) => distance(other) - distance(one));
  const predicted = levels.filter((level) => level.prediction).length;
  const playtest = (chosen) => {
    setAgents(chosen);
    setDialog(null);
    startBatch("playtest", { agents: chosen.specs, attempts: chosen.attempts });
  };
  const simulated = levels.some((level) => level.prediction?.simulated);
  return html`<main class="saga">
    <div class="tools panel">
      <button class=${unknown ? "primary" : ""} disabled=${batch.kind === "predict" || !unknown} onClick=${() => startBatch("predict", {})}>
        ${unknown ? `Predict ${unknown} level${unknown === 1 ? "" : "s"}` : "All are predicted"}</button>
      <button disabled=${!levels.length} onClick=${() => setDialog("playtest")}>Playtest …</button>
      <button disabled=${!levels.length} onClick=${() => startBatch("report", {})}>Report</button>
      <a class="button" href="/api/saga/predictions.csv" download="predictions.csv" aria-disabled=${predicted === 0}>CSV</a>
      <label>Target for all <${Field} type="number" min="1" max="99" value=${Math.round(100 * saga.target)} aria-label="Target for all levels in per cent"
        onInput=${(event) => event.target.value >= 1 && event.target.value <= 99 && setAll(event.target.value / 100)} /> %</label>
      <button onClick=${() => setDialog("targets")}>Target curve …</button>
      <button class="quiet" disabled=${!saga.order.length} onClick=${() => order([...levels].sort((one, other) => byName(one.name, other.name)).map((level) => level.name))}>Order by name</button>
    </div>
    <${Problem} problem=${problem} />
    <${BatchPanel} />
    ${saga.next !== null && html`<p class="soft small">reading, ${levels.length} of ${saga.total} …</p>`}
    ${!levels.length && html`<p class="soft">There are no levels in the folder yet. <a href="#/library">Make one, or copy an example.</a></p>`}
    ${levels.length > 0 && html`<section class="panel" aria-label="Curve" inert=${saga.next !== null}>
      <header class="row"><h2>Difficulty curve</h2>
        <span class="legend small soft"><span class="key band"></span> 95 % band <span class="key dot"></span> success rate to expect${simulated ? " of simulated players" : ""}
          <span class="key target"></span> target, to drag</span></header>
      <${SagaChart} levels=${levels} width=${width - 70} selected=${selected} onSelect=${setSelected} onTarget=${setTarget} /></section>`}
    <div class="below" inert=${saga.next !== null}>
      ${levels.length > 0 && html`<section class="panel" aria-label="Order"><header class="row"><h2>Levels in order</h2><span class="soft small">${levels.length}; drag ⠿ or use the arrow keys on it</span></header>
        <${SagaList} levels=${levels} selected=${selected} compared=${compared} played=${played} onSelect=${setSelected} onCompare=${compare}
          onTarget=${setTarget} onOrder=${order} /></section>`}
      <div class="beside">
        ${compared.length > 0 && html`<${Compare} levels=${compared.map((name) => levels.find((level) => level.name === name)).filter(Boolean)} onClose=${() => setCompared([])} />`}
        ${levels.length > 0 && html`<${Outliers} outliers=${outliers} predicted=${predicted} onSelect=${setSelected} />`}
      </div>
    </div>
    ${dialog === "playtest" && html`<${PlaytestDialog} initial=${agents} levels=${levels.length} onStart=${playtest} onClose=${() => setDialog(null)} />`}
    ${dialog === "targets" && html`<${TargetsDialog} levels=${levels} onClose=${() => setDialog(null)}
      onSet=${(targets) => { change({ targets }); setDialog(null); }} />`}
  </main>`;
}

const byName = new Intl.Collator("en", { numeric: true }).compare;

/** The levels whose band does not reach their target, in words. */
function Outliers({ outliers, predicted, onSelect }) {
  return html`<section class="panel outliers" aria-label="Outliers">
    <h2>${outliers.length ? `${outliers.length} of ${predicted} miss their target` : "Outliers"}</h2>
    ${!outliers.length && html`<p class="soft">${predicted ? "No level misses its target for sure." : "Nothing is predicted yet."}</p>`}
    <ul>${outliers.slice(0, 100).map((level) => html`<li><a href="#/edit/${encodeURIComponent(level.name)}" onMouseEnter=${() => onSelect(level.name)}>${level.title}</a>
      <span class="small"> ${level.outlier}</span></li>`)}</ul>
    ${outliers.length > 100 && html`<p class="soft small">${outliers.length - 100} more; the list on the left has all</p>`}
  </section>`;
}
