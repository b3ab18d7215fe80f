// Follows one owner: its lines stand out or stand alone, and its entry alone is listed. The choice outlives typing.
let owner = "";
let alone = false;

function show() {
  for (const button of document.querySelectorAll("[data-owner]")) {
    button.setAttribute("aria-pressed", String(button.dataset.owner === owner));
  }
  for (const box of document.querySelectorAll("label.alone")) box.hidden = !owner;
  for (const box of document.querySelectorAll("label.alone input")) box.checked = alone;
  for (const line of document.querySelectorAll(".result .line")) {
    const other = Boolean(owner) && !line.dataset.letters.split(" ").includes(owner);
    line.classList.toggle("of-others", other && !alone);
    line.hidden = other && alone;
  }
  for (const entry of document.querySelectorAll(".result .entries tr[data-letter]")) {
    entry.hidden = Boolean(owner) && entry.dataset.letter !== owner;
  }
}

// An owner whose last line went is nobody to follow any more.
function showAgain() {
  if (!document.querySelector(`[data-owner="${CSS.escape(owner)}"]`)) owner = "";
  show();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-owner]");
  if (!button) return;
  owner = owner === button.dataset.owner ? "" : button.dataset.owner;
  show();
});
document.addEventListener("change", (event) => {
  if (!event.target.matches("label.alone input")) return;
  alone = event.target.checked;
  show();
});
document.body.addEventListener("htmx:afterSettle", showAgain);
