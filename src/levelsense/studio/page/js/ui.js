// What all views share: Preact's functions, formats of figures, and small controls.

export {
  Component, createContext, html, render, useCallback, useContext, useEffect, useLayoutEffect, useMemo,
  useReducer, useRef, useState,
} from "../vendor/preact-htm.js";
import { html, useEffect, useLayoutEffect, useState } from "../vendor/preact-htm.js";

/** A rate in per cent, with a decimal below ten: 2.8 %, 43 %; never 0 or 100 of what is neither. */
export function percent(rate) {
  if (rate === null || rate === undefined || Number.isNaN(rate)) return "–";
  const value = 100 * rate;
  if (value > 0 && value < 0.1) return "<0.1 %";
  if (value < 9.95 || value > 99) return `${value === 100 ? 100 : Math.min(value, 99.9).toFixed(1)} %`;
  return `${value.toFixed(0)} %`;
}

/** A band of rates: 0.9 – 8.6 %. */
export function band([low, high]) {
  return `${percent(low).replace(" %", "")} – ${percent(high)}`;
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/** A setting that the browser keeps: the target, the tester's name, the theme. */
export function useKept(key, initial) {
  const [value, setValue] = useState(() => {
    try {
      const kept = localStorage.getItem(`levelsense.${key}`);
      return kept === null ? initial : JSON.parse(kept);
    } catch {
      return initial;
    }
  });
  const keep = (next) => {
    setValue(next);
    try {
      localStorage.setItem(`levelsense.${key}`, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing still shows everything.
    }
  };
  return [value, keep];
}

/** Calls a function for each key pressed outside of text fields: that of the last drawing, before the next key can come. */
export function useKeys(handle) {
  useLayoutEffect(() => {
    const listen = (event) => {
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (!typing && !document.querySelector("dialog[open]")) handle(event);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}

/** The size of the window, to lay out boards by. */
export function useWindowSize() {
  const [size, setSize] = useState([window.innerWidth, window.innerHeight]);
  useEffect(() => {
    const listen = () => setSize([window.innerWidth, window.innerHeight]);
    window.addEventListener("resize", listen);
    return () => window.removeEventListener("resize", listen);
  }, []);
  return size;
}

/** A dialog that the browser keeps in front; `onClose` is called when it is left. */
export function Dialog({ title, onClose, children }) {
  const open = (element) => element && !element.open && element.showModal();
  return html`<dialog class="dialog" ref=${open} onClose=${onClose} aria-label=${title}>
    <header><h2>${title}</h2>
      <button class="quiet" aria-label="Close" onClick=${onClose}>✕</button></header>
    ${children}
  </dialog>`;
}

/**
 * An input whose value comes from elsewhere. What is being typed stays until the field is left or Enter is
 * pressed, also if the page is drawn anew meanwhile; `onInput` hears each letter, `onChange` the whole.
 */
export function Field({ value, onInput, onChange, ...others }) {
  const [typed, setTyped] = useState(null);
  const input = (event) => {
    setTyped(event.target.value);
    onInput?.(event);
  };
  const change = (event) => {
    setTyped(null);
    onChange?.(event);
  };
  return html`<input ...${others} value=${typed ?? value} onInput=${input} onChange=${change} onBlur=${() => setTyped(null)} />`;
}

/** A sentence that tells of a problem, or nothing. */
export function Problem({ problem }) {
  return problem ? html`<p class="problem" role="alert">${problem}</p>` : null;
}

const VERDICTS = {
  "on target": "good", "easier": "easy", "probably easier": "easy", "harder": "hard", "probably harder": "hard",
};

/** The class that colors a verdict. */
export function verdictClass(verdict) {
  return VERDICTS[verdict] ?? "unsure";
}
