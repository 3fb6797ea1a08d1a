package serve

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The file needs no server, asks for nothing, and each page of it is accessible and fits.
func TestFileInBrowser(t *testing.T) {
	address := inFile(t, exampleMemory(t), "the example")
	for _, l := range []look{desk, phone} {
		b := open(t, l)
		b.visit(address)
		for i, page := range eval[[]string](b, `[...document.querySelectorAll("main > .page")].map(p => p.id)`) {
			if i > 8 { // sessions are alike
				break
			}
			eval[chromedp.Void](b, `location.hash = "`+page+`"; undefined`)
			b.until(`document.querySelectorAll("main > .page:not([hidden])").length == 1 && !document.getElementById("` + page + `").hidden`)
			if i%3 == 0 && l == desk { // the pages are those that are served
				b.accessible()
			}
			b.fits(l)
		}
		b.check()
	}
}

// Without script a page and a file show their text, and search works by the form.
func TestWithoutScript(t *testing.T) {
	o := exampleMemory(t)
	b := open(t, look{width: 1280, height: 900, noScript: true})
	for address, want := range map[string]string{
		served(t, o, "x") + lockGraph: "The same as text", served(t, o, "x") + "search?q=advisory+lock": "lock", inFile(t, o, "x"): "What led to what",
	} {
		b.visit(address)
		text := run(b, chromedp.Text("body"))
		if !strings.Contains(text, want) || strings.Contains(text, "Legend") {
			t.Errorf("%s: %.2000s", address, text)
		}
	}
}

// No link of a file leads nowhere and no id is there twice, also where it has not all sessions and says so.
func TestFileIsWhole(t *testing.T) {
	defer func(all int) { mostInFile = all }(mostInFile)
	o := exampleMemory(t)
	for _, most := range []int{mostInFile, 4} {
		mostInFile = most
		data, err := os.ReadFile(strings.TrimPrefix(inFile(t, o, "x"), "file://"))
		must(t, err)
		ids := map[string]int{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(string(data), -1) {
			if ids[m[1]]++; ids[m[1]] > 1 {
				t.Errorf("the id %q is there twice", m[1])
			}
		}
		links := regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(string(data), -1)
		for _, m := range links {
			if ids[m[1]] == 0 {
				t.Errorf("a link to #%s leads nowhere", m[1])
			}
		}
		if len(links) < 100 {
			t.Errorf("%d links", len(links))
		}
		if strings.Contains(string(data), "26 older sessions are not in this file") != (most == 4) {
			t.Errorf("at most %d: what is said of the others", most)
		}
	}
}

// What others wrote is what they published.
func TestThirdParty(t *testing.T) {
	text, err := os.ReadFile("testdata/thirdparty.txt")
	must(t, err)
	m := regexp.MustCompile(`(?m)^axe\.min\.js  .*, axe\.LICENSE\.txt.*\nsha256 ([0-9a-f]{64})$`).FindStringSubmatch(string(text))
	if m == nil || fmt.Sprintf("%x", sha256.Sum256([]byte(axe))) != m[1] {
		t.Errorf("axe.min.js is not the file that thirdparty.txt names: %q", m)
	}
	if licence, err := os.ReadFile("testdata/axe.LICENSE.txt"); err != nil || len(licence) < 500 {
		t.Errorf("no licence: %v", err)
	}
}
