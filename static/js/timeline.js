// Committed writes as a list of steps: go back to one, change their order, play them again. The server plays them, so
// a step always shows what the engine makes of it; the list is kept in this browser.
import { fillForm, onEdit, readForm } from "./form.js";
import { showNotice } from "./notice.js";
import { isMine, saveDraft } from "./drafts.js";
import { say } from "./words.js";

const KEY = location.pathname.startsWith("/lessons/") ? `patchyard.timeline${location.pathname}` : "patchyard.timeline";
const form = document.getElementById("write");
const commitButton = document.getElementById("commit");
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

// order: where each step of the new history stood in the one before, if not in its old place.
function remember(next, order = null) {
  history = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(history));
  } catch {
    // No room: the timeline lasts as long as this page.
  }
  show(order);
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

function objectAt({ live, steps }, position) {
  return position > 0 ? steps[position - 1].live : live;
}

function liveAt(position) {
  return objectAt(history, position);
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
    showNotice(words, say("Bring the old one back"), () => swap({ history: before, draft: { ...draft, live: objectAt(before, before.at) } }));
  }
}

function put(next, draft, order = null) {
  remember(next, order);
  fillForm(draft);
  saveDraft();
}

function present() {
  return { history, draft: readForm() };
}

// Puts a timeline and what is in the form in the place of another, and offers to swap them back.
function swap(next) {
  const before = present();
  put(next.history, next.draft);
  showNotice(say("This is what was there before."), say("Swap again"), () => swap(before));
}

function isCommitted({ live, body }) {
  return live === liveAt(history.at) && (!body || history.steps.some(({ draft }) => draft.body === body));
}

function goBack(position) {
  const before = present();
  const committed = isCommitted(before.draft);
  put({ ...history, at: position }, { ...history.steps[position].draft, live: liveAt(position) });
  if (!committed) showNotice(say("This is what was there before."), say("Undo"), () => swap(before));
}

function goOn() {
  const last = history.steps.length;
  put({ ...history, at: last }, { ...readForm(), live: liveAt(last) });
}

// order: the numbers of the steps, as they are to be played.
async function rearranged(order, words) {
  const before = history;
  const steps = await play(history.live, order.map((index) => history.steps[index].draft));
  const { live } = readForm();
  const next = { ...history, steps, at: steps.length };
  put(next, { ...readForm(), live: objectAt(next, next.at) }, order);
  const back = before.steps.map((_, index) => order.indexOf(index));
  showNotice(words, say("Undo"), () => put(before, { ...readForm(), live }, back));
}

function moved(from, to) {
  const order = [...history.steps.keys()];
  order.splice(to, 0, ...order.splice(from, 1));
  return rearranged(order, say("The steps were played again in the new order."));
}

function dropped(position) {
  return rearranged([...history.steps.keys()].filter((index) => index !== position), say("The step was left out, and the others were played again."));
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
  const fields = { live: liveAt(Number(from.value)), body: liveAt(Number(to.value)), crds: latest.draft.crds ?? "", shown: readForm().live };
  const response = await fetch("/compare", { method: "POST", body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(String(response.status));
  const made = new DOMParser().parseFromString(await response.text(), "text/html");
  difference.replaceChildren(...made.body.childNodes);
}

const onward = document.createElement("li");
onward.append(button("on", say("Go to the end"), say("Go to the end of the timeline"), 0));

// A step is the current one only while the live editor holds what it left. Steps that lead to another object than that
// of an example which nobody has touched wait out of sight, with the draft that they belong to.
function follow() {
  const here = form.elements.live.value === liveAt(history.at);
  const focused = section.contains(document.activeElement);
  section.hidden = history.steps.length === 0 || !(here || isMine());
  const onwardFocused = onward.contains(document.activeElement);
  if (here && history.at === history.steps.length) onward.remove();
  else if (!onward.isConnected) list.append(onward);
  [...list.children].forEach((each, index) => {
    if (here && index === history.at - 1) each.setAttribute("aria-current", "step");
    else each.removeAttribute("aria-current");
  });
  if (focused && section.hidden) commitButton.focus();
  else if (onwardFocused && !onward.isConnected) focusOn("back", history.steps.length - 1);
}

// Where the focus goes if an action is not there, or cannot be done.
const NEAREST = { up: ["up", "down", "back"], down: ["down", "up", "back"], back: ["back"], drop: ["drop"], on: ["on", "back"] };

function focusOn(act, position) {
  const found = NEAREST[act].map((name) => list.querySelector(`button[data-act="${name}"][data-position="${position}"]:enabled`));
  (found.find(Boolean) ?? commitButton).focus();
}

// The list is made anew; the focus stays on the same action of the same step, wherever that stands now.
function show(order = null) {
  const held = list.contains(document.activeElement) ? { ...document.activeElement.dataset } : null;
  difference.replaceChildren();
  offerStates();
  list.replaceChildren(...history.steps.map(item), onward);
  if (held) {
    const old = Number(held.position);
    const now = order?.includes(old) ? order.indexOf(old) : old;
    focusOn(held.act, Math.max(Math.min(now, history.steps.length - 1), 0));
  }
  queueMicrotask(follow); // once the form is filled as well
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
commitButton.addEventListener("click", () => act("commit"));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.shiftKey || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (event.target.closest("dialog") || document.querySelector("dialog:modal")) return;
  event.preventDefault();
  if (!event.repeat) act("commit");
});
// Whoever fills the form may say only afterwards whose work it is.
form.addEventListener("evaluate", () => queueMicrotask(follow));
onEdit(follow);
document.addEventListener("DOMContentLoaded", follow);
show();
