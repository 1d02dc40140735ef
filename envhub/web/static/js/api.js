// @ts-check
/** Requests to the server. The key is kept in memory alone: a reload forgets it. */

let key = "";

/** @param {string} text */
export function useKey(text) {
  key = text.trim();
}

/** An answer that is not a success, with the server's explanation. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * The JSON answer to a request.
 * @param {string} path
 * @param {any} [body] sent as JSON by POST; a GET without one
 * @returns {Promise<any>}
 */
export async function request(path, body) {
  /** @type {Record<string, string>} */
  const headers = key ? { authorization: `Bearer ${key}` } : {};
  /** @type {RequestInit} */
  const init = body === undefined ? { headers } : {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refused(0, "The server does not answer. Is it still running?");
  }
  const found = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, found?.detail ?? `The server answered ${answer.status}.`);
  return found;
}

/** An id for a new episode, so that a repeated request begins no second one. */
export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
