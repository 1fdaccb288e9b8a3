// What stands beside the board that is played on: goals, the end, the position, who plays; and it all in words.

import { Dialog, html, Problem, useState } from "./ui.js";

const count = (number) => number.toLocaleString("en");
const several = (number, one) => `${count(number)} ${one}${number === 1 ? "" : "s"}`;
const REASONS = {
  "goals met": "all goals are met",
  moves: "no moves are left",
  time: "no time is left",
  bomb: "a countdown bomb went off",
  "no move possible": "no move is possible, not even after shuffling",
};

/** What is left of the limit: 24 moves left, 12.5 seconds left. */
export function limitWords(state) {
  if (state.moves_left !== null) return `${several(state.moves_left, "move")} left`;
  return `${Math.max(0, state.time_left).toFixed(1)} seconds left`;
}

export function stateWords(state, level) {
  const goals = state.goals.map((goal) => goal.left).filter(Boolean);
  if (state.status !== "playing") return outcomeWords(state, level);
  return `${limitWords(state)}. To do: ${goals.join(", ")}.`;
}

export function outcomeWords(state, level) {
  const goals = state.goals.map((goal) => goal.left).filter(Boolean);
  const stars = state.status === "won" && level.stars.length ? `, ${state.stars} of 3 stars` : "";
  return `${state.status === "won" ? "Won" : "Lost"}: ${REASONS[state.reason] ?? state.reason}. Score ${count(state.score)}${stars}.`
    + (goals.length ? ` Still to do: ${goals.join(", ")}.` : "");
}

/** A move and what came of it, in a sentence or two. */
export function turnWords(turn, level) {
  const rounds = turn.rounds.length === 1 ? "" : ` in ${turn.rounds.length} rounds`;
  const collected = turn.rounds.flatMap((round) => round.collected).map((what) => ` ${what} brought down.`).join("");
  const bonus = turn.bonus.length ? ` Bonus: ${several(turn.bonus.length, "move")} went off.` : "";
  const after = turn.after.map((sentence) => ` ${sentence[0].toUpperCase()}${sentence.slice(1)}.`).join("");
  return `${turn.move}: ${count(turn.score)} points${rounds}.${collected}${after}${bonus} ${stateWords(turn.state, level)}`;
}

export function Goals({ state, level }) {
  const { pace } = level;
  return html`<div class="play-limit">
      <b class=${lowOn(state, level) ? "hard" : ""}>${state.moves_left !== null ? count(state.moves_left) : Math.max(0, state.time_left).toFixed(1)}</b>
      <span>${state.moves_left !== null ? (state.moves_left === 1 ? "move left" : "moves left") : "seconds left"}</span>
      <span class="play-score"><b>${count(state.score)}</b> points
        ${level.stars.length > 0 && html` <span class="stars" aria-label=${`${state.stars} of 3 stars`}>${"★".repeat(state.stars)}${"☆".repeat(3 - state.stars)}</span>`}</span>
    </div>
    ${pace && html`<p class="soft small">Time by the level's pace: a move takes ${pace.move} s, each round ${pace.round} s, a time candy gives ${pace.time_candy} s.</p>`}
    <ul class="play-goals">${state.goals.map((goal) => html`<li class=${goal.done >= goal.asked ? "met" : ""}>
      <span>${goal.name}</span>
      <progress max=${goal.asked} value=${Math.min(goal.done, goal.asked)} aria-label=${goal.name}></progress>
      <span>${count(Math.min(goal.done, goal.asked))} of ${count(goal.asked)}${goal.done >= goal.asked ? " ✓" : ""}</span></li>`)}</ul>`;
}

const lowOn = (state, level) => (state.moves_left ?? state.time_left) <= Math.min(5, level.limit / 4);

/** The keyboard goes to a button that has just appeared. */
const focusOnce = (button) => button?.focus({ preventScroll: true });

export function Ending({ game, onAgain, onNew, onClose, editor }) {
  const { state } = game;
  const won = state.status === "won";
  if (state.status === "playing") return null;
  return html`<div class="play-ending panel" role="dialog" aria-label=${won ? "Won" : "Lost"}>
    <button class="quiet play-look" aria-label="Look at the board" title="Look at the board" onClick=${onClose}>✕</button>
    <h2 class=${won ? "good" : "hard"}>${won ? "Won" : "Lost"}</h2>
    ${won && game.level.stars.length > 0 && html`<p class="stars large" aria-hidden="true">${"★".repeat(state.stars)}${"☆".repeat(3 - state.stars)}</p>`}
    <p>${outcomeWords(state, game.level).replace(/^\w+: (.)/, (_, letter) => letter.toUpperCase())}</p>
    <p>${several(state.played, "move")} made, ${limitWords(state)}.</p>
    <div class="row">
      <button class="primary" onClick=${onNew} ref=${focusOnce}>New seed</button>
      <button onClick=${onAgain}>Same seed again</button>
      <a href=${editor}>Back to the editor</a>
    </div>
  </div>`;
}

export function TesterForm({ tester, onName }) {
  const [name, setName] = useState(tester);
  const submit = (event) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return html`<form class="panel play-tester" onSubmit=${submit}>
    <h1>Who plays?</h1>
    <p>Every attempt and every move is stored with this name, on this machine's database. A code will do.</p>
    <div class="row"><label>Name <input name="tester" maxlength="40" value=${name} ref=${(field) => field?.focus()}
      onInput=${(event) => setName(event.target.value)} /></label>
    <button class="primary" disabled=${!name.trim()}>Play</button></div>
  </form>`;
}

/** The position as text: to keep, to edit and play on, or to take into the editor as a level. */
export function PositionDialog({ position, name, onClose, onPlay, onEdit }) {
  const [text, setText] = useState(position.position);
  const [problem, setProblem] = useState(null);
  const trying = (promise) => promise.catch((error) => setProblem(error.message));
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
    link.download = `${name}.position.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return html`<${Dialog} title="Position" onClose=${onClose}>
    <p class="soft">Change it and play on, or save it: <code>levelsense play ${name} --position FILE</code> goes on from it, too.</p>
    <textarea class="json play-position" spellcheck="false" rows="22" value=${text} aria-label="Position"
      onInput=${(event) => setText(event.target.value)}></textarea>
    <${Problem} problem=${problem} />
    <div class="row">
      <button class="primary" onClick=${() => trying(onPlay(text))}>Play on from this</button>
      <button onClick=${save}>Save as a file</button>
      <button onClick=${() => trying(onEdit())}>Take into the editor as a level</button>
    </div>
  </${Dialog}>`;
}
