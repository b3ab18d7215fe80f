// Keeps what is typed in this browser, so that a closed tab or a reload loses nothing. What is kept is the newest that the
// person made themselves: an example, an empty page or a shared state takes its place only once something is done to it.
import { fillForm, onEdit, readForm, sameDraft } from "./form.js";
import { carried } from "./carried.js";
import { showNotice } from "./notice.js";
import { say } from "./words.js";

// A lesson keeps what is typed in it to itself.
const KEY = location.pathname.startsWith("/lessons/") ? `patchyard.draft${location.pathname}` : "patchyard.draft";
const DECLINED = `${KEY}.declined`;
const note = document.getElementById("example-note");
let saving = 0;

// Whether the form holds the person's own work. The browser's history holds it, so that a reload or a way back to this
// page goes on with that work; whoever puts an address in place of another (examples.js, share.js) takes the mark away.
export function isMine() {
  return Boolean(history.state?.mine);
}

function claim(mine = true) {
  if (isMine() !== mine) history.replaceState({ ...history.state, mine }, "");
}

export function savedDraft() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

function store(draft) {
  clearTimeout(saving);
  saving = 0;
  try {
    if (draft) localStorage.setItem(KEY, JSON.stringify(draft));
    else localStorage.removeItem(KEY);
  } catch {
    // No room, or a window that keeps nothing: the text is still in the editor.
  }
}

function recognise() {
  const draft = isMine() ? null : savedDraft();
  if (draft && sameDraft(draft, readForm())) claim();
}

// A moment later: examples.js asks for this as well, and says only afterwards that what it put there is nobody's work.
export function saveDraft() {
  claim();
  queueMicrotask(() => {
    if (isMine()) store(readForm());
    else recognise();
  });
}

// Returns what puts the form, and what is kept, back as they are now.
export function asItWas() {
  const [form, kept, mine] = [readForm(), savedDraft(), isMine()];
  return () => {
    fillForm(form);
    claim(mine);
    store(mine ? form : kept);
  };
}

function fillWith(draft, mine, example) {
  note.hidden = !example;
  fillForm(draft);
  claim(mine);
}

function isDeclined() {
  const kept = localStorage.getItem(KEY);
  return kept !== null && sessionStorage.getItem(DECLINED) === kept;
}

function decline() {
  try {
    sessionStorage.setItem(DECLINED, localStorage.getItem(KEY));
  } catch {
    // It is offered once more at the next visit.
  }
}

function offer(draft) {
  showNotice(say("What you typed last time is kept in this browser."), say("Bring it back"), () => bringBack(draft, isMine()), decline);
}

// mine: whether what stands in the form until now is the person's work too.
function bringBack(draft, mine) {
  const [fresh, example] = [readForm(), !note.hidden];
  fillWith(draft, true, false);
  showNotice(say("This is what you typed last time."), example ? say("Show the example instead") : say("Undo"), () => {
    const typed = readForm();
    fillWith(fresh, mine, example);
    offer(typed);
  });
}

// The example at / is only there because something has to be; one that was asked for, or a page that something was sent
// to (it shows no example: what open.html sends comes to / too), stays until its reader wants the draft.
function isAskedFor() {
  const asked = new URLSearchParams(location.search);
  return location.pathname !== "/" || note.hidden || asked.has("example") || asked.has("case");
}

function arrive() {
  if (carried || location.hash.startsWith("#state=")) return; // language.js or share.js fills the form
  const draft = savedDraft();
  if (!draft) {
    claim(false);
    return;
  }
  recognise();
  if (sameDraft(draft, readForm())) return;
  if (isMine() && note.hidden) fillWith(draft, true, false); // nothing else to be shown in its place
  else if (isMine() || !isAskedFor()) bringBack(draft, false);
  else if (!isDeclined()) offer(draft);
}

// htmx listens from this moment on; before it, nothing would answer.
document.addEventListener("DOMContentLoaded", arrive);
document.getElementById("write").addEventListener("evaluate", () => queueMicrotask(recognise));
addEventListener("hashchange", recognise); // the new address has no mark yet
// Not at once: to write down 5,000 lines takes a fifth of the time in which the result is to follow a key.
onEdit((event) => {
  if (event.target.name === "column") return; // only looked at
  claim();
  clearTimeout(saving);
  saving = setTimeout(() => store(readForm()), 150);
});
// A click may put something else in the form.
document.addEventListener("click", () => { if (saving) store(readForm()); }, true);
addEventListener("pagehide", () => { if (saving || isMine()) store(readForm()); });
