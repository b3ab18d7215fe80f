// Changes the language of the page: what is typed and chosen is carried over, whatever page it is.
import { carried, putAside } from "./carried.js";

const menu = document.getElementById("languages"); // not on a page that cannot be asked for twice

function mainForm() {
  return document.querySelector('button[name="language"]').form;
}

function put(field, values) {
  if (["submit", "button", "fieldset", "file"].includes(field.type)) return;
  if (field.type === "checkbox" || field.type === "radio") field.checked = values.includes(field.value);
  else if (values.length && field.value !== values[0]) {
    if (field.editor) field.editor.setText(values[0]);
    field.value = values[0];
  }
}

function fill(form, entries) {
  for (const field of form.elements) put(field, entries.filter(([name]) => name === field.name).map(([, value]) => value));
  form.dispatchEvent(new Event("evaluate"));
}

// The choice is kept in a cookie by now: the address goes without it, so that who gets it reads in their own language.
function cleanAddress() {
  const here = new URL(location.href);
  if (!here.searchParams.has("language")) return;
  here.searchParams.delete("language");
  history.replaceState(null, "", here);
}

document.addEventListener("click", (event) => {
  if (menu && !event.target.closest("#languages")) menu.open = false;
  const button = event.target.closest('button[name="language"]');
  if (!button) return;
  try {
    putAside(mainForm());
  } catch {
    return; // A window that keeps nothing: the form is sent instead.
  }
  event.preventDefault();
  const address = new URL(location.href);
  address.searchParams.set("language", button.value);
  location.assign(address);
});

menu?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

cleanAddress();
// One moment after the document is there: by then editors are in place, and htmx listens.
if (carried && menu) document.addEventListener("DOMContentLoaded", () => setTimeout(() => fill(mainForm(), carried)));
