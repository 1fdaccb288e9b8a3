// A level on a card: its board, title, limit and goals, the verdict, and what can be done with it.

import { Board } from "./board.js";
import { readLevel } from "./level.js";
import { band, Component, html, percent, verdictClass } from "./ui.js";
import { verdictOn } from "./verdict.js";

/** The address of a level's view: edit, play or watch. */
export const addressOf = (view, name, bundled) => `#/${view}/${bundled ? "bundled/" : ""}${encodeURIComponent(name)}`;

/** A card; it is drawn again only if its level or the target is another. */
export class Card extends Component {
  shouldComponentUpdate(next) {
    return next.entry !== this.props.entry || next.target !== this.props.target;
  }

  render({ entry, target, bundled, onCopy }) {
    const { name, level, problem, text } = entry;
    const edit = addressOf("edit", name, bundled);
    return html`<article class="card panel" data-name=${name} aria-label=${level?.title ?? name}>
      <a class="picture" href=${edit} tabindex="-1" aria-hidden="true">
        ${level ? html`<${SmallBoard} text=${text} exits=${level.exits} />` : html`<span class="no-board">?</span>`}</a>
      <div class="about">
        <h3><a href=${edit}>${level?.title ?? name}</a></h3>
        <p class="soft small file">${name}</p>
        ${problem && html`<p class="problem small">${problem}</p>`}
        ${level && html`<p class="small">${level.limit} ${level.unit}: ${level.goals.map((goal) => goal.words).join(", ")}</p>
          <${Verdict} prediction=${entry.prediction} target=${target} isOwn=${typeof entry.target === "number"} />`}
        <${Findings} findings=${entry.findings} />
      </div>
      <div class="row actions">
        <a class="button" href=${edit}>${bundled ? "Open" : "Edit"}</a>
        ${level && html`<a class="button" href=${addressOf("play", name, bundled)}>Play</a>
          <a class="button" href=${addressOf("watch", name, bundled)}>Watch</a>`}
        ${level && html`<button onClick=${() => onCopy(entry)}>Copy</button>`}
      </div>
    </article>`;
  }
}

/** A level's board without names of rows and columns. */
export function SmallBoard({ text, exits, label }) {
  const level = readLevel(text);
  return level ? html`<${Board} level=${level} exits=${exits} named=${false} label=${label} />` : null;
}

/** The predicted rate with its band on a line from 0 to 100 %, the target as a mark, and the verdict. */
export function Verdict({ prediction, target, isOwn = false }) {
  if (!prediction) return html`<p class="small soft">not predicted yet</p>`;
  const verdict = verdictOn(target, prediction);
  const [low, high] = prediction.band_95;
  return html`<div class=${`verdict ${verdictClass(verdict)}`}>
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" x="0" y="3" width="100" height="4" />
      <rect class="band" x=${100 * low} y="3" width=${Math.max(100 * (high - low), 0.8)} height="4" />
      <rect class="rate" x=${100 * prediction.rate - 0.9} y="1.5" width="1.8" height="7" />
      <rect class="wanted" x=${100 * target - 0.4} y="0" width="0.8" height="10" />
    </svg>
    <p class="small"><b>${percent(prediction.rate)}</b> <span class="soft">(${band(prediction.band_95)})</span> ${verdict}${isOwn && html`<span class="soft">, target ${percent(target)}</span>`}</p>
  </div>`;
}

function Findings({ findings }) {
  const named = Object.entries(findings).filter(([kind, number]) => number && kind !== "note");
  if (!named.length) return null;
  const words = named.map(([kind, number]) => `${number} ${kind}${number === 1 ? "" : "s"}`).join(", ");
  return html`<p class=${`small ${findings.error ? "hard" : "soft"}`}>${words}</p>`;
}
