// The same change in every format: asked for when it is opened, and again when the result changes while it is open.
const form = document.getElementById("write");
let wanted = false;

async function fill(details) {
  const place = details.querySelector("div");
  try {
    const response = await fetch("/formats", { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (!response.ok) throw new Error(String(response.status));
    const made = new DOMParser().parseFromString(await response.text(), "text/html");
    place.replaceChildren(...made.body.childNodes);
  } catch {
    place.textContent = "The formats cannot be had now: the texts cannot be read, or the server cannot be reached.";
  }
}

document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.(".spelled")) return;
  wanted = event.target.open;
  if (wanted) fill(event.target);
}, true);

document.body.addEventListener("htmx:afterSettle", () => {
  const details = document.querySelector(".spelled");
  if (wanted && details && !details.open) details.open = true;
});
