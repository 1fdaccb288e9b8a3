// A game on the server as the page sees it: begun, found again, and played on when the server was away.

import { get, post } from "./api.js";
import { textKey } from "./document.js";

const WAIT = 1000; // milliseconds between two tries while the server does not answer
const key = (name, bundled) => `levelsense.game/${bundled ? "bundled/" : ""}${name}`;

/** The text to play: what the editor left for this level, else the file's. */
export async function textOf(name, bundled) {
  const kept = sessionStorage.getItem(textKey(name));
  if (kept !== null) return kept;
  const answer = await get(`/api/${bundled ? "bundled" : "levels"}/${encodeURIComponent(name)}`);
  return answer.text ?? answer.draft?.text ?? "";
}

export class Session {
  constructor(name, bundled, hearTrouble) {
    this.name = name;
    this.bundled = bundled;
    this.hearTrouble = hearTrouble;
    this.game = null;
    this.isClosed = false;
  }

  close() {
    this.isClosed = true;
  }

  /** The game that this tab was playing, if its text is still the same; otherwise a new one. */
  async open(tester) {
    const text = await textOf(this.name, this.bundled);
    const id = sessionStorage.getItem(key(this.name, this.bundled));
    if (id) {
      const kept = await this.asking(() => get(`/api/games/${id}`)).catch(() => null);
      if (kept && kept.text === text && !kept.ending) return this.keep(kept);
      if (kept && !kept.ending) await this.leave(kept);
    }
    return this.start({ text, tester });
  }

  /** A new game; what was being played is broken off. */
  async start({ text = this.game.text, tester, seed, position }) {
    if (this.game && !this.game.ending) await this.leave(this.game);
    const body = { text, name: this.name, tester, seed, position };
    return this.keep(await this.asking(() => post("/api/games", body)));
  }

  async leave(game) {
    if (game.moves > 0) await post(`/api/games/${game.id}/leave`).catch(() => null);
  }

  keep(game) {
    this.game = game;
    sessionStorage.setItem(key(this.name, this.bundled), game.id);
    return game;
  }

  /** Plays a move. Asked again until the server answers: by its turn it is played only once. */
  async play(move) {
    const turn = this.game.moves;
    const ask = () => post(`/api/games/${this.game.id}/moves`, { turn, move });
    let answer;
    try {
      answer = await this.asking(ask);
    } catch (error) {
      if (error.code !== "no-such-game" || turn > 0) throw error;
      // A game without a move is not kept: the server was started again.
      await this.start({ tester: this.game.tester, seed: this.game.seed });
      answer = await this.asking(ask);
    }
    this.game = { ...this.game, moves: answer.moves, state: answer.state, ending: answer.ending, hints: answer.hints };
    return answer;
  }

  hint() {
    return this.asking(() => post(`/api/games/${this.game.id}/hint`));
  }

  position() {
    return this.asking(() => get(`/api/games/${this.game.id}/position`));
  }

  async asking(request) {
    for (;;) {
      try {
        const answer = await request();
        this.hearTrouble(null);
        return answer;
      } catch (error) {
        if (error.code !== "offline" || this.isClosed) throw error;
        this.hearTrouble("The server does not answer. Nothing is lost: the game goes on as soon as it does.");
        await new Promise((resolve) => setTimeout(resolve, WAIT));
      }
    }
  }
}
