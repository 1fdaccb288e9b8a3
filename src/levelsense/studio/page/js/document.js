// The level that is being edited: its text, every step that led to it, and what is saved of it.

import { get, json, put } from "./api.js";
import { useEffect, useRef, useState } from "./ui.js";

const DRAFT_MILLISECONDS = 600;

/** The key under which a text waits in this tab for the views that play and watch it. */
export const textKey = (name) => `levelsense.text/${name}`;

/** The key under which this tab has {text, kept} of an edit until the server has it: a reload may be quicker. */
const unsentKey = (name) => `levelsense.unsent/${name}`;

/**
 * A level's text with unlimited undo. `steps` are {text, label, rate}; `at` is the one that is shown.
 * Edits with the same `stroke` are one step: a drag over ten cells is undone at once.
 */
export function useDocument(name, bundled) {
  const [document, setDocument] = useState({ steps: [], at: -1, etag: null, saved: null, problem: null, restored: null });
  const [saving, setSaving] = useState(null); // null, "saving", "saved", or a sentence
  const [conflict, setConflict] = useState(null);
  const stroke = useRef(null);
  const latest = useRef(document);
  latest.current = document;
  const text = document.steps[document.at]?.text ?? null;

  useEffect(() => {
    let left = false;
    read(name, bundled)
      .then((read) => !left && setDocument(read))
      .catch((error) => !left && setDocument((before) => ({ ...before, problem: error.message })));
    return () => {
      left = true;
    };
  }, [name, bundled]);

  // What is being edited is kept on the server a moment after each change, and for this tab's other views.
  useEffect(() => {
    if (text === null) return undefined;
    sessionStorage.setItem(textKey(name), text);
    if (bundled || document.saved === null) return undefined;
    let kept = false;
    const keep = () => {
      if (kept) return;
      kept = true;
      keepDraft(name, text, latest.current);
    };
    const timer = setTimeout(keep, DRAFT_MILLISECONDS);
    window.addEventListener("pagehide", keep); // a stroke is not lost by leaving at once
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", keep);
      // The next text has a timer of its own; without one, the page is being left.
      if (latest.current.steps[latest.current.at]?.text === text) keep();
    };
  }, [text, name, bundled, document.saved]);

  const apply = (next, label, strokeKey = null) => {
    const now = latest.current;
    if (next === now.steps[now.at]?.text) return;
    const extends_ = strokeKey !== null && strokeKey === stroke.current && now.at > 0;
    stroke.current = strokeKey;
    const kept = now.steps.slice(0, extends_ ? now.at : now.at + 1);
    const steps = [...kept, { text: next, label, rate: null }];
    show({ ...now, steps, at: steps.length - 1 });
  };
  const go = (to) => {
    stroke.current = null;
    const now = latest.current;
    show({ ...now, at: Math.min(Math.max(to, 0), now.steps.length - 1) });
  };
  const show = (next) => {
    latest.current = next;
    if (!bundled) noteUnsent(name, next.steps[next.at]?.text);
    setDocument(next);
  };
  /** Notes the predicted rate of a text with the steps that have it, for the history. */
  const rate = (ofText, value) => setDocument((now) => ({
    ...now,
    steps: now.steps.map((step) => (step.text === ofText && step.rate !== value ? { ...step, rate: value } : step)),
  }));

  /** Saves the text, or another one; a new file is opened when `onNew` has kept what belongs to it. */
  const save = async (as = name, over = undefined, text = null, onNew = async () => {}) => {
    const now = latest.current;
    const content = text ?? now.steps[now.at].text;
    const isNew = as !== name || bundled;
    const tag = over !== undefined ? over : isNew ? null : now.etag;
    setSaving("saving");
    try {
      const headers = tag === null ? { "If-None-Match": "*" } : { "If-Match": tag };
      const answer = await put(`/api/levels/${encodeURIComponent(as)}`, { text: content }, headers);
      setConflict(null);
      setSaving("saved");
      forgetUnsent(name, content);
      setDocument((before) => ({ ...before, etag: answer.etag, saved: content, restored: null }));
      if (isNew) {
        await onNew();
        location.hash = `#/edit/${encodeURIComponent(as)}`;
      }
      return true;
    } catch (error) {
      if (isNew) {
        setSaving(null);
        throw error;
      }
      if (error.status === 412) setConflict({ name: as, text: error.data.text, etag: error.data.etag });
      setSaving(error.message);
      return false;
    }
  };
  /** Takes the version that somebody else saved; one's own stays in the history. */
  const takeTheirs = () => {
    apply(conflict.text, "the version that was saved elsewhere");
    setDocument((now) => ({ ...now, etag: conflict.etag, saved: conflict.text }));
    setConflict(null);
    setSaving(null);
  };
  const dropDraft = async () => {
    await json("DELETE", `/api/levels/${encodeURIComponent(name)}/draft`);
    apply(document.saved, "back to the saved file");
    setDocument((now) => ({ ...now, restored: null }));
  };
  return {
    ...document, text, apply, rate, save, saving, conflict, takeTheirs, dropDraft,
    keepBoth: () => setConflict(null),
    undo: () => go(document.at - 1),
    redo: () => go(document.at + 1),
    go,
    isChanged: text !== null && text !== document.saved,
  };
}

/** Keeps a text that is not saved, or forgets the draft of one that is; also while the page is being left. */
function keepDraft(name, text, document) {
  const path = `/api/levels/${encodeURIComponent(name)}/draft`;
  const isSaved = text === document.saved;
  fetch(path, {
    method: isSaved ? "DELETE" : "PUT",
    keepalive: true,
    headers: isSaved ? {} : { "Content-Type": "application/json" },
    body: isSaved ? undefined : JSON.stringify({ text, base: document.etag }),
  }).then((response) => response.ok && forgetUnsent(name, text)).catch(() => {});
}

function noteUnsent(name, text) {
  if (text === undefined) return;
  sessionStorage.setItem(unsentKey(name), JSON.stringify({ text, kept: Date.now() / 1000 }));
}

/** Forgets an edit that the server has, unless there is another one by now. */
function forgetUnsent(name, text) {
  if (unsent(name)?.text === text) sessionStorage.removeItem(unsentKey(name));
}

const unsent = (name) => JSON.parse(sessionStorage.getItem(unsentKey(name)));

async function read(name, bundled) {
  if (bundled) {
    const { text } = await get(`/api/bundled/${encodeURIComponent(name)}`);
    return { ...opened(text, null), saved: text };
  }
  const file = await get(`/api/levels/${encodeURIComponent(name)}`);
  const document = { ...opened(file.text ?? file.draft.text, file.etag), saved: file.text };
  const here = unsent(name);
  const draft = here && here.kept > (file.draft?.kept ?? 0) ? here : file.draft;
  if (!draft || draft.text === file.text || file.text === null) return document;
  const steps = [...document.steps, { text: draft.text, label: "what was not saved", rate: null }];
  return { ...document, steps, at: 1, restored: draft.kept };
}

const opened = (text, etag) => ({
  steps: [{ text, label: "as opened", rate: null }], at: 0, etag, problem: null, restored: null,
});
