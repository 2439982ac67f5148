// @ts-check
/** Talking to the server: requests, and a web socket that comes back by itself. */

const BASE = new URL("api", document.baseURI).href;
const PING = 20_000; // milliseconds; a socket that says nothing for twice as long is dead
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8_000;

/** Why the server refused, in one line; `legal` and `session` where they help to go on. */
export class ApiProblem extends Error {
  /** @param {number} status @param {{error?: string, legal?: string[], session?: any}} body */
  constructor(status, body) {
    super(body.error || `the server answered ${status}`);
    this.status = status; // 0: it could not be reached
    this.error = this.message;
    this.legal = body.legal ?? [];
    this.session = body.session ?? null;
  }
}

/** Whoever waited for an answer does not want it any more. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled; what was being compiled goes on in the background");
  }
}

/** @param {string} path @param {string} [key] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const get = (path, key, signal) => request("GET", path, undefined, key, signal);
/** @param {string} path @param {any} [body] @param {string} [key] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const post = (path, body = {}, key = undefined, signal = undefined) =>
  request("POST", path, body, key, signal);
/** @param {string} path @param {any} body @param {string} [key] @returns {Promise<any>} */
export const put = (path, body, key) => request("PUT", path, body, key);
/** @param {string} path @param {string} [key] @returns {Promise<any>} */
export const remove = (path, key) => request("DELETE", path, undefined, key);

/** @param {string} method @param {string} path @param {any} body @param {string | undefined} key @param {AbortSignal} [signal] */
async function request(method, path, body, key, signal) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (key) headers["X-Plies-Key"] = key;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(BASE + path, { method, headers, body: body && JSON.stringify(body), signal });
  } catch {
    if (signal?.aborted) throw new Cancelled();
    throw new ApiProblem(0, { error: "the server cannot be reached" });
  }
  const text = await answer.text();
  /** @type {any} */
  let content = null;
  try {
    content = text ? JSON.parse(text) : null;
  } catch {
    content = { error: `the server answered ${answer.status}` };
  }
  if (!answer.ok) throw new ApiProblem(answer.status, content ?? {});
  return content;
}

/**
 * Listens to a web socket under /api until `close()`; lost connections are made again, at once
 * when the page comes back to the front or the network returns.
 * @param {string} path
 * @param {{message: (news: any) => void, state?: (state: "open" | "lost") => void}} handlers
 * @returns {{send: (message: any) => void, close: () => void, isOpen: () => boolean}}
 */
export function listen(path, handlers) {
  const address = BASE.replace(/^http/, "ws") + path;
  let pause = FIRST_PAUSE;
  let isClosed = false;
  let heard = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** @type {WebSocket} */
  let socket;

  const connect = () => {
    clearTimeout(waiting);
    waiting = undefined;
    socket = new WebSocket(address);
    const mine = socket;
    socket.onopen = () => {
      heard = Date.now();
      handlers.state?.("open");
    };
    socket.onmessage = (event) => {
      heard = Date.now();
      const news = JSON.parse(event.data);
      if (news.type !== "problem") pause = FIRST_PAUSE; // who is sent away at once comes back later
      if (news.type !== "pong" && !isClosed) handlers.message(news);
    };
    socket.onclose = () => {
      if (isClosed || mine !== socket) return;
      handlers.state?.("lost");
      waiting = setTimeout(connect, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };
  };
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const send = (/** @type {any} */ message) => {
    if (isOpen()) socket.send(JSON.stringify(message));
  };
  const hurry = () => {
    if (waiting !== undefined && !document.hidden) connect();
  };
  const pinging = setInterval(() => {
    if (isOpen() && Date.now() - heard > 2 * PING) socket.close();
    else send({ type: "ping" });
  }, PING);
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  connect();

  const close = () => {
    isClosed = true;
    clearTimeout(waiting);
    clearInterval(pinging);
    removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
    socket.close();
  };
  return { send, close, isOpen };
}
