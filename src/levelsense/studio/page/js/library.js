// The library: the folder's levels as small boards with verdicts, and the bundled ones as examples to copy.

import { get, put } from "./api.js";
import { Card } from "./level_card.js";
import { CopyDialog, NewDialog } from "./new_level.js";
import { Field, html, Problem, useEffect, useKept, useMemo, useRef, useState } from "./ui.js";
import { VERDICTS, verdictOn } from "./verdict.js";

const AT_ONCE = 48; // boards that are drawn before one scrolls
const byName = new Intl.Collator("en", { numeric: true }).compare;

/** Levels of a list that comes in parts: what there is so far, how many there will be, and a problem. */
function useLevels(path) {
  const [list, setList] = useState({ levels: [], total: 0, drafts: [], target: null, loading: true, problem: null });
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let left = false;
    const load = async () => {
      const levels = [];
      for (let offset = 0; offset !== null && !left;) {
        const part = await get(`${path}?offset=${offset}`);
        if (left) return;
        levels.push(...part.levels);
        offset = part.next;
        const loading = offset !== null;
        setList({ levels: [...levels], total: part.total, drafts: part.drafts ?? [], target: part.target ?? null, loading, problem: null });
      }
    };
    load().catch((error) => !left && setList((before) => ({ ...before, loading: false, problem: error.message })));
    return () => {
      left = true;
    };
  }, [path, version]);
  return [list, () => setVersion(version + 1)];
}

/** The success rate that is wanted of a level: its own, or that of all. */
const wantedOf = (entry, common) => entry.target ?? common;

/** The target of all levels that have none of their own: the saga's, which is kept beside the levels. */
function useCommonTarget(kept) {
  const [last, setLast] = useKept("target", 0.5);
  const [chosen, setChosen] = useState(null);
  const timer = useRef(null);
  const change = (target) => {
    setLast(target);
    setChosen(target);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => put("/api/saga/target", { target }).catch(() => {}), 300);
  };
  return [chosen ?? kept ?? last, change];
}

const ORDERS = {
  name: { words: "name", compare: () => (one, other) => byName(one.name, other.name) },
  rate: {
    words: "predicted rate, hardest first",
    compare: () => (one, other) => (one.prediction?.rate ?? 2) - (other.prediction?.rate ?? 2) || byName(one.name, other.name),
  },
  distance: {
    words: "distance from the target",
    compare: (target) => {
      const distance = (entry) => (entry.prediction ? Math.abs(entry.prediction.rate - wantedOf(entry, target)) : -1);
      return (one, other) => distance(other) - distance(one) || byName(one.name, other.name);
    },
  },
  changed: {
    words: "last changed",
    compare: () => (one, other) => (other.changed ?? 0) - (one.changed ?? 0) || byName(one.name, other.name),
  },
};

/** Whether a level matches the words that are looked for, an element and a verdict. */
function matches(entry, { words, element, verdict }, target) {
  if (element && !entry.level?.elements.includes(element)) return false;
  if (verdict === "none" ? entry.prediction : verdict && verdictOn(wantedOf(entry, target), entry.prediction) !== verdict) return false;
  if (!words) return true;
  const goals = entry.level?.goals.map((goal) => goal.words) ?? [];
  const text = [entry.name, entry.level?.title, entry.level?.about, ...goals, ...(entry.level?.elements ?? [])].join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

export function View() {
  const [own, reload] = useLevels("/api/levels");
  const [examples] = useLevels("/api/examples");
  const [target, setTarget] = useCommonTarget(own.target);
  const [order, setOrder] = useKept("library.order", "name");
  const [sought, setSought] = useState({ words: "", element: "", verdict: "" });
  const [dialog, setDialog] = useState(null);
  const choose = (key) => (event) => setSought({ ...sought, [key]: event.target.value });
  const sorted = (levels) =>
    levels.filter((entry) => matches(entry, sought, target)).sort((ORDERS[order] ?? ORDERS.name).compare(target));
  const mine = useMemo(() => sorted(own.levels), [own.levels, sought, order, target]);
  const theirs = useMemo(() => sorted(examples.levels), [examples.levels, sought, order, target]);
  const elements = useMemo(() => {
    const counts = new Map();
    for (const { level } of [...own.levels, ...examples.levels]) {
      for (const name of level?.elements ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].sort();
  }, [own.levels, examples.levels]);
  const unsaved = own.loading ? [] : own.drafts.filter((name) => !own.levels.some((entry) => entry.name === name));
  const asked = own.levels.filter((entry) => entry.level && !entry.prediction).length;
  const copy = (entry, bundled) => setDialog({ entry, bundled });
  return html`<main class="library">
    <div class="tools panel" role="search">
      <button class="primary" onClick=${() => setDialog("new")}>New level</button>
      <input type="search" placeholder="Search names, goals, elements" aria-label="Search" value=${sought.words} onInput=${choose("words")} />
      <label>Element <select value=${sought.element} onChange=${choose("element")}>
        <option value="">any</option>${elements.map(([name, number]) => html`<option value=${name}>${name} (${number})</option>`)}
      </select></label>
      <label>Verdict <select value=${sought.verdict} onChange=${choose("verdict")}>
        <option value="">any</option>${VERDICTS.map((name) => html`<option value=${name}>${name}</option>`)}
        <option value="none">not predicted yet</option>
      </select></label>
      <label>Sort by <select value=${order} onChange=${(event) => setOrder(event.target.value)}>
        ${Object.entries(ORDERS).map(([key, { words }]) => html`<option value=${key}>${words}</option>`)}
      </select></label>
      <label>Target <${Field} type="number" min="1" max="99" value=${Math.round(100 * target)} aria-label="Target success rate in per cent"
        onInput=${(event) => event.target.value > 0 && event.target.value < 100 && setTarget(event.target.value / 100)} /> %</label>
    </div>
    <${Problem} problem=${own.problem ?? examples.problem} />
    <${Section} title="Your levels" list=${own} entries=${mine} target=${target} onCopy=${(entry) => copy(entry, false)}>
      ${asked > 0 && html`<span class="soft small">${asked === 1 ? "1 is" : `${asked} are`} not predicted yet: <a href="#/saga">the saga predicts them all</a></span>`}
      ${!own.loading && !own.total && html`<p class="soft">There are none yet. Start a <button class="link" onClick=${() => setDialog("new")}>new level</button>, or open an example below: saving it makes a copy of your own.</p>`}
      ${unsaved.length > 0 && html`<p class="small">Begun and not saved yet: ${unsaved.map((name) => html` <a href="#/edit/${name}">${name}</a>`)}</p>`}
    <//>
    <${Section} title="Examples" list=${examples} entries=${theirs} target=${target} bundled onCopy=${(entry) => copy(entry, true)} />
    ${dialog === "new" && html`<${NewDialog} names=${own.levels.map((entry) => entry.name)} onClose=${() => setDialog(null)} />`}
    ${dialog?.entry && html`<${CopyDialog} entry=${dialog.entry} names=${own.levels.map((entry) => entry.name)}
        onClose=${() => setDialog(null)} onCopied=${() => { setDialog(null); reload(); }} />`}
  </main>`;
}

/** A part of the library; boards are drawn as one scrolls to them. */
function Section({ title, list, entries, target, bundled = false, onCopy, children }) {
  const [shown, setShown] = useState(AT_ONCE);
  const more = useRef(null);
  useEffect(() => {
    if (!more.current) return undefined;
    const observer = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && setShown((before) => before + AT_ONCE), { rootMargin: "600px" });
    observer.observe(more.current);
    return () => observer.disconnect();
  }, [shown, entries.length]);
  const number = entries.length === list.levels.length ? `${list.total}` : `${entries.length} of ${list.total}`;
  const simulated = entries.some((entry) => entry.prediction?.simulated);
  return html`<section aria-label=${title}>
    <header class="row"><h2>${title}</h2><span class="soft" aria-live="polite">${list.loading && !list.total ? "reading …" : number}</span>
      ${simulated && html`<span class="soft small">success rates to expect of simulated players, not of people</span>`}
      ${list.loading && list.total > 0 && html`<span class="soft small">reading, ${list.levels.length} of ${list.total} …</span>`}</header>
    ${children}
    ${!entries.length && list.levels.length > 0 && html`<p class="soft">No level matches.</p>`}
    <div class="cards">${entries.slice(0, shown).map((entry) => html`<${Card} key=${entry.name} entry=${entry} target=${wantedOf(entry, target)} bundled=${bundled}
        onCopy=${onCopy} />`)}</div>
    ${entries.length > shown && html`<p ref=${more} class="soft small">${entries.length - shown} more …</p>`}
  </section>`;
}
