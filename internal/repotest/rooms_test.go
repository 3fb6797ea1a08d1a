package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "episodes"

// rooms says which rooms of this module each room may import. A new room needs a
// line here, so that the direction of imports stays a decision.
var rooms = map[string][]string{
	"episode":         {},
	"keys":            {},
	"causal":          {"episode", "keys"},
	"stats":           {},
	"extract":         {"episode", "keys"},
	"graph/engine":    {},
	"graph/badgerkv":  {"graph/engine", "internal/lock"},
	"graph/memkv":     {"graph/engine", "internal/lock"},
	"graph/stores":    {"graph/engine", "graph/badgerkv", "graph/memkv"}, // alone names the engines
	"graph":           {"episode", "keys", "causal", "graph/engine", "graph/memkv", "graph/stores", "internal/lock"},
	"infer":           {"episode", "keys", "causal", "stats"}, // on plain records: a test or a benchmark asks it without a store
	"query":           {"episode", "keys", "causal", "stats", "infer"},
	"query/querytest": {"episode", "keys", "causal", "query"},
	"query/text":      {"episode", "keys", "causal", "stats", "infer", "query"},

	"export": {"episode", "causal", "infer", "query", "patterns"},

	"graph/engine/enginetest": {"graph/engine", "internal/lock"},

	"graph/graphtest":      {"episode", "export", "graph", "graph/engine", "graph/stores", "graph/graphtest/wild", "internal/synthetic", "query/querytest"},
	"graph/graphtest/wild": {"episode"},

	"patterns":        {"episode", "keys", "causal", "stats", "infer", "query"},
	"internal/lock":   {},
	"internal/schema": {"episode"},
	"internal/memory": {"episode", "causal", "graph", "internal/lock"},

	"internal/records":   {},
	"reflexion":          {"keys", "internal/records", "internal/schema"},
	"reflexion/analyze":  {"keys", "stats", "internal/records", "reflexion", "reflexion/evaluate"},
	"reflexion/advice":   {"episode", "keys", "causal", "query", "reflexion"},
	"reflexion/evaluate": {"internal/proc", "reflexion"},
	"reflexion/loop":     {"episode", "internal/proc", "internal/records", "reflexion", "reflexion/advice", "reflexion/evaluate"},
	"reflexion/task":     {"keys", "internal/lock", "internal/records", "reflexion"},
	"reflexion/memories": {"keys", "stats", "internal/lock", "internal/records", "reflexion"},
	"internal/proc":      {},
}

// engines are the libraries that one room alone may import.
var engines = map[string]string{
	"github.com/cayleygraph/":  "graph",
	"github.com/hidal-go/":     "graph",
	"github.com/dgraph-io/":    "graph/badgerkv",
	"github.com/yuin/goldmark": "extract",
	"go.abhg.dev/goldmark/":    "extract",
	"github.com/spf13/cobra":   "cmd/episodes",
}

// standardOnly are rooms that import nothing but the standard library and the
// rooms above.
var standardOnly = []string{"episode", "causal"}

func TestRoomsImportDownwards(t *testing.T) {
	for dir, imports := range tree(t) {
		for _, imp := range imports {
			if imp.test {
				continue
			}
			if rest, ok := strings.CutPrefix(imp.path, module+"/"); ok {
				if may, listed := rooms[dir]; listed && !slices.Contains(may, rest) {
					t.Errorf("%s: %s may not import %s", imp.at, dir, rest)
				}
				if strings.HasPrefix(rest, "cmd/") && !strings.HasPrefix(dir, "cmd/") {
					t.Errorf("%s: nothing imports a command, %s does", imp.at, dir)
				}
				continue
			}
			for prefix, owner := range engines {
				if strings.HasPrefix(imp.path, prefix) && dir != owner && !strings.HasPrefix(dir, owner+"/") {
					t.Errorf("%s: only %s may import %s, not %s", imp.at, owner, prefix, dir)
				}
			}
			if slices.Contains(standardOnly, dir) && strings.Contains(strings.Split(imp.path, "/")[0], ".") {
				t.Errorf("%s: %s uses the standard library only, not %s", imp.at, dir, imp.path)
			}
		}
	}
}

// TestEveryRoomIsListed keeps the table above complete for the rooms that others
// build on; programs and their helpers need no line.
func TestEveryRoomIsListed(t *testing.T) {
	dirs := tree(t)
	for dir := range rooms {
		if _, ok := dirs[dir]; !ok {
			t.Errorf("the table names %q, which is no package", dir)
		}
	}
	for dir := range dirs {
		if _, ok := rooms[dir]; !ok && !strings.HasPrefix(dir, "cmd/") && !strings.HasPrefix(dir, "internal/") {
			t.Errorf("%q is not in the table of rooms", dir)
		}
	}
}

func TestOnePackageCommentEach(t *testing.T) {
	root := repoRoot(t)
	for dir := range tree(t) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		comments := 0
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			src, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if src.Doc != nil {
				comments++
			}
		}
		if comments != 1 {
			t.Errorf("%s has %d package comments, want 1", dir, comments)
		}
	}
}

type imported struct {
	path, at string
	test     bool
}

// tree lists the imports of every package of the module, by folder.
func tree(t *testing.T) map[string][]imported {
	t.Helper()
	root := repoRoot(t)
	out := map[string][]imported{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); p != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "tools" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		dir := path.Dir(filepath.ToSlash(rel))
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if !strings.HasSuffix(p, "_test.go") && out[dir] == nil {
			out[dir] = []imported{}
		}
		for _, i := range f.Imports {
			out[dir] = append(out[dir], imported{path: unquote(i), at: filepath.ToSlash(rel) + ":" + strconv.Itoa(fset.Position(i.Pos()).Line), test: strings.HasSuffix(p, "_test.go")})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func unquote(i *ast.ImportSpec) string {
	s, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return i.Path.Value
	}
	return s
}

func repoRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		t.Fatal("no go.mod above the test")
	}
}
