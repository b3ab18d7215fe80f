// The schema view: another path as it is typed, and another list or map type as a step of the timeline.
import { fillForm, readForm } from "./form.js";
import { showNotice } from "./notice.js";
import { add } from "./timeline.js";
import { say } from "./words.js";

const form = document.getElementById("write");
let typing = 0;

// The field stands outside of the form, so its events do not reach what listens there.
document.addEventListener("input", (event) => {
  if (event.target.id !== "schema-path") return;
  clearTimeout(typing);
  typing = setTimeout(() => form.dispatchEvent(new Event("evaluate")), 250);
});

async function redefined(edit) {
  const fields = new FormData(form);
  fields.set("redefine", edit);
  fields.delete("last_good");
  const response = await fetch("/schema", { method: "POST", body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()).crds;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-redefine]");
  if (!button) return;
  button.disabled = true;
  const before = readForm();
  try {
    const crds = await redefined(button.dataset.redefine);
    await add({ ...before, crds, redefine: button.dataset.redefine });
    showNotice(say("The definition says so now, and the timeline has a step more."), say("Undo in the editor"), () => fillForm(before));
    document.getElementById("schema-path").focus();
  } catch {
    button.disabled = false;
    showNotice(say("The definition cannot be changed there: it is spelled elsewhere, or the server cannot be reached."), say("Good"), () => {});
  }
});
