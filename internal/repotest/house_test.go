package repotest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHouse measures how much of this module a person has to understand. Each figure has the
// value that is wanted and a limit, which is lowered as the figure improves: the
// test fails where a figure passes its limit. `make house` prints the table.
func TestHouse(t *testing.T) {
	h := measure(t)
	most := func(what string, got, wanted, limit float64) {
		t.Helper()
		t.Logf("house: %-56s %9.1f  wanted <= %.1f, limit %.1f", what, got, wanted, limit)
		if got > limit {
			t.Errorf("%s: %.2f is more than %.2f", what, got, limit)
		}
	}
	least := func(what string, got, wanted, limit float64) {
		t.Helper()
		t.Logf("house: %-56s %9.2f  wanted >= %.2f, limit %.2f", what, got, wanted, limit)
		if got < limit {
			t.Errorf("%s: %.2f is less than %.2f", what, got, limit)
		}
	}
	most("lines of Go, without tests and internal/testing", float64(h.lines), 98_000, 118_250)
	most("bytes a line of Go", float64(h.bytes)/float64(h.lines), 31.5, 32)
	most("lines of Go over 120 columns, of a hundred", 100*float64(h.long)/float64(h.lines), 1.8, 1.3)
	most("folders outside agents/ whose code names an agent", float64(len(h.naming)), 0, 0)
	if len(h.naming) > 0 {
		t.Logf("house: named in %s", strings.Join(slices.Sorted(maps.Keys(h.naming)), ", "))
	}
	most("private idioms in 1 000 words of comments", 1000*float64(h.idioms)/float64(h.words), 1, 0.2)
	most("KB of Markdown, without testdata", float64(h.markdown)/1000, 110, 110)
	least("lines of tests a line, internal/ask", h.tests("internal/ask"), .5, .5)
	least("lines of tests a line, recall", h.tests("recall"), .5, .6)
	least("lines of tests a line, internal/pg and internal/team", h.tests("internal/pg", "internal/team"), 2, 2)
}

type house struct {
	lines, bytes, long int
	idioms, words      int
	markdown           int
	perRoom            map[string][2]int // lines of a folder: the product's, its tests'
	naming             map[string]bool   // folders outside agents/ whose code names one agent
}

// tests is how many lines of tests some folders have for each line of the product.
func (h house) tests(dirs ...string) float64 {
	var of [2]int
	for _, d := range dirs {
		of[0] += h.perRoom[d][0]
		of[1] += h.perRoom[d][1]
	}
	return float64(of[1]) / float64(max(1, of[0]))
}

// idiom matches words that the comments of other Go projects do without: they make sentences
// that only somebody who knows this project can read.
var idiom = regexp.MustCompile(`(?i)\b(told|tells|tell|stands?|stood|anew|beside|comes? to|came of|at hand|is none|none of|whatever|one for all|said of|says of)\b`)

func measure(t *testing.T) house {
	t.Helper()
	root, h := repoRoot(t), house{perRoom: map[string][2]int{}, naming: map[string]bool{}}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() {
			if p != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch path.Ext(rel) {
		case ".md":
			info, err := d.Info()
			if err != nil {
				return err
			}
			h.markdown += int(info.Size())
		case ".go":
			src, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			h.add(rel, src)
			if strings.HasSuffix(rel, "_test.go") {
				return nil
			}
			return h.parse(rel, src)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// add counts the lines of a file.
func (h *house) add(rel string, src []byte) {
	n, dir := bytes.Count(src, []byte("\n")), path.Dir(rel)
	of := h.perRoom[dir]
	if strings.HasSuffix(rel, "_test.go") {
		of[1] += n
	} else {
		of[0] += n
	}
	h.perRoom[dir] = of
	if strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(rel, "internal/testing/") {
		return
	}
	h.lines += n
	h.bytes += len(src)
	for line := range strings.Lines(string(src)) {
		if columns := len(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")); columns > 120 {
			h.long++
		}
	}
}

// anAgent is the agent whose name is looked for in code: it is no word of anything else.
var anAgent = regexp.MustCompile(`(?i)codex`)

// parse counts the words of a file's comments, and finds an agent's name in its code.
func (h *house) parse(rel string, src []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), rel, src, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, group := range f.Comments {
		h.words += len(strings.Fields(group.Text()))
		h.idioms += len(idiom.FindAllString(group.Text(), -1))
	}
	if strings.HasPrefix(rel, "agents/") || strings.HasPrefix(rel, "internal/testing/") {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			name = n.Name
		case *ast.BasicLit:
			name = n.Value
		}
		if anAgent.MatchString(name) {
			h.naming[path.Dir(rel)] = true
		}
		return true
	})
	return nil
}
