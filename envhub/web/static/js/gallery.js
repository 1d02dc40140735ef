// @ts-check
/** Gallery: every environment as a card, with search and filters. */
import { html, useState } from "../vendor/preact-htm.js";
import { request } from "./api.js";
import { measured, Spark } from "./curves.js";
import { address, useLoaded } from "./hooks.js";
import { counted, Failure, sentence } from "./parts.js";

const SHOWN_LEVEL = 3; // of the pictures on the cards

const KINDS = {
  "": "all",
  single: "one answer",
  turns: "several turns",
  tools: "with tools",
};

/** @param {any} card @param {string} words @param {string} category @param {string} kind */
export function shown(card, words, category, kind) {
  const text = `${card.id} ${card.description} ${card.category} ${card.covers.join(" ")}`.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word))
    && (!category || card.category === category)
    && (!kind || (kind === "tools" ? card.tools > 0 : kind === "turns" ? card.turns > 1 : card.turns === 1 && !card.tools));
}

/** The result of the recorded audit. */
export function Badge({ audit }) {
  if (!audit) return null;
  const words = audit.failed ? `${audit.failed} of ${audit.checks} checks failed` : `${audit.checks} checks passed`;
  return html`<span class=${`badge ${audit.failed ? "failed" : "solved"}`} title=${`envhub audit, ${audit.depth}, version ${audit.version}`}>audit: ${words}</span>`;
}

function Card({ card }) {
  const facts = [
    card.turns === 1 ? "one answer" : `up to ${counted(card.turns, "turn")}`,
    card.tools && counted(card.tools, "tool"),
    card.covers.length && `covers ${counted(card.covers.length, "task")} of other catalogues`,
    card.files && "your own data",
    card.source !== "envhub" && `from ${card.source}`,
  ];
  return html`<li class="card">
    ${card.picture && html`<img loading="lazy" alt="" src=${`web/pictures/${SHOWN_LEVEL}/${card.id}`} />`}
    <h3><a href=${address(["environments", ...card.id.split("/")])}>${card.id}</a></h3>
    <p>${card.error ?? sentence(card.description)}</p>
    <p class="facts">${facts.filter(Boolean).join(" · ")}</p>
    <p class="measures">${measured(card).map((series) => html`<${Spark} key=${series.name} ...${series} />`)}<${Badge} audit=${card.audit} /></p></li>`;
}

export function Gallery({ query }) {
  const { value, error } = useLoaded(() => request("web/catalogue"), []);
  const [words, setWords] = useState(query.get("q") ?? "");
  const [category, setCategory] = useState(query.get("category") ?? "");
  const [kind, setKind] = useState(query.get("kind") ?? "");
  if (error) return html`<${Failure} error=${error} />`;
  if (!value) return html`<p role="status">Loading the catalogue …</p>`;
  const categories = [...new Set(value.environments.map((card) => card.category))].sort();
  const found = value.environments.filter((card) => shown(card, words, category, kind));
  return html`<h1>Environments</h1>
    <form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
      <label>Search <input type="search" value=${words} onInput=${(event) => setWords(event.target.value)} /></label>
      <label>Category <select value=${category} onChange=${(event) => setCategory(event.target.value)}>
        <option value="">all</option>${categories.map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
      <label>Kind <select value=${kind} onChange=${(event) => setKind(event.target.value)}>
        ${Object.entries(KINDS).map(([name, words]) => html`<option value=${name}>${words}</option>`)}</select></label>
      <span role="status">${counted(found.length, "environment")}</span>
    </form>
    ${categories.filter((name) => found.some((card) => card.category === name)).map((name) => html`
      <section key=${name} aria-labelledby=${`category-${name}`}><h2 id=${`category-${name}`}>${name}</h2>
      <ul class="cards">${found.filter((card) => card.category === name).map((card) => html`<${Card} key=${card.id} card=${card} />`)}</ul>
      </section>`)}`;
}
