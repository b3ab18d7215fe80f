// Runs before the page is painted: the theme that was chosen last, and the mark that scripts run.
(() => {
  const THEMES = ["light", "dark", "contrast"];
  const root = document.documentElement;
  root.classList.add("scripted");
  const remembered = () => { try { return localStorage.getItem("patchyard.theme"); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem("patchyard.theme", theme); } catch { /* a private window: the choice holds for this page */ } };
  const chosen = remembered();
  if (THEMES.includes(chosen)) root.dataset.theme = chosen;
  const current = () => root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = () => THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length];
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => { for (const name of button.querySelectorAll("[data-name]")) name.hidden = name.dataset.name !== next(); };
    button.addEventListener("click", () => {
      root.dataset.theme = next();
      remember(root.dataset.theme);
      label();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    label();
  });
})();
