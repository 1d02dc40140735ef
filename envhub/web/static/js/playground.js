// @ts-check
/** Playground: an episode played by a person, forked at any turn, with branches side by side. */
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { freshId, request } from "./api.js";
import { BoardForm } from "./board.js";
import { address, useLoaded } from "./hooks.js";
import { counted, Failure, Level, Message, outcome } from "./parts.js";
import { ToolForm } from "./tools.js";

/**
 * @typedef {{ id: string, opening: any, turns: { action: string, answer: any }[], from: number }} Branch
 * from is the number of turns that a branch took over from another one
 */

/** Parameters that a person may choose: those with a fixed set of values or with examples, such as an opponent. @param {any} about */
export function choosable(about) {
  return about.params.filter((param) => (param.enum ?? param.examples ?? []).length > 1);
}

function Verdict({ answer }) {
  const verdict = answer.info.verdict, { kind, words } = outcome(verdict);
  const parts = Object.entries(verdict?.components ?? {}).map(([name, value]) => `${name} ${Number(value).toFixed(2)}`);
  return html`<div class=${`verdict ${kind}`} role="status">
    <strong>${words}</strong>, reward ${answer.reward ?? "none"}${parts.length > 0 && html` <small>(${parts.join(", ")})</small>`}
    ${verdict?.feedback && html`<p>${verdict.feedback}</p>`}
    ${verdict?.error && html`<p>${verdict.error.code}: ${verdict.error.reason}</p>`}</div>`;
}

function TextForm({ onSend, busy, max }) {
  const [text, setText] = useState("");
  const send = () => { if (text.trim()) { onSend(text); setText(""); } };
  const keyed = (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(); };
  return html`<form class="text" onSubmit=${(event) => { event.preventDefault(); send(); }}>
    <label>Your message <textarea rows="4" maxlength=${max} value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${keyed}></textarea></label>
    <p><button disabled=${busy}>Send</button> <small>or Ctrl+Enter</small></p></form>`;
}

/** The oracle's next move, which is shown when it is asked for and can be played. */
function Oracle({ branch, onSend, busy }) {
  const [found, setFound] = useState({ move: "", turn: -1 });
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const turn = branch.turns.length;
  const ask = () => request(`web/episodes/${branch.id}/oracle`).then((move) => { setFound({ move, turn }); setError(null); }, setError);
  return html`<div class="oracle"><button type="button" class="quiet" disabled=${busy} onClick=${ask}>Show the oracle's move</button>
    <div role="status">${found.turn === turn && html`<pre tabindex="0">${found.move}</pre>
      <button type="button" class="quiet" disabled=${busy} onClick=${() => onSend(found.move)}>Play it</button>`}</div>
    ${error && html`<${Failure} error=${error} />`}</div>`;
}

function Controls({ branch, about, onSend, busy, canAsk }) {
  const { value: board } = useLoaded(() => request(`web/episodes/${branch.id}/board`), [branch.id]);
  return html`<div class="controls">
    ${board && html`<${BoardForm} board=${board} onAnswer=${onSend} busy=${busy} />`}
    ${about.tools.length > 0 && html`<${ToolForm} tools=${about.tools} onCall=${onSend} busy=${busy} />`}
    ${board ? html`<details><summary>Write a message instead</summary><${TextForm} onSend=${onSend} busy=${busy} max=${about.max_action_chars} /></details>`
      : html`<${TextForm} onSend=${onSend} busy=${busy} max=${about.max_action_chars} />`}
    ${canAsk && html`<${Oracle} branch=${branch} onSend=${onSend} busy=${busy} />`}</div>`;
}

/** The state after the turns so far, for environments that have pictures. */
function State({ branch }) {
  const { value: drawn } = useLoaded(() => request(`web/episodes/${branch.id}/picture`), [branch.id, branch.turns.length]);
  return drawn && html`<img class="picture" alt="The current state; the messages say the same in words." src=${`data:image/svg+xml,${encodeURIComponent(drawn)}`} />`;
}

/** @param {{ branch: Branch, number: number, about: any, canAsk: boolean, onTurns: (turns: any[]) => void, onFork: (turn: number) => void }} props */
function BranchView({ branch, number, about, canAsk, onTurns, onFork }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const last = branch.turns.at(-1)?.answer;
  const over = branch.opening.over || last?.terminated || last?.truncated;
  const send = async (action) => {
    setBusy(true);
    setError(null);
    try {
      const answer = await request(`v1/episodes/${branch.id}/step`, { turn: branch.turns.length, action });
      onTurns([...branch.turns, { action, answer }]);
    } catch (failure) {
      setError(/** @type {Error} */ (failure));
    }
    setBusy(false);
  };
  return html`<section class="branch" aria-label=${`Branch ${number}`}>
    <h2>${number === 1 ? "Episode" : `Branch ${number}, forked after ${counted(branch.from, "turn")}`} <a class="quiet" href=${address(["episodes", branch.id])}>link</a></h2>
    <${Message} role="environment" text=${branch.opening.task.prompt}>
      ${branch.turns.length > 0 && html`<button class="quiet" onClick=${() => onFork(0)}>Fork here</button>`}<//>
    ${branch.turns.map(({ action, answer }, turn) => html`
      <${Message} key=${`a${turn}`} role="you" text=${action} />
      <${Message} key=${`o${turn}`} role="environment" text=${answer.observation}>
        ${!answer.terminated && !answer.truncated && turn + 1 < branch.turns.length
          && html`<button class="quiet" onClick=${() => onFork(turn + 1)}>Fork here</button>`}<//>`)}
    <${State} branch=${branch} />
    ${error && html`<${Failure} error=${error} />`}
    ${over ? last && html`<${Verdict} answer=${last} />` : html`<${Controls} branch=${branch} about=${about} onSend=${send} busy=${busy} canAsk=${canAsk} />`}
  </section>`;
}

/** A select for a fixed set of values; a field with suggestions where others are possible. */
function Setting({ param, value, onChange }) {
  const list = `suggestions-${param.name}`;
  if (!param.enum) {
    return html`<label>${param.name} <input type="text" list=${list} placeholder="by difficulty" value=${value ? JSON.parse(value) : ""}
      onChange=${(event) => onChange(event.target.value.trim() && JSON.stringify(event.target.value.trim()))} />
      <datalist id=${list}>${param.examples.map((one) => html`<option value=${one} />`)}</datalist></label>`;
  }
  return html`<label>${param.name} <select value=${value ?? ""} onChange=${(event) => onChange(event.target.value)}>
    <option value="">by difficulty</option>${param.enum.map((one) => html`<option value=${JSON.stringify(one)}>${String(one)}</option>`)}</select></label>`;
}

export function Playground({ id, query, canAsk }) {
  const [level, setLevel] = useState(Number(query.get("level")) || 3);
  const [seed, setSeed] = useState(Number(query.get("seed")) || 0);
  const [params, setParams] = useState(/** @type {Record<string, string>} */ ({}));
  const [branches, setBranches] = useState(/** @type {Branch[]} */ ([]));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const { value: about, error: unknown } = useLoaded(() => request(`v1/environments/${id}`), [id]);
  const begin = async () => {
    setError(null);
    const chosen = Object.entries(params).filter(([, value]) => value !== "").map(([name, value]) => [name, JSON.parse(value)]);
    const body = { episode_id: freshId(), env_id: id, difficulty: level, seed, params: Object.fromEntries(chosen) };
    try {
      const opening = await request("v1/episodes", body);
      setBranches([{ id: opening.episode_id, opening, turns: [], from: 0 }]);
    } catch (failure) {
      setBranches([]);
      setError(/** @type {Error} */ (failure));
    }
  };
  useEffect(() => { if (about) begin(); }, [about, level, seed, params]);
  const fork = async (/** @type {Branch} */ branch, /** @type {number} */ turn) => {
    try {
      const opening = await request(`v1/episodes/${branch.id}/fork`, { episode_id: freshId(), turn });
      setBranches((before) => [...before, { id: opening.episode_id, opening, turns: branch.turns.slice(0, turn), from: turn }]);
    } catch (failure) {
      setError(/** @type {Error} */ (failure));
    }
  };
  if (unknown) return html`<h1>${id}</h1><${Failure} error=${unknown} />`;
  if (!about) return html`<p role="status">Loading …</p>`;
  return html`<h1>Play <a href=${address(["environments", ...id.split("/")])}>${id}</a></h1>
    <form class="filters" onSubmit=${(event) => { event.preventDefault(); begin(); }}>
      <${Level} value=${level} onChange=${setLevel} />
      <label>Seed <input type="number" min="0" value=${seed} onChange=${(event) => setSeed(Math.max(0, Math.trunc(Number(event.target.value)) || 0))} /></label>
      ${choosable(about).map((param) => html`<${Setting} key=${param.name} param=${param} value=${params[param.name]}
        onChange=${(value) => setParams({ ...params, [param.name]: value })} />`)}
      <button type="button" onClick=${() => setSeed(seed + 1)}>Next task</button> <button class="quiet">Begin again</button></form>
    ${error && html`<${Failure} error=${error} />`}
    ${branches.length > 1 && html`<p><a href=${address(["episodes", ...branches.map((branch) => branch.id)])}>Link to all branches</a></p>`}
    <div class="branches">${branches.map((branch, at) => html`<${BranchView} key=${branch.id} branch=${branch} number=${at + 1} about=${about} canAsk=${canAsk}
      onTurns=${(turns) => setBranches((before) => before.map((one) => (one.id === branch.id ? { ...one, turns } : one)))}
      onFork=${(turn) => fork(branch, turn)} />`)}</div>`;
}

function Shared({ id }) {
  const { value, error } = useLoaded(() => request(`v1/episodes/${id}`), [id]);
  if (error) return html`<${Failure} error=${error} />`;
  if (!value) return html`<p role="status">Loading …</p>`;
  const last = value.steps.at(-1);
  return html`<section class="branch" aria-label="Conversation">
    <h2>Episode of <a href=${address(["environments", ...value.task.env_id.split("/")])}>${value.task.env_id}</a></h2>
    ${value.messages.map((message, at) => html`<${Message} key=${at} role=${message.role} text=${String(message.content ?? "")} />`)}
    ${value.over && last && html`<${Verdict} answer=${last} />`}</section>`;
}

/** Episodes by their ids, to read side by side. @param {{ ids: string[] }} props */
export function SharedEpisodes({ ids }) {
  return html`<h1>${ids.length > 1 ? "Side by side" : "Episode"}</h1><div class="branches">${ids.map((id) => html`<${Shared} key=${id} id=${id} />`)}</div>`;
}
