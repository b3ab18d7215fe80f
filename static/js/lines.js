// Tells whose a line of the result is: under the pointer, and line by line from the keyboard.
const HINT = "Point at a line, or walk with ↑ and ↓, to see whose it is.";

function describe(line) {
  const letters = line.dataset.letters.split(" ").filter(Boolean);
  const owners = letters.map((letter) => {
    const entry = line.closest(".view").querySelector(`.legend [data-letter="${letter}"]`);
    return entry ? entry.textContent.replace(/\s+/g, " ").trim() : letter;
  });
  const change = line.classList.contains("added") ? "new here; " : line.classList.contains("removed") ? "removed here; " : line.classList.contains("contested") ? "contested; " : "";
  const shared = owners.length > 1 ? "shared by " : "owned by ";
  const why = line.dataset.why ? ` ${line.dataset.why}` : "";
  return `${line.dataset.path || "the object"}: ${change}${owners.length ? shared + owners.join(" and ") : "no owner: defaulted, or never claimed"}.${why}`;
}

function point(line) {
  const view = line.closest(".view");
  view.querySelector(".line.here")?.classList.remove("here");
  line.classList.add("here");
  view.querySelector(".line-detail").textContent = describe(line);
}

function step(current, lines, key) {
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity };
  if (!(key in moves)) return null;
  const all = lines.children;
  const from = current ? [...all].indexOf(current) : key === "ArrowUp" ? all.length : -1;
  return all[Math.min(Math.max(from + moves[key], 0), all.length - 1)];
}

document.addEventListener("pointerover", (event) => {
  const line = event.target.closest?.(".line");
  if (line) point(line);
});

document.addEventListener("focusin", (event) => {
  const lines = event.target.closest?.(".lines");
  if (lines && !lines.querySelector(".here")) lines.nextElementSibling.textContent = HINT;
});

document.addEventListener("keydown", (event) => {
  if (!event.target.classList?.contains("lines") || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = step(event.target.querySelector(".here"), event.target, event.key);
  if (!next) return;
  event.preventDefault();
  point(next);
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
});
