// One line above the form that tells what just happened and offers the way back. It stays until it is closed.
const notice = document.getElementById("notice");
const words = notice.querySelector("span");
const [act, close] = notice.querySelectorAll("button");
let action = null;

act.addEventListener("click", () => {
  const chosen = action;
  hideNotice();
  chosen?.();
});
close.addEventListener("click", hideNotice);

export function showNotice(text, label, next) {
  words.textContent = text;
  act.textContent = label;
  action = next;
  notice.hidden = false;
}

export function hideNotice() {
  notice.hidden = true;
  action = null;
}
