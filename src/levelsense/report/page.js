"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const preference = matchMedia("(prefers-color-scheme: dark)");
const drawn = new Map(); // chart element -> the view that is drawn in it

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : preference.matches;
}

// How many labels of a legend fit side by side in so many pixels, as theme.py counts it.
function legendColumns(labels, room) {
  const widths = labels.map((label) => 6.3 * String(label).length + 24);
  for (let columns = labels.length; columns > 1; columns -= 1) {
    const widest = Array.from({ length: columns }, (_, column) =>
      Math.max(...widths.filter((_, place) => place % columns === column)));
    if (widest.reduce((sum, one) => sum + one, 0) <= room) return columns;
  }
  return 1;
}

// A legend that fits into so many pixels: its title behind the labels if all stand side by side, else above.
function fittingLegend(legend, labels, width) {
  const room = width - 90; // it begins where the axis ends
  const besides = 8 * String(legend.title ?? "").length + 10;
  if (legend.columns === undefined) {
    return { ...legend, labelLimit: room - 24, titleOrient: room < 400 ? "top" : legend.titleOrient };
  }
  const all = legendColumns(labels, room - besides) === labels.length;
  const columns = all ? labels.length : legendColumns(labels, room);
  return { ...legend, columns, labelLimit: room - 24, titleOrient: all ? "left" : "top" };
}

// A part of a chart's spec with legends, and names beside an axis, that fit into so many pixels.
function withFittingNames(part, width) {
  if (Array.isArray(part)) return part.map((one) => withFittingNames(one, width));
  if (part === null || typeof part !== "object") return part;
  const copy = Object.fromEntries(
    Object.entries(part).map(([key, one]) => [key, key === "datasets" ? one : withFittingNames(one, width)]),
  );
  const labels = copy.scale?.domain;
  if (copy.axis?.labelLimit) copy.axis = { ...copy.axis, labelLimit: Math.min(copy.axis.labelLimit, width / 3) };
  if (copy.legend && Array.isArray(labels)) copy.legend = fittingLegend(copy.legend, labels, width);
  if (copy.x) copy.x = withFittingTitle(copy.x, width);
  return copy;
}

// A text in lines of at most so many letters, broken between words.
function inLines(text, letters) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (lines[last] && lines[last].length + word.length + 1 > letters) lines.push(word);
    else lines[last] += (lines[last] && " ") + word;
  }
  return lines;
}

// The encoding of a chart's x with a title, its own or its axis', that is no longer than the axis.
function withFittingTitle(x, width) {
  const letters = Math.max(Math.floor((width - 180) / 6.6), 12); // names may stand beside the axis
  const copy = { ...x };
  if (typeof copy.title === "string") copy.title = inLines(copy.title, letters);
  if (typeof copy.axis?.title === "string") copy.axis = { ...copy.axis, title: inLines(copy.axis.title, letters) };
  return copy;
}

// A chart's spec with lines of its title, and of those below, as long as there is room for, and legends that fit.
function fitting(whole, width) {
  const spec = withFittingNames(whole, width);
  if (!spec.title?.text) return spec;
  const text = inLines(spec.title.text, Math.max(Math.floor((width - 20) / 8.1), 16)); // bold, beside the menu
  const letters = Math.max(Math.floor(width / 6.4), 20);
  const lines = [spec.title.subtitle ?? []].flat().flatMap((line) => inLines(line, letters));
  return { ...spec, title: { ...spec.title, text, ...(lines.length ? { subtitle: lines } : {}) } };
}

// Draws a chart in its place, or draws it again in the present theme.
async function draw(element) {
  drawn.get(element)?.finalize();
  drawn.set(element, null);
  const dark = isDark();
  root.dataset.dark = dark ? "yes" : "no";
  const result = await vegaEmbed(element, fitting(data.specs[element.dataset.chart], element.clientWidth), {
    mode: "vega-lite",
    renderer: "svg",
    config: dark ? data.dark : data.light,
    tooltip: { theme: dark ? "dark" : "light" },
    actions: { export: true, source: false, compiled: false, editor: false },
  });
  drawn.set(element, result);
  element.dataset.drawn = "yes";
  element.querySelector("details > summary")?.setAttribute("aria-label", "Save this chart");
}

// A chart is drawn when it comes near the screen; one in a closed part of the page has no place there.
const watcher = new IntersectionObserver((entries) => {
  const shown = entries.filter((entry) => entry.isIntersecting && !drawn.has(entry.target));
  Promise.all(shown.map((entry) => draw(entry.target))).then(() => { root.dataset.complete = "yes"; });
}, { rootMargin: "600px" });

function watchCharts(part) {
  part.querySelectorAll("[data-chart]").forEach((element) => watcher.observe(element));
}
watchCharts(document);
if (!document.querySelector("[data-chart]")) root.dataset.complete = "yes";

// The rest of a level is put in its place when the level is opened: boards, charts, figures.
function fill(level) {
  const place = level.querySelector("[data-body]");
  if (place === null || place.childElementCount) return;
  place.innerHTML = data.bodies[place.dataset.body];
  watchCharts(place);
}
const levels = [...document.querySelectorAll("details.level")];
for (const level of levels) {
  if (level.open) fill(level);
  level.addEventListener("toggle", () => { if (level.open) fill(level); });
}

function open(level) {
  fill(level);
  level.open = true;
}

// Everything at once, to print or to search: charts follow one by one whenever there is nothing else to do.
const whenIdle = (task) => (window.requestIdleCallback ?? setTimeout)(task, { timeout: 100 });
async function drawRest() {
  const next = [...document.querySelectorAll("[data-chart]")].find((element) => !drawn.has(element));
  if (next === undefined) {
    root.dataset.all = "yes";
    return;
  }
  await draw(next);
  whenIdle(drawRest);
}
function openAll() {
  for (const level of levels.filter((one) => !one.hidden)) {
    open(level);
    level.querySelectorAll("details.all").forEach((part) => { part.open = true; });
  }
  drawRest();
}
document.getElementById("open-all")?.addEventListener("click", openAll);

// A link to a level opens it.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const level = target && target.closest("details.level");
  if (!level) return;
  open(level);
  level.scrollIntoView();
}
addEventListener("hashchange", openTarget);
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#level-"]');
  if (link && link.hash === location.hash) openTarget(); // clicked again: the hash does not change
});
openTarget();

function drawAgain() {
  [...drawn.keys()].filter((element) => element.isConnected).forEach(draw);
}
preference.addEventListener("change", drawAgain);
document.getElementById("theme").addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  drawAgain();
});

// Search and filter: rows of the index and levels below are shown or hidden together.
const search = document.getElementById("search");
const byVerdict = document.getElementById("by-verdict");
function narrow() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll("#summary tbody tr")];
  let matching = 0;
  for (const row of rows) {
    const fits = words.every((word) => row.dataset.search.includes(word))
      && (!byVerdict?.value || row.dataset.verdict === byVerdict.value);
    row.hidden = !fits;
    document.getElementById(row.querySelector(".name a").hash.slice(1)).hidden = !fits;
    matching += fits;
  }
  const isAll = matching === rows.length;
  document.getElementById("matching").textContent = isAll ? "" : `${matching} of ${rows.length} levels`;
}
search?.addEventListener("input", narrow);
byVerdict?.addEventListener("change", narrow);

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
