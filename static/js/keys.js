// Opens the list of keys on "?", unless the sign is being typed. Escape closes it, and the focus goes back by itself.
const keys = document.getElementById("keys");
const TYPED_INTO = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable=true]";

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest(TYPED_INTO) || document.querySelector("dialog:modal")) return;
  event.preventDefault();
  keys.togglePopover();
});
