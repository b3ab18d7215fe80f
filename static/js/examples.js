// Loads an example into the editors without leaving the page, and offers the way back.
import { fillForm, readForm } from "./form.js";
import { showNotice } from "./notice.js";
import { saveDraft } from "./drafts.js";
import { say } from "./words.js";

const menu = document.getElementById("examples");
const note = document.getElementById("example-note");
const NOTHING = { draft: { live: "", body: "", crds: "", manager: "kubectl", force: false, dry_run: false, subresource: "", field_validation: "Warn" }, summary: "", title: "" };

async function load(slug) {
  if (!slug) return NOTHING;
  const response = await fetch(`/examples/${encodeURIComponent(slug)}.json`);
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

function tell(summary) {
  note.textContent = summary;
  note.hidden = !summary;
}

function address(slug) {
  return slug ? `/?example=${encodeURIComponent(slug)}` : "/empty";
}

function present() {
  return { draft: readForm(), summary: note.hidden ? "" : note.textContent, address: location.href };
}

// Puts one state of the page in the place of another, and offers to swap them back.
function swap(next, words, label) {
  const before = present();
  fillForm(next.draft);
  saveDraft();
  tell(next.summary);
  history.replaceState(null, "", next.address);
  showNotice(words, label, () => swap(before, say("This is what was there before."), say("Swap again")));
}

function show(example, slug) {
  const words = slug ? say("“%(title)s” is loaded in place of what was there.", { title: example.title }) : say("Everything is cleared.");
  swap({ ...example, address: address(slug) }, words, say("Undo"));
  const view = example.draft.view ?? "result";
  document.querySelector(`[name="view"][value="${view}"]`).checked = true;
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-example]");
  if (!link) {
    if (!event.target.closest("#examples")) menu.open = false;
    return;
  }
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    show(await load(link.dataset.example), link.dataset.example);
    menu.open = false;
    menu.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (link.dataset.example) link.setAttribute("aria-current", "true");
    menu.querySelector("summary").focus();
  } catch {
    location.href = link.href;
  }
});

menu.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
