// @ts-check
/** One environment: rules, a sample at each level, parameters, and how to use it from code. */
import { html, useState } from "../vendor/preact-htm.js";
import { request } from "./api.js";
import { Curve, measured } from "./curves.js";
import { Badge } from "./gallery.js";
import { address, useLoaded } from "./hooks.js";
import { counted, Failure, Level, sentence, Snippet } from "./parts.js";

/** @param {string} id @param {number} level */
export function snippets(id, level) {
  const body = JSON.stringify({ env_id: id, difficulty: level, seed: 0 });
  return [
    ["Python", `import envhub\n\nenv = envhub.make("${id}", difficulty=${level})\nobservation, info = env.reset(seed=0)\nobservation, reward, terminated, truncated, info = env.step("...")`],
    ["Shell", `envhub play ${id} --difficulty ${level} --seed 0\nenvhub generate ${id} -n 1000 --difficulty ${level} -o tasks.jsonl`],
    ["HTTP", `curl -s ${location.origin}/v1/episodes -H 'content-type: application/json' \\\n  -d '${body}'`],
    ["TRL", `envhub generate ${id} -n 1000 --difficulty ${level} --format trl -o train.jsonl`],
    ["verl", `envhub generate ${id} -n 1000 --difficulty ${level} --format verl -o train.parquet`],
  ];
}

function Sample({ id, level, canDraw, pictured }) {
  const [seed, setSeed] = useState(0);
  const load = () => seed === 0
    ? request(`web/samples/${level}/${id}`)
    : request("v1/tasks", { env_id: id, difficulty: level, seeds: [seed] }).then((found) => found.tasks[0]);
  const { value, error, loading } = useLoaded(load, [id, level, seed]);
  return html`<section aria-label="Sample">
    <h2>Sample</h2>
    ${canDraw && html`<p><label>Seed <input type="number" min="0" value=${seed}
      onChange=${(event) => setSeed(Math.max(0, Math.trunc(Number(event.target.value)) || 0))} /></label></p>`}
    ${pictured && seed === 0 && html`<img class="picture" alt=${`A task of ${id} at level ${level}`} src=${`web/pictures/${level}/${id}`} />`}
    ${error ? html`<${Failure} error=${error} />` : html`<pre class="prompt" tabindex="0" aria-busy=${loading}>${value?.prompt ?? "Drawing a task …"}</pre>`}
  </section>`;
}

function Parameters({ about }) {
  if (!about.params.length) return null;
  const levels = Object.keys(about.difficulties);
  return html`<section aria-label="Parameters"><h2>Parameters</h2><div class="wide" tabindex="0" role="region" aria-label="Parameters by level">
    <table><thead><tr><th scope="col">name</th><th scope="col">meaning</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
    <tbody>${about.params.map((param) => html`<tr><th scope="row">${param.name}</th><td>${param.description ?? ""}</td>
      ${levels.map((level) => html`<td>${text(about.difficulties[level][param.name])}</td>`)}</tr>`)}</tbody></table></div></section>`;
}

function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function Details({ about }) {
  return html`
    <${Parameters} about=${about} />
    ${about.tools.length > 0 && html`<section aria-label="Tools"><h2>Tools</h2><dl>${about.tools.map((tool) => html`
      <dt><code>${(tool.function ?? tool).name}</code></dt><dd>${(tool.function ?? tool).description}</dd>`)}</dl></section>`}`;
}

export function Environment({ id, query, canPlay }) {
  const [level, setLevel] = useState(Number(query.get("level")) || 3);
  const catalogue = useLoaded(() => request("web/catalogue"), []);
  const about = useLoaded(() => (canPlay ? request(`v1/environments/${id}`) : Promise.resolve(null)), [id, canPlay]);
  const card = catalogue.value?.environments.find((one) => one.id === id);
  if (catalogue.error) return html`<${Failure} error=${catalogue.error} />`;
  if (!catalogue.value) return html`<p role="status">Loading …</p>`;
  if (!card) return html`<h1>${id}</h1><p role="alert">This server has no environment with this id. <a href="#/">All environments</a></p>`;
  return html`<h1>${id}</h1><p class="lead">${card.error ?? sentence(card.description)}</p>
    <p class="actions"><${Level} value=${level} onChange=${setLevel} />
      <a class="button" href=${address(["play", ...id.split("/")], { level })}>Play</a></p>
    <div class="measures">${measured(card).map((series) => html`<${Curve} key=${series.name} ...${series} />`)}</div>
    <p><${Badge} audit=${card.audit} /></p>
    <${Sample} id=${id} level=${level} canDraw=${canPlay} pictured=${card.picture} />
    ${about.value && html`<section aria-label="Rules"><h2>Rules</h2><pre class="rules" tabindex="0">${about.value.rules}</pre></section>
      <${Details} about=${about.value} />`}
    ${card.covers.length > 0 && html`<section aria-label="Covers"><h2>Covers ${counted(card.covers.length, "task")} of other catalogues</h2>
      <ul class="tags">${card.covers.map((name) => html`<li>${name}</li>`)}</ul></section>`}
    <h2>Use it</h2>${snippets(id, level).map(([title, code]) => html`<${Snippet} key=${title} title=${title} text=${code} />`)}`;
}
