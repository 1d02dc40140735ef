// @ts-check
/** Sampled tokens, coloured by advantage: blue above 0, orange below. */
import { html } from "../vendor/preact-htm.js";

const SHADES = 6;

/** The largest absolute advantage, for the darkest shade. @param {any[][]} rows */
export function scaleOf(rows) {
  return Math.max(0, ...rows.flat().flatMap((part) => (part.advantages ?? []).map((one) => Math.abs(one ?? 0))));
}

/** The class of a token's shade. @param {number | null | undefined} advantage @param {number} scale */
export function shade(advantage, scale) {
  if (!advantage || !scale) return "token";
  const depth = Math.max(1, Math.round((SHADES * Math.abs(advantage)) / scale));
  return `token ${advantage > 0 ? "up" : "down"}${depth}`;
}

function Part({ part, scale }) {
  if (!part.pieces) return html`<span class="given">${part.text ?? `[${part.given} tokens]`}</span>`;
  return part.pieces.map((piece, at) => {
    const advantage = part.advantages?.[at], logp = part.logps?.[at];
    const words = [logp !== null && logp !== undefined && `log-probability ${logp}`, advantage !== null && advantage !== undefined && `advantage ${advantage}`];
    return html`<span class=${shade(advantage, scale)} title=${words.filter(Boolean).join(", ")}>${piece}</span>`;
  });
}

export function Tokens({ rows }) {
  const scale = scaleOf(rows);
  return html`<section aria-label="Tokens"><h2>Tokens</h2><p class="facts">Blue: advantage above 0. Orange: below 0. Grey: not sampled by the policy.</p>
    ${rows.map((row, at) => html`<pre key=${at} class="tokens" tabindex="0">${row.map((part) => html`<${Part} part=${part} scale=${scale} />`)}</pre>`)}</section>`;
}
