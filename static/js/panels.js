// Parts of the result that are asked for when they are opened, and again when the result changes while they are open.
import { say } from "./words.js";

const form = document.getElementById("write");
const open = new Set();

async function fill(details) {
  const place = details.querySelector("div");
  try {
    const response = await fetch(details.dataset.ask, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (!response.ok) throw new Error(String(response.status));
    const made = new DOMParser().parseFromString(await response.text(), "text/html");
    place.replaceChildren(...made.body.childNodes);
  } catch {
    place.textContent = say("This cannot be told now: the texts cannot be read, or the server cannot be reached.");
  }
}

document.addEventListener("toggle", (event) => {
  const ask = event.target.dataset?.ask;
  if (!ask) return;
  if (event.target.open) {
    open.add(ask);
    fill(event.target);
  } else if (event.target.isConnected) open.delete(ask);
}, true);

document.body.addEventListener("htmx:afterSettle", () => {
  for (const details of document.querySelectorAll("details[data-ask]")) {
    if (open.has(details.dataset.ask) && !details.open) details.open = true;
  }
});
