// Dialogs that make a level's file: an open board of a size, or a copy.

import { post, put } from "./api.js";
import { Dialog, html, Problem, useState } from "./ui.js";

const SIDES = [3, 12];

/** A file's name from a title: `Grand tour!` is `grand-tour`. */
export function fileName(title) {
  return title.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60);
}

/** A name that no level has: `grand-tour-2`, if there is `grand-tour`. */
export function freeName(title, names) {
  const first = fileName(title) || "level";
  let name = first;
  for (let number = 2; names.includes(name); number += 1) name = `${first}-${number}`;
  return name;
}

/** Makes a level's file; rejects if there is one of that name. */
async function make(request, name) {
  const { text } = await post("/api/new", request);
  await put(`/api/levels/${encodeURIComponent(name)}`, { text }, { "If-None-Match": "*" });
}

/** A form with title and file name; the name follows the title until it is typed. */
export function LevelForm({ title: initial, names, action, onMake, onMade, children }) {
  const [title, setTitle] = useState(initial);
  const [typed, setTyped] = useState(null);
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const name = typed ?? freeName(title, names);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onMake(title.trim(), name);
      onMade(name);
    } catch (error) {
      setProblem(error.code === "conflict" ? `There is a level ${name} already. Choose another name.` : error.message);
      setBusy(false);
    }
  };
  return html`<form class="form" onSubmit=${submit}>
    <label>Title <input value=${title} required maxlength="80" autofocus onInput=${(event) => setTitle(event.target.value)} /></label>
    <label>File <span class="row"><input value=${name} required pattern="[A-Za-z0-9][A-Za-z0-9_.\\-]*" maxlength="80"
      title="Letters, digits, - _ and ." onInput=${(event) => setTyped(event.target.value)} /><span class="soft">.json</span></span></label>
    ${children}
    <${Problem} problem=${problem} />
    <button class="primary" disabled=${busy}>${action}</button>
  </form>`;
}

export function NewDialog({ names, onClose }) {
  const [size, setSize] = useState({ rows: 9, columns: 9 });
  const side = (key) => html`<label>${key === "rows" ? "Rows" : "Columns"}
    <input type="number" min=${SIDES[0]} max=${SIDES[1]} required value=${size[key]}
      onInput=${(event) => setSize({ ...size, [key]: Number(event.target.value) })} /></label>`;
  return html`<${Dialog} title="New level" onClose=${onClose}>
    <${LevelForm} title="New level" names=${names} action="Create and open" onMake=${(title, name) => make({ title, ...size }, name)}
        onMade=${(name) => { location.hash = `#/edit/${name}`; }}>
      <div class="row">${side("rows")}${side("columns")}</div>
    <//>
  <//>`;
}

export function CopyDialog({ entry, names, onClose, onCopied }) {
  return html`<${Dialog} title=${`Copy ${entry.level.title}`} onClose=${onClose}>
    <${LevelForm} title=${entry.level.title} names=${names} action="Copy" onMake=${(title, name) => make({ title, text: entry.text }, name)}
        onMade=${onCopied} />
  <//>`;
}
