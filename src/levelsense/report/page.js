"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const preference = matchMedia("(prefers-color-scheme: dark)");
const drawn = new Map(); // chart element -> the view that is drawn in it

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : preference.matches;
}

// Draws a chart in its place, or draws it again in the present theme.
async function draw(element) {
  drawn.get(element)?.finalize();
  drawn.set(element, null);
  const dark = isDark();
  const result = await vegaEmbed(element, data.specs[element.dataset.chart], {
    mode: "vega-lite",
    renderer: "svg",
    config: dark ? data.dark : data.light,
    tooltip: { theme: dark ? "dark" : "light" },
    actions: { export: true, source: false, compiled: false, editor: false },
  });
  drawn.set(element, result);
  element.dataset.drawn = "yes";
}

// What is near the screen is drawn first; the rest follows whenever there is nothing else to do.
const charts = [...document.querySelectorAll("[data-chart]")];
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting && !drawn.has(entry.target)) draw(entry.target);
  }
}, { rootMargin: "600px" });
charts.forEach((element) => watcher.observe(element));

const whenIdle = window.requestIdleCallback ?? ((task) => setTimeout(task, 50));
async function drawRest() {
  const next = charts.find((element) => !drawn.has(element));
  if (next === undefined) {
    root.dataset.complete = "yes";
    return;
  }
  await draw(next);
  whenIdle(drawRest);
}
whenIdle(drawRest);

function drawAgain() {
  [...drawn.keys()].forEach(draw);
}
preference.addEventListener("change", drawAgain);
document.getElementById("theme").addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  drawAgain();
});

// A click on a heading sorts its table by that column, another one the other way round.
function compare(first, second) {
  const numbers = [Number(first), Number(second)];
  return numbers.some(Number.isNaN) ? first.localeCompare(second) : numbers[0] - numbers[1];
}

function sortBy(table, headings, column) {
  const heading = headings[column];
  const direction = heading.ariaSort === "ascending" ? -1 : 1;
  headings.forEach((other) => { other.ariaSort = "none"; });
  heading.ariaSort = direction === 1 ? "ascending" : "descending";
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => direction * compare(a.cells[column].dataset.value, b.cells[column].dataset.value));
  table.tBodies[0].append(...rows);
}
for (const table of document.querySelectorAll("table.summary")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => sortBy(table, headings, column));
  });
}
