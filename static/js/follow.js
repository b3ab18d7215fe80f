// The result follows the keys: soon where answers come fast, and with more patience where they take long.
const form = document.getElementById("write");
const SOONEST = 0;
const LATEST = 250;
const FAST = 200;
let waiting = 0;
let asked = 0;
let took = 0;

function evaluate() {
  form.dispatchEvent(new Event("evaluate"));
}

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(evaluate, took < FAST ? SOONEST : Math.min(took / 4, LATEST));
});

form.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target === form) asked = performance.now();
});
form.addEventListener("htmx:afterRequest", (event) => {
  if (event.target === form && event.detail.successful) took = performance.now() - asked;
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
