// Committed writes as a list of steps: go back to one, change their order, play them again. The server plays them, so
// a step always shows what the engine makes of it; the list is kept in this browser.
import { fillForm, readForm } from "./form.js";
import { showNotice } from "./notice.js";
import { saveDraft } from "./drafts.js";
import { say } from "./words.js";

const KEY = location.pathname.startsWith("/lessons/") ? `patchyard.timeline${location.pathname}` : "patchyard.timeline";
const section = document.getElementById("timeline");
const list = section.querySelector("ol");
const compare = section.querySelector(".compare");
const [from, to] = compare.querySelectorAll("select");
const difference = section.querySelector(".difference");
const NOTHING = { live: "", steps: [], at: 0 };
let history = remembered();

// history: { live: the object before all steps, steps: [{ draft, code, sentence, live }], at: how many are done }
function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(kept?.steps) ? kept : NOTHING;
  } catch {
    return NOTHING;
  }
}

function remember(next) {
  history = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(history));
  } catch {
    // No room: the timeline lasts as long as this page.
  }
  show();
}

function fieldsOf(draft) {
  const fields = {};
  for (const [name, value] of Object.entries(draft)) {
    if (value === true) fields[name] = "1";
    else if (typeof value === "string" && name !== "live") fields[name] = value;
  }
  return fields;
}

async function play(live, drafts) {
  const response = await fetch("/timeline", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ live, steps: drafts.map(fieldsOf) }),
  });
  if (!response.ok) throw new Error(String(response.status));
  const told = await response.json();
  return drafts.map((draft, index) => ({ draft, ...told[index] }));
}

function liveAt(position) {
  return position > 0 ? history.steps[position - 1].live : history.live;
}

function commit() {
  return add(readForm());
}

// Adds a write, or a change of the schema, as the step after the one that the page is at.
export async function add(draft) {
  const follows = history.steps.length > 0 && liveAt(history.at) === draft.live;
  const before = history;
  const base = follows ? { live: history.live, steps: history.steps.slice(0, history.at) } : { live: draft.live, steps: [] };
  const [step] = await play(draft.live, [draft]);
  const steps = [...base.steps, step];
  remember({ live: base.live, steps, at: steps.length });
  fillForm({ ...draft, live: step.live });
  saveDraft();
  const left = before.steps.length - base.steps.length;
  if (left > 0) {
    const words = follows ? say("The later steps were left behind: a new branch begins here.") : say("A new timeline begins with this object.");
    showNotice(words, say("Bring the old one back"), () => remember(before));
  }
}

function goBack(position) {
  const { draft } = history.steps[position];
  fillForm({ ...draft, live: liveAt(position) });
  saveDraft();
  remember({ ...history, at: position });
}

function goOn() {
  const last = history.steps.length;
  fillForm({ ...readForm(), live: liveAt(last) });
  saveDraft();
  remember({ ...history, at: last });
}

async function rearranged(drafts, words) {
  const before = history;
  const steps = await play(history.live, drafts);
  remember({ ...history, steps, at: steps.length });
  fillForm({ ...readForm(), live: liveAt(steps.length) });
  saveDraft();
  showNotice(words, say("Undo"), () => {
    remember(before);
    fillForm({ ...readForm(), live: liveAt(before.at) });
  });
}

function moved(from, to) {
  const drafts = history.steps.map((step) => step.draft);
  drafts.splice(to, 0, ...drafts.splice(from, 1));
  return rearranged(drafts, say("The steps were played again in the new order."));
}

function dropped(position) {
  return rearranged(history.steps.map((step) => step.draft).filter((_, index) => index !== position), say("The step was left out, and the others were played again."));
}

function button(act, label, name, position, off = false) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "quiet", textContent: label, disabled: off });
  Object.assign(made.dataset, { act, position });
  made.setAttribute("aria-label", name);
  return made;
}

function span(className, text) {
  const made = document.createElement("span");
  Object.assign(made, { className, textContent: text });
  return made;
}

function whatOf(draft) {
  if (draft.redefine) return say("Schema");
  const kind = document.querySelector(`[name="kind"][value="${CSS.escape(draft.kind)}"]`)?.parentElement.textContent.trim() ?? draft.kind;
  const values = { manager: draft.manager || "patchyard", kind };
  return draft.force ? say("%(manager)s: %(kind)s, forced", values) : say("%(manager)s: %(kind)s", values);
}

function item(step, position) {
  const number = position + 1;
  const made = document.createElement("li");
  if (position === history.at - 1) made.setAttribute("aria-current", "step");
  if (!step.code.startsWith("2") && !step.draft.redefine) made.className = "refused";
  made.append(
    span("number", `${number}.`), span("what", whatOf(step.draft)),
    span("code", step.code), span("sentence", step.sentence),
    button("back", say("Go back"), say("Go back to before step %(number)s", { number }), position),
    button("up", "↑", say("Move step %(number)s up", { number }), position, position === 0),
    button("down", "↓", say("Move step %(number)s down", { number }), position, number === history.steps.length),
    button("drop", "×", say("Leave step %(number)s out", { number }), position),
  );
  return made;
}

function option(value, text) {
  return Object.assign(document.createElement("option"), { value, textContent: text });
}

// What two states can be chosen for comparison: the object before the first step, and after each.
function offerStates() {
  compare.hidden = history.steps.length === 0;
  const states = [say("before step 1"), ...history.steps.map((_, index) => say("after step %(number)s", { number: index + 1 }))];
  for (const [select, chosen] of [[from, Math.max(history.at - 1, 0)], [to, history.at]]) {
    select.replaceChildren(...states.map((text, index) => option(String(index), text)));
    select.value = String(chosen);
  }
}

async function compareStates() {
  const latest = history.steps[Math.max(Number(from.value), Number(to.value), 1) - 1];
  const fields = { live: liveAt(Number(from.value)), body: liveAt(Number(to.value)), crds: latest.draft.crds ?? "" };
  const response = await fetch("/compare", { method: "POST", body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(String(response.status));
  const made = new DOMParser().parseFromString(await response.text(), "text/html");
  difference.replaceChildren(...made.body.childNodes);
}

function show() {
  section.hidden = history.steps.length === 0;
  difference.replaceChildren();
  offerStates();
  list.replaceChildren(...history.steps.map(item));
  if (history.at < history.steps.length) {
    const last = document.createElement("li");
    last.append(button("on", say("Go to the end"), say("Go to the end of the timeline"), 0));
    list.append(last);
  }
}

// The history as a file that `patchyard replay` checks: what is asked of the server is what is played.
export async function scenarioOf(live, drafts) {
  const response = await fetch("/scenario", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ live, steps: drafts.map(fieldsOf) }),
  });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

async function save() {
  const text = await scenarioOf(history.live, history.steps.map((step) => step.draft));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  link.download = "scenario.yaml";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const ACTS = {
  save,
  back: goBack,
  on: goOn,
  up: (position) => moved(position, position - 1),
  down: (position) => moved(position, position + 1),
  drop: dropped,
  compare: compareStates,
  clear: () => { const before = history; remember(NOTHING); showNotice(say("The timeline is forgotten."), say("Bring it back"), () => remember(before)); },
};

async function act(name, position) {
  try {
    await ACTS[name](position);
  } catch {
    showNotice(say("The server cannot play this history now. Nothing is lost; try again."), say("Good"), () => {});
  }
}

section.addEventListener("click", (event) => {
  const chosen = event.target.closest("button[data-act]");
  if (chosen) act(chosen.dataset.act, Number(chosen.dataset.position));
});
ACTS.commit = commit;
document.getElementById("commit").addEventListener("click", () => act("commit"));
show();
