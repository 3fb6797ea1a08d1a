package repotest

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// codeBytesFile holds the code bytes of this module as they were when an issue last ended.
const codeBytesFile = "internal/repotest/codebytes.txt"

// headroom is how far the code may stand above that number while an issue is open, so that a
// format, an agent or a question of a stranger lands without asking.
const headroom = 60_000

var lower = flag.Bool("lower", false, "write the present code bytes to "+codeBytesFile+" when they are fewer")

// TestCodeBytes measures how much there is to understand: the texts of all Go tokens, without
// comments and white space, and the hand-written files of other languages.
func TestCodeBytes(t *testing.T) {
	sum, rooms := 0, map[string]int{}
	for rel, src := range sources(t) {
		n := codeBytes(rel, src)
		sum += n
		rooms[topRoom(rel)] += n
	}
	names := []string{}
	for room, n := range rooms {
		if n > 0 {
			names = append(names, room)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return rooms[b] - rooms[a] })
	for _, room := range names {
		t.Logf("house: %9d %s", rooms[room], room)
	}
	file := filepath.Join(repoRoot(t), codeBytesFile)
	text, err := os.ReadFile(file)
	must(t, err)
	limit := number(t, text)
	t.Logf("house: %9d code bytes, at most %d at the end of an issue", sum, limit)
	if *lower && sum < limit {
		must(t, os.WriteFile(file, fmt.Appendln(nil, sum), 0o644))
	}
	if sum > limit+headroom {
		t.Errorf("%d code bytes are more than the %d of %s and %d: delete something that still stands", sum, limit, codeBytesFile, headroom)
	}
}

// TestCodeBytesOnlyFall compares the number with those that git has of it.
func TestCodeBytesOnlyFall(t *testing.T) {
	root := repoRoot(t)
	git := func(args ...string) []byte {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		if err != nil {
			t.Skipf("git has no history here: git %s: %v", args[0], err)
		}
		return out
	}
	now, err := os.ReadFile(filepath.Join(root, codeBytesFile))
	must(t, err)
	n, when := number(t, now), "now"
	for commit := range strings.FieldsSeq(string(git("log", "--format=%H", "--diff-filter=d", "--", codeBytesFile))) {
		before := number(t, git("show", commit+":"+codeBytesFile))
		if n > before {
			t.Errorf("%s: %d (%s) is more than %d (%s); it may only fall", codeBytesFile, n, when, before, commit)
		}
		n, when = before, commit
	}
}

// TestFilesAreShort: a file of code is read from the top down in one sitting.
func TestFilesAreShort(t *testing.T) {
	for rel, src := range sources(t) {
		if n := bytes.Count(src, []byte("\n")); path.Ext(rel) == ".go" && !generated.Match(src) && n > 500 {
			t.Errorf("%s has %d lines, more than 500", rel, n)
		}
	}
}

// TestAgentsAreNamedInTheirFolders: what depends on an agent is in agents/NAME, so no code elsewhere names one.
// The name that is looked for is no word of anything else.
func TestAgentsAreNamedInTheirFolders(t *testing.T) {
	for rel, src := range sources(t) {
		if path.Ext(rel) != ".go" || strings.HasPrefix(rel, "agents/") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, rel, src, 0)
		must(t, err)
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
			if strings.Contains(strings.ToLower(name), "codex") {
				t.Errorf("%s names an agent: %s", files.Position(n.Pos()), name)
			}
			return true
		})
	}
}

// sources are the hand-written files of the product, by their path from the root: no tests and
// nothing that only tests use.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	root, out := repoRoot(t), map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			name := d.Name()
			if rel != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || rel == "trial" || rel == "internal/testing") {
				return filepath.SkipDir
			}
			return nil
		}
		switch path.Ext(rel) {
		case ".go", ".js", ".css", ".sql", ".html", ".templ", ".tmpl", ".gotmpl":
			if !strings.HasSuffix(rel, "_test.go") {
				out[rel], err = os.ReadFile(p)
			}
		}
		return err
	})
	must(t, err)
	return out
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// codeBytes counts a source file: a Go file by the texts of its tokens, nothing if it is
// generated; any other by its size.
func codeBytes(rel string, src []byte) int {
	switch {
	case path.Ext(rel) != ".go":
		return len(src)
	case generated.Match(src):
		return 0
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(rel, -1, len(src)), src, nil, 0)
	for n := 0; ; {
		_, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return n
		case text == "":
			text = kind.String()
		}
		n += len(text) // a line end that ends a statement counts as one byte
	}
}

// topRoom is the folder of a file that the table names.
func topRoom(rel string) string {
	parts := strings.Split(rel, "/")
	if len(parts) > 2 && slices.Contains([]string{"internal", "extract", "reflexion"}, parts[0]) {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func number(t *testing.T, text []byte) int {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatalf("%s: %v", codeBytesFile, err)
	}
	return n
}
