// @ts-check
/** Hooks that several pages share. */
import { useEffect, useState } from "../vendor/preact-htm.js";

/**
 * The outcome of a request that is repeated when one of the inputs changes. A late answer to an earlier one is dropped.
 * @param {() => Promise<any>} load
 * @param {any[]} inputs
 * @returns {{ value: any, error: (Error & { status?: number }) | null, loading: boolean }}
 */
export function useLoaded(load, inputs) {
  const [state, setState] = useState({ value: null, error: null, loading: true });
  useEffect(() => {
    let current = true;
    setState((before) => ({ ...before, error: null, loading: true }));
    load().then(
      (value) => current && setState({ value, error: null, loading: false }),
      (error) => current && setState({ value: null, error, loading: false }),
    );
    return () => { current = false; };
  }, inputs);
  return state;
}

/** The part of the address after #, split at slashes, and its query. */
export function useRoute() {
  const [route, setRoute] = useState(parsed());
  useEffect(() => {
    const follow = () => setRoute(parsed());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

function parsed() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { parts: path ? path.split("/").map(decodeURIComponent) : [], query: new URLSearchParams(query ?? "") };
}

/**
 * The address of a page.
 * @param {string[]} parts
 * @param {Record<string, string | number>} [query]
 */
export function address(parts, query = {}) {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const text = new URLSearchParams(given).toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}
