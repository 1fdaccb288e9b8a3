// Requests to the server: JSON answers, and streams of server-sent events that end when they are left.

export class RequestError extends Error {
  constructor(status, data) {
    super(data?.problem ?? `the server answered ${status}`);
    this.status = status;
    this.code = data?.code;
    this.data = data ?? {};
  }
}

/** This tab's name: what it asks for ends what it asked for before. */
export const TAB = (crypto.randomUUID?.() ?? `tab-${Math.random().toString(36).slice(2)}`).slice(0, 36);

const OFFLINE = "The studio's server does not answer. Is it still running?";

async function ask(method, path, body, headers = {}, signal = undefined, keepalive = false) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      keepalive,
      headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new RequestError(0, { code: "offline", problem: OFFLINE });
  }
  if (response.ok) return response;
  let data = null;
  try {
    data = await response.json();
  } catch {
    // No JSON: the status says enough.
  }
  throw new RequestError(response.status, data);
}

export async function json(method, path, body, headers, signal, keepalive) {
  const response = await ask(method, path, body, headers, signal, keepalive);
  return response.status === 204 ? null : response.json();
}

export const get = (path) => json("GET", path);
export const post = (path, body, signal) => json("POST", path, body, {}, signal);
/** `keepalive` is for what is sent while the page closes; it must be short then. */
export const put = (path, body, headers, { keepalive } = {}) => json("PUT", path, body, headers, undefined, keepalive);

/**
 * Posts a request and calls `hear(event, data)` for each event of the answer.
 * Resolves when the stream has ended; aborting the signal ends the work on the server, too.
 */
export async function stream(path, body, hear, signal) {
  const response = await ask("POST", path, body, { Accept: "text/event-stream" }, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await next(reader);
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [kind, data] = parseEvent(text.slice(0, end));
      text = text.slice(end + 2);
      if (kind) hear(kind, data);
    }
  }
}

async function next(reader) {
  try {
    return await reader.read();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new RequestError(0, { code: "offline", problem: OFFLINE });
  }
}

function parseEvent(block) {
  let kind = "message";
  const lines = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) kind = line.slice(6).trim();
    else if (line.startsWith("data:")) lines.push(line.slice(5).trimStart());
  }
  return lines.length ? [kind, JSON.parse(lines.join("\n"))] : [null, null];
}

let words = null;

/** The words of level files, fetched once. */
export function vocabulary() {
  words ??= get("/api/vocabulary");
  return words;
}
