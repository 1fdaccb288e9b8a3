// The level's own settings: title, limit, goals, colors and their weights, drops, dispensers, stars, size.

import { resized, withValues } from "./level.js";
import { Field, html } from "./ui.js";

const whole = (event, low, high) => {
  const value = Math.round(Number(event.target.value));
  return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : null;
};

export function Settings({ document, level, words }) {
  const { data } = level;
  const set = (values, label) => document.apply(withValues(document.text, values), label);
  const unit = "seconds" in data ? "seconds" : "moves";
  return html`<div class="settings">
    <label>Title <${Field} value=${data.name ?? ""} maxlength="80" onChange=${(event) => event.target.value.trim() && set({ name: event.target.value }, "title")} /></label>
    <div class="row"><label>Limit <${Field} type="number" min="1" max=${unit === "moves" ? 999 : 3600} value=${data[unit]} data-testid="limit-field"
        onChange=${(event) => set({ [unit]: whole(event, 1, unit === "moves" ? 999 : 3600) ?? data[unit] }, `${event.target.value} ${unit}`)} /></label>
      <select aria-label="Unit of the limit" value=${unit} onChange=${(event) => {
        const next = event.target.value;
        if (next !== unit) set({ [unit]: undefined, [next]: next === "moves" ? Math.max(1, Math.round(data.seconds / 3)) : data.moves * 3, ...(next === "moves" ? { pace: undefined } : {}) }, `limit in ${next}`);
      }}>${["moves", "seconds"].map((one) => html`<option value=${one} selected=${one === unit}>${one}</option>`)}</select></div>
    <${Goals} goals=${data.goals ?? {}} words=${words} set=${set} />
    <${Colors} colors=${data.colors ?? 6} words=${words} set=${set} />
    <${Drops} drops=${data.drops ?? []} words=${words} title="What drops in besides candies" onChange=${(drops) => set({ drops: drops.length ? drops : undefined }, "drops")} />
    ${(Array.isArray(data.dispensers) ? data.dispensers : []).map((one, number) => html`<${Drops} drops=${one.drops ?? []} words=${words} title=${`Dispenser at ${one.at.join(", ")}`}
        onChange=${(drops) => set({ dispensers: data.dispensers.map((other, place) => (place === number ? { ...other, drops } : other)) }, `dispenser at ${one.at[0]}`)} />`)}
    <fieldset><legend>Board</legend><div class="row">
      <label>rows <${Field} type="number" min="3" max="12" value=${level.rows} onChange=${(event) => document.apply(resized(document.text, whole(event, 3, 12) ?? level.rows, level.columns), "rows")} /></label>
      <label>columns <${Field} type="number" min="3" max="12" value=${level.columns} onChange=${(event) => document.apply(resized(document.text, level.rows, whole(event, 3, 12) ?? level.columns), "columns")} /></label>
      <label><input type="checkbox" checked=${data.bonus === true} onChange=${(event) => set({ bonus: event.target.checked ? true : undefined }, "bonus")} /> bonus after a win</label></div></fieldset>
  </div>`;
}

function Goals({ goals, words, set }) {
  const entries = [
    ...("score" in goals ? [["score", goals.score]] : []),
    ...("jelly" in goals ? [["jelly", goals.jelly]] : []),
    ...Object.entries(goals.ingredients ?? {}),
    ...Object.entries(goals.orders ?? {}),
  ];
  const isIngredient = (name) => words.ingredients.includes(name);
  const changed = (name, value) => {
    const next = structuredClone(goals);
    const home = name === "score" || name === "jelly" ? next : isIngredient(name) ? (next.ingredients ??= {}) : (next.orders ??= {});
    if (value === undefined) delete home[name];
    else home[name] = value;
    for (const key of ["ingredients", "orders"]) if (next[key] && !Object.keys(next[key]).length) delete next[key];
    set({ goals: next }, value === undefined ? `no goal ${name}` : `goal ${name}`);
  };
  const all = ["score", "jelly", ...words.ingredients, ...words.orders].filter((name) => !entries.some(([taken]) => taken === name));
  const start = (name) => (name === "score" ? 10000 : name === "jelly" ? "all" : isIngredient(name) ? 1 : name.includes("+") ? 1 : 10);
  return html`<fieldset><legend>Goals</legend>
    ${entries.map(([name, value]) => html`<div class="row goal"><span>${name}</span>
      ${name === "jelly"
        ? html`<${Field} value=${value} aria-label="jelly: all, or a number of layers" onChange=${(event) => changed(name, event.target.value.trim() === "all" ? "all" : whole(event, 1, 288) ?? "all")} />`
        : html`<${Field} type="number" min="1" value=${value} aria-label=${name} onChange=${(event) => changed(name, whole(event, 1, name === "score" ? 1e9 : 9999) ?? value)} />`}
      <button class="quiet" aria-label=${`No goal ${name}`} onClick=${() => changed(name, undefined)} disabled=${entries.length === 1} title=${entries.length === 1 ? "A level needs a goal: add another one first" : undefined}>✕</button></div>`)}
    <select aria-label="Add a goal" value="" onChange=${(event) => event.target.value && changed(event.target.value, start(event.target.value))}>
      <option value="">add a goal …</option>${all.map((name) => html`<option value=${name}>${name}</option>`)}</select></fieldset>`;
}

function Colors({ colors, words, set }) {
  const weights = typeof colors === "number"
    ? Object.fromEntries(words.color_names.slice(0, colors).map((name) => [name, 1]))
    : Array.isArray(colors) ? Object.fromEntries(colors.map((name) => [name, 1])) : colors;
  const write = (next) => {
    const names = Object.keys(next);
    if (names.length < 2) return;
    const alike = names.every((name) => next[name] === next[names[0]]);
    const first = names.every((name) => words.color_names.indexOf(name) < names.length);
    const ordered = words.color_names.filter((name) => name in next);
    set({ colors: alike ? (first ? names.length : ordered) : Object.fromEntries(ordered.map((name) => [name, next[name]])) }, `${names.length} colors`);
  };
  return html`<fieldset><legend>Colors and their weights</legend><div class="colors">
    ${words.colors.map(({ name, fill }) => html`<div class="color"><label><input type="checkbox" checked=${name in weights} onChange=${(event) => {
        const next = { ...weights };
        if (event.target.checked) next[name] = 1;
        else delete next[name];
        write(next);
      }} /><span class="dot" style=${{ background: fill }}></span>${name}</label>
      ${name in weights && html`<${Field} type="number" min="1" max="99" value=${weights[name]} aria-label=${`weight of ${name}`} onChange=${(event) => write({ ...weights, [name]: whole(event, 1, 99) ?? 1 })} />`}</div>`)}</div></fieldset>`;
}

/** A share as files have it, 0.02, in per cent, 2, and back. */
const perCent = (share) => Number((100 * share).toFixed(4));
const shareOf = (value) => Number((Math.min(Math.max(Number(value) || 1, 0.01), 100) / 100).toFixed(6));

function Drops({ drops, words, title, onChange }) {
  const change = (number, values) => onChange(drops.map((drop, place) => (place === number ? clean({ ...drop, ...values }) : drop)));
  const clean = (drop) => Object.fromEntries(Object.entries(drop).filter(([, value]) => value !== undefined && value !== ""));
  return html`<fieldset><legend>${title}</legend>
    ${drops.map((drop, number) => html`<div class="row drop">
      <select aria-label="piece" value=${drop.piece} onChange=${(event) => change(number, { piece: event.target.value, timer: event.target.value === "countdown" ? drop.timer ?? 9 : undefined })}>${words.drops.map((name) => html`<option value=${name} selected=${name === drop.piece}>${name}</option>`)}</select>
      <select aria-label="how" value=${"keep" in drop ? "keep" : "rate"} onChange=${(event) => change(number, event.target.value === "keep" ? { keep: 1, rate: undefined } : { rate: 0.1, keep: undefined })}>${[["rate", "% of pieces"], ["keep", "on the board"]].map(([key, label]) => html`<option value=${key} selected=${key in drop}>${label}</option>`)}</select>
      ${"keep" in drop
        ? html`<${Field} type="number" min="1" max="99" value=${drop.keep} aria-label="how many are kept on the board" onChange=${(event) => change(number, { keep: whole(event, 1, 99) ?? 1 })} />`
        : html`<${Field} type="number" min="0.01" max="100" step="any" value=${perCent(drop.rate)} aria-label="per cent of new pieces" onChange=${(event) => change(number, { rate: shareOf(event.target.value) })} />`}
      <button class="quiet" aria-label="Remove this drop" onClick=${() => onChange(drops.filter((_, place) => place !== number))}>✕</button>
      ${drop.piece === "countdown" && html`<label class="small">each goes off after <${Field} type="number" min="1" max="99" value=${drop.timer} aria-label="the bomb's number" onChange=${(event) => change(number, { timer: whole(event, 1, 99) ?? 9 })} /> moves</label>`}</div>`)}
    <button class="link" onClick=${() => onChange([...drops, { piece: "swirl", rate: 0.1 }])}>add a drop</button></fieldset>`;
}
