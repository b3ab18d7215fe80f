// Runs before the page is painted: the theme that was chosen last, and the mark that scripts run.
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const remembered = () => { try { return localStorage.getItem("patchyard.theme"); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem("patchyard.theme", theme); } catch { /* a private window: the choice holds for this page */ } };
  const chosen = remembered();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => { button.textContent = dark() ? "Light" : "Dark"; };
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      remember(root.dataset.theme);
      label();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    label();
  });
})();
