// Keeps what is typed on this page in this browser, and swaps the two documents.
import { carried } from "./carried.js";

const form = document.getElementById("generate");
const KEY = "patchyard.generate";
const TEXTS = ["before", "after"];

function put(name, text) {
  const field = form.elements[name];
  if (field.value === text) return;
  if (field.editor) field.editor.setText(text);
  else field.value = text;
}

function follow() {
  form.dispatchEvent(new Event("evaluate"));
}

function save() {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(TEXTS.map((name) => [name, form.elements[name].value]))));
  } catch {
    // No room, or a window that keeps nothing: the text is still in the editor.
  }
}

function bringBack() {
  if (carried || location.pathname !== "/generate") return;
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (!kept || TEXTS.every((name) => kept[name] === form.elements[name].value)) return;
    for (const name of TEXTS) put(name, kept[name] ?? "");
    follow();
  } catch {
    // Nothing usable was kept: the page stays as it came.
  }
}

document.getElementById("swap").addEventListener("click", () => {
  const [before, after] = TEXTS.map((name) => form.elements[name].value);
  put("before", after);
  put("after", before);
  save();
  follow();
});
form.addEventListener("input", save);
document.addEventListener("DOMContentLoaded", bringBack);
