// @ts-check
// A classic script, run before anything is drawn: the chosen theme must not flash.
"use strict";

(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  /** @type {string | null} */
  let kept = null;
  try {
    kept = localStorage.getItem("plies.theme");
  } catch { /* no storage: the system's theme */ }
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const tell = () => {
      if (button) button.title = isDark() ? "Change to light" : "Change to dark";
    };
    tell();
    dark.addEventListener("change", tell);
    button?.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      tell();
      try {
        localStorage.setItem("plies.theme", root.dataset.theme);
      } catch { /* it holds for this page only */ }
    });
  });
})();
