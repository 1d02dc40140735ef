// @ts-check
/** Small parts that several pages share. */
import { html, useState } from "../vendor/preact-htm.js";

/** What went wrong, in the server's words. */
export function Failure({ error }) {
  return html`<p class="failure" role="alert">${error.message}</p>`;
}

/** A text that can be copied. */
export function Snippet({ title, text }) {
  const [said, setSaid] = useState("");
  const copy = () => navigator.clipboard.writeText(text).then(() => setSaid("Copied"), () => setSaid("Select the text to copy it"));
  return html`<section class="snippet" aria-label=${title}>
    <h3>${title} <button class="quiet" onClick=${copy}>Copy</button> <span role="status">${said}</span></h3>
    <pre tabindex="0">${text}</pre></section>`;
}

/** A slider from 1 to 10 that shows its value. */
export function Level({ value, onChange }) {
  return html`<label class="level">Difficulty
    <input type="range" min="1" max="10" value=${value} onChange=${(event) => onChange(Number(event.target.value))} />
    <output>${value}</output></label>`;
}

/** A text with a capital at its beginning. @param {string} text */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1 turn", "3 turns". */
export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * The class and the words for how an episode ended.
 * @param {any} verdict
 * @returns {{ kind: string, words: string }}
 */
export function outcome(verdict) {
  if (!verdict) return { kind: "open", words: "not finished" };
  if (verdict.status === "error") return { kind: "error", words: "could not be judged" };
  if (verdict.solved) return { kind: "solved", words: "solved" };
  if (verdict.status === "no_answer") return { kind: "failed", words: `no answer (${verdict.reason || "none found"})` };
  return { kind: "failed", words: "not solved" };
}

/** One message of a conversation. Long thoughts are folded. */
export function Message({ role, text, children }) {
  return html`<article class=${`message ${role}`} aria-label=${role}>
    <p class="role">${role}</p>
    ${pieces(text).map(({ thought, text }) => thought
      ? html`<details><summary>reasoning, ${counted(text.length, "character")}</summary><pre tabindex="0">${text}</pre></details>`
      : html`<pre tabindex="0">${text}</pre>`)}
    ${children}</article>`;
}

/**
 * A text, split into thoughts and the rest.
 * @param {string} text
 * @returns {{ thought: boolean, text: string }[]}
 */
export function pieces(text) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(/<(think|thinking|reasoning)>([\s\S]*?)(?:<\/\1>|$)/g)) {
    if (text.slice(at, match.index).trim()) found.push({ thought: false, text: text.slice(at, match.index).trim() });
    found.push({ thought: true, text: match[2].trim() });
    at = match.index + match[0].length;
  }
  if (text.slice(at).trim() || !found.length) found.push({ thought: false, text: text.slice(at) });
  return found;
}
