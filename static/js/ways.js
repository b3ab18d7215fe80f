// Chooses a way out of a conflict: the server says what the intent becomes, the editor takes it as one undoable step.
import { fillForm, readForm } from "./form.js";
import { showNotice } from "./notice.js";
import { saveDraft } from "./drafts.js";
import { say } from "./words.js";

const form = document.getElementById("write");

async function resolve(way) {
  const fields = new FormData(form);
  fields.set("way", way);
  fields.delete("last_good");
  const response = await fetch("/resolve", { method: "POST", body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

function take(next, words) {
  const before = readForm();
  fillForm({ ...before, ...next });
  saveDraft();
  showNotice(words, say("Undo"), () => fillForm(before));
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest('button[name="way"]');
  if (!button) return;
  event.preventDefault();
  button.disabled = true;
  try {
    take(await resolve(button.value), say("%(way)s: done. Your intent says so now.", { way: button.textContent.trim() }));
    document.querySelector('[name="view"]:checked').focus();
  } catch {
    button.disabled = false;
    showNotice(say("The conflict is not there any more, or the server cannot be reached. Evaluate again."), say("Evaluate"), () => form.requestSubmit());
  }
});
