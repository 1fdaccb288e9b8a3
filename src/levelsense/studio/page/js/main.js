// The page: a bar on top, and the view that the address names.

import { html, render, useEffect, useKept, useState } from "./ui.js";

const VIEWS = {
  library: () => import("./library.js"),
  edit: () => import("./editor.js"),
  play: () => import("./play.js"),
  watch: () => import("./watch.js"),
  saga: () => import("./saga.js"),
  api: () => import("./api_page.js"),
};

/** The address as view and level: #/edit/my-level, or #/edit/bundled/30-grand-tour for one that comes along. */
export function readAddress(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/").map(decodeURIComponent);
  const bundled = rest[0] === "bundled" && rest.length > 1;
  return { view: view in VIEWS ? view : "library", name: bundled ? rest[1] : rest[0] ?? "", bundled, query };
}

function App() {
  const [address, setAddress] = useState(() => readAddress(location.hash));
  const [view, setView] = useState(null);
  const [problem, setProblem] = useState(null);
  const [theme, setTheme] = useKept("theme", "auto");
  useEffect(() => {
    const listen = () => setAddress(readAddress(location.hash));
    window.addEventListener("hashchange", listen);
    return () => window.removeEventListener("hashchange", listen);
  }, []);
  useEffect(() => {
    let left = false; // a view that was left while it was loading comes too late
    VIEWS[address.view]()
      .then((module) => !left && setView({ name: address.view, View: module.View }))
      .catch((error) => !left && setProblem(`This view cannot be loaded: ${error.message}`));
    return () => {
      left = true;
    };
  }, [address.view]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = { auto: "dark", dark: "light", light: "auto" }[theme] ?? "auto";
  const link = (to, words) => html`<a href="#/${to}" aria-current=${address.view === to ? "page" : undefined}>${words}</a>`;
  return html`<header class="bar">
      <a class="brand" href="#/library"><img src="/page/icon.svg" alt="" width="22" height="22" />levelsense <span>studio</span></a>
      <nav aria-label="Views">${link("library", "Levels")}${link("saga", "Saga")}${link("api", "API")}</nav>
      <button class="quiet" onClick=${() => setTheme(next)} title="Light, dark, or as the system has it">
        ${{ auto: "◐ auto", dark: "● dark", light: "○ light" }[theme]}</button>
    </header>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${view && view.name === address.view
      ? html`<${view.View} key=${`${address.view}/${address.bundled}/${address.name}`} name=${address.name} bundled=${address.bundled}
          query=${address.query} />`
      : html`<p class="loading">loading …</p>`}`;
}

const root = document.getElementById("app");
root.textContent = "";
render(html`<${App} />`, root);
