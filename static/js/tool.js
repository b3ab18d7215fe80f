// A tool's form: what is typed is kept in this browser, and what follows from it is asked for while typing.
import { carried } from "./carried.js";

const form = document.getElementById("tool");
const KEY = `patchyard${location.pathname}`;
const names = [...form.querySelectorAll('textarea, [name="turn"]')].map((field) => field.name);

function put(name, text) {
  const field = form.elements[name];
  if (!field || field.value === text) return;
  if (field.editor) field.editor.setText(text);
  else field.value = text;
}

function save() {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(names.map((name) => [name, form.elements[name].value]))));
  } catch {
    // No room, or a window that keeps nothing: the text is still in the editor.
  }
}

function bringBack() {
  if (carried) return;
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (!kept || names.every((name) => kept[name] === form.elements[name].value)) return;
    for (const name of names) put(name, kept[name] ?? "");
    form.dispatchEvent(new Event("evaluate"));
  } catch {
    // Nothing usable was kept: the page stays as it came.
  }
}

// Of two spellings of one thing, the one that is typed in makes the other.
form.addEventListener("input", (event) => {
  if (form.elements.turn && event.target.name in { fields: 1, paths: 1 }) form.elements.turn.value = event.target.name;
  save();
});
// Fields of the form that stand outside of it.
document.addEventListener("change", (event) => {
  if (event.target.form === form && !form.contains(event.target)) form.dispatchEvent(new Event("evaluate"));
});
document.body.addEventListener("htmx:afterSettle", () => {
  const turned = document.getElementById("tool-answer")?.dataset.turned;
  if (turned) put(turned, document.getElementById("turned-text").textContent);
});
document.addEventListener("DOMContentLoaded", bringBack);
