// Shows what comes to a workspace's API as it comes, and opens its objects in the playground.
import { say } from "./words.js";

const main = document.getElementById("main");
const listening = document.getElementById("listening");
let asked = false, running = false;

function focusedIn(part) {
  const focused = document.activeElement;
  return part.contains(focused) ? focused.getAttribute("aria-label") || focused.getAttribute("aria-labelledby") : null;
}

// The server makes the page; here only its two parts are put in place anew, and the focus stays where it was.
function replacePart(id, fresh) {
  const old = document.getElementById(id);
  const part = fresh.getElementById(id);
  if (!part || part.innerHTML === old.innerHTML) return;
  const name = focusedIn(old);
  for (const open of old.querySelectorAll("details[open][data-of]")) {
    part.querySelector(`details[data-of="${CSS.escape(open.dataset.of)}"]`)?.setAttribute("open", "");
  }
  old.replaceWith(document.adoptNode(part));
  if (name) part.querySelector(`[aria-label="${CSS.escape(name)}"], [aria-labelledby="${CSS.escape(name)}"]`)?.focus();
}

async function refresh() {
  asked = true;
  if (running) return;
  running = true;
  while (asked) {
    asked = false;
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (!answer.ok) break;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of ["requests", "objects"]) replacePart(id, fresh);
    } catch {
      break; // the event stream comes back by itself, and tells again
    }
  }
  running = false;
}

async function stateOf(draft) {
  const stream = new Blob([JSON.stringify(draft)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

main.addEventListener("submit", async (event) => {
  if (!event.target.matches("form.open")) return;
  event.preventDefault();
  const { live, crds, manager } = event.target.elements;
  location.assign(`/#state=${await stateOf({ live: live.value, crds: crds.value, manager: manager.value, body: "", kind: "apply" })}`);
});

const requests = document.getElementById("requests");
const seen = requests?.dataset.seen;
const events = new EventSource(`${new URL(main.dataset.events).pathname}?after=${seen}`);
events.addEventListener("open", () => { listening.textContent = say("Listening: requests appear as they come."); });
events.addEventListener("error", () => { listening.textContent = say("The connection is lost; trying again."); });
events.addEventListener("request", refresh);
