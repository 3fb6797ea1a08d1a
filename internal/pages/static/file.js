// Shows one page of the file at a time, and searches all of them while words are typed.
"use strict";
(() => {
  const MOST = 20, AROUND = 60;
  const pages = [...document.querySelectorAll("main > .page")];
  const field = document.querySelector("form[role=search] input[type=search]");
  const results = document.getElementById("results");

  const titleOf = (page) => {
    const link = [...document.querySelectorAll("header nav a")].find((a) => a.hash === `#${page.id}`);
    return (link || page.querySelector(".lead") || page.querySelector("h1")).textContent;
  };
  const show = () => {
    const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (at && !at.closest(".page")) return; // the skip link
    const page = at?.closest(".page") || pages[0];
    for (const p of pages) p.hidden = p !== page;
    document.title = `${titleOf(page)} · ${document.querySelector("header strong").textContent}`;
    for (const a of document.querySelectorAll("header nav a"))
      if (a.hash === `#${page.id}`) a.setAttribute("aria-current", "page");
      else a.removeAttribute("aria-current");
    results.replaceChildren();
    if (at && at !== page) at.scrollIntoView();
    else window.scrollTo(0, 0);
  };

  const texts = new Map();
  const textOf = (e) => {
    if (!texts.has(e)) texts.set(e, e.textContent.replace(/\s+/g, " "));
    return texts.get(e);
  };
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (e) => { const text = textOf(e).toLowerCase(); return words.every((w) => text.includes(w)); };
    if (words.join("").length < 3) { results.replaceChildren(); return; }
    const list = document.createElement("ul");
    list.className = "hits";
    for (const p of pages) {
      if (list.children.length === MOST) break;
      if (!has(p)) continue;
      const place = [...p.querySelectorAll("[id]")].filter(has).pop() || p;
      const text = textOf(place), from = Math.max(0, text.toLowerCase().indexOf(words[0]) - AROUND);
      const item = document.createElement("li"), a = document.createElement("a"), part = document.createElement("small");
      a.href = `#${encodeURIComponent(place.id)}`;
      a.textContent = titleOf(p);
      part.textContent = ` ${from ? "…" : ""}${text.slice(from, from + 3 * AROUND)}…`;
      item.append(a, part);
      list.append(item);
    }
    const none = document.createElement("p");
    none.textContent = "Nothing has all of these words.";
    results.replaceChildren(list.children.length ? list : none);
  };

  field.addEventListener("input", search);
  field.addEventListener("keydown", (e) => { if (e.key === "Escape") results.replaceChildren(); });
  field.form.addEventListener("submit", (e) => { e.preventDefault(); search(); });
  window.addEventListener("hashchange", show);
  show();
})();
