// Puts a new result in the place of the old one, and leaves alone the lines that are the same.
// htmx takes every element out one by one and tells each that it goes: with 500 lines that, and laying all of them out
// anew, took 400 ms a key; this takes 30 (measured in Chromium on two cores). Parts that are put in by their id keep
// their element: to take one out has the browser look at the style of every line again.
function sameFromStart(old, next, most) {
  let count = 0;
  while (count < most && old[count].isEqualNode(next[count])) count += 1;
  return count;
}

function sameFromEnd(old, next, most) {
  let count = 0;
  while (count < most && old[old.length - 1 - count].isEqualNode(next[next.length - 1 - count])) count += 1;
  return count;
}

// The server sends all lines, or those alone that are new to the list that this page holds, with how many stay around.
function staying(old, next, made) {
  if (made.dataset.held) return [Number(made.dataset.start), Number(made.dataset.end), 0, next.length];
  const shorter = Math.min(old.length, next.length);
  const start = sameFromStart(old, next, shorter);
  const end = sameFromEnd(old, next, shorter - start);
  return [start, end, start, next.length - end];
}

function putLines(list, made) {
  const old = [...list.children];
  const next = [...made.children];
  const [start, end, first, last] = staying(old, next, made);
  const after = old[old.length - end] ?? null;
  for (const line of old.slice(start, old.length - end)) line.remove();
  const fresh = document.createDocumentFragment();
  fresh.append(...next.slice(first, last));
  list.insertBefore(fresh, after);
  list.className = made.className;
  list.dataset.name = made.dataset.name;
}

// The pane of the lines keeps its place and its list; whatever else it holds is put in anew.
function putPane(pane, made) {
  const list = pane.querySelector(".lines");
  putLines(list, made.querySelector(".lines"));
  for (const part of [...pane.children]) if (part !== list) part.remove();
  const parts = [...made.children];
  const at = parts.findIndex((part) => part.matches(".lines"));
  list.before(...parts.slice(0, at));
  list.after(...parts.slice(at + 1));
}

// Where there was no result yet there are no panes to compare.
function putResult(result, made) {
  const panes = [...result.children];
  const next = [...made.children];
  if (panes.length !== next.length) {
    result.replaceChildren(...next);
    return;
  }
  panes.forEach((pane, index) => {
    if (pane.querySelector(".lines") && next[index].querySelector(".lines")) putPane(pane, next[index]);
    else if (!pane.isEqualNode(next[index])) pane.replaceWith(next[index]);
  });
}

function putPart(made) {
  const part = document.getElementById(made.id);
  made.removeAttribute("hx-swap-oob");
  if (part.isEqualNode(made)) return;
  if (part.className !== made.className) part.className = made.className;
  part.replaceChildren(...made.childNodes);
}

const shownList = () => document.querySelector("#result .lines");

document.body.addEventListener("htmx:configRequest", (event) => {
  const name = shownList()?.dataset.name;
  if (name && event.detail.path === "/evaluate") event.detail.headers["X-Lines"] = name;
});

document.body.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "result") return;
  const answer = new DOMParser().parseFromString(event.detail.serverResponse, "text/html");
  const focused = document.activeElement?.id;
  const made = answer.getElementById("result");
  const held = made?.querySelector(".lines")?.dataset.held;
  if (held && held !== shownList()?.dataset.name) {
    // What the page shows is not what it asked with: all lines are needed.
    delete shownList()?.dataset.name;
    event.detail.shouldSwap = false;
    event.detail.target.closest("main").querySelector("form").dispatchEvent(new Event("evaluate"));
    return;
  }
  if (made) {
    putResult(document.getElementById("result"), made);
    document.dispatchEvent(new Event("result"));
  }
  for (const part of answer.querySelectorAll("[hx-swap-oob]")) putPart(part);
  if (focused && !document.activeElement?.id) document.getElementById(focused)?.focus();
  event.detail.serverResponse = "";
  event.detail.swapOverride = "none";
});
