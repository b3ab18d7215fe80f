// Copies the text that a button names, and says so on the button.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy).textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Cannot copy: select the text and copy it yourself";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
});
