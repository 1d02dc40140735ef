// @ts-check
/** The server as its operator sees it: workers, episodes, requests, errors, sandbox, journal and keys; read again and again. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { request } from "./api.js";
import { counted, Failure } from "./parts.js";

const EVERY_MS = 2000;
const KEPT = 60; // readings in the curve
const MOST_ROWS = 20;

/**
 * Requests per second between two readings; null for the first, and after a restart.
 * @param {any} before
 * @param {any} now
 */
export function rate(before, now) {
  const total = (reading) => reading.routes.reduce((sum, route) => sum + route.count, 0);
  const seconds = before ? now.at - before.at : 0, grown = before ? total(now) - total(before) : -1;
  return seconds > 0 && grown >= 0 ? grown / seconds : null;
}

/** The readings so far, a new one every two seconds while the page is open. */
function useReadings() {
  const [readings, setReadings] = useState(/** @type {any[]} */ ([]));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  useEffect(() => {
    let timer = 0, open = true;
    const read = async () => {
      try {
        const found = await request("web/server");
        if (open) setReadings((before) => [...before.slice(-KEPT), found]);
        setError(null);
      } catch (failure) {
        setError(/** @type {Error} */ (failure));
      }
      if (open) timer = window.setTimeout(read, EVERY_MS);
    };
    read();
    return () => { open = false; clearTimeout(timer); };
  }, []);
  return { readings, error };
}

function Fact({ name, value }) {
  return html`<div><dt>${name}</dt><dd>${value ?? "unknown"}</dd></div>`;
}

/** Requests per second, as numbers that follow each other. */
function Rate({ readings }) {
  const rates = readings.slice(1).map((now, at) => rate(readings[at], now) ?? 0);
  const last = rates.at(-1), most = Math.max(1, ...rates);
  const points = rates.map((one, at) => `${(at / KEPT) * 240},${50 - (one / most) * 45}`).join(" ");
  return html`<figure class="curve"><svg viewBox="0 0 240 52" role="img" aria-label=${`Requests per second: ${last === undefined ? "not measured yet" : last.toFixed(1)}, at most ${most.toFixed(1)}`}>
    <line x1="0" x2="240" y1="50" y2="50" /><polyline points=${points} /></svg>
    <figcaption>Requests per second: ${last === undefined ? "…" : last.toFixed(1)}</figcaption></figure>`;
}

/** @param {{ name: string, columns: [string, (row: any) => any][], rows: any[] }} props */
function Table({ name, columns, rows }) {
  const hidden = rows.length - MOST_ROWS;
  return html`<section aria-label=${name}><h2>${name}</h2>${rows.length === 0 ? html`<p class="facts">None so far.</p>` : html`
    <div class="wide" tabindex="0" role="region" aria-label=${`Table: ${name}`}><table>
      <thead><tr>${columns.map(([title]) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`<tr>${columns.map(([, value], at) => (at ? html`<td>${value(row)}</td>` : html`<th scope="row">${value(row)}</th>`))}</tr>`)}</tbody>
    </table></div>`}
    ${hidden > 0 && html`<p class="facts">${counted(hidden, "more row")}</p>`}</section>`;
}

const ms = (value) => (value === null ? "" : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`);
const TIMES = /** @type {[string, (row: any) => any][]} */ ([["median", (row) => ms(row.p50_ms)], ["99th percentile", (row) => ms(row.p99_ms)]]);

/** What is wrong, in words; nothing if all is well. @param {any} ready */
function problems(ready) {
  return [
    ready.journal.reason && `Journal: ${ready.journal.reason}`,
    ready.workers?.reason,
    ready.sandbox?.reason && `Sandbox: ${ready.sandbox.reason}`,
    ready.sandbox?.ended > 0 && `The sandbox's broker has ended unexpectedly ${counted(ready.sandbox.ended, "time")}.`,
  ].filter(Boolean);
}

export function Server() {
  const { readings, error } = useReadings();
  const now = readings.at(-1);
  if (!now) return html`<h1>Server</h1>${error ? html`<${Failure} error=${error} />` : html`<p role="status">Loading …</p>`}`;
  const { ready, gauges } = now, { workers, sandbox } = ready, unusable = Object.entries(ready.environments.unusable);
  return html`<h1>Server</h1>
    ${error && html`<${Failure} error=${error} />`}
    ${problems(ready).map((words) => html`<p class="failure" role="alert">${words}</p>`)}
    <dl class="numbers">
      <${Fact} name="State" value=${ready.status} /><${Fact} name="Workers" value=${workers ? `${workers.serving} of ${workers.wanted}` : 1} />
      <${Fact} name="Episodes in the journal" value=${gauges.episodes} /><${Fact} name="Requests waiting for a thread" value=${gauges.waiting} />
      <${Fact} name="Environments" value=${`${ready.environments.usable.length} usable, ${unusable.length} not`} />
      <${Fact} name="Sandbox" value=${sandbox ? sandbox.broker : "one in each worker"} />
      ${sandbox?.jobs && html`<${Fact} name="Programs running" value=${`${sandbox.jobs.busy} of ${sandbox.jobs.slots}`} />
        <${Fact} name="Programs waiting" value=${sandbox.jobs.waiting} />`}
      ${sandbox?.sessions && html`<${Fact} name="Open sessions" value=${`${sandbox.sessions.open} of ${sandbox.sessions.most}`} />`}
    </dl>
    <${Rate} readings=${readings} />
    <${Table} name="Requests" rows=${now.routes} columns=${[["route", (row) => `${row.method} ${row.route}`], ["requests", (row) => row.count],
      ["rejected (4xx)", (row) => row.rejected], ["failed (5xx)", (row) => row.failed], ...TIMES]} />
    <${Table} name="Errors by reason" rows=${Object.entries(now.errors)} columns=${[["reason", ([code]) => code], ["answers", ([, count]) => count]]} />
    <${Table} name="Verdicts" rows=${now.verdicts} columns=${[["environment", (row) => row.env || "gold answer of the client"], ["verdicts", (row) => row.count],
      ["graded", (row) => row.graded ?? 0], ["no answer", (row) => row.no_answer ?? 0], ["could not be judged", (row) => row.error ?? 0]]} />
    <${Table} name="Journal" rows=${now.journal} columns=${[["operation", (row) => row.operation], ["times", (row) => row.count], ["failed", (row) => row.failed], ...TIMES]} />
    <${Table} name="Keys" rows=${now.keys} columns=${[["name", (row) => row.name], ["scopes", (row) => row.scopes.join(", ")], ["state", (row) => row.state]]} />
    ${unusable.length > 0 && html`<details><summary>${counted(unusable.length, "environment")} cannot be used here</summary>
      <dl>${unusable.map(([id, reason]) => html`<dt>${id}</dt><dd>${reason}</dd>`)}</dl></details>`}`;
}
