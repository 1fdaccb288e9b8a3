// The editor: the board in the middle, tools beside it, and on the right what the level is worth.

import { useCheck, useEstimate, useRequest } from "./analysis.js";
import { get, post, put, vocabulary } from "./api.js";
import { BeforeAfter, History, suggested, Suggestions } from "./changes_panel.js";
import { textKey, useDocument } from "./document.js";
import { Agents, Feel, Reasons } from "./insight.js";
import { cellName, parseCell, readLevel, withValues } from "./level.js";
import { LimitChart } from "./limit_chart.js";
import { LevelForm } from "./new_level.js";
import { PaintBoard } from "./paint_board.js";
import { Palette, tokenOfNumber, TOOLS, withToken } from "./palette.js";
import { Settings } from "./settings.js";
import { Dialog, html, percent, Problem, useEffect, useKept, useKeys, useMemo, useRef, useState } from "./ui.js";
import { Verdict } from "./verdict_bar.js";

const TABS = [["why", "Why"], ["change", "Change"], ["level", "Level"], ["json", "JSON"], ["history", "History"]];
const HEATS = [
  { key: "none", label: "Off", words: "" },
  { key: "left", label: "Left", words: "losses in 100 that leave something here" },
  { key: "struck", label: "Struck", words: "moves in 100 that strike the cell" },
  { key: "ignored", label: "Ignored", words: "the darker, the less often it is struck" },
];

export function View({ name, bundled }) {
  const [words, setWords] = useState(null);
  const document = useDocument(name, bundled);
  useEffect(() => {
    vocabulary().then(setWords);
  }, []);
  if (document.problem) return html`<main class="message"><${Problem} problem=${document.problem} /><p><a href="#/library">To the levels</a></p></main>`;
  if (!words || document.text === null) return html`<p class="loading">opening ${name} …</p>`;
  return html`<${Editor} name=${name} bundled=${bundled} document=${document} words=${words} />`;
}

function Editor({ name, bundled, document, words }) {
  const { text } = document;
  const [target, setTarget] = useTarget(name, bundled);
  const [tool, setTool] = useState({ mode: "brush", layer: "board", token: "#1", mirror: "none" });
  // Of the newest tool, and not of the one last drawn: a key may follow a click at once.
  const changeTool = (change) => setTool((now) => ({ ...now, ...(typeof change === "function" ? change(now) : change) }));
  const [keep, setKeep] = useState(new Set());
  const [tab, setTab] = useState("why");
  const [heatKind, setHeatKind] = useState("none");
  const [selected, setSelected] = useState(null);
  const [shownGhost, setShownGhost] = useState(null);
  const [pinned, setPinned] = useState(() => ({ text: document.steps[0].text, label: "as opened", rate: null }));
  const checked = useCheck(text, name);
  const estimate = useEstimate(text, name, target, (ofText, figure) => document.rate(ofText, figure.rate));
  const suggest = useRequest("/api/suggest", "suggest");
  const compare = useRequest("/api/compare", "compare");
  const tune = useRequest("/api/tune", "tune");
  const level = useLastReadable(text);
  const stale = estimate.of !== text;
  const isOf = (part) => part && part.of === text;
  const ghosts = tab === "change" && suggest.result?.asked.text === text ? suggested(suggest.result) : [];
  const ghost = useMemo(() => ghosts[shownGhost] && { ...ghosts[shownGhost], level: readLevel(ghosts[shownGhost].text) }, [shownGhost, ghosts.length, suggest.result]);
  const heat = useHeat(heatKind, estimate, level, text);
  const difference = useDifference(pinned, level, text);

  useEffect(() => {
    if (estimate.figure && estimate.of === pinned.text && estimate.figure.rate !== pinned.rate) setPinned({ ...pinned, rate: estimate.figure.rate });
  }, [estimate.figure]);
  useEffect(() => {
    // What was not saved is compared with the file, whose rate is known if anybody has looked at it.
    if (!document.restored) return;
    get(`/api/levels/${encodeURIComponent(name)}/prediction`)
      .then((known) => known && setPinned((before) => ({ ...before, rate: before.rate ?? known.rate })))
      .catch(() => {});
  }, []);
  useEffect(() => setSelected(null), [text]);
  useEffect(() => setShownGhost(0), [suggest.result]);
  useLeaveGuard(document.isChanged && bundled);

  const apply = (item) => document.apply(item.text, item.change);
  const [savingAs, setSavingAs] = useState(false);
  const [doubt, setDoubt] = useState(null);
  const save = async (sure = false) => {
    const error = checked.of === text ? checked.findings.find((finding) => finding.severity === "error") : null;
    if (bundled) setSavingAs(true);
    else if (error && sure !== true) setDoubt(error.sentence);
    else if (await document.save()) setPinned({ text, label: "as saved", rate: stale ? null : estimate.figure?.rate ?? null });
  };
  const panel = useRef(null);
  const ask = () => {
    setTab("change");
    setSelected(null);
    suggest.run({ text, name, target, keep: [...keep].join(",") });
    panel.current?.scrollIntoView({ block: "nearest" }); // on a tablet it is below the board
  };
  const unapply = () => {
    const { text: without } = suggest.result.asked;
    if (document.steps[document.at - 1]?.text === without) document.undo();
    else document.apply(without, "without the suggested edit");
  };
  const current = level ? level.data.moves ?? level.data.seconds : 1;
  const setLimit = (limit) => document.apply(withValues(text, { ["seconds" in level.data ? "seconds" : "moves"]: limit }), `limit ${limit}`, "limit");

  useKeys((event) => {
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === "z") {
      event.preventDefault();
      event.shiftKey ? document.redo() : document.undo();
    } else if (command && event.key.toLowerCase() === "y") {
      event.preventDefault();
      document.redo();
    } else if (command && event.key.toLowerCase() === "s") {
      event.preventDefault();
      save();
    } else if (!command && !event.altKey) {
      const mode = TOOLS.find((one) => one.shortcut === event.key);
      if (mode) changeTool({ mode: mode.key });
      else if (/^[1-9]$/.test(event.key)) {
        changeTool((now) => {
          const token = tokenOfNumber(words, now.layer, Number(event.key));
          return token ? withToken(now, token) : {};
        });
      } else if (event.key === "m") {
        const order = ["none", "columns", "rows", "both"];
        changeTool((now) => ({ mirror: order[(order.indexOf(now.mirror) + 1) % 4] }));
      }
    }
  });

  const path = `${bundled ? "bundled/" : ""}${encodeURIComponent(name)}`;
  const errors = checked.of === text ? checked.findings : [];
  return html`<main class="editor">
    <header class="editor-bar">
      <h1>${level?.data.name ?? name}</h1>
      <span class="soft small file">${bundled ? "an example: saving makes a copy of your own" : `${name}.json${document.isChanged ? " · changes are kept, not saved" : ""}`}</span>
      ${checked.level && html`<button class="link small task" onClick=${() => setTab("level")} title=${`${taskWords(checked.level)}. Click to change limit and goals.`} data-testid="task">${taskWords(checked.level)}</button>`}
      <span class="spacer"></span>
      <button onClick=${document.undo} disabled=${document.at <= 0} title="Undo (Ctrl+Z)" data-testid="undo">↶ Undo</button>
      <button onClick=${document.redo} disabled=${document.at >= document.steps.length - 1} title="Redo (Ctrl+Shift+Z)">↷ Redo</button>
      <a class="button" href="#/play/${path}">▶ Play</a>
      <a class="button" href="#/watch/${path}">◎ Watch</a>
      <button class="primary" onClick=${() => save()} disabled=${!document.isChanged && !bundled} title="Ctrl+S" data-testid="save">${bundled ? "Save a copy" : document.isChanged ? "Save" : "Saved"}</button>
    </header>
    ${document.restored && html`<p class="notice">Changes that were not saved are back. <button class="link" onClick=${document.dropDraft}>Take the saved file instead</button></p>`}
    ${document.saving && document.saving !== "saving" && document.saving !== "saved" && !document.conflict && html`<p class="problem" role="alert">${document.saving} <button class="link" onClick=${() => save()}>Save again</button></p>`}
    <${Palette} words=${words} tool=${tool} changeTool=${changeTool} />
    <section class="stage" aria-label="Board">
      <div class="row heat-row" role="group" aria-label="Heat"><span class="soft small">Heat</span>
        ${HEATS.map(({ key, label }) => html`<button class="small" aria-pressed=${heatKind === key} onClick=${() => setHeatKind(key)}>${label}</button>`)}
        <button class="small" aria-pressed=${tool.mode === "look"} onClick=${() => changeTool((now) => ({ mode: now.mode === "look" ? "brush" : "look" }))} title="Click a cell to see what happens there">Ask a cell</button>
        <span class="soft small heat-words">${tool.mode === "look" && !selected ? "click a cell to see what happens there" : HEATS.find((one) => one.key === heatKind).words}</span></div>
      ${level && !readLevel(text) && html`<p class="notice">The text is no level at the moment: this is the last board that could be drawn. Undo brings it back.</p>`}
      <div class="paint-area">
        ${level
          ? html`<${PaintBoard} document=${document} level=${level} checked=${checked} tool=${tool} changeTool=${changeTool} keep=${keep} setKeep=${setKeep}
              heat=${heat} ghost=${ghost} changed=${difference.cells} selected=${selected} onCell=${setSelected} />`
          : html`<p class="problem">The text is no level that can be drawn. The JSON tab shows it; undo brings the board back.</p>`}
        ${selected && html`<${CellWords} cell=${selected} estimate=${estimate} path=${path} rows=${level?.rows ?? 9} onClose=${() => setSelected(null)} />`}
      </div>
      ${ghosts.length > 0 && html`<div class="row ghost-row" role="group" aria-label="Suggested edits"><span class="soft small">Suggested</span>${ghosts.map((item, number) => html`<button class="ghost-button small" aria-pressed=${shownGhost === number}
          onMouseEnter=${() => setShownGhost(number)} onFocus=${() => setShownGhost(number)} onClick=${() => apply(item)} title=${`Apply: ${item.change}`}>${number + 1}: ${percent(item.figure.rate)}</button>`)}
        <span class="small">${ghosts[shownGhost]?.change}</span></div>`}
      <${Findings} findings=${errors} onCells=${(cells) => setSelected(cells[0])} />
    </section>
    <aside class="side" aria-label="Difficulty">
      <${Verdict} estimate=${estimate} stale=${stale} target=${target} setTarget=${setTarget} before=${pinned.text === text || pinned.rate === null ? null : pinned} onSuggest=${ask} />
      <nav class="tabs" role="tablist">${TABS.map(([key, label]) => html`<button role="tab" aria-selected=${tab === key} onClick=${() => setTab(key)} data-testid=${`tab-${key}`}>${label}</button>`)}</nav>
      <div class=${`panel tab-panel ${tab}-tab`} role="tabpanel" ref=${panel}>
        ${tab === "why" && html`<h2>Why</h2><${Reasons} reasons=${estimate.reasons} stale=${!isOf(estimate.reasons)} problem=${estimate.problem} onCells=${(cells) => { setSelected(cells[0]); setHeatKind("left"); }} />
          <h2>Success by limit</h2><${LimitChart} limits=${estimate.limits} stale=${!isOf(estimate.limits)} target=${target} current=${current} onLimit=${setLimit}
            onFind=${() => tune.run({ text, name, target })} finding=${tune.running} found=${tune.result?.asked.text === text ? tune.result : null} />
          <h2>Agents</h2><${Agents} figure=${estimate.figure} stale=${stale} />
          <h2>How it feels</h2><${Feel} feel=${estimate.feel} stale=${!isOf(estimate.feel)} stars=${level?.data.stars} onStars=${(stars) => document.apply(withValues(text, { stars }), "stars")} />`}
        ${tab === "change" && html`<h2>What to change</h2><${Suggestions} request=${suggest} text=${text} target=${target} shown=${ghosts.length ? shownGhost : null} keepCount=${keep.size}
            onShow=${setShownGhost} onApply=${apply} onUndo=${unapply} onAsk=${ask} />
          <h2>Before and after</h2><${BeforeAfter} pinned=${pinned} difference=${difference.words} now=${stale ? null : estimate.figure?.rate ?? null} request=${compare.result && compare.result.asked.text !== text ? { ...compare, result: null } : compare}
            onPin=${() => setPinned({ text, label: document.steps[document.at].label, rate: stale ? null : estimate.figure?.rate ?? null })}
            onCompare=${() => compare.run({ text, name, old: pinned.text })} />`}
        ${tab === "level" && level && html`<${Settings} document=${document} level=${level} words=${words} />`}
        ${tab === "json" && html`<${JsonText} document=${document} findings=${errors} />`}
        ${tab === "history" && html`<h2>Steps</h2><${History} document=${document} />${!bundled && html`<${Versions} name=${name} document=${document} />`}`}
      </div>
    </aside>
    ${document.conflict && html`<${Conflict} document=${document} />`}
    ${doubt && html`<${Dialog} title="Save a level that cannot be played?" onClose=${() => setDoubt(null)}><p>${doubt}</p>
      <div class="row"><button class="primary" onClick=${() => { setDoubt(null); save(true); }}>Save all the same</button><button onClick=${() => setDoubt(null)}>Go on editing</button></div></${Dialog}>`}
    ${savingAs && html`<${SaveAs} name=${name} document=${document} target=${target} onClose=${() => setSavingAs(false)} />`}
  </main>`;
}

/** The board of the last text that could be drawn: half-typed JSON does not blank it. */
function useLastReadable(text) {
  const last = useRef(null);
  return useMemo(() => {
    last.current = readLevel(text) ?? last.current;
    return last.current;
  }, [text]);
}

function useHeat(kind, estimate, level, text) {
  return useMemo(() => {
    if (kind === "none" || !level) return null;
    if (kind === "left") {
      const shares = {};
      for (const map of estimate.reasons?.heat ?? []) {
        for (const [cell, share] of Object.entries(map.shares)) shares[cell] = Math.max(shares[cell] ?? 0, share);
      }
      return { kind, shares, most: 1, stale: estimate.reasons?.of !== text, words: (share) => Math.round(100 * share) };
    }
    const struck = estimate.struck?.struck ?? {};
    const most = Math.max(...Object.values(struck), 1e-9);
    const shares = kind === "struck" ? struck : Object.fromEntries(Object.entries(struck).map(([cell, share]) => [cell, most - share]));
    return { kind, shares, most, stale: estimate.struck?.of !== text, least: kind === "struck" ? 0.005 : 2, words: (share) => (kind === "struck" ? Math.round(100 * share) : "") };
  }, [kind, estimate.reasons, estimate.struck, level, text]);
}

/** What is different from the pinned version: words, and the cells. */
function useDifference(pinned, level, text) {
  return useMemo(() => {
    const before = readLevel(pinned.text);
    if (!before || !level || pinned.text === text) return { words: [], cells: [] };
    const cells = [];
    if (before.rows === level.rows && before.columns === level.columns) {
      for (let row = 0; row < level.rows; row += 1) {
        for (let column = 0; column < level.columns; column += 1) {
          const differs = ["board", "jelly", "locks"].some((layer) => (before[layer]?.[row][column] ?? ".") !== (level[layer]?.[row][column] ?? "."));
          if (differs) cells.push(cellName(row, column));
        }
      }
    }
    const words = [];
    if (cells.length) words.push(`${cells.length} cell${cells.length > 1 ? "s" : ""}: ${cells.slice(0, 8).join(", ")}${cells.length > 8 ? " …" : ""}`);
    for (const key of new Set([...Object.keys(before.data), ...Object.keys(level.data)])) {
      if (["board", "jelly", "locks"].includes(key)) continue;
      const [old, now] = [before.data[key], level.data[key]];
      if (JSON.stringify(old) !== JSON.stringify(now)) words.push(`${key}: ${short(old)} → ${short(now)}`);
    }
    if (before.rows !== level.rows || before.columns !== level.columns) words.push(`board: ${before.rows}x${before.columns} → ${level.rows}x${level.columns}`);
    return { words, cells };
  }, [pinned.text, level, text]);
}

const short = (value) => {
  const text = value === undefined ? "none" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** What happens in a cell; it stands over the half of the board in which the cell is not. */
function CellWords({ cell, estimate, path, rows, onClose }) {
  const maps = (estimate.reasons?.heat ?? []).filter((map) => map.shares[cell]);
  const struck = estimate.struck?.struck[cell];
  const isLow = parseCell(cell)[0] >= rows / 2;
  return html`<div class=${`cell-words panel${isLow ? " above" : ""}`} role="status" data-testid="cell-words"><button class="quiet" aria-label="Close" onClick=${onClose}>✕</button>
    <strong>${cell}</strong>
    ${maps.map((map) => html`<p>${percent(map.shares[cell])} of losses end with ${map.kind} left here.</p>`)}
    ${!maps.length && html`<p>${estimate.reasons ? "Nothing is left here when attempts are lost." : "Attempts are still being played."}</p>`}
    ${struck !== undefined && html`<p>${percent(struck)} of moves strike it (${estimate.struck.moves} moves of ${estimate.struck.attempts} attempts).</p>`}
    ${maps.length > 0 && html`<p><a href="#/watch/${path}?ending_at=${cell}">Show such an attempt</a></p>`}</div>`;
}

/** The limit and the goals: 30 moves: clear 16 layers of jelly. */
const taskWords = (level) => `${level.limit} ${level.unit}: ${level.goals.map((goal) => goal.words).join(", ")}`;

function Findings({ findings, onCells }) {
  if (!findings.length) return null;
  return html`<ul class="finding-list" aria-label="What the check found" data-testid="findings">${findings.map((finding) => html`<li class=${finding.severity}>
    <strong>${finding.severity}</strong> ${finding.sentence} ${finding.cells.length > 0 && html`<button class="link" onClick=${() => onCells(finding.cells)}>show</button>`}</li>`)}</ul>`;
}

function JsonText({ document, findings }) {
  const field = useRef(null);
  const wrong = findings.find((finding) => finding.severity === "error" && finding.line);
  const show = () => {
    const lines = document.text.split("\n");
    const start = lines.slice(0, wrong.line - 1).join("\n").length + (wrong.line > 1 ? 1 : 0);
    field.current.focus();
    field.current.setSelectionRange(start, start + (lines[wrong.line - 1] ?? "").length);
  };
  return html`<h2>The file</h2>
    ${wrong && html`<p class="problem small" data-testid="json-problem"><button class="link" onClick=${show}>line ${wrong.line}</button>: ${wrong.sentence}</p>`}
    <textarea ref=${field} class="json" spellcheck="false" aria-label="The level's JSON" value=${document.text} data-testid="json"
      onInput=${(event) => document.apply(event.target.value, "typed", "json")}></textarea>
    <p class="soft small">What you draw changes only what it is about; the rest stays as it is written.</p>`;
}

function Versions({ name, document }) {
  const [versions, setVersions] = useState([]);
  useEffect(() => {
    get(`/api/levels/${encodeURIComponent(name)}/versions`).then(setVersions).catch(() => {});
  }, [document.etag]);
  const take = async (key) => {
    const { text } = await get(`/api/levels/${encodeURIComponent(name)}/versions/${key}`);
    document.apply(text, "an earlier version");
  };
  if (!versions.length) return html`<h2>Saved versions</h2><p class="soft small">None yet: each version that a save replaces is kept here.</p>`;
  return html`<h2>Saved versions</h2><ol class="history">${versions.map((one) => html`<li><button class="quiet" onClick=${() => take(one.key)}>${new Date(1000 * one.saved).toLocaleString()}</button></li>`)}</ol>`;
}

function Conflict({ document }) {
  const { conflict } = document;
  const gone = conflict.text === null;
  return html`<${Dialog} title="Somebody else saved this level" onClose=${document.keepBoth}>
    <p>${gone ? "The file is gone." : "The file is another version than the one that you opened."} Nothing was written, and nothing of yours is lost.</p>
    <div class="row">
      <button class="primary" onClick=${() => document.save(conflict.name, conflict.etag)} data-testid="overwrite">Save mine; theirs stays in the history</button>
      ${!gone && html`<button onClick=${document.takeTheirs} data-testid="take-theirs">Take theirs; mine stays in the steps</button>`}
      <button onClick=${document.keepBoth}>Decide later</button></div></${Dialog}>`;
}

function SaveAs({ name, document, target, onClose }) {
  const [names, setNames] = useState(null);
  useEffect(() => {
    get("/api/names").then(setNames).catch(() => setNames([]));
  }, []);
  const title = readLevel(document.text)?.data.name ?? name;
  if (!names) return null;
  return html`<${Dialog} title="Save a copy of your own" onClose=${onClose}>
    <${LevelForm} title=${title} names=${names} action="Save" onMake=${async (wanted, file) => {
      const { text } = await post("/api/new", { title: wanted, text: document.text });
      const keepTarget = () => put(`/api/saga/targets/${encodeURIComponent(file)}`, { target }).catch(() => {});
      await document.save(file, null, text, keepTarget);
    }} onMade=${onClose} /></${Dialog}>`;
}

/** The success rate that is wanted: a level's own, kept with the saga; of examples, in the browser. */
function useTarget(name, bundled) {
  const [last, setLast] = useKept("target", 0.5);
  const [own, setOwn] = useState(null);
  const timer = useRef(null);
  const path = `/api/saga/targets/${encodeURIComponent(name)}`;
  useEffect(() => {
    if (!bundled) get(path).then((answer) => setOwn(answer.target)).catch(() => {});
  }, [name, bundled]);
  const keep = (target) => {
    setLast(target);
    setOwn(target);
    clearTimeout(timer.current);
    if (!bundled) timer.current = setTimeout(() => put(path, { target }).catch(() => {}), 300);
  };
  return [own ?? last, keep];
}

function useLeaveGuard(active) {
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);
}

export { textKey };
