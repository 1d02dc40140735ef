// @ts-check
/** Training runs: their numbers as curves that grow while they train, several runs in each chart. */
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { request } from "./api.js";
import { useLoaded } from "./hooks.js";
import { Failure } from "./parts.js";

const FIRST = ["reward", "solved", "test/sampled", "test/greedy", "loss", "entropy", "kl", "grad_norm"];
const COLOURS = ["#2f6fc4", "#d95f0e", "#1b8a5a", "#8a4fbf", "#b8860b", "#c2336b", "#4a6a7a", "#7a7a00"];
const HEIGHT_PX = 190;

/** @typedef {Map<number, Record<string, number>>} Log numbers by step, then by name */

/**
 * The lines of one number in several runs, over the steps of all of them.
 * @param {Log[]} logs
 * @param {string} name
 * @returns {[number[], ...(number | null)[][]]}
 */
export function aligned(logs, name) {
  const steps = [...new Set(logs.flatMap((log) => [...log].filter(([, numbers]) => name in numbers).map(([step]) => step)))].sort((a, b) => a - b);
  return [steps, ...logs.map((log) => steps.map((step) => log.get(step)?.[name] ?? null))];
}

/** Names of numbers in sections, the most wanted first. @param {Log[]} logs @returns {[string, string[]][]} */
export function sections(logs) {
  const names = [...new Set(logs.flatMap((log) => [...log.values()].flatMap((numbers) => Object.keys(numbers))))];
  const shown = names.filter((name) => name !== "step" && name !== "time").sort();
  const groups = new Map([["Main", FIRST.filter((name) => shown.includes(name))]]);
  for (const name of shown.filter((one) => !FIRST.includes(one))) {
    const group = name.includes("/") ? name.split("/")[0] : "Other";
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].filter(([, members]) => members.length);
}

let loading = /** @type {Promise<any> | null} */ (null);

/** uPlot, which only this page needs. */
function plotter() {
  loading ??= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "web/vendor/uplot.css" });
    const script = Object.assign(document.createElement("script"), { src: "web/vendor/uplot.js" });
    script.onload = () => resolve(/** @type {any} */ (window).uPlot);
    script.onerror = () => reject(new Error("The charts could not be loaded."));
    document.head.append(style, script);
  });
  return loading;
}

function Chart({ name, names, logs }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const plot = useRef(/** @type {any} */ (null));
  const data = aligned(logs, name);
  const last = logs.map((log, at) => `${names[at]} ${data[at + 1].findLast((one) => one !== null)?.toPrecision(3) ?? "no value"}`);
  useEffect(() => {
    let current = true;
    plotter().then((Plot) => {
      if (!current || !place.current) return;
      const ink = getComputedStyle(document.body).color, axis = { stroke: ink, grid: { stroke: "rgba(128, 128, 128, .25)", width: 1 } };
      const series = names.map((run, at) => ({ label: run, stroke: COLOURS[at % COLOURS.length], width: 1.5, spanGaps: true, points: { show: data[0].length < 3 } }));
      const size = { width: place.current.clientWidth, height: HEIGHT_PX };
      plot.current = new Plot({ ...size, scales: { x: { time: false } }, axes: [axis, { ...axis, size: 60 }], series: [{ label: "step" }, ...series] }, data, place.current);
    });
    return () => { current = false; plot.current?.destroy(); plot.current = null; };
  }, [names.join("\n")]);
  useEffect(() => { plot.current?.setData(data); });
  return html`<figure class="chart"><figcaption>${name}</figcaption><div ref=${place} role="img" aria-label=${`${name} at the last step: ${last.join(", ")}`}></div></figure>`;
}

/** The logs of the chosen runs, kept up to date. @param {number[]} chosen @returns {Map<number, Log>} */
function useLogs(chosen) {
  const [logs, setLogs] = useState(/** @type {Map<number, Log>} */ (new Map()));
  useEffect(() => {
    const sources = chosen.map((number) => {
      const source = new EventSource(`data/runs/${number}`);
      const add = (event, before) => {
        const log = new Map(before);
        for (const line of JSON.parse(event.data)) log.set(line.step ?? log.size, { ...log.get(line.step), ...line });
        return log;
      };
      source.onmessage = (event) => setLogs((all) => new Map(all).set(number, add(event, all.get(number) ?? [])));
      source.addEventListener("again", (event) => setLogs((all) => new Map(all).set(number, add(event, []))));
      return source;
    });
    return () => { sources.forEach((source) => source.close()); setLogs(new Map()); };
  }, [chosen.join()]);
  return logs;
}

export function Runs() {
  const { value, error } = useLoaded(() => request("data/runs"), []);
  const [chosen, setChosen] = useState([0]);
  const logs = useLogs(chosen);
  if (error) return html`<${Failure} error=${error} />`;
  if (!value) return html`<p role="status">Loading …</p>`;
  const toggle = (number) => setChosen(chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number].sort((a, b) => a - b));
  const ready = chosen.filter((number) => logs.has(number));
  const drawn = ready.map((number) => /** @type {Log} */ (logs.get(number))), names = ready.map((number) => value.runs[number]);
  const steps = drawn.map((log) => Math.max(0, ...log.keys()));
  return html`<h1>Training runs</h1>
    <fieldset class="filters"><legend>Runs</legend>${value.runs.map((name, number) => html`<label key=${number}>
      <input type="checkbox" checked=${chosen.includes(number)} onChange=${() => toggle(number)} /> ${name}</label>`)}</fieldset>
    <p role="status">${names.map((name, at) => `${name}: step ${steps[at]}`).join(", ")}</p>
    ${sections(drawn).map(([title, members], at) => html`<details key=${title} open=${at === 0}><summary>${title}</summary>
      <div class="charts">${members.map((name) => html`<${Chart} key=${name} name=${name} names=${names} logs=${drawn} />`)}</div></details>`)}`;
}
