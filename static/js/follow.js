// The result follows the keys. While the server works on one state of the form, only the last of those that follow is
// kept for it (hx-sync): it is never asked for what nobody waits for any more.
const form = document.getElementById("write");
let waiting = false;

function evaluate() {
  waiting = false;
  form.dispatchEvent(new Event("evaluate"));
}

// Once for all that one action changes, and at once: a timer would wait until the page is painted. What is typed into
// an editor is heard twice: from the browser, and once it stands in the form; the form's word counts.
form.addEventListener("input", (event) => {
  if (!event.target.name) return;
  if (!waiting) queueMicrotask(evaluate);
  waiting = true;
});

// A pane that was not looked at has not been asked for: when it is chosen, or when an answer to an earlier choice comes.
function askForChosen() {
  const chosen = document.querySelector('[name="view"]:checked')?.value;
  if (document.querySelector(`.view-${chosen}[data-later]`)) evaluate();
}

document.addEventListener("change", (event) => {
  if (event.target.name === "view") askForChosen();
  if (event.target.name === "whole") evaluate();
});
document.body.addEventListener("htmx:afterSettle", askForChosen);
