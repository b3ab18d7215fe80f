// Copies the text that a button names, and says so on the button.
import { say } from "./words.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy).textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say("Copied");
  } catch {
    button.textContent = say("Cannot copy: select the text and copy it yourself");
  }
  setTimeout(() => { button.textContent = say("Copy"); }, 2000);
});
