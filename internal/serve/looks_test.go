package serve

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"episodes/internal/ask"
)

// memoryOf makes a memory of logs, by the names of their files.
func memoryOf(t *testing.T, logs map[string]string) ask.Options {
	t.Helper()
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	loc, err := ask.Locate("", "", root)
	must(t, err)
	if _, err := ask.Create(loc); err != nil {
		t.Fatal(err)
	}
	for name, text := range logs {
		must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	o := ask.Options{Location: loc}
	if _, err := ask.Extract(t.Context(), o, ask.ExtractRequest{Logs: []string{"*.md"}, Cwd: root}); err != nil {
		t.Fatal(err)
	}
	return o
}

// served serves a memory until the test ends, and returns the address of its first page.
func served(t testing.TB, o ask.Options, name string) string {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	must(t, err)
	s := New(Options{Memory: o, Name: name, Explain: func(err error) (string, string) { return err.Error(), "" },
		Trouble: func(text string) { t.Error(text) }}, l.Addr())
	done := make(chan error)
	go func() { done <- s.Serve(t.Context(), l) }()
	t.Cleanup(func() { // t.Context has ended by now
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s.URL()
}

// inFile writes the pages of a memory into a file, and returns its address.
func inFile(t *testing.T, o ask.Options, name string) string {
	t.Helper()
	o.Shared = true
	m, err := ask.Open(o)
	must(t, err)
	defer m.Close()
	var b bytes.Buffer
	must(t, WriteFile(t.Context(), &b, m, name))
	file := filepath.Join(t.TempDir(), "memory.html")
	must(t, os.WriteFile(file, b.Bytes(), 0o644))
	return (&url.URL{Scheme: "file", Path: file}).String()
}

// addresses are those of a page of each kind.
const (
	lockSession = "session/episode-2026-01-12-session-02-lock-timeout"
	lockGraph   = "graph?at=waiting+for+the+lock"
)

var addresses = []string{"", "choices", "lessons", "time", "advice", "search?q=lock+timeout", lockSession, lockGraph, "session/nothing", "nowhere"}

// Each page has no violation of accessibility that axe finds, fits the screen in its colours, and
// leaves no trace of trouble.
func TestPagesInBrowser(t *testing.T) {
	base := served(t, exampleMemory(t), "the example")
	for _, l := range []look{desk, phone} {
		b := open(t, l)
		for i, address := range addresses {
			b.visit(base + address)
			b.until(`document.querySelectorAll("main h1").length == 1`)
			if l == desk || i%3 == 0 { // the colours are the same on all
				b.accessible()
			}
			b.fits(l)
			b.mu.Lock()
			if address == "session/nothing" || address == "nowhere" { // which Chromium logs as an error
				b.did = nil
			}
			b.mu.Unlock()
			b.check()
		}
	}
}

// A search answers while words are typed, also by keyboard alone, and Escape ends it.
func TestSearchInBrowser(t *testing.T) {
	o := exampleMemory(t)
	for what, address := range map[string]string{"served": served(t, o, "x"), "in a file": inFile(t, o, "x")} {
		b := open(t, desk)
		b.visit(address)
		run(b, chromedp.Focus("#q"))
		run(b, chromedp.KeyEvent("advisory lock"))
		b.until(`document.querySelectorAll("#results a").length > 0`)
		if text := eval[string](b, `document.querySelector("#results").innerText`); !strings.Contains(text, "lock") {
			t.Errorf("%s: %q", what, text)
		}
		run(b, chromedp.KeyEvent(kb.Escape))
		b.until(`document.querySelectorAll("#results a").length == 0`)
		run(b, chromedp.KeyEvent(" timeout"))
		b.until(`document.querySelectorAll("#results a").length > 0`)
		run(b, chromedp.KeyEvent(kb.Tab+kb.Tab))
		b.until(`document.activeElement.matches("#results a")`)
		run(b, chromedp.KeyEvent(kb.Enter))
		b.until(`location.pathname.includes("/session/") || location.hash.length > 1`)
	}
}

// The facts of a drawing, and the one that has more links than are drawn.
const (
	drawnFacts = `document.querySelectorAll(".drawing .fact").length`
	unfinished = `[...document.querySelectorAll(".drawing .fact:not(.at)")].find(f => /\+\d/.test(f.textContent))`
	cutLabels  = `[...document.querySelectorAll(".drawing .fact")].map(f => [...f.querySelectorAll("text:not(.kind)")].map(t => t.textContent.trim()).join(" ")).filter(t => t.endsWith("…"))`
)

// What a person does with the graph: show what else is linked to a fact, and how one fact led to
// another.
func TestGraphInBrowser(t *testing.T) {
	logs := map[string]string{}
	for i, way := range strings.Fields("backoff queue lease mutex retry sleep shard copy cache batch cron signal token quota") {
		logs[fmt.Sprintf("2026-01-%02d-%s.md", i+1, way)] = fmt.Sprintf("# Session: the %[1]s\n\n**Status**: Complete\n\n## Decision: how to wait for the index\n\n"+
			"- **Problem**: LockTimeout: the index is locked by another process of the nightly job\n- **Chosen**: wait for the index with a %[1]s of our own\n"+
			"- **Rationale**: the %[1]s unblocked the release of the %[1]s service for the mirrors\n", way)
	}
	o := memoryOf(t, logs)
	for what, address := range map[string]string{"served": served(t, o, "x") + "graph?at=LockTimeout", "in a file": inFile(t, o, "x") + "#graph-"} {
		for _, l := range []look{desk, phone} {
			b := open(t, l)
			b.visit(address)
			b.until(drawnFacts + ` > 2`)
			if wrong := eval[[]string](b, cutLabels+`.filter(t => ![...document.querySelectorAll(".facts a")].some(a => a.textContent.startsWith(t.slice(0, -1))))`); len(wrong) > 0 || what == "served" && eval[int](b, cutLabels+`.length`) == 0 {
				t.Errorf("%s: a cut label is not how one begins: %q", what, wrong)
			}
			// The error is linked to more choices than are drawn, and each choice to what it unblocked.
			before := eval[int](b, drawnFacts)
			eval[chromedp.Void](b, `window.more = `+unfinished+`; more.dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
			b.until(drawnFacts + ` > ` + strconv.Itoa(before))
			if n := eval[int](b, drawnFacts); n > 30 {
				t.Errorf("%s: %d facts are drawn", what, n)
			}
			if status := eval[string](b, `document.querySelector(".graph-box [role=status]").innerText`); !strings.Contains(status, "added") {
				t.Errorf("%s: %q", what, status)
			}
			// By keyboard: choose the last fact, then the path to it.
			eval[chromedp.Void](b, `[...document.querySelectorAll(".drawing .fact:not(.at):not(.choice)")].pop().focus()`)
			run(b, chromedp.KeyEvent(kb.Enter))
			b.until(`document.querySelector(".drawing .fact.chosen:not(.choice)") && document.querySelector(".detail button.path")`)
			run(b, chromedp.Focus(".detail button.path"))
			run(b, chromedp.KeyEvent(kb.Enter))
			b.until(`document.querySelectorAll(".drawing .link.on-path").length > 0`)
			widths := eval[[]string](b, `[".link.on-path .line", ".link:not(.on-path) .line"].map(s => getComputedStyle(document.querySelector(".drawing " + s)).strokeWidth)`)
			if widths[0] == widths[1] {
				t.Errorf("%s: the path is as thick as other links: %s", what, widths)
			}
			if l == desk {
				b.accessible()
			}
			b.fits(l)
			b.check()
		}
	}
}

// Boxes of a drawing lie inside of it and apart, and each link goes from its source to its target, also in circles.
func TestLayout(t *testing.T) {
	b := open(t, desk)
	b.visit(served(t, exampleMemory(t), "x") + "graph")
	if wrong := eval[[]string](b, `(() => {
		let seed = 1;
		const wrong = [], random = (n) => (seed = seed * 48271 % 2147483647) % n;
		const near = (box, p) => Math.abs(p.x - box.x) <= box.width / 2 + 1 && Math.abs(p.y - box.y) <= box.height / 2 + 1;
		for (let round = 0; round < 60; round++) {
			const boxes = Array.from({length: round % 30}, (_, key) => ({key, width: 196, height: 32 + 16 * random(4)}));
			const links = boxes.length < 2 ? [] : Array.from({length: random(60)}, () => {
				const source = random(boxes.length);
				return {source, target: (source + 1 + random(boxes.length - 1)) % boxes.length};
			});
			const {width, height} = layout(boxes, links, round % 2);
			for (const box of boxes) {
				if (!(box.x >= box.width / 2 && box.x <= width - box.width / 2 && box.y >= box.height / 2 && box.y <= height - box.height / 2)) wrong.push(round + ": outside");
				for (const o of boxes) if (o !== box && Math.abs(o.x - box.x) < 196 && Math.abs(o.y - box.y) < (o.height + box.height) / 2) wrong.push(round + ": over another");
			}
			for (const l of links) if (!near(boxes[l.source], l.points[0]) || !near(boxes[l.target], l.points.at(-1)) || !(l.x >= 0 && l.y >= 0)) wrong.push(round + ": a link to elsewhere");
		}
		return wrong;
	})()`); len(wrong) > 0 {
		t.Errorf("%d wrong, such as %q", len(wrong), wrong[0])
	}
}
