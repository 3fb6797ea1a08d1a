package export_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/export"
	"episodes/infer"
	"episodes/patterns"
)

// pageElements is what a page consists of.
type pageElements struct {
	names  map[string]int
	ids    map[string]bool
	links  []string
	letter strings.Builder
}

// readPage reads a page as a browser would, and fails on what ends where it should not.
func readPage(t *testing.T, page string) *pageElements {
	t.Helper()
	p := &pageElements{names: map[string]int{}, ids: map[string]bool{}}
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, page)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			p.names[tok.Name.Local]++
			for _, a := range tok.Attr {
				switch {
				case a.Name.Local == "id":
					p.ids[a.Value] = true
				case a.Name.Local == "href":
					p.links = append(p.links, a.Value)
				case strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "src":
					t.Errorf("an attribute %q", a.Name.Local)
				}
			}
		case xml.CharData:
			p.letter.Write(tok)
		}
	}
}

// The page has each joined node once, each edge at both of its ends, and no link that
// leads out of it, whatever the labels say.
func TestHTML(t *testing.T) {
	g := graphOf(t, append(twoEpisodes(), hostile())...)
	text := exported(t, g, "html")
	p := readPage(t, text)
	const joined, edges = 6, 5
	if p.names["article"] != joined || p.names["li"] != 2*edges || p.names["script"] != 0 || p.names["node"] != 0 {
		t.Errorf("%v in\n%s", p.names, text)
	}
	for _, href := range p.links {
		if id, ok := strings.CutPrefix(href, "#"); !ok || !p.ids[id] {
			t.Errorf("a link to %q", href)
		}
	}
	for _, want := range []string{"<script>alert(1)</script>", `say "done" \ and red gnp.exe`, "TimeoutError: upstream gone causes it 0.67: episode-a, episode-b", "3 episodes; 7 nodes, 6 of them joined by 5 edges"} {
		if !strings.Contains(p.letter.String(), want) {
			t.Errorf("no %q in\n%s", want, p.letter.String())
		}
	}
	if strings.ContainsAny(text, "\x00\x1b\u202e") || regexp.MustCompile(`https?:|url\(|@import`).MatchString(text) {
		t.Error("something that is obeyed, or comes from elsewhere")
	}
}

// Patterns and statistical edges are lists of their own.
func TestHTMLListsFindings(t *testing.T) {
	g := graphOf(t, twoEpisodes()...)
	var ids []string
	edges := 0
	if err := g.Edges(func(e causal.Edge) error { edges++; ids = append(ids, e.Source, e.Target); return nil }); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	err := export.Write(&b, g, "html", export.Findings{
		Patterns: []patterns.Pattern{{ID: "p1", Name: "x", Description: "<b>retry</b> works", SuccessRate: 0.75, Occurrences: 8}},
		Edges:    []infer.Edge{{Source: fact(ids[0]), Target: fact(ids[1]), Type: episode.Prevents, With: 0.1, Without: 0.6, N: 20, OtherN: 30}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := readPage(t, b.String())
	if p.names["b"] != 0 || p.names["li"] != 1+1+2*edges {
		t.Errorf("%v", p.names)
	}
	for _, want := range []string{"Patterns", "<b>retry</b> works", "Statistical edges", "in 10 % of 20 sessions with it, 60 % of 30 without"} {
		if !strings.Contains(p.letter.String(), want) {
			t.Errorf("no %q in\n%s", want, p.letter.String())
		}
	}
}
