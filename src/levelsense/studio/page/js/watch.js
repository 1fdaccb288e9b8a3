// Watch an agent play: its attempt step by step, its best moves as arrows, its search tree, where it was lost.

import { get, post, stream, TAB } from "./api.js";
import { readBoard, Stage, swapPhase, turnPhases } from "./play_animation.js";
import { watchTheme } from "./play.js";
import { Painter } from "./play_board.js";
import { Goals, limitWords, outcomeWords, turnWords } from "./play_panels.js";
import { textOf } from "./play_session.js";
import { CourseChart } from "./watch_chart.js";
import { clamp, Dialog, Field, html, percent, Problem, useEffect, useKept, useKeys, useLayoutEffect, useRef, useState, useWindowSize } from "./ui.js";

const PAUSE = 500; // milliseconds between moves that play by themselves
const TREE_TAB = `${TAB.slice(0, 34)}-tree`;

export function View({ name, bundled, query }) {
  const asked = new URLSearchParams(query);
  const [agents, setAgents] = useState([]);
  const [request, setRequest] = useState({
    agent: asked.get("agent") ?? "policy",
    ...(asked.has("ending_at") ? { ending_at: asked.get("ending_at") } : { attempt: Number(asked.get("attempt") ?? 0) }),
  });
  const [text, setText] = useState(null);
  const [problem, setProblem] = useState(null);
  const attempt = useAttempt(name, text, request, setProblem);
  useEffect(() => {
    get("/api/agents").then(setAgents).catch((error) => setProblem(error.message));
    textOf(name, bundled).then(setText).catch((error) => setProblem(error.message));
  }, []);
  // The address names the attempt, so that it can be sent to somebody.
  const number = attempt.start?.attempt ?? request.attempt ?? 0;
  useEffect(() => {
    if (!attempt.start) return;
    const part = new URLSearchParams({ agent: request.agent, attempt: number });
    history.replaceState(null, "", `#/watch/${bundled ? "bundled/" : ""}${encodeURIComponent(name)}?${part}`);
  }, [attempt.start]);
  const editor = `#/edit/${bundled ? "bundled/" : ""}${encodeURIComponent(name)}`;
  return html`<main class="play watch">
    <${Problem} problem=${problem} />
    <header class="row watch-bar">
      <h1>${attempt.start?.level.title ?? name}</h1>
      <label>Agent <select value=${request.agent} aria-label="Agent" onChange=${(event) => setRequest({ agent: event.target.value, attempt: 0 })}>
        ${agents.map((agent) => html`<option value=${agent.spec} title=${agent.about}>${agent.name} (${agent.spec})</option>`)}
        ${agents.length > 0 && !agents.some((agent) => agent.spec === request.agent) && html`<option value=${request.agent}>${request.agent}</option>`}
      </select></label>
      <label>Attempt <${Field} type="number" min="0" value=${number} aria-label="Attempt"
        onChange=${(event) => setRequest({ agent: request.agent, attempt: clamp(Math.round(Number(event.target.value)) || 0, 0, 999_999) })} /></label>
      <button onClick=${() => setRequest({ agent: request.agent, attempt: number + 1 })}>Next attempt</button>
      <a href=${editor}>Back to the editor</a>
    </header>
    ${attempt.start ? html`<${Watched} key=${attempt.key} attempt=${attempt} request=${{ ...request, text, name }} />`
      : !problem && html`<p class="loading">${request.ending_at ? `looking for an attempt that ended with something left at ${request.ending_at} …` : "the agent plays …"}</p>`}
  </main>`;
}

/** The attempt as it arrives from the server: its start, turns, end, shares of wins, and where it was lost. */
function useAttempt(name, text, request, setProblem) {
  const empty = { key: 0, start: null, turns: [], end: null, shares: [], lost: null };
  const [attempt, setAttempt] = useState(empty);
  const keys = useRef(0);
  useEffect(() => {
    if (text === null) return undefined;
    const leaving = new AbortController();
    keys.current += 1;
    const gathered = { ...empty, key: keys.current };
    setAttempt(gathered);
    setProblem(null);
    const hear = (kind, data) => {
      if (leaving.signal.aborted) return;
      if (kind === "start") gathered.start = data;
      else if (kind === "turn") gathered.turns = [...gathered.turns, data];
      else if (kind === "end") gathered.end = data.state;
      else if (kind === "share") gathered.shares = [...gathered.shares, data];
      else if (kind === "lost") gathered.lost = data;
      else if (kind === "problem") setProblem(data.problem);
      setAttempt({ ...gathered });
    };
    stream("/api/watch", { ...request, text, name, tab: TAB }, hear, leaving.signal)
      .catch((error) => error.name !== "AbortError" && setProblem(error.message));
    return () => leaving.abort();
  }, [text, request]);
  return attempt;
}

function Watched({ attempt, request }) {
  const { start, turns, end, shares, lost } = attempt;
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useKept("speed", matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "normal");
  const [tree, setTree] = useState(null);
  const [problem, setProblem] = useState(null);
  const states = [start.state, ...turns.map((turn) => turn.state)];
  const state = states[at];
  const choice = turns[at] ?? null;
  const latest = useRef(0); // keys may come faster than the page is drawn
  const show = (position) => {
    latest.current = clamp(position, 0, turns.length);
    setAt(latest.current);
  };
  const { board, step } = useWatchBoard(start.level, states, turns, at, latest, show, choice, start.agent, speed);

  useKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const act = { ArrowRight: step, ArrowLeft: () => show(latest.current - 1), Home: () => show(0), End: () => show(turns.length) }[event.key];
    if (!act) return;
    event.preventDefault();
    setPlaying(false);
    act();
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (at >= turns.length) {
      if (end) setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(step, PAUSE);
    return () => clearTimeout(timer);
  }, [isPlaying, at, turns.length]);
  const drawTree = () =>
    post("/api/watch/tree", { ...request, ...(start.attempt === null ? {} : { attempt: start.attempt, ending_at: undefined }), turn: at, tab: TREE_TAB })
      .then(setTree)
      .catch((error) => setProblem(error.message));

  const said = at > 0 ? turnWords({ ...turns[at - 1], state }, start.level) : `As dealt. ${limitWords(state)}.`;
  return html`<div class="play-table">
    <section class="play-board watch-board" aria-label="Board">${board}
      <div class="watch-steps">
        <div class="row">
          <button onClick=${() => show(0)} disabled=${at === 0} aria-label="To the start">«</button>
          <button onClick=${() => show(at - 1)} disabled=${at === 0} aria-label="A move back">‹</button>
          <button class="primary" onClick=${() => setPlaying(!isPlaying)} aria-label=${isPlaying ? "Pause" : "Play"}>${isPlaying ? "❚❚" : "▶"}</button>
          <button onClick=${step} disabled=${at >= turns.length} aria-label="A move forward">›</button>
          <button onClick=${() => show(turns.length)} disabled=${at >= turns.length} aria-label="To the end">»</button>
          <input type="range" min="0" max=${turns.length} value=${at} aria-label="Move" onInput=${(event) => show(Number(event.target.value))} />
          <span class="watch-at" data-testid="watch-at">${at} of ${turns.length}${end ? "" : " …"}</span>
          <select value=${speed} aria-label="Animation" onChange=${(event) => setSpeed(event.target.value)}>
            ${["normal", "quick", "none"].map((one) => html`<option value=${one}>${one}</option>`)}</select>
        </div>
      </div>
    </section>
    <aside class="play-side">
      <section class="panel"><${Goals} state=${state} level=${start.level} />
        <p class="play-said" role="status" aria-live="polite">${said}</p></section>
      <section class="panel"><h2>${choice ? `Before move ${at + 1}` : "The end"}</h2>
        ${choice ? html`<${Values} choice=${choice} agent=${start.agent} />` : end && html`<p>${outcomeWords(end, start.level)}</p>`}
        ${start.agent.tree && choice && html`<button onClick=${drawTree}>Search tree …</button>`}
        <${Problem} problem=${problem} /></section>
      <section class="panel"><h2>${end?.status === "won" ? "How it was won" : "Where it was lost"}</h2>
        <${CourseChart} states=${states} shares=${shares} at=${at} lostAt=${lost?.turn} onStep=${show} />
        <p class="small soft"><span class="course-key line"></span> goals done
          ${shares.length > 0 && html` <span class="course-key share"></span> continuations that win`}</p>
        ${lost && html`<p data-testid="lost">${lost.sentence}
          ${lost.turn !== null && html` <button onClick=${() => show(Math.max(0, lost.turn - 1))}>Show it</button>`}</p><p class="small soft">By ${lost.by}.</p>`}
        ${end?.status === "lost" && !lost && html`<p class="soft small">playing on from each position …</p>`}
        ${end?.status === "won" && html`<p>Won with ${limitWords(end)}.</p>`}</section>
    </aside>
    ${tree && html`<${Dialog} title="Search tree" onClose=${() => setTree(null)}><${Picture} svg=${tree.svg} /></${Dialog}>`}
  </div>`;
}

/** A drawing as an image of its own, apart from the page's styles. */
function Picture({ svg }) {
  const [address, setAddress] = useState(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  return address && html`<img class="watch-tree" src=${address} alt="The search tree: moves, states sampled for them, visits and wins" />`;
}

/** What a move is worth, as agents tell it: a probability, or a value of their own. */
function worthWords(best, agent) {
  if (best.value === null) return "–";
  if (agent.values === "probabilities") return percent(best.value);
  return Math.abs(best.value) >= 100 ? Math.round(best.value).toLocaleString("en") : best.value.toPrecision(3);
}

function Values({ choice, agent }) {
  if (!choice.best.length) return html`<p>Plays <b>${choice.move}</b>, one of ${choice.legal_moves} legal moves. It has no values.</p>`;
  const most = Math.max(...choice.best.map((best) => best.value ?? 0), 0);
  return html`<p>Plays <b>${choice.move}</b>, one of ${choice.legal_moves} legal moves.</p>
    <table class="watch-values"><thead><tr><th>move</th><th></th><th>${agent.values === "probabilities" ? "probability" : "value"}</th>
      ${choice.best[0].visits !== null && html`<th>visits</th>`}</tr></thead>
    <tbody>${choice.best.map((best) => html`<tr class=${best.move === choice.move ? "chosen" : ""}>
      <td>${best.rank}. ${best.move}</td><td><meter min="0" max=${most || 1} value=${Math.max(0, best.value ?? 0)}></meter></td>
      <td>${worthWords(best, agent)}</td>${best.visits !== null && html`<td>${best.visits}</td>`}</tr>`)}</tbody></table>`;
}

/** The canvas with the position, arrows for the best moves, and a step forward that is animated. */
function useWatchBoard(level, states, turns, at, latest, show, choice, agent, speed) {
  const canvas = useRef(null);
  const painter = useRef(null);
  const stage = useRef(null);
  const stepping = useRef(false);
  const size = useWindowSize();
  useLayoutEffect(() => {
    painter.current = new Painter(canvas.current, level);
    stage.current = new Stage(painter.current);
    return () => stage.current.stop();
  }, []);
  useLayoutEffect(() => {
    const place = canvas.current.parentElement.getBoundingClientRect();
    const isWide = size[0] > 900;
    painter.current.fit(place.width, (isWide ? size[1] - 205 : size[1] * 0.6 - 80));
    stage.current.request();
  }, [size]);
  useEffect(() => watchTheme(() => {
    painter.current.restyle();
    stage.current.request();
  }), []);
  useLayoutEffect(() => {
    const { ghost, soft } = painter.current.colors;
    const arrows = (choice?.best ?? []).map((best) => ({ move: best.move, words: worthWords(best, agent), color: best.move === choice.move ? ghost : soft }));
    if (choice && !arrows.length) arrows.push({ move: choice.move, words: "", color: ghost });
    painter.current.marks.arrows = arrows;
    stage.current.finish();
    stage.current.show(readBoard(states[at].board));
  }, [at, choice]);
  const step = async () => {
    const from = latest.current;
    if (stepping.current) {
      stage.current.finish(); // a step while one is shown ends that one
      return;
    }
    if (from >= turns.length) return;
    const turn = turns[from];
    const before = readBoard(states[from].board);
    stepping.current = true;
    const phases = turnPhases(turn, level, readBoard(turn.state.board), speed);
    const swap = { ...swapPhase(before, ...swapCells(turn.move, level.columns), speed), board: readBoard(turn.swapped) };
    await stage.current.play([swap, ...phases]);
    stepping.current = false;
    if (latest.current === from) show(from + 1); // unless somebody went elsewhere meanwhile
  };
  return { board: html`<canvas ref=${canvas} class="play-canvas" role="img" aria-label="The board before move ${at + 1}"></canvas>`, step };
}

function swapCells(move, columns) {
  const cut = move.slice(1).search(/[a-l]/) + 1;
  return [move.slice(0, cut), move.slice(cut)].map((name) => (Number(name.slice(1)) - 1) * columns + "abcdefghijkl".indexOf(name[0]));
}
