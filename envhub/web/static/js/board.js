// @ts-check
/** A grid that is filled in by clicks or keys, and sent as the answer. */
import { html, useState } from "../vendor/preact-htm.js";
import { counted } from "./parts.js";

const FEW = 3; // values through which a click cycles; more are typed

/**
 * @typedef {{ height: number, width: number, choices: number[][], regions: number[] }} Board
 */

/** @param {Board} board @returns {(number | null)[]} */
export function empty(board) {
  return board.choices.map((choices) => (choices.length === 1 ? choices[0] : null));
}

/** The answer that the cells stand for; an empty cell has its first value. @param {Board} board @param {(number | null)[]} cells */
export function answer(board, cells) {
  const rows = Array.from({ length: board.height }, (_, row) =>
    cells.slice(row * board.width, (row + 1) * board.width)
      .map((value, column) => value ?? board.choices[row * board.width + column][0]).join(" "));
  return `<answer>\n${rows.join("\n")}\n</answer>`;
}

/** Sides of a cell on which its region ends. @param {Board} board @param {number} at */
function borders(board, at) {
  if (!board.regions.length) return "";
  const row = Math.floor(at / board.width), column = at % board.width;
  const differs = (other, inside) => !inside || board.regions[other] !== board.regions[at];
  return [
    differs(at - board.width, row > 0) && "top",
    differs(at + board.width, row < board.height - 1) && "bottom",
    differs(at - 1, column > 0) && "left",
    differs(at + 1, column < board.width - 1) && "right",
  ].filter(Boolean).join(" ");
}

function Cell({ board, at, value, onValue }) {
  const choices = board.choices[at];
  const name = `row ${Math.floor(at / board.width) + 1}, column ${(at % board.width) + 1}`;
  if (choices.length === 1) return html`<span class="given" aria-label=${`${name}: ${value}, given`} role="img">${value}</span>`;
  if (choices.length > FEW) {
    const typed = (event) => {
      const number = Number(event.target.value);
      const known = event.target.value !== "" && choices.includes(number);
      if (!known && event.target.value !== "" && !choices.some((one) => String(one).startsWith(event.target.value))) event.target.value = value ?? "";
      else onValue(known ? number : null);
    };
    return html`<input aria-label=${name} inputmode="numeric" autocomplete="off" maxlength=${String(Math.max(...choices)).length}
      value=${value ?? ""} onInput=${typed} />`;
  }
  const next = () => {
    const place = value === null ? -1 : choices.indexOf(value);
    onValue(place + 1 < choices.length ? choices[place + 1] : null);
  };
  return html`<button type="button" class=${value === null ? "cell" : `cell v${choices.indexOf(value)}`} aria-label=${`${name}: ${value ?? "empty"}`}
    onClick=${next}>${value ?? ""}</button>`;
}

/** Arrow keys move between cells. */
function moved(event, width) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
  if (!step) return;
  const cells = [...event.currentTarget.querySelectorAll("td")];
  let at = cells.indexOf(event.target.closest("td")) + step;
  while (cells[at] && !cells[at].querySelector("input,button")) at += step;
  const found = cells[at]?.querySelector("input,button");
  if (found) { found.focus(); event.preventDefault(); }
}

/** @param {{ board: Board, onAnswer: (text: string) => void, busy: boolean }} props */
export function BoardForm({ board, onAnswer, busy }) {
  const [cells, setCells] = useState(empty(board));
  const left = cells.filter((value) => value === null).length;
  const marks = Math.max(...board.choices.map((choices) => choices.length)) === 2; // an empty cell is the first of two marks
  const put = (at, value) => setCells((before) => before.map((old, place) => (place === at ? value : old)));
  const submit = (event) => { event.preventDefault(); onAnswer(answer(board, cells)); };
  return html`<form class="board" onSubmit=${submit}>
    <div class="wide"><table aria-label="Board" onKeyDown=${(event) => moved(event, board.width)}><tbody>
      ${Array.from({ length: board.height }, (_, row) => html`<tr key=${row}>${Array.from({ length: board.width }, (_, column) => {
        const at = row * board.width + column;
        return html`<td key=${at} class=${borders(board, at)}><${Cell} board=${board} at=${at} value=${cells[at]} onValue=${(value) => put(at, value)} /></td>`;
      })}</tr>`)}</tbody></table></div>
    <p><button disabled=${busy || (left > 0 && !marks)}>Submit the grid</button> <button type="button" class="quiet" onClick=${() => setCells(empty(board))}>Clear</button>
      ${left > 0 && html` <span class="facts">${counted(left, "empty cell")}${marks ? `, sent as ${board.choices.find((one) => one.length > 1)?.[0]}` : ""}</span>`}</p>
  </form>`;
}
