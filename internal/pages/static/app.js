// Shows the results of a search while words are typed. Without it the form works as any other.
"use strict";
(() => {
  const form = document.querySelector("form[role=search]");
  const field = form && form.querySelector("input[type=search]");
  const results = document.getElementById("results");
  if (!field || !results) return;
  let timer, last = field.value, asked = 0;
  const show = async () => {
    const words = field.value.trim();
    if (words === last) return;
    last = words;
    const number = ++asked;
    if (words.length < 3) { results.replaceChildren(); return; }
    const address = new URL(form.action);
    address.search = new URLSearchParams(new FormData(form)).toString();
    try {
      const answer = await fetch(address, { credentials: "omit", redirect: "error" });
      if (!answer.ok || number !== asked) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.querySelector("main .hits");
      if (number === asked) results.replaceChildren(...(found ? [document.importNode(found, true)] : []));
    } catch { /* the form still works */ }
  };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 200); });
  field.addEventListener("keydown", (e) => { if (e.key === "Escape") results.replaceChildren(); });
})();
