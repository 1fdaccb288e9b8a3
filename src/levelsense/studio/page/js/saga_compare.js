// Two levels side by side: boards, limits, goals, elements, and how far apart their predictions are.

import { get, post } from "./api.js";
import { addressOf, SmallBoard, Verdict } from "./level_card.js";
import { html, Problem, useEffect, useRef, useState } from "./ui.js";

/** How two predicted rates differ, in a sentence. */
export function difference(one, other) {
  if (!one.prediction || !other.prediction) return "Both need a prediction to be compared.";
  const points = Math.round(100 * Math.abs(one.prediction.rate - other.prediction.rate));
  const [easier, harder] = one.prediction.rate >= other.prediction.rate ? [one, other] : [other, one];
  const words = points === 0 ? "Both are about as hard" : `${easier.title} is ${points} point${points === 1 ? "" : "s"} easier than ${harder.title}`;
  const apart = easier.prediction.band_95[0] > harder.prediction.band_95[1];
  return `${words}; their 95 % bands ${apart ? "lie apart" : "overlap"}.`;
}

export function Compare({ levels, onClose }) {
  const section = useRef(null);
  useEffect(() => {
    if (levels.length === 2) section.current.scrollIntoView({ block: "nearest" });
  }, [levels.length]);
  return html`<section class="panel compare" aria-label="Comparison" ref=${section}>
    <header class="row"><h2>Compare</h2><button class="quiet" aria-label="Close the comparison" onClick=${onClose}>✕</button></header>
    ${levels.length < 2 ? html`<p class="soft">Choose a second level to compare with.</p>` : html`<p>${difference(...levels)}</p>`}
    <div class="side-by-side">${levels.map((level) => html`<${Side} key=${level.name} level=${level} />`)}</div>
  </section>`;
}

/** A level with what is in it, read when it is shown. */
function Side({ level }) {
  const [content, setContent] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    const load = async () => {
      const { text } = await get(`/api/levels/${encodeURIComponent(level.name)}`);
      const checked = await post("/api/check", { text, name: level.name });
      setContent({ text, ...checked.level });
    };
    load().catch((error) => setProblem(error.message));
  }, [level.name]);
  return html`<div class="side">
    <h3><a href=${addressOf("edit", level.name, false)}>${level.title}</a></h3>
    <${Problem} problem=${problem} />
    ${content && html`<div class="picture"><${SmallBoard} text=${content.text} exits=${content.exits} label=${`Board of ${level.title}`} /></div>
      <p class="small">${content.limit} ${content.unit}: ${content.goals?.map((goal) => goal.words).join(", ")}</p>
      <p class="small soft">${content.rows} x ${content.columns}${content.elements?.length ? `; ${content.elements.join(", ")}` : ""}</p>`}
    <${Verdict} prediction=${level.prediction} target=${level.target} />
    ${level.prediction?.why.map((sentence) => html`<p class="small soft">${sentence}</p>`)}
    <p class="row"><a class="button" href=${addressOf("play", level.name, false)}>Play</a>
      <a class="button" href=${addressOf("watch", level.name, false)}>Watch</a></p>
  </div>`;
}
