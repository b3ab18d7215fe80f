// Says so when the server does not answer; the next answer takes the words away again.
document.body.addEventListener("htmx:sendError", () => {
  const outcome = document.getElementById("outcome");
  outcome.className = "outcome outcome-stale";
  outcome.textContent = "The server does not answer. What you typed is kept here and in this browser; start the server again, and type on.";
});
