// The whole state of the page in a link, behind its #, which browsers do not send to servers.
import { fillForm, readForm } from "./form.js";
import { savedDraft, saveDraft } from "./drafts.js";
import { showNotice } from "./notice.js";
import { maskSecrets, speaksOfSecrets } from "./secrets.js";
import { scenarioOf } from "./timeline.js";
import { say } from "./words.js";

export const MARK = "#state=";
const TEXTS = ["live", "body", "crds"];
const LONGEST = 8_000_000;
const dialog = document.getElementById("share");
const field = document.getElementById("share-link");
const words = document.getElementById("share-words");
const secrets = dialog.querySelector('[name="secrets"]');

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function toText(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toBytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

async function pack(draft) {
  return toText(await through(new TextEncoder().encode(JSON.stringify(draft)), new CompressionStream("deflate-raw")));
}

async function unpack(text) {
  const bytes = await through(toBytes(text), new DecompressionStream("deflate-raw"));
  if (bytes.length > LONGEST) throw new Error("too long");
  const draft = JSON.parse(new TextDecoder().decode(bytes));
  if (draft === null || typeof draft !== "object" || TEXTS.some((name) => typeof (draft[name] ?? "") !== "string")) throw new Error("no state");
  return draft;
}

// The state to be given away: where it speaks of Secrets, without their values unless they are asked for.
function given() {
  const draft = readForm();
  const masks = !secrets.checked && speaksOfSecrets(...TEXTS.map((name) => draft[name]));
  for (const name of TEXTS) if (masks) draft[name] = maskSecrets(draft[name]);
  return draft;
}

function chosen() {
  const draft = given();
  for (const name of TEXTS) if (!dialog.querySelector(`[name="${name}"]`).checked) draft[name] = "";
  return draft;
}

async function tell() {
  field.value = `${location.origin}/${MARK}${await pack(chosen())}`;
  const told = [say("%(count)s characters. Everything is behind the #, which browsers do not send to any server.", { count: field.value.length.toLocaleString("en") })];
  if (field.value.length > 8_000) told.push(say("Some programs cut links of more than 8,000: leave something out, or send the texts as files."));
  words.textContent = told.join(" ");
}

async function open() {
  const draft = readForm();
  const asked = speaksOfSecrets(...TEXTS.map((name) => draft[name]));
  secrets.checked = false;
  secrets.closest("label").hidden = !asked;
  for (const name of TEXTS) {
    const box = dialog.querySelector(`[name="${name}"]`);
    box.checked = Boolean(draft[name]);
    box.disabled = !draft[name];
  }
  await tell();
  await write();
  dialog.showModal();
  field.select();
}

const texts = dialog.querySelector(".share-texts");
const form = document.getElementById("share-form");
const text = document.getElementById("share-text");

async function write() {
  if (!texts.open) return;
  const draft = given();
  try {
    if (form.value === "scenario") {
      text.textContent = await scenarioOf(draft.live, [draft]);
      return;
    }
    const fields = new URLSearchParams(new FormData(document.getElementById("write")));
    for (const name of TEXTS) fields.set(name, draft[name]);
    const response = await fetch("/export", { method: "POST", body: fields });
    if (!response.ok) throw new Error(String(response.status));
    text.textContent = (await response.json())[form.value];
  } catch {
    text.textContent = say("There is no write to spell yet: the texts cannot be read, or the server cannot be reached.");
  }
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = say("Copied");
  } catch {
    field.select();
    button.textContent = say("Press Ctrl+C");
  }
  setTimeout(() => { button.textContent = say("Copy the link"); }, 2000);
}

async function receive() {
  const text = location.hash.slice(MARK.length);
  history.replaceState(null, "", location.pathname + location.search);
  const mine = savedDraft();
  try {
    fillForm(await unpack(text));
  } catch {
    showNotice(say("This link holds no state that can be read: perhaps it was cut on its way. Ask for it again, whole."), say("Good"), () => {});
    return;
  }
  document.getElementById("example-note").hidden = true;
  if (mine) showNotice(say("This is what was shared with you. What you typed last time is still kept."), say("Bring mine back"), () => { fillForm(mine); saveDraft(); });
  else showNotice(say("This is what was shared with you."), say("Good"), () => {});
}

document.getElementById("share-open").addEventListener("click", open);
dialog.addEventListener("change", tell);
form.addEventListener("change", write);
secrets.addEventListener("change", write);
texts.addEventListener("toggle", write);
dialog.querySelector('[value="copy"]').addEventListener("click", (event) => copy(event.target));
if (location.hash.startsWith(MARK)) document.addEventListener("DOMContentLoaded", receive);
addEventListener("hashchange", () => { if (location.hash.startsWith(MARK)) receive(); });
