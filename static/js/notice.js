// One line above the form that tells what just happened and offers the way back. It stays until it is closed.
const notice = document.getElementById("notice");
const words = notice.querySelector("span");
const [act, close] = notice.querySelectorAll("button");
let action = null;
let dismissed = null;
let cameFrom = null;

act.addEventListener("click", () => {
  const chosen = action;
  leave();
  chosen?.();
});
close.addEventListener("click", () => {
  const told = dismissed;
  leave();
  told?.();
});

// Whoever works by keys goes on where they were when the notice came.
function leave() {
  const back = notice.contains(document.activeElement) ? cameFrom : null;
  hideNotice();
  if (back?.isConnected && back !== document.body) back.focus();
}

// closed: what to do if the person closes the notice instead.
export function showNotice(text, label, next, closed = null) {
  words.textContent = text;
  act.textContent = label;
  action = next;
  dismissed = closed;
  if (!notice.contains(document.activeElement)) cameFrom = document.activeElement;
  notice.hidden = false;
}

export function hideNotice() {
  notice.hidden = true;
  action = null;
  dismissed = null;
}
