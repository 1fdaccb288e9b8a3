// The HTTP API: every route of the server's own description, with its fields and an example to type.

import { get } from "./api.js";
import { html, Problem, useEffect, useMemo, useState } from "./ui.js";

const LEVEL = "30-grand-tour";
// What examples say for a parameter or a field; others show their default, or are left out.
const EXAMPLES = {
  name: LEVEL, title: "My level", target: 0.4, tester: "Ada", turn: 0, move: "c4d4", agents: ["heuristic"], attempts: 100,
  game_id: "0123456789abcdef01234567", key: "0123456789abcdef", key_version: "1700000000000-0123abcd",
};

export function View() {
  const [api, setApi] = useState(null);
  const [problem, setProblem] = useState(null);
  const [sought, setSought] = useState("");
  useEffect(() => {
    get("/api/openapi.json").then(setApi, (error) => setProblem(error.message));
  }, []);
  const groups = useMemo(() => (api ? grouped(api) : []), [api]);
  const words = sought.toLowerCase();
  const matching = groups
    .map(([tag, routes]) => [tag, routes.filter((route) => `${route.method} ${route.path} ${route.about}`.toLowerCase().includes(words))])
    .filter(([, routes]) => routes.length);
  return html`<main class="api">
    <div class="panel">
      <h1>HTTP API</h1>
      <p>Everything that this page does, for programs. Requests and answers are JSON; what takes long answers with a stream of
        server-sent events. An error has a status, a <code>code</code> and a <code>problem</code>, which is a sentence: 404 there is no
        such thing, 412 somebody else has saved another version, 413 too large, 422 wrong (a level that cannot be played, too), 429 too
        many at once. On an address that others reach, send <code>Authorization: Bearer TOKEN</code> with every request.</p>
      <p><input type="search" placeholder="Search routes" aria-label="Search routes" value=${sought} onInput=${(event) => setSought(event.target.value)} />
        <a href="/api/openapi.json">openapi.json</a></p>
    </div>
    <${Problem} problem=${problem} />
    ${!api && !problem && html`<p class="loading">loading …</p>`}
    ${matching.map(([tag, routes]) => html`<section key=${tag} aria-label=${tag}><h2>${tag}</h2>${routes.map((route) => html`<${Route} key=${route.method + route.path} route=${route} api=${api} />`)}</section>`)}
  </main>`;
}

function grouped(api) {
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "others";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push({ method: method.toUpperCase(), path, about: operation.description ?? "", operation });
    }
  }
  return [...groups];
}

/** Text with `code` in backquotes, and paragraphs. */
function Prose({ text }) {
  return text.split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph.split("`").map((part, number) => (number % 2 ? html`<code>${part}</code>` : part))}</p>`);
}

function Route({ route, api }) {
  const { method, path, operation } = route;
  const body = bodyOf(operation, api);
  const streams = "text/event-stream" in (operation.responses?.["200"]?.content ?? {});
  return html`<article class="route panel" id=${`${method}${path}`}>
    <h3><span class=${`method ${method.toLowerCase()}`}>${method}</span> <code>${path}</code>${streams && html` <span class="soft small">streams</span>`}</h3>
    <${Prose} text=${route.about} />
    <${Fields} title="Parameters" fields=${(operation.parameters ?? []).map((one) => ({ ...one, ...one.schema, required: one.required, description: one.description }))} />
    <${Fields} title="Body" fields=${fieldsOf(body, api)} />
    <${Example} text=${curl(route, body, api)} />
  </article>`;
}

const resolve = (schema, api) => (schema?.$ref ? api.components.schemas[schema.$ref.split("/").pop()] : schema);
const bodyOf = (operation, api) => resolve(operation.requestBody?.content?.["application/json"]?.schema, api);

function fieldsOf(body, api) {
  return Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    name, ...resolve(schema, api), required: body.required?.includes(name), description: schema.description,
  }));
}

/** What a value may be, in words. */
function kindOf(field) {
  const kinds = (field.anyOf ?? [field]).map((one) => [
    one.enum ? one.enum.join(", ") : one.type ?? "",
    one.minimum !== undefined && `from ${one.minimum}`, one.maximum !== undefined && `to ${one.maximum}`,
    one.exclusiveMinimum !== undefined && `above ${one.exclusiveMinimum}`, one.exclusiveMaximum !== undefined && `below ${one.exclusiveMaximum}`,
    one.maxLength !== undefined && `at most ${one.maxLength.toLocaleString("en")} letters`, one.maxItems !== undefined && `at most ${one.maxItems.toLocaleString("en")}`,
  ].filter(Boolean).join(" "));
  return kinds.filter((kind) => kind !== "null").join(" or ");
}

function Fields({ title, fields }) {
  if (!fields.length) return null;
  return html`<table><caption>${title}</caption><tbody>${fields.map((field) => html`<tr>
    <th scope="row"><code>${field.name}</code></th><td class="small">${kindOf(field)}${field.required ? ", required" : ""}
      ${!field.required && field.default !== undefined && field.default !== null && html`, default <code>${JSON.stringify(field.default)}</code>`}</td>
    <td class="small">${field.description ?? ""}</td></tr>`)}</tbody></table>`;
}

function Example({ text }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(text).then(() => setCopied(true), () => {});
  return html`<div class="example"><pre><code>${text}</code></pre><button class="quiet small" onClick=${copy}>${copied ? "copied" : "copy"}</button></div>`;
}

/** A command line that asks a route. Levels are taken from the server itself, since their text is long. */
export function curl({ method, path, operation }, body, api, base = location.origin) {
  const named = path.replace(/\{(\w+)\}/g, (_, key) => (path.includes("/versions/") && key === "key" ? EXAMPLES.key_version : EXAMPLES[key] ?? key));
  const parts = ["curl -s"];
  if ("text/event-stream" in (operation.responses?.["200"]?.content ?? {})) parts.push("-N");
  if (method !== "GET" && !(method === "POST" && body)) parts.push(`-X ${method}`);
  parts.push(`${base}${named}`);
  if (path === "/api/levels/{name}" && method === "PUT") parts.push("-H 'If-None-Match: *'");
  if (!body) return parts.join(" ");
  parts.push("-H 'Content-Type: application/json'");
  const fields = fieldsOf(body, api);
  const said = fields.filter((field) => field.name !== "text" && field.name !== "old" && (field.required || ["target", "agents", "attempts"].includes(field.name)));
  const values = Object.fromEntries(said.map((field) => [field.name, EXAMPLES[field.name] ?? field.default ?? field.name]));
  const texts = fields.filter((field) => field.required && (field.name === "text" || field.name === "old")).map((field) => field.name);
  if (!texts.length) return `${parts.join(" ")} -d '${JSON.stringify(values)}'`;
  if (fields.some((field) => field.name === "name")) texts.push("name");
  const filter = [...texts.map((name) => (name === "old" ? "old: .text" : name)), ...Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)];
  return `curl -s ${base}/api/bundled/${LEVEL} | jq '{${filter.join(", ")}}' \\\n  | ${parts.join(" ")} -d @-`;
}
