// Says so when the server does not answer; the next answer takes the words away again.
import { say } from "./words.js";

document.body.addEventListener("htmx:sendError", () => {
  const outcome = document.getElementById("outcome");
  outcome.className = "outcome outcome-stale";
  outcome.textContent = say("The server does not answer. What you typed is kept here and in this browser; start the server again, and type on.");
});
