// @ts-check
/** Tools as forms: one field per argument of a tool's JSON schema. */
import { html, useState } from "../vendor/preact-htm.js";

/**
 * The text of a tool call.
 * @param {string} name
 * @param {Record<string, any>} values
 */
export function callText(name, values) {
  return `<tool_call>${JSON.stringify({ name, arguments: values })}</tool_call>`;
}

/** What was typed as a value of its type; undefined if nothing was. @param {any} schema @param {any} typed */
export function typedValue(schema, typed) {
  if (typed === undefined || typed === "") return undefined;
  if (schema.type === "boolean") return typed === true || typed === "true";
  if (schema.type === "integer" || schema.type === "number") return Number(typed);
  if (schema.type === "string") return typed;
  return JSON.parse(typed);
}

function Argument({ name, schema, required, value, onValue }) {
  const label = `${name}${required ? "" : " (optional)"}`;
  const input = (event) => onValue(event.target.value);
  let field = html`<input type=${["integer", "number"].includes(schema.type) ? "number" : "text"} step=${schema.type === "number" ? "any" : null}
    required=${required} value=${value ?? ""} onInput=${input} />`;
  if (schema.enum || schema.type === "boolean") {
    field = html`<select required=${required} value=${value ?? ""} onChange=${input}><option value=""></option>
      ${(schema.enum ?? ["true", "false"]).map((one) => html`<option value=${String(one)}>${String(one)}</option>`)}</select>`;
  } else if (schema.type === "array" || schema.type === "object" || !schema.type) {
    field = html`<textarea rows="2" required=${required} placeholder="JSON" value=${value ?? ""} onInput=${input}></textarea>`;
  } else if (schema.type === "string" && /text|body|content|code|command/.test(name)) {
    field = html`<textarea rows="3" required=${required} value=${value ?? ""} onInput=${input}></textarea>`;
  }
  return html`<label>${label} ${field}<small>${schema.description ?? ""}</small></label>`;
}

/** @param {{ tools: any[], onCall: (text: string) => void, busy: boolean }} props */
export function ToolForm({ tools, onCall, busy }) {
  const functions = tools.map((tool) => tool.function ?? tool);
  const [name, setName] = useState(functions[0].name);
  const [typed, setTyped] = useState(/** @type {Record<string, any>} */ ({}));
  const [problem, setProblem] = useState("");
  const tool = functions.find((one) => one.name === name);
  const schema = tool.parameters ?? {}, fields = Object.entries(schema.properties ?? {});
  const submit = (event) => {
    event.preventDefault();
    const values = {};
    for (const [field, about] of fields) {
      try {
        const value = typedValue(about, typed[field]);
        if (value !== undefined) values[field] = value;
      } catch {
        setProblem(`${field} must be JSON, such as [1, 2] or {"name": "value"}.`);
        return;
      }
    }
    setProblem("");
    onCall(callText(name, values));
  };
  return html`<form class="tool" onSubmit=${submit}>
    <label>Tool <select value=${name} onChange=${(event) => { setName(event.target.value); setTyped({}); }}>
      ${functions.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select></label>
    <p>${tool.description}</p>
    ${fields.map(([field, about]) => html`<${Argument} key=${`${name}.${field}`} name=${field} schema=${about}
      required=${(schema.required ?? []).includes(field)} value=${typed[field]} onValue=${(value) => setTyped({ ...typed, [field]: value })} />`)}
    ${problem && html`<p class="failure" role="alert">${problem}</p>`}
    <p><button disabled=${busy}>Call ${name}</button></p></form>`;
}
