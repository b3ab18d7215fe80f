// The result follows the keys. While the server works on one state of the form, only the last of those that follow is
// kept for it (hx-sync): it is never asked for what nobody waits for any more. An answer that does not come is given up
// once there is something newer to ask.
const form = document.getElementById("write");
const PATIENCE = 2000;
let asked = 0;

function evaluate() {
  const before = asked;
  form.dispatchEvent(new Event("evaluate"));
  if (before) setTimeout(() => { if (asked === before) htmx.trigger(form, "htmx:abort"); }, PATIENCE);
}

form.addEventListener("htmx:beforeSend", (event) => { if (event.target === form) asked = performance.now(); });
form.addEventListener("htmx:afterRequest", (event) => { if (event.target === form) asked = 0; });

// At once: a timer would wait until the page is painted. What is typed into an editor is heard twice, from the browser
// and from the form's own field, in which it stands by then; the field's word counts.
form.addEventListener("input", (event) => { if (event.target.name) evaluate(); });

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
