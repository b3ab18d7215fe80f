// Marks in each editor what the server found wrong with its text; a problem's place leads into the editor.
function problemsOf(list) {
  return [...list.querySelectorAll("li")].map((item) => ({
    line: Number(item.dataset.line),
    column: Number(item.dataset.column),
    message: item.querySelector("span").textContent,
  }));
}

function mark() {
  for (const list of document.querySelectorAll(".problems")) {
    const textarea = document.getElementById(list.dataset.editorName);
    textarea.editor?.show(problemsOf(list));
    if (list.childElementCount) list.closest("details")?.setAttribute("open", "");
  }
}

document.addEventListener("click", (event) => {
  const place = event.target.closest(".problems .place");
  if (!place) return;
  const { line, column } = place.closest("li").dataset;
  const textarea = document.getElementById(place.closest(".problems").dataset.editorName);
  if (!textarea.editor) return;
  event.preventDefault();
  textarea.editor.goTo(Number(line), Number(column));
});

document.body.addEventListener("htmx:afterRequest", mark);
mark();
