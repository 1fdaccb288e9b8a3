// What the server says of the text that is shown: findings while typing, and the estimate as it gets sharper.

import { post, stream, TAB } from "./api.js";
import { useEffect, useRef, useState } from "./ui.js";

const WAIT_MILLISECONDS = 120; // a drag paints several cells: only the last one is asked about

/** The findings of `check`, and what is in the level; `of` is the text that they are about. */
export function useCheck(text, name) {
  const [checked, setChecked] = useState({ findings: [], level: null, of: null });
  useEffect(() => {
    if (text === null) return undefined;
    const control = new AbortController();
    const timer = setTimeout(() => {
      post("/api/check", { text, name }, control.signal)
        .then((answer) => setChecked((before) => ({ ...answer, level: answer.level ?? before.level, of: text })))
        .catch(() => {});
    }, WAIT_MILLISECONDS / 2);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text]);
  return checked;
}

const NOTHING = { of: null, figure: null, reasons: null, limits: null, feel: null, struck: null, problem: null, running: false };

/**
 * The estimate of a text against a target: {figure, reasons, limits, feel, struck}. What is of an older text
 * stays, and is stale: `of` names the text that the figure is of. A new text ends the run of the one before.
 */
export function useEstimate(text, name, target, onFigure) {
  const [estimate, setEstimate] = useState(NOTHING);
  const heard = useRef(onFigure);
  heard.current = onFigure;
  const wanted = useRef(target);
  wanted.current = target;
  useEffect(() => {
    if (text === null) return undefined;
    const control = new AbortController();
    const started = performance.now();
    setEstimate((before) => ({ ...before, running: true, problem: null }));
    const hear = (kind, data) => {
      if (control.signal.aborted) return;
      if (kind === "figure") {
        performance.measure?.("levelsense-figure", { start: started, end: performance.now() });
        heard.current?.(text, data);
        setEstimate((before) => ({ ...before, figure: data, of: text, problem: null }));
      } else if (kind === "problem") setEstimate((before) => ({ ...before, problem: data.problem, running: false }));
      else if (kind === "done") setEstimate((before) => ({ ...before, running: false }));
      else if (["reasons", "limits", "feel", "struck"].includes(kind)) {
        setEstimate((before) => ({ ...before, [kind]: { ...data, of: text } }));
      }
    };
    const timer = setTimeout(() => {
      stream("/api/estimate", { text, name, target: wanted.current, tab: TAB }, hear, control.signal).catch((error) => {
        if (error.name !== "AbortError" && !control.signal.aborted) {
          setEstimate((before) => ({ ...before, problem: error.message, running: false }));
        }
      });
    }, WAIT_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text, name]); // a target that is moved changes the verdict, not what was played
  return estimate;
}

/** A request that runs when it is asked for: {run, stop, result, problem, running}. */
export function useRequest(path, kind) {
  const [state, setState] = useState({ result: null, problem: null, running: false });
  const control = useRef(null);
  const stop = () => {
    control.current?.abort();
    setState((before) => ({ ...before, running: false }));
  };
  useEffect(() => () => control.current?.abort(), []);
  const run = (body) => {
    control.current?.abort();
    const mine = (control.current = new AbortController());
    setState({ result: null, problem: null, running: true });
    const hear = (event, data) => {
      if (mine.signal.aborted) return;
      if (event === "result") setState({ result: { ...data, asked: body }, problem: null, running: false });
      if (event === "problem") setState({ result: null, problem: data.problem, running: false });
      if (event === "superseded") setState({ result: null, problem: null, running: false });
    };
    stream(path, { ...body, tab: `${TAB}-${kind}`.slice(0, 40) }, hear, mine.signal).catch((error) => {
      if (!mine.signal.aborted) setState({ result: null, problem: error.message, running: false });
    });
  };
  const clear = () => {
    control.current?.abort();
    setState({ result: null, problem: null, running: false });
  };
  return { ...state, run, stop, clear };
}
