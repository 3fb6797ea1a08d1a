package serve

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// Texts that want a browser to obey them, each planted in every part of a log.
var planted = []string{
	`<script>owned()</script>`, `</script><script>owned()</script>`, `</title><script>owned()</script>`, `</pre><script>owned()</script>`,
	`</style><script>owned()</script>`, `</textarea><script>owned()</script>`, `--><script>owned()</script><!--`, `]]><script>owned()</script>`,
	`</svg><script>owned()</script>`, `<svg><script>owned()</script></svg>`, `<svg onload=owned()>`, `<svg><animate onbegin=owned() attributeName=x>`,
	`<svg><use href=data:image/svg+xml,owned>`, `<math><mi xlink:href=javascript:owned()>x`, `<img src=x onerror=owned()>`, `"><img src=x onerror=owned()>`,
	`'><img src=x onerror=owned()>`, `<noscript><p title="</noscript><img src=x onerror=owned()>">`, `<details open ontoggle=owned()>`, `<body onload=owned()>`,
	`<input autofocus onfocus=owned()>`, `" autofocus onfocus="owned()`, `' onmouseover='owned()`, `<style>body{display:none}</style>`,
	`<div style="position:fixed;inset:0;background:url(//evil.example/owned)">`, `<link rel=stylesheet href=//evil.example/owned.css>`,
	`<iframe src=javascript:owned()>`, `<object data=//evil.example/owned>`, `<embed src=//evil.example/owned>`, `<video src=//evil.example/owned>`,
	`<base href=//evil.example/owned>`, `<meta http-equiv=refresh content=0;url=//evil.example/owned>`, `<form action=//evil.example/owned><button>x`,
	`<a href="javascript:owned()">x</a>`, `[x](javascript:owned())`, `![x](https://evil.example/owned.png)`, `javascript:owned()`, `https://evil.example/owned`,
	`//evil.example/owned`, `data:text/html,<script>owned()</script>`, `{{.Site.Link}}{{template "layout"}} owned`, `${owned()}`, "`-owned()-`",
	`\u003cscript\u003eowned()\u003c/script\u003e`, `&lt;script&gt;owned()&lt;/script&gt;`, `%3Cscript%3Eowned()%3C/script%3E`, `"}]};owned();//`,
	`';owned();//`, `<plaintext>owned`, `<template><script>owned()</script></template>`, `../../../../etc/owned#"onclick=owned()`, `<dialog open>owned</dialog>`,
}

// hostileLogs are sessions with the planted texts. Two meet each error, so that it came back.
func hostileLogs() map[string]string {
	const log = "# Session: pump %[1]d %[2]s\n\n**Status**: Complete\n\n## What went wrong\n\n- Error: PumpError: pump %[1]d stalled, %[2]s\n\n" +
		"**Root cause**: the valve of pump %[1]d was shut, %[2]s\n\n**Fix**: open the valve of pump %[1]d first, %[2]s\n\n" +
		"%[3]s\n\n## Decision: what to do about pump %[1]d %[2]s\n\n- **Chosen**: open valve %[1]d %[2]s\n- **Rejected**: a second pump %[2]s\n\n## Lessons\n\n- Look at valve %[1]d first, %[2]s\n"
	shifts := []string{ // no copies
		"## Work\n\n- Cleaned the filters of the north hall\n- Wrote the report of the week\n- Moved the tank of the old basin\n- Asked for a new key of the gate\n\n" +
			"## Decisions of the day\n\n- Decision: order a second ladder, because the first one is short\n- Decision: leave the lamp on at night",
		"## Work\n\n- Painted the fence\n- Counted the spare gaskets and ordered a dozen\n- Swept the yard before the visit\n- Tied the boat to the other pier\n\n" +
			"## Decisions of the day\n\n- Decision: sell the rusty crane, since nobody repairs it\n- Decision: plant a hedge along the road"}
	logs := map[string]string{}
	for i, text := range planted {
		for day := 1; day <= 2; day++ {
			logs[fmt.Sprintf("2026-0%d-01-pump-%02d.md", day, i)] = fmt.Sprintf(log, i, text, shifts[day-1])
		}
	}
	return logs
}

// obeyed lists elements that no page has but through a planted text. A page has no style or script
// of its own text, but in a file.
const obeyed = `[...document.querySelectorAll("*")].filter(e =>
	/^(iframe|object|embed|base|video|math|mi|plaintext|noscript|img|dialog|template|animate|use|textarea)$/i.test(e.tagName) ||
	!%[1]v && (e.tagName == "STYLE" || e.tagName == "SCRIPT" && !e.src && e.type != "application/json") ||
	e.closest("main") && e.hasAttribute("style") || e.matches("[autofocus], meta[http-equiv=refresh]") ||
	[...e.attributes].some(a => /^on/i.test(a.name) || /^(href|src|action|data|formaction|xlink:href)$/.test(a.name) &&
		!a.value.startsWith("#") && a.value != "data:," && !new URL(a.value, location).href.startsWith(location.href.slice(0, location.origin.length + 33)))
	).map(e => e.outerHTML.slice(0, 200))`

// Whatever a log says, a browser shows it and obeys nothing.
func TestHostileLogsInBrowser(t *testing.T) {
	b := open(t, desk)
	o := memoryOf(t, hostileLogs())
	const name = `<img src=x onerror=owned()>`
	base := served(t, o, name)
	inert := func(address string, file bool) {
		t.Helper()
		b.visit(address)
		if found := eval[[]string](b, fmt.Sprintf(obeyed, file)); len(found) > 0 {
			t.Errorf("%s: %d elements such as %q", address, len(found), found[:min(len(found), 3)])
		}
		if !strings.Contains(eval[string](b, `document.body.innerText`), "owned") {
			t.Errorf("%s: no planted text is shown", address)
		}
		b.check()
	}
	for _, address := range []string{"", "?skip=10", "?skip=20", "?skip=30", "?skip=40", "choices", "lessons", "time", "search?q=pump+valve+owned", "graph"} {
		inert(base+address, false)
	}
	for i, text := range planted {
		if i%10 == 0 { // the file has all of them
			inert(base+fmt.Sprintf("session/episode-2026-01-01-pump-%02d", i), false)
			inert(base+"graph?at="+url.QueryEscape("PumpError: pump "+text), false)
			inert(base+"search?q="+url.QueryEscape(text), false)
		}
	}
	inert(inFile(t, o, name), true)
	if n := eval[int](b, `document.scripts.length + 10 * document.querySelectorAll("style").length`); n != 14 { // three and the facts, one
		t.Errorf("scripts and styles of the file: %d", n)
	}
	if n := eval[int](b, `document.querySelectorAll("main > .page").length`); n < 2*len(planted) {
		t.Errorf("%d pages are in the file", n)
	}
}
