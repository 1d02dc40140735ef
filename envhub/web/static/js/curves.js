// @ts-check
/** Curves over the ten levels: small pictures whose text alternative holds the numbers. */
import { html } from "../vendor/preact-htm.js";

const WIDTH = 250, LEFT = 20, STEP = 24, TOP = 10, BOTTOM = 90;

/** A number with three digits. @param {number} value */
export function short(value) {
  return Number(value.toPrecision(3)).toLocaleString("en");
}

/**
 * @typedef {{ name: string, label: string, values: number[], most?: number, show?: (value: number) => string }} Series
 * ten values, a word beside a small picture, and the value at its top, by default the largest one
 */

/** The values as a sentence. @param {Series} series */
export function words({ name, values, show = short }) {
  return `${name} by level: ${values.map((value, at) => `${at + 1}: ${show(value)}`).join(", ")}`;
}

/** Points of a line. @param {Series} series @returns {[number, number][]} */
function points({ values, most = Math.max(...values) }) {
  return values.map((value, at) => [LEFT + at * STEP, BOTTOM - (most ? value / most : 0) * (BOTTOM - TOP)]);
}

/** A curve with an axis. @param {Series} series */
export function Curve(series) {
  const { name, values, most = Math.max(...values), show = short } = series, places = points(series);
  return html`<figure class="curve"><svg viewBox=${`0 0 ${WIDTH} 110`} role="img" aria-label=${words(series)}>
      <line x1=${LEFT} x2=${WIDTH - 10} y1=${BOTTOM} y2=${BOTTOM} /><line x1=${LEFT} x2=${WIDTH - 10} y1=${TOP} y2=${TOP} class="faint" />
      <polyline points=${places.join(" ")} />
      ${places.map(([x, y], at) => html`<circle cx=${x} cy=${y} r="2.5"><title>level ${at + 1}: ${show(values[at])}</title></circle>
        <text x=${x} y="104">${at + 1}</text>`)}
      <text x=${LEFT} y="7" class="most">${show(most)}</text>
    </svg><figcaption>${name} by level</figcaption></figure>`;
}

/** A curve of the size of a word, with its name. @param {Series} series */
export function Spark(series) {
  return html`<span class="spark"><svg viewBox=${`10 0 ${WIDTH - 10} 100`} role="img" aria-label=${words(series)}>
    <polyline points=${points(series).join(" ")} /></svg> <span aria-hidden="true">${series.label}</span></span>`;
}

/** A share in per cent. @param {number} value */
export function percent(value) {
  return `${(100 * value).toFixed(0)} %`;
}

/** What is measured about an environment at each level. @param {any} card @returns {Series[]} */
export function measured(card) {
  const found = [];
  if (card.audit) found.push({ name: "Effort of the reference solver", label: "effort", values: card.audit.effort });
  if (card.rates) found.push({ name: `Share solved by ${card.rates.policy}`, label: "solved", values: card.rates.solved, most: 1, show: percent });
  return found;
}
