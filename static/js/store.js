// Storing leaves the page, and so is no business of htmx, which takes over the form's submit events.
const button = document.querySelector("#store button");

button.addEventListener("click", (event) => {
  event.preventDefault();
  const action = button.form.getAttribute("action");
  button.form.setAttribute("action", button.getAttribute("formaction"));
  button.form.submit();
  button.form.setAttribute("action", action);
});

document.getElementById("store-workspace").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  button.click();
});
