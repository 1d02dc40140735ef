// @ts-check
/** The frame around all pages: header, key, and the page that the address names. */
import { html, render, useEffect, useState } from "../vendor/preact-htm.js";
import { request, useKey } from "./api.js";
import { Gallery } from "./gallery.js";
import { useLoaded, useRoute } from "./hooks.js";
import { Environment } from "./environment.js";
import { Playground, SharedEpisodes } from "./playground.js";
import { Runs } from "./runs.js";
import { Server } from "./server.js";
import { Comparison, Group, Trajectories, Trajectory } from "./trajectories.js";
import { Failure } from "./parts.js";

/** Page, scope that it needs, address, words. */
const LINKS = [
  ["gallery", "", "#/", "Gallery"],
  ["gallery", "admin", "#/server", "Server"],
  ["gallery", "", "docs", "API"],
  ["trajectories", "", "#/", "Episodes"],
  ["runs", "", "#/runs", "Training runs"],
];

function Page({ parts, query, session }) {
  const [name, id] = parts;
  if (name === "runs" || session.pages.join() === "runs") return html`<${Runs} />`;
  if (session.pages.includes("trajectories")) {
    if (name === "attempt") return html`<${Trajectory} number=${Number(id)} />`;
    if (name === "group") return html`<${Group} number=${Number(id)} />`;
    if (name === "compare") return html`<${Comparison} numbers=${parts.slice(1).map(Number)} />`;
    return html`<${Trajectories} query=${query} />`;
  }
  const canPlay = session.scopes.includes("play");
  if (name === "server") return session.scopes.includes("admin") ? html`<${Server} />` : html`<h1>This page needs a key</h1><p>Enter an API key with the scope admin above.</p>`;
  if (name === "environments") return html`<${Environment} id=${parts.slice(1).join("/")} query=${query} canPlay=${canPlay} />`;
  if (!canPlay && (name === "play" || name === "episodes")) return html`<h1>Playing needs a key</h1><p>Enter an API key with the scope play above.</p>`;
  if (name === "play") return html`<${Playground} key=${parts.join("/")} id=${parts.slice(1).join("/")} query=${query} canAsk=${session.scopes.includes("solutions")} />`;
  if (name === "episodes") return html`<${SharedEpisodes} ids=${parts.slice(1)} />`;
  return html`<${Gallery} query=${query} />`;
}

function KeyField({ onKey }) {
  const [text, setText] = useState("");
  const submit = (event) => { event.preventDefault(); useKey(text); onKey(); };
  return html`<form class="key" onSubmit=${submit}>
    <label>API key <input type="password" autocomplete="off" value=${text} placeholder="envhub_…"
      onInput=${(event) => setText(event.target.value)} /></label> <button>Use</button></form>`;
}

function App() {
  const route = useRoute();
  const [attempt, setAttempt] = useState(0);
  const { value: session, error } = useLoaded(() => request("web/session"), [attempt]);
  const place = route.parts.join("/");
  useEffect(() => {
    document.title = place ? `${place} · envhub` : "envhub";
    scrollTo(0, 0);
  }, [place]);
  const retry = () => setAttempt(attempt + 1);
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to content</a>
    <header><a class="name" href="#/">envhub</a>
      ${session && html`<nav aria-label="Pages">${LINKS.filter(([page, scope]) => session.pages.includes(page) && (!scope || session.scopes.includes(scope))).map(([, , to, words]) => html`<a href=${to}>${words}</a>`)}</nav>`}
      ${((session && session.pages.includes("gallery") && !session.scopes.includes(place === "server" ? "admin" : "play")) || error?.status === 401)
        && html`<${KeyField} onKey=${retry} />`}
    </header>
    <main id="main" tabindex="-1">
      ${error && html`<${Failure} error=${error} />`}
      ${session && html`<${Page} ...${route} session=${session} />`}
    </main>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
