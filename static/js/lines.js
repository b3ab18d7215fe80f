// Tells whose a line of the result is: under the pointer, and line by line from the keyboard.
import { say } from "./words.js";

const HINT = say("Point at a line, or walk with ↑ and ↓, to see whose it is.");
const AND = say(" and ");
const CHANGES = { added: say("new here"), removed: say("removed here"), contested: say("contested") };

function describe(line) {
  if (line.classList.contains("folded")) return line.textContent;
  const letters = line.dataset.letters.split(" ").filter(Boolean);
  const owners = letters.map((letter) => {
    const entry = line.closest(".view, .difference").querySelector(`.legend [data-letter="${letter}"]`);
    return entry ? entry.textContent.replace(/\s+/g, " ").trim() : letter;
  });
  const path = line.dataset.path || say("the object");
  const told = owners.length > 1 ? say("shared by %(owners)s", { owners: owners.join(AND) })
    : owners.length ? say("owned by %(owner)s", { owner: owners[0] }) : say("no owner: defaulted, or never claimed");
  const mark = Object.keys(CHANGES).find((name) => line.classList.contains(name));
  const sentence = mark ? say("%(path)s: %(change)s; %(owners)s.", { path, change: CHANGES[mark], owners: told })
    : say("%(path)s: %(owners)s.", { path, owners: told });
  return sentence;
}

// Why the lines are as they are is asked for once somebody points at one of them, and again when the result changes.
const form = document.getElementById("write");
let reasons = null;

// A conflict that comes up is shown where it is, unless the person has scrolled the lines.
let wasContested = false;

function showContested() {
  const lines = document.querySelector("#result .lines");
  const line = lines?.querySelector(".contested");
  if (line && !wasContested && lines.scrollTop === 0) lines.scrollTop = line.offsetTop - lines.clientHeight / 2;
  wasContested = Boolean(line);
}

document.addEventListener("result", () => {
  reasons = null;
  showContested();
});
showContested();

async function ask() {
  const response = await fetch("/reasons", { method: "POST", body: new FormData(form) });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

async function reasonFor(line) {
  if (!form || !line.closest(".view-result") || line.classList.contains("folded")) return "";
  reasons ??= ask();
  try {
    const { sentences, kept, gone } = await reasons;
    const places = line.classList.contains("removed") ? gone : kept;
    return sentences[places[line.dataset.path]] ?? "";
  } catch {
    return "";
  }
}

// live: whether a screen reader tells the line as well; it does for keys, and not for a pointer that passes over.
async function point(line, live = "off") {
  const view = line.closest(".view, .difference");
  view.querySelector(".lines .here")?.classList.remove("here");
  line.classList.add("here");
  const detail = view.querySelector(".line-detail");
  detail.setAttribute("aria-live", live);
  const told = describe(line);
  detail.textContent = told;
  const why = await reasonFor(line);
  if (why && line.classList.contains("here")) detail.textContent = [told, why].join(" ");
}

function step(current, lines, key) {
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity };
  if (!(key in moves)) return null;
  const all = lines.children;
  const from = current ? [...all].indexOf(current) : key === "ArrowUp" ? all.length : -1;
  return all[Math.min(Math.max(from + moves[key], 0), all.length - 1)];
}

document.addEventListener("pointerover", (event) => {
  const line = event.target.closest?.(".line");
  if (line) point(line);
});

document.addEventListener("focusin", (event) => {
  const lines = event.target.closest?.(".lines");
  if (lines && !lines.querySelector(".here")) lines.closest(".view, .difference").querySelector(".line-detail").textContent = HINT;
});

document.addEventListener("keydown", (event) => {
  if (!event.target.classList?.contains("lines") || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = step(event.target.querySelector(".here"), event.target, event.key);
  if (!next) return;
  event.preventDefault();
  point(next, "polite");
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
});
