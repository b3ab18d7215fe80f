// Whatever is dropped on the page, or pasted into an editor that it does not belong in alone, sorted into the editors.
import { fillForm, readForm } from "./form.js";
import { showNotice } from "./notice.js";
import { asItWas, saveDraft } from "./drafts.js";
import { say } from "./words.js";

const SEVERAL = /^---\s|^kind:\s*(?:\w*List|CustomResourceDefinition)\s*$|"kind":\s*"(?:\w*List|CustomResourceDefinition)"|conflicts? with "/m;
const LARGEST = 16 * 1024 * 1024;

// Somebody has to choose, or there is a list to read: the page for that takes over. What is typed is kept as the page goes.
function show(text) {
  const form = Object.assign(document.createElement("form"), { method: "post", action: "/open", enctype: "multipart/form-data", hidden: true });
  form.append(Object.assign(document.createElement("textarea"), { name: "text", value: text }));
  document.body.append(form);
  form.submit();
}

async function sort(text) {
  const response = await fetch("/intake", { method: "POST", body: new URLSearchParams({ text }) });
  if (!response.ok) throw new Error(String(response.status));
  const found = await response.json();
  if (!found.draft) {
    show(text);
    return;
  }
  const before = readForm();
  const takeBack = asItWas();
  const next = found.draft;
  for (const name of ["live", "body", "crds"]) next[name] ||= before[name];
  fillForm({ ...before, ...(next.body === before.body ? {} : { kind: next.kind }), live: next.live, body: next.body, crds: next.crds });
  saveDraft();
  showNotice(say("It is sorted into the editors."), say("Undo"), takeBack);
}

async function take(text) {
  try {
    await sort(text);
  } catch {
    showNotice(say("It cannot be sorted now: the server cannot be reached, or it is too large."), say("Good"), () => {});
  }
}

document.addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", async (event) => {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!files.length) return;
  event.preventDefault();
  event.stopPropagation();
  if (files.some((file) => file.size > LARGEST)) {
    showNotice(say("That file is too large to be read."), say("Good"), () => {});
    return;
  }
  const texts = await Promise.all(files.map((file) => file.text()));
  await take(texts.join("\n---\n"));
}, true);

// The paste itself goes on: what is offered is to sort it.
document.addEventListener("paste", (event) => {
  const editor = event.target.closest?.(".editor")?.querySelector("textarea")?.name;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!["live", "body"].includes(editor) || !SEVERAL.test(text)) return;
  const takeBack = asItWas();
  showNotice(say("This looks like more than one object, or a message."), say("Sort it into the editors"), () => {
    takeBack();
    take(text);
  });
}, true);
