// The editor's tools: how to paint, with what, on which layer, and mirrored or not.

import { Piece } from "./board.js";
import { html } from "./ui.js";

export const TOOLS = [
  { key: "brush", words: "Brush", icon: "✎", shortcut: "b" },
  { key: "rectangle", words: "Rectangle", icon: "▭", shortcut: "r" },
  { key: "fill", words: "Fill", icon: "⬙", shortcut: "f" },
  { key: "pick", words: "Pick up", icon: "◉", shortcut: "i" },
  { key: "erase", words: "Erase", icon: "⌫", shortcut: "e" },
  { key: "keep", words: "Must stay", icon: "▣", shortcut: "k" },
  { key: "teleport", words: "Teleporter", icon: "⇣", shortcut: "t" },
  { key: "dispenser", words: "Dispenser", icon: "▼", shortcut: "d" },
  { key: "exit", words: "Exit", icon: "⤓", shortcut: "x" },
];

export const LAYERS = [
  { key: "board", words: "Board" },
  { key: "jelly", words: "Jelly" },
  { key: "locks", words: "Locks" },
];

export const MIRRORS = [
  { key: "none", words: "no mirror", icon: "·" },
  { key: "columns", words: "mirrored left and right", icon: "⇄" },
  { key: "rows", words: "mirrored up and down", icon: "⇅" },
  { key: "both", words: "mirrored both ways", icon: "✥" },
];

/** The tokens of each layer, in groups, by the server's words of level files. */
export function paletteOf(words, layer) {
  if (layer === "jelly") return [{ words: "Jelly", items: [[".", "none"], ["1", "one layer"], ["2", "two layers"]] }];
  if (layer === "locks") {
    const covers = words.elements.filter((element) => element.place === "cover");
    return [{ words: "Covers", items: [[".", "none"], ...covers.map((element) => [element.token, element.name])] }];
  }
  const blockers = words.elements.filter((element) => element.place === "board");
  const candies = words.colors.map((color) => [color.letter, color.name]);
  const specials = Object.entries(words.marks).map(([mark, name]) => [`.${mark}`, `${name}, any color`]);
  return [
    { words: "Tiles", items: [[".", "candy, any color"], ["-", "no tile"]] },
    { words: "Blockers", items: blockers.flatMap((element) => element.tokens.map((token) => [token, `${element.name}${element.layers > 1 ? ` ${token.slice(1)}` : ""}`])) },
    { words: "Pieces", items: [...Object.entries(words.pieces), [".9", "countdown bomb, 9 moves"]] },
    { words: "Candies", items: candies },
    { words: "Specials", items: specials },
  ];
}

/** What changes of a tool when a token is chosen: tools that paint with it stay. */
export const withToken = (tool, token) => ({ token, mode: ["brush", "rectangle", "fill"].includes(tool.mode) ? tool.mode : "brush" });

export function Palette({ words, tool, changeTool }) {
  const groups = paletteOf(words, tool.layer);
  let number = 0;
  return html`<section class="palette panel" aria-label="Tools">
    <div class="modes" role="toolbar" aria-label="How to paint">
      ${TOOLS.map((one) => html`<button aria-pressed=${tool.mode === one.key} title=${`${one.words} (${one.shortcut})`} aria-label=${one.words}
          onClick=${() => changeTool({ mode: one.key })}><span aria-hidden="true">${one.icon}</span><small>${one.words}</small></button>`)}
    </div>
    <div class="row tight" role="group" aria-label="Layer">
      ${LAYERS.map((one) => html`<button aria-pressed=${tool.layer === one.key} onClick=${() => changeTool({ layer: one.key, token: one.key === "board" ? "." : one.key === "jelly" ? "1" : "L" })}>${one.words}</button>`)}
    </div>
    <div class="row tight" role="group" aria-label="Mirror">
      ${MIRRORS.map((one) => html`<button aria-pressed=${tool.mirror === one.key} title=${one.words} aria-label=${one.words}
          onClick=${() => changeTool({ mirror: one.key })}>${one.icon}</button>`)}
      <span class="soft small">mirror</span>
    </div>
    ${groups.map((group) => html`<h3>${group.words}</h3><div class="swatches" role="group" aria-label=${`${group.words}: arrow keys choose`} onKeyDown=${along}>
      ${group.items.map(([token, name]) => {
        number += 1;
        const hint = number <= 9 ? ` (${number})` : "";
        const first = group.items[0][0] === token && !group.items.some(([other]) => other === tool.token);
        return html`<button class="swatch" tabindex=${tool.token === token || first ? 0 : -1} aria-pressed=${tool.token === token && !["pick", "erase"].includes(tool.mode)} title=${`${name}${hint}`} aria-label=${name}
          onClick=${() => changeTool((now) => withToken(now, token))}><${Swatch} layer=${tool.layer} token=${token} /></button>`;
      })}</div>`)}
  </section>`;
}

/** Arrow keys go from swatch to swatch, so that each group is one stop of the Tab key. */
function along(event) {
  const by = { ArrowRight: 1, ArrowDown: 5, ArrowLeft: -1, ArrowUp: -5 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const swatches = [...event.currentTarget.querySelectorAll("button")];
  const next = swatches[swatches.indexOf(event.target.closest("button")) + by];
  next?.focus();
  next?.click();
}

/** The token that a number key chooses. */
export function tokenOfNumber(words, layer, number) {
  return paletteOf(words, layer).flatMap((group) => group.items)[number - 1]?.[0];
}

function Swatch({ layer, token }) {
  const jelly = layer === "jelly" && token !== "." ? ` jelly-${token}` : "";
  const piece = layer === "board" ? token : layer === "locks" && token !== "." ? "r" : ".";
  return html`<svg class="board" viewBox="18 18 44 44" aria-hidden="true">
    ${token === "-" ? html`<path class="none" d="M28 28L52 52M52 28L28 52" />` : html`<rect class=${`tile${jelly}`} x="21" y="21" width="38" height="38" rx="5" />`}
    <${Piece} row="0" column="0" token=${token === "-" ? "-" : piece} lock=${layer === "locks" ? token : "."} /></svg>`;
}
