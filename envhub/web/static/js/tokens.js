// @ts-check
/** Tokens of a training run, coloured by their advantages or log-probabilities. */
import { html, useState } from "../vendor/preact-htm.js";

const SHADES = 6;

/** @typedef {"advantages" | "logps"} Measure */

/** @type {Record<Measure, { words: string, legend: string }>} */
const MEASURES = {
  advantages: { words: "advantage", legend: "Blue: advantage above 0. Orange: below 0." },
  logps: { words: "log-probability", legend: "The deeper the orange, the less probable the token was." },
};

/** The largest absolute value, for the darkest shade. @param {any[][]} rows @param {Measure} [by] */
export function scaleOf(rows, by = "advantages") {
  return Math.max(0, ...rows.flat().flatMap((part) => (part[by] ?? []).map((one) => Math.abs(one ?? 0))));
}

/** The class of a token's shade. @param {number | null | undefined} value @param {number} scale */
export function shade(value, scale) {
  if (!value || !scale) return "token";
  const depth = Math.max(1, Math.round((SHADES * Math.abs(value)) / scale));
  return `token ${value > 0 ? "up" : "down"}${depth}`;
}

function Part({ part, scale, by }) {
  if (!part.pieces) return html`<span class="given">${part.text ?? `[${part.given} tokens]`}</span>`;
  return part.pieces.map((piece, at) => {
    const advantage = part.advantages?.[at], logp = part.logps?.[at];
    const words = [logp !== null && logp !== undefined && `log-probability ${logp}`, advantage !== null && advantage !== undefined && `advantage ${advantage}`];
    return html`<span class=${shade(part[by]?.[at], scale)} title=${words.filter(Boolean).join(", ")}>${piece}</span>`;
  });
}

export function Tokens({ rows }) {
  const known = /** @type {Measure[]} */ (Object.keys(MEASURES)).filter((name) => scaleOf(rows, name) > 0);
  const [chosen, setChosen] = useState(/** @type {Measure | null} */ (null));
  const by = chosen ?? known[0] ?? "advantages", scale = scaleOf(rows, by);
  return html`<section aria-label="Tokens"><h2>Tokens</h2>
    ${known.length > 1 && html`<p><label>Coloured by <select value=${by} onChange=${(event) => setChosen(event.target.value)}>
      ${known.map((name) => html`<option value=${name}>${MEASURES[name].words}</option>`)}</select></label></p>`}
    <p class="facts">${MEASURES[by].legend} Grey: not sampled by the policy.</p>
    ${rows.map((row, at) => html`<pre key=${at} class="tokens" tabindex="0">${row.map((part) => html`<${Part} part=${part} scale=${scale} by=${by} />`)}</pre>`)}</section>`;
}
