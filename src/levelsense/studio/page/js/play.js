// Play a level: the board, goals and what is left, hints, the end, and the position to save or to edit.

import { put } from "./api.js";
import { cellName } from "./level.js";
import { readBoard, Stage, swapPhase, turnPhases } from "./play_animation.js";
import { cellWords, Painter } from "./play_board.js";
import { useSwaps } from "./play_input.js";
import { Ending, Goals, PositionDialog, stateWords, TesterForm, turnWords } from "./play_panels.js";
import { Session } from "./play_session.js";
import { html, Problem, useEffect, useKept, useLayoutEffect, useRef, useState, useWindowSize } from "./ui.js";

const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function View({ name, bundled }) {
  const [tester, setTester] = useKept("tester", "");
  const [isAsking, setAsking] = useState(!tester);
  if (isAsking) {
    return html`<main class="play"><${TesterForm} tester=${tester} onName=${(given) => {
      setTester(given);
      setAsking(false);
    }} /></main>`;
  }
  return html`<${Play} key=${tester} name=${name} bundled=${bundled} tester=${tester} rename=${() => setAsking(true)} />`;
}

function Play({ name, bundled, tester, rename }) {
  const [game, setGame] = useState(null);
  const [problem, setProblem] = useState(null);
  const [said, say] = useState("");
  const [hint, setHint] = useState(null);
  const [position, setPosition] = useState(null);
  const [isOver, setOver] = useState(false);
  const [speed, setSpeed] = useKept("speed", prefersStillness() ? "none" : "normal");
  const session = useRef(null);
  session.current ??= new Session(name, bundled, setProblem);

  const begin = (starting) =>
    starting
      .then((begun) => {
        setGame({ ...begun });
        setOver(Boolean(begun.ending));
        setHint(null);
        setProblem(null);
        say(stateWords(begun.state, begun.level));
      })
      .catch((error) => setProblem(error.message));
  useEffect(() => {
    begin(session.current.open(tester));
    return () => session.current.close();
  }, []);

  const start = (how) => begin(session.current.start({ tester, ...how }));
  const editorLink = `#/edit/${bundled ? "bundled/" : ""}${encodeURIComponent(name)}`;
  const askHint = () =>
    session.current.hint().then(setHint).catch((error) => setProblem(error.message));
  const takeIntoEditor = (level) => {
    const copy = `${name}-move-${game.state.played}`.slice(0, 80);
    return put(`/api/levels/${encodeURIComponent(copy)}/draft`, { text: level, base: null })
      .then(() => {
        location.hash = `#/edit/${encodeURIComponent(copy)}`;
      });
  };

  return html`<main class="play">
    <${Problem} problem=${problem} />
    ${!game && (problem ? html`<p><a href=${editorLink}>Back to the editor</a></p>` : html`<p class="loading">dealing …</p>`)}
    ${game && html`<div class="play-table">
      <section class="play-board" aria-label="Board">
        <${PlayBoard} key=${game.id} game=${game} session=${session.current} speed=${speed} hint=${hint} say=${say}
          onTurn=${(played) => setGame({ ...played })} onHintDone=${() => setHint(null)} onEnd=${() => setOver(true)} onProblem=${setProblem} />
        ${isOver && html`<${Ending} game=${game} onAgain=${() => start({ seed: game.seed })} onNew=${() => start({})}
          onClose=${() => setOver(false)} editor=${editorLink} />`}
      </section>
      <aside class="play-side">
        <section class="panel">
          <h1>${game.level.title}</h1>
          ${game.from_position && html`<p class="soft small">From a position: no attempt at the level, and not counted as one.</p>`}
          <${Goals} state=${game.state} level=${game.level} />
        </section>
        <section class="panel play-actions">
          <div class="row">
            <button onClick=${askHint} disabled=${game.state.status !== "playing"} title="What the strongest agent would play">Hint</button>
            <button onClick=${() => start({ seed: game.seed })}>Same seed again</button>
            <button onClick=${() => start({})}>New seed</button>
          </div>
          <div class="row">
            <button onClick=${() => session.current.position().then(setPosition).catch((error) => setProblem(error.message))}>Position …</button>
            <a href=${editorLink}>Back to the editor</a>
          </div>
          ${hint && html`<p class="play-hint" role="status">Try <b>${hint.move}</b>: ${hint.words}.
            ${hint.nearest && html`<br />Most for the goals at once: <b>${hint.nearest}</b>: ${hint.nearest_words}.`}
            <br /><span class="soft small">The attempt now counts among those that were helped.</span></p>`}
          <p class="play-said" role="status" aria-live="polite">${said}</p>
        </section>
        <section class="panel small soft">
          <p>Drag a candy, click two neighbors, or use the arrow keys: they move the cursor, Space picks, an arrow swaps.</p>
          <div class="row">
            <label>Animation <select value=${speed} onChange=${(event) => setSpeed(event.target.value)}>
              ${["normal", "quick", "none"].map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
            <span>seed <code>${game.seed}</code></span>
            <span>played by <button class="quiet" onClick=${rename} title="Change the name">${tester} ✎</button></span>
          </div>
        </section>
      </aside>
    </div>`}
    ${position && html`<${PositionDialog} position=${position} name=${name} onClose=${() => setPosition(null)}
      onPlay=${(text) => session.current.start({ tester, position: text }).then((begun) => {
        setPosition(null);
        return begin(Promise.resolve(begun));
      })}
      onEdit=${() => takeIntoEditor(position.level)} />`}
  </main>`;
}

function PlayBoard({ game, session, speed, hint, say, onTurn, onHintDone, onEnd, onProblem }) {
  const canvas = useRef(null);
  const painter = useRef(null);
  const stage = useRef(null);
  const standing = useRef(readBoard(game.state.board));
  const waiting = useRef(false);
  const size = useWindowSize();
  const { level } = game;

  useLayoutEffect(() => {
    painter.current = new Painter(canvas.current, level);
    stage.current = new Stage(painter.current);
    stage.current.show(standing.current);
    canvas.current.stage = stage.current; // for who measures frames
    return () => stage.current.stop();
  }, []);
  useLayoutEffect(() => {
    const place = canvas.current.parentElement.getBoundingClientRect();
    const isWide = size[0] > 900;
    painter.current.fit(place.width, (isWide ? size[1] : size[1] * 0.66) - (isWide ? 90 : 120));
    stage.current.request();
  }, [size]);
  useLayoutEffect(() => {
    canvas.current.game = game;
  });
  useEffect(() => watchTheme(() => {
    painter.current.restyle();
    stage.current.request();
  }), []);
  useEffect(() => {
    const arrow = (move, words) => ({ move, words });
    painter.current.marks.arrows = hint ? [arrow(hint.move, "hint"), ...(hint.nearest ? [arrow(hint.nearest, "goals")] : [])] : [];
    stage.current.request();
  }, [hint]);

  const name = (cell) => cellName(Math.floor(cell / level.columns), cell % level.columns);
  const swap = async (first, second) => {
    const names = [name(first) + name(second), name(second) + name(first)];
    const { legal } = session.game.state;
    const move = names.find((one) => legal.includes(one));
    painter.current.marks.arrows = [];
    if (!move) {
      say(`${name(first)} and ${name(second)}: no line, and nothing that goes off.`);
      stage.current.play([swapPhase(standing.current, first, second, speed, true)]);
      return;
    }
    waiting.current = true;
    onHintDone();
    const before = standing.current;
    const swapping = { ...swapPhase(before, first, second, speed), board: swapped(before, first, second) };
    stage.current.play([swapping]);
    try {
      // From the cell that was moved: in some combinations it makes a difference.
      const turn = await session.play(legal.includes(names[0]) ? names[0] : move);
      const final = readBoard(turn.state.board);
      standing.current = final;
      waiting.current = false;
      const after = session.game;
      await stage.current.play(turnPhases(turn, level, final, speed));
      if (!stage.current.isBusy) stage.current.show(standing.current);
      onTurn(after);
      say(turnWords(turn, level));
      if (turn.ending) onEnd();
    } catch (error) {
      waiting.current = false;
      onProblem(error.message);
      stage.current.finish();
      stage.current.show(standing.current);
    }
  };
  const handlers = useSwaps({
    board: painter,
    level,
    swap,
    say: (cell) => say(cellWords(standing.current, cell, level)),
    redraw: () => stage.current.request(),
    isOpen: () => !waiting.current && session.game.state.status === "playing",
    interrupt: () => {
      if (!waiting.current && stage.current.isBusy) {
        stage.current.finish();
        stage.current.show(standing.current);
      }
    },
  });
  return html`<canvas ref=${canvas} class="play-canvas" data-moves=${game.moves} tabindex="0" role="application"
    aria-label="Board of ${level.rows} rows and ${level.columns} columns. Arrow keys move the cursor, Space picks a candy, an arrow swaps it."
    ...${handlers}></canvas>`;
}

/** The board after a swap, until the server has told what came of it. */
function swapped(board, first, second) {
  const tokens = [...board.board];
  [tokens[first], tokens[second]] = [tokens[second], tokens[first]];
  return { ...board, board: tokens };
}

/** Calls a function whenever light and dark change; gives what ends that. */
export function watchTheme(call) {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(call);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  media.addEventListener("change", call);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", call);
  };
}
