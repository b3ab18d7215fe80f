// A lesson's step: shows the answer in the editors, as one step that can be undone.
import { fillForm, readForm } from "./form.js";
import { showNotice } from "./notice.js";
import { say } from "./words.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest('[name="lesson_act"][value="answer"]');
  if (!button) return;
  event.preventDefault();
  const before = readForm();
  try {
    const response = await fetch(`${location.pathname}/answer.json`);
    if (!response.ok) throw new Error(String(response.status));
    fillForm({ ...before, ...(await response.json()) });
    showNotice(say("This is the answer."), say("Undo"), () => fillForm(before));
  } catch {
    showNotice(say("The answer cannot be had now: the server cannot be reached."), say("Good"), () => {});
  }
});
