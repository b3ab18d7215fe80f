// Keeps what is typed in this browser, so that a closed tab or a reload loses nothing.
import { fillForm, onEdit, readForm, sameDraft } from "./form.js";
import { carried } from "./carried.js";
import { showNotice } from "./notice.js";
import { say } from "./words.js";

// A lesson keeps what is typed in it to itself.
const KEY = location.pathname.startsWith("/lessons/") ? `patchyard.draft${location.pathname}` : "patchyard.draft";

export function savedDraft() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

export function saveDraft() {
  try {
    localStorage.setItem(KEY, JSON.stringify(readForm()));
  } catch {
    // No room, or a window that keeps nothing: the text is still in the editor.
  }
}

function offerDraft() {
  if (carried || location.hash.startsWith("#state=")) return; // language.js or share.js fills the form
  const draft = savedDraft();
  if (!draft || sameDraft(draft, readForm())) return;
  if (["example", "case"].some((name) => new URLSearchParams(location.search).has(name)) || location.pathname !== "/") {
    showNotice(say("What you typed last time is kept in this browser."), say("Bring it back"), () => fillForm(draft));
    return;
  }
  const fresh = readForm();
  const note = document.getElementById("example-note");
  note.hidden = true;
  fillForm(draft);
  showNotice(say("This is what you typed last time."), say("Show the example instead"), () => {
    note.hidden = false;
    fillForm(fresh);
  });
}

// htmx listens from this moment on; before it, nothing would answer.
document.addEventListener("DOMContentLoaded", offerDraft);
// Not at once: to write down 5,000 lines takes a fifth of the time in which the result is to follow a key.
let saving = 0;
onEdit(() => {
  clearTimeout(saving);
  saving = setTimeout(saveDraft, 150);
});
addEventListener("pagehide", () => { if (saving || savedDraft()) saveDraft(); });
