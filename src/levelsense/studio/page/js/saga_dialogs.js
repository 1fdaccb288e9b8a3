// What is asked before a run or a new target curve: agents and attempts, or the rates at both ends.

import { Dialog, html, percent, useState } from "./ui.js";

const AGENTS = [
  ["random", "any legal move"],
  ["greedy", "the move that gains most at once"],
  ["heuristic", "a hand-made bot: goals first"],
  ["policy", "moves as simulated players make them"],
  ["mcts:simulations=50", "a tree search; slow"],
];

export function PlaytestDialog({ initial, levels, onStart, onClose }) {
  const [specs, setSpecs] = useState(initial.specs);
  const [attempts, setAttempts] = useState(initial.attempts);
  const toggle = (spec) => setSpecs(specs.includes(spec) ? specs.filter((other) => other !== spec) : [...specs, spec]);
  const submit = (event) => {
    event.preventDefault();
    onStart({ specs, attempts: Number(attempts) });
  };
  return html`<${Dialog} title=${`Playtest ${levels} level${levels === 1 ? "" : "s"}`} onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <fieldset><legend>Agents</legend>${AGENTS.map(([spec, words]) => html`<label class="check">
        <input type="checkbox" checked=${specs.includes(spec)} onChange=${() => toggle(spec)} /> ${spec} <span class="soft small">${words}</span></label>`)}</fieldset>
      <label>Attempts of each at each level <input type="number" min="1" max="20000" required value=${attempts} onInput=${(event) => setAttempts(event.target.value)} /></label>
      <p class="soft small">Success rates of agents are theirs, not players'. What is stored already is not played again.</p>
      <button class="primary" disabled=${!specs.length}>Start</button>
    </form><//>`;
}

/** Targets along a line from the first level to the last. */
export function TargetsDialog({ levels, onSet, onClose }) {
  const [first, setFirst] = useState(80);
  const [last, setLast] = useState(40);
  const [dip, setDip] = useState(0);
  const rate = (place) => {
    const share = levels.length > 1 ? place / (levels.length - 1) : 0;
    const line = Number(first) + share * (last - first);
    const harder = dip > 0 && place % dip === dip - 1 ? 0.7 : 1;
    return Math.min(Math.max(Math.round(line * harder), 1), 99) / 100;
  };
  const submit = (event) => {
    event.preventDefault();
    onSet(Object.fromEntries(levels.map((level, place) => [level.name, rate(place)])));
  };
  const field = (words, value, set, low, high) => html`<label>${words}
    <input type="number" min=${low} max=${high} required value=${value} onInput=${(event) => set(event.target.value)} /></label>`;
  return html`<${Dialog} title="Target curve" onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <p class="small">A target for each level, from the first to the last. Single ones can be dragged on the curve afterwards.</p>
      ${field("First level, in per cent", first, setFirst, 1, 99)}${field("Last level, in per cent", last, setLast, 1, 99)}
      ${field("Every so many levels a hard one, with 0.7 of the rate; 0: none", dip, setDip, 0, 100)}
      <p class="soft small">From ${percent(rate(0))} to ${percent(rate(levels.length - 1))}.</p>
      <button class="primary">Set ${levels.length} targets</button>
    </form><//>`;
}
