// The form as one value: read it, and put another in its place.
const form = document.getElementById("write");
const TEXTS = ["live", "body", "crds"];
const CHOICES = ["kind", "manager", "force", "dry_run", "subresource", "field_validation"];

export function readForm() {
  const draft = {};
  for (const name of TEXTS) draft[name] = form.elements[name].value;
  for (const name of CHOICES) {
    const field = form.elements[name];
    draft[name] = field.type === "checkbox" ? field.checked : field.value;
  }
  return draft;
}

// Each editor keeps the change as one step of its own undo.
export function fillForm(draft) {
  for (const name of TEXTS) {
    const textarea = form.elements[name];
    const text = draft[name] ?? "";
    if (textarea.value === text) continue;
    if (textarea.editor) textarea.editor.setText(text);
    else textarea.value = text;
  }
  for (const name of CHOICES) {
    const field = form.elements[name];
    if (field.type === "checkbox") field.checked = Boolean(draft[name]);
    else if (draft[name] !== undefined) field.value = draft[name];
  }
  if (draft.crds) form.querySelector(".crds").open = true;
  form.dispatchEvent(new Event("evaluate"));
}

export function sameDraft(one, other) {
  return [...TEXTS, ...CHOICES].every((name) => one[name] === other[name]);
}

export function onEdit(listener) {
  form.addEventListener("input", listener);
}
