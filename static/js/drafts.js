// Keeps what is typed in this browser, so that a closed tab or a reload loses nothing.
import { fillForm, onEdit, readForm, sameDraft } from "./form.js";
import { showNotice } from "./notice.js";

const KEY = "patchyard.draft";

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

const draft = savedDraft();
const asked = new URLSearchParams(location.search).has("example") || location.pathname !== "/";
const answered = document.body.dataset.submitted !== undefined;
if (draft && !answered && !sameDraft(draft, readForm())) {
  if (asked) {
    showNotice("What you typed last time is kept in this browser.", "Bring it back", () => fillForm(draft));
  } else {
    const fresh = readForm();
    fillForm(draft);
    showNotice("This is what you typed last time.", "Show the example instead", () => fillForm(fresh));
  }
}
onEdit(saveDraft);
addEventListener("pagehide", () => { if (savedDraft()) saveDraft(); });
