// @ts-check
/** The trajectory viewer: a list of recorded episodes, one of them with its group, two side by side. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact-htm.js";
import { request } from "./api.js";
import { address, useLoaded } from "./hooks.js";
import { counted, Failure, Message } from "./parts.js";
import { Tokens } from "./tokens.js";

const PAGE = 100, ROW_PX = 35;
const ORDERS = { file: "as recorded", reward: "reward", turns: "turns", chars: "length" };

/** A query from the values that are set. @param {Record<string, any>} values */
export function queryOf(values) {
  const set = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}

function Row({ facts, top }) {
  return html`<li style=${{ top: `${top}px` }}><a class="row" href=${address(["attempt", String(facts.number)])}>
    <span>${facts.number}</span><span>${facts.env || "conversation"}</span><span>${facts.level || ""}</span>
    <span class=${facts.outcome === "solved" ? "solved" : facts.outcome === "failed" ? "failed" : ""}>${facts.outcome.replace("_", " ")}</span>
    <span>${facts.reward === null ? "" : facts.reward.toFixed(3)}</span><span>${facts.turns}</span></a></li>`;
}

/** Rows that are drawn only where they are seen; pages of them are fetched when they come into view. */
function List({ filter }) {
  const [total, setTotal] = useState(0);
  const [pages, setPages] = useState(/** @type {Record<number, any[]>} */ ({}));
  const [top, setTop] = useState(0);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const asked = useRef(new Set());
  const query = queryOf(filter);
  useEffect(() => {
    asked.current = new Set();
    setPages({});
    setTop(0);
    if (frame.current) frame.current.scrollTop = 0;
  }, [query]);
  const first = Math.max(0, Math.floor(top / ROW_PX) - 10), last = first + Math.ceil(innerHeight / ROW_PX) + 20;
  useEffect(() => {
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
      if (asked.current.has(page) || (page > 0 && page * PAGE >= total)) continue;
      const asking = asked.current;
      asking.add(page);
      request(`data/rows?${queryOf({ ...filter, from: page * PAGE, count: PAGE })}`).then((found) => {
        if (asking !== asked.current) return; // of an earlier filter
        setTotal(found.total);
        setPages((before) => ({ ...before, [page]: found.rows }));
        setError(null);
      }, setError);
    }
  }, [query, first, last, total, pages]);
  const shown = [];
  for (let at = first; at < Math.min(last, total); at++) {
    const facts = pages[Math.floor(at / PAGE)]?.[at % PAGE];
    if (facts) shown.push(html`<${Row} key=${at} facts=${facts} top=${at * ROW_PX} />`);
  }
  if (error) return html`<${Failure} error=${error} />`;
  return html`<p role="status">${counted(total, "episode")}</p><${Head} />
    <div class="list" tabindex="0" role="region" aria-label="Episodes" ref=${frame} onScroll=${(event) => setTop(event.currentTarget.scrollTop)}>
      <ul style=${{ height: `${total * ROW_PX}px` }}>${shown}</ul></div>`;
}

function Head() {
  return html`<div class="head row" aria-hidden="true"><span>no.</span><span>environment</span><span>level</span><span>outcome</span><span>reward</span><span>turns</span></div>`;
}

function Found({ filter, text }) {
  const [state, setState] = useState({ rows: /** @type {any[]} */ ([]), next: /** @type {number | null} */ (0) });
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const query = queryOf({ ...filter, text });
  const more = (from, before) => request(`data/search?${query}&from=${from}`).then(
    (found) => setState({ rows: [...before, ...found.rows], next: found.next }), setError);
  useEffect(() => { setState({ rows: [], next: 0 }); more(0, []); }, [query]);
  if (error) return html`<${Failure} error=${error} />`;
  return html`<p role="status">${counted(state.rows.length, "episode")} with “${text}”${state.next !== null ? " so far" : ""}
      ${state.next !== null && html` <button class="quiet" onClick=${() => more(state.next, state.rows)}>Search on</button>`}</p><${Head} />
    <div class="list" tabindex="0" role="region" aria-label="Episodes"><ul style=${{ height: `${state.rows.length * ROW_PX}px` }}>
      ${state.rows.map((facts, at) => html`<${Row} key=${facts.number} facts=${facts} top=${at * ROW_PX} />`)}</ul></div>`;
}

function Choice({ name, value, options, onChange }) {
  return html`<label>${name} <select value=${value} onChange=${(event) => onChange(event.target.value)}>
    <option value="">all</option>${Object.entries(options).map(([one, count]) => html`<option value=${one}>${one || "none"} (${count})</option>`)}</select></label>`;
}

export function Trajectories({ query }) {
  const { value, error } = useLoaded(() => request("data/overview"), []);
  const initial = useMemo(() => Object.fromEntries(query), []);
  const [filter, setFilter] = useState(/** @type {Record<string, string>} */ (initial));
  const [typed, setTyped] = useState(filter.text ?? "");
  if (error) return html`<${Failure} error=${error} />`;
  if (!value) return html`<p role="status">Loading …</p>`;
  const change = (name) => (chosen) => {
    const next = { ...filter, [name]: chosen };
    setFilter(next);
    history.replaceState(null, "", `#/?${queryOf(next)}`);
  };
  const { text = "", ...facts } = filter;
  return html`<h1>Episodes</h1>
    <form class="filters" role="search" onSubmit=${(event) => { event.preventDefault(); change("text")(typed); }}>
      <label>Text <input type="search" value=${typed} onInput=${(event) => { setTyped(event.target.value); if (!event.target.value) change("text")(""); }} /></label>
      <button>Search</button>
      <${Choice} name="Environment" value=${filter.env ?? ""} options=${value.envs} onChange=${change("env")} />
      <${Choice} name="Level" value=${filter.level ?? ""} options=${value.levels} onChange=${change("level")} />
      <${Choice} name="Outcome" value=${filter.outcome ?? ""} options=${value.outcomes} onChange=${change("outcome")} />
      <label>Reward at least <input type="number" step="any" value=${filter.least ?? ""} onChange=${(event) => change("least")(event.target.value)} /></label>
      <label>at most <input type="number" step="any" value=${filter.most ?? ""} onChange=${(event) => change("most")(event.target.value)} /></label>
      <label>Characters at least <input type="number" min="0" value=${filter.shortest ?? ""} onChange=${(event) => change("shortest")(event.target.value)} /></label>
      <label>at most <input type="number" min="0" value=${filter.longest ?? ""} onChange=${(event) => change("longest")(event.target.value)} /></label>
      ${Object.keys(value.reasons).length > 0 && html`<${Choice} name="Reason" value=${filter.reason ?? ""} options=${value.reasons} onChange=${change("reason")} />`}
      <label><input type="checkbox" checked=${filter.abuse === "1"} onChange=${(event) => change("abuse")(event.target.checked ? "1" : "")} /> abuse</label>
      <label>Order <select value=${filter.order ?? "file"} onChange=${(event) => change("order")(event.target.value)}>
        ${Object.entries(ORDERS).map(([name, words]) => html`<option value=${name}>${words}</option>`)}</select></label>
    </form>
    ${text ? html`<${Found} filter=${facts} text=${text} />` : html`<${List} filter=${facts} />`}
    <p class="facts">${value.sources.join(", ")}</p>`;
}

function Conversation({ found }) {
  return html`${found.messages.map((message, at) => html`<${Message} key=${at} role=${message.role} text=${message.content}>
      ${message.tool_calls && html`<pre tabindex="0">${JSON.stringify(message.tool_calls, null, 2)}</pre>`}
      ${message.reward !== undefined && html`<p class="facts">reward ${message.reward}</p>`}<//>`)}
    ${found.rows.length > 0 && html`<${Tokens} rows=${found.rows} />`}`;
}

function Summary({ found }) {
  const { facts } = found;
  const words = [facts.env, facts.level ? `level ${facts.level}` : "", facts.outcome.replace("_", " "),
    facts.reward === null ? "" : `reward ${facts.reward}`, counted(facts.turns, "turn"), counted(facts.chars, "character")];
  return html`<p class="lead">${words.filter(Boolean).join(" · ")}</p>${facts.why && html`<p class="failure">${facts.why}</p>`}`;
}

export function Trajectory({ number }) {
  const { value, error } = useLoaded(() => request(`data/trajectories/${number}`), [number]);
  if (error) return html`<h1>Episode ${number}</h1><${Failure} error=${error} />`;
  if (!value) return html`<p role="status">Loading …</p>`;
  const others = value.group.filter((facts) => facts.number !== number);
  return html`<p><a href="#/">All episodes</a></p><h1>Episode ${number}</h1><${Summary} found=${value} />
    ${others.length > 0 && html`<p><a href=${address(["group", String(number)])}>${counted(others.length, "other attempt")} at the same task</a></p>`}
    <${Conversation} found=${value} />`;
}

/** Mean and standard deviation of the rewards of a group, as GRPO uses them. @param {(number | null)[]} rewards */
export function spread(rewards) {
  const known = rewards.filter((one) => one !== null);
  if (!known.length) return null;
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  return { mean, deviation: Math.sqrt(known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / known.length) };
}

function GroupRow({ facts, found, picked, onPick }) {
  const { number, reward } = facts;
  const above = reward === null || !found || !found.deviation ? "" : ((reward - found.mean) / found.deviation).toFixed(2);
  return html`<tr><th scope="row"><a href=${address(["attempt", String(number)])}>${number}</a></th><td class=${facts.outcome}>${facts.outcome.replace("_", " ")}</td>
    <td>${reward ?? ""}</td><td>${above}</td><td>${facts.turns}</td><td>${facts.chars}</td>
    <td><input type="checkbox" aria-label=${`Compare episode ${number}`} checked=${picked} onChange=${onPick} /></td></tr>`;
}

/** All attempts at one task: rewards, how far each is from the mean, and any of them side by side. */
export function Group({ number }) {
  const { value, error } = useLoaded(() => request(`data/trajectories/${number}`), [number]);
  const [picked, setPicked] = useState(/** @type {number[]} */ ([]));
  if (error) return html`<h1>Group</h1><${Failure} error=${error} />`;
  if (!value) return html`<p role="status">Loading …</p>`;
  const group = value.group, found = spread(group.map((facts) => facts.reward));
  const chosen = picked.length ? picked : group.slice(0, 1).concat(group.slice(1).slice(-1)).map((facts) => facts.number);
  const toggle = (one) => setPicked(picked.includes(one) ? picked.filter((other) => other !== one) : [...picked, one]);
  return html`<p><a href="#/">All episodes</a></p><h1>${counted(group.length, "attempt")} at one task</h1>
    <p class="lead">${found && `Mean reward ${found.mean.toFixed(3)}, standard deviation ${found.deviation.toFixed(3)}`}</p>
    <div class="wide" tabindex="0" role="region" aria-label="Attempts"><table><thead><tr>${["episode", "outcome", "reward", "standard deviations above the mean", "turns", "characters", "compare"].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${group.map((facts) => html`<${GroupRow} key=${facts.number} facts=${facts} found=${found} picked=${picked.includes(facts.number)} onPick=${() => toggle(facts.number)} />`)}</tbody></table></div>
    <p><a class="button" href=${address(["compare", ...chosen.map(String)])}>${picked.length ? `Compare ${counted(picked.length, "attempt")}` : "Compare the best with the worst"}</a></p>
    <h2>Task</h2>${value.messages.slice(0, value.messages.findIndex((message) => message.role === "assistant") + 1 || undefined)
      .filter((message) => message.role !== "assistant").map((message, at) => html`<${Message} key=${at} role=${message.role} text=${message.content} />`)}`;
}

function Side({ number }) {
  const { value, error } = useLoaded(() => request(`data/trajectories/${number}`), [number]);
  if (error) return html`<${Failure} error=${error} />`;
  return html`<section class="branch" aria-label=${`Episode ${number}`}><h2><a href=${address(["attempt", String(number)])}>Episode ${number}</a></h2>
    ${value && html`<${Summary} found=${value} /><${Conversation} found=${value} />`}</section>`;
}

export function Comparison({ numbers }) {
  return html`<p><a href="#/">All episodes</a></p><h1>Side by side</h1><div class="branches">${numbers.map((number) => html`<${Side} key=${number} number=${number} />`)}</div>`;
}
