// The saga's levels as a list: reordered by dragging a handle or by arrow keys, each with its target and verdict.

import { addressOf } from "./level_card.js";
import { band, Field, html, percent, useEffect, useRef, useState, verdictClass } from "./ui.js";
import { verdictOn } from "./verdict.js";

const AT_ONCE = 150; // rows that are drawn before one scrolls

/** Names with one of them at another place. */
export function moved(names, name, place) {
  const others = names.filter((other) => other !== name);
  others.splice(place, 0, name);
  return others;
}

/** The number of a row that a pointer is over; null outside of the list. */
function rowUnder(list, event) {
  const rows = [...list.querySelectorAll("li[data-place]")];
  for (const row of rows) {
    const { top, height } = row.getBoundingClientRect();
    if (event.clientY < top + height / 2) return Number(row.dataset.place);
  }
  return rows.length;
}

export function SagaList({ levels, selected, compared, played, onSelect, onCompare, onTarget, onOrder }) {
  const list = useRef(null);
  const more = useRef(null);
  const [shown, setShown] = useState(AT_ONCE);
  const [drag, setDrag] = useState(null); // name, and the place where it would be put
  const [said, setSaid] = useState("");
  const names = levels.map((level) => level.name);
  useEffect(() => {
    if (!more.current) return undefined;
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setShown((before) => before + AT_ONCE));
    observer.observe(more.current);
    return () => observer.disconnect();
  }, [shown, levels.length]);
  const put = (name, place) => {
    const from = names.indexOf(name);
    if (place === from || place < 0 || place >= names.length) return;
    onOrder(moved(names, name, place));
    setSaid(`${name} is at place ${place + 1} of ${names.length}`);
  };
  const drop = () => {
    if (!drag) return;
    const from = names.indexOf(drag.name);
    put(drag.name, drag.before > from ? drag.before - 1 : drag.before);
    setDrag(null);
  };
  const handle = (name, place) => ({
    onPointerDown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ name, before: place });
      event.preventDefault();
      event.currentTarget.focus();
    },
    onPointerMove: (event) => drag && setDrag({ ...drag, before: rowUnder(list.current, event) }),
    onPointerUp: drop,
    onPointerCancel: () => setDrag(null),
    onKeyDown: (event) => {
      const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: names.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      put(name, to);
    },
  });
  return html`<ol class="saga-list" ref=${list} aria-label="Levels in the saga's order">
    ${levels.slice(0, shown).map((level, place) => html`<${Row} key=${level.name} level=${level} place=${place} selected=${level.name === selected}
      compared=${compared.includes(level.name)} rows=${played.get(level.name)} handle=${handle(level.name, place)}
      dragged=${drag?.name === level.name} above=${drag && drag.before === place} onSelect=${onSelect} onCompare=${onCompare} onTarget=${onTarget} />`)}
    ${levels.length > shown && html`<li ref=${more} class="soft small">${levels.length - shown} more …</li>`}
    <p class="unseen" aria-live="polite">${said}</p>
  </ol>`;
}

function Row({ level, place, selected, compared, rows, handle, dragged, above, onSelect, onCompare, onTarget }) {
  const { name, title, prediction, target, problem } = level;
  const verdict = verdictOn(target, prediction);
  const classes = ["row", selected && "selected", dragged && "dragged", above && "above"].filter(Boolean).join(" ");
  return html`<li class=${classes} data-place=${place} data-name=${name} onClick=${() => onSelect(name)}>
    <button class="handle quiet" aria-label=${`Move ${title ?? name}: place ${place + 1}`} title="Drag, or press the arrow keys" ...${handle}>⠿</button>
    <span class="number">${place + 1}</span>
    <span class="what"><a href=${addressOf("edit", name, false)}>${title ?? name}</a> <span class="soft small">${name}</span>
      ${problem && html`<span class="problem small">${problem}</span>`}
      ${rows && html`<span class="soft small">${rows.map((row) => `${row.agent} ${percent(row.rate)}`).join(", ")}</span>`}</span>
    <span class="limit soft small">${level.limit ? `${level.limit} ${level.unit}` : ""}</span>
    <span class=${`figure ${prediction ? verdictClass(verdict) : "soft"}`}>${prediction
      ? html`<b>${percent(prediction.rate)}</b> <span class="soft small">${band(prediction.band_95)}</span>` : problem ? "" : "not predicted"}</span>
    <span class=${`word small ${verdictClass(verdict)}`}>${verdict ?? ""}</span>
    <label class="wanted small soft">target <${Field} type="number" min="1" max="99" value=${Math.round(100 * target)} aria-label=${`Target of ${title ?? name} in per cent`}
      onClick=${(event) => event.stopPropagation()}
      onInput=${(event) => event.target.value >= 1 && event.target.value <= 99 && onTarget(name, event.target.value / 100)} /> %</label>
    <label class="pick small soft"><input type="checkbox" checked=${compared} disabled=${Boolean(problem)} onClick=${(event) => event.stopPropagation()}
      onChange=${() => onCompare(name)} aria-label=${`Compare ${title ?? name}`} /> compare</label>
  </li>`;
}
