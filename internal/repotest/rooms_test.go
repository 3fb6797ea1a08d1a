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

// rooms says which rooms of this module each room may import; "." is the package at
// the root, and "x/*" stands for those in x: as a key, for those without a line of their own. A new room needs a line here, so that the direction of imports stays a
// decision.
var rooms = map[string][]string{
	// What all share.
	"internal/lazy":  {},
	"internal/plain": {},
	"episode":        {"internal/lazy", "internal/plain"},
	"outcome":        {"episode"},
	"keys":           {"internal/lazy"},
	"stats":          {},
	"causal":         {"internal/lazy", "episode", "keys"},
	"redact":         {"internal/lazy", "internal/plain", "episode"},

	// From logs to episodes, from episodes to the graph.
	"graph/engine": {},
	"graph/*":      {"internal/lazy", "graph/engine", "internal/fsstore", "internal/lock"}, // a new engine needs no line here
	"graph/stores": {"graph/engine", "graph/*"},                                            // alone names the engines
	"graph":        {"episode", "keys", "causal", "graph/engine", "graph/memkv", "graph/stores", "internal/lock"},

	// A format imports what it makes, never the rules, and the rules know no format.
	"extract": {"episode", "extract/internal/lex", "extract/internal/doc", "extract/internal/facts", "extract/markdown", "extract/rules",
		"redact", "agents", "internal/corrections", "internal/plain", "internal/telling", "internal/turns", "extract/actions", "extract/statements", "extract/transcript/*", "extract/sessionjson"},
	"extract/internal/lex":   {"internal/lazy", "episode", "keys"},
	"extract/internal/doc":   {"episode", "extract/internal/lex"},
	"extract/internal/facts": {"internal/lazy", "episode", "keys", "outcome"},
	"extract/markdown":       {"episode", "extract/internal/lex", "extract/internal/doc"},
	"extract/rules":          {"internal/lazy", "episode", "keys", "outcome", "extract/internal/lex", "extract/internal/doc", "extract/internal/facts"},

	// Agents and formats of transcripts: a format makes turns, actions knows no format. What checks
	// print is read as loops read it. A new agent needs no line here.
	"internal/turns":            {"episode", "internal/lazy"},
	"agents":                    {"agents/agent", "agents/*"}, // alone names the agents
	"agents/agent":              {"internal/fsstore", "internal/lazy", "internal/turns"},
	"agents/*":                  {"agents/agent", "episode", "internal/turns", "internal/lazy"},
	"agents/qwen":               {"agents/agent", "agents/claude", "agents/gemini", "episode", "internal/turns"},
	"extract/transcript/*":      {"episode", "internal/turns", "internal/lazy"},
	"extract/transcript/chat":   {"extract/transcript/atif", "episode", "internal/turns"},
	"extract/transcript/entire": {"agents", "agents/agent", "agents/claude", "episode", "internal/turns"},
	"extract/transcript/atif":   {"agents/claude", "agents/openhands", "episode", "internal/turns", "internal/lazy"},
	"extract/statements":        {"episode", "keys", "extract/actions", "extract/internal/doc", "extract/internal/lex", "extract/markdown", "internal/lazy", "internal/turns"},
	"extract/actions":           {"episode", "keys", "outcome", "extract/internal/doc", "internal/lazy", "extract/internal/facts", "internal/telling", "internal/turns", "reflexion/evaluate"},

	"extract/sessionjson": {"episode", "outcome", "extract/internal/lex", "extract/internal/doc", "extract/internal/facts", "extract/rules", "internal/lazy"},

	// Questions. infer works on plain records, so that a test or a benchmark asks it
	// without a store.
	"infer":      {"internal/lazy", "episode", "keys", "causal", "stats"},
	"query":      {"internal/lazy", "episode", "keys", "causal", "stats", "infer", "internal/plain"},
	"query/text": {"episode", "keys", "causal", "stats", "infer", "query", "internal/plain"},
	"patterns":   {"episode", "keys", "causal", "stats", "infer", "query", "internal/lazy"},
	"export":     {"episode", "causal", "infer", "query", "patterns", "internal/plain"},

	// Trying again with what was learned.
	"reflexion":          {"internal/lazy", "redact", "keys", "internal/fsstore", "internal/plain", "internal/validate", "internal/snapshot"},
	"reflexion/advice":   {"episode", "keys", "causal", "query", "query/text", "internal/plain", "reflexion"},
	"reflexion/analyze":  {"keys", "stats", "internal/fsstore", "internal/plain", "reflexion", "reflexion/evaluate"},
	"reflexion/evaluate": {"internal/lazy", "redact", "internal/fsstore", "internal/plain", "internal/proc", "internal/telling", "reflexion"},
	"reflexion/loop":     {"agents", "agents/agent", "redact", "episode", "extract/actions", "outcome", "internal/lazy", "internal/turns", "internal/gitdir", "internal/plain", "internal/proc", "internal/fsstore", "internal/snapshot", "reflexion", "reflexion/advice", "reflexion/evaluate"},
	"reflexion/history":  {"keys", "internal/plain", "internal/validate", "reflexion"},

	// What the rooms above and below stand on: files, locks, processes, texts.
	"internal/fsstore":  {},
	"internal/gitdir":   {"internal/fsstore"},
	"internal/local":    {"internal/fsstore", "internal/gitdir", "internal/lock"},
	"internal/lock":     {"internal/fsstore"},
	"internal/pg":       {"internal/lazy", "graph/engine"},
	"internal/proc":     {"internal/fsstore"},
	"internal/snapshot": {"internal/gitdir", "internal/plain"},
	"internal/validate": {"episode", "internal/fsstore", "internal/plain"},
	"internal/term":     {"internal/plain"},

	// One memory: its folder, what goes in, what is asked of it.
	"internal/corrections": {"episode", "keys", "internal/plain"},
	"internal/lesson":      {"internal/lazy", "episode", "keys", "redact", "internal/corrections", "internal/fsstore", "internal/plain", "internal/risk", "internal/telling", "internal/turns"},
	"internal/additions":   {"episode", "redact", "internal/corrections", "internal/lazy", "internal/lesson", "internal/local", "internal/memory", "internal/plain"},
	"internal/reader":      {"internal/lazy", "episode", "internal/corrections", "internal/fsstore", "internal/lesson", "internal/local", "internal/proc", "internal/telling", "internal/term"},
	"internal/memory":      {"episode", "graph", "graph/stores", "internal/fsstore", "internal/gitdir", "internal/local", "internal/lock"},
	"internal/sources":     {"agents", "agents/agent", "internal/fsstore", "internal/gitdir"},
	"internal/track":       {"redact", "episode", "causal", "graph", "graph/stores", "internal/additions", "internal/corrections", "internal/lesson", "internal/plain", "internal/fsstore", "internal/gitdir", "internal/local", "internal/memory"},
	"internal/capture":     {"redact", "episode", "extract", "extract/actions", "graph", "graph/stores", "internal/additions", "internal/corrections", "internal/fsstore", "internal/gitdir", "internal/lazy", "internal/lesson", "internal/local", "internal/memory", "internal/plain", "internal/reader", "internal/sources", "internal/track"},
	"internal/doctor":      {"internal/additions", "internal/lazy", "redact", "extract", "internal/capture", "internal/fsstore", "episode", "causal", "graph", "internal/corrections", "internal/lock", "internal/memory", "internal/validate", "internal/track"},
	"ledger":               {"extract/actions", "internal/fsstore", "internal/lazy", "internal/local", "internal/lock"},
	"internal/telling":     {"internal/lazy"},
	"internal/notes":       {"internal/fsstore", "internal/sources"},
	"internal/risk":        {"internal/lazy"},
	"recall":               {"episode", "extract/statements", "keys", "internal/lazy", "internal/plain", "internal/risk", "internal/telling"},
	"internal/team":        {"episode", "graph", "graph/engine", "internal/pg"},
	"internal/ask": {"internal/additions", "internal/lesson", "internal/gitdir", "internal/pg", "internal/team", "redact", "episode", "keys", "stats", "causal", "ledger", "recall", "export", "extract", "extract/actions", "graph", "graph/stores", "infer", "query", "query/text", "patterns",
		"internal/fsstore", "internal/local", "internal/lock", "internal/plain", "internal/validate", "internal/term", "internal/memory", "internal/track", "internal/capture", "internal/corrections", "internal/reader", "internal/lazy", "internal/sources", "internal/doctor", "internal/notes", "internal/risk", "internal/telling"},
	"internal/hook": {"agents", "agents/agent", "episode", "extract/actions", "ledger", "recall", "internal/ask", "internal/fsstore", "internal/gitdir", "internal/lazy", "internal/local", "internal/lock",
		"internal/plain", "internal/proc", "internal/sources", "internal/turns"},
	"internal/setup": {"agents", "agents/agent", "internal/fsstore", "internal/lazy", "internal/term"},
	"internal/learning": {"redact", "stats", "episode", "keys", "reflexion", "reflexion/advice", "reflexion/analyze", "reflexion/evaluate", "reflexion/loop", "reflexion/history",
		"internal/fsstore", "internal/local", "internal/lock", "internal/plain", "internal/proc", "internal/validate", "internal/term", "internal/memory", "internal/track", "internal/corrections", "internal/ask"},

	"internal/pages":     {"causal", "episode", "internal/ask", "internal/plain", "query"},
	"internal/serve":     {"internal/ask", "internal/pages", "internal/plain"},
	"internal/mcpserver": {"agents/agent", "query", "internal/lazy", "internal/plain", "internal/term", "internal/ask"},

	// The programs, and the package for other programs.
	".": {"episode", "query", "internal/ask"},
	"cmd/episodes": {"agents", "episode", "export", "query", "reflexion", "reflexion/analyze", "reflexion/evaluate", "reflexion/loop", "reflexion/history",
		"internal/fsstore", "internal/lazy", "internal/plain", "internal/proc", "internal/term", "internal/doctor", "internal/ask", "internal/hook", "internal/learning", "internal/mcpserver", "internal/serve", "internal/setup"},

	// What measures the installed program; it only borrows the readers of sessions.
	"trial": {"agents", "agents/agent", "episode", "extract", "extract/actions", "internal/turns"},

	// What only tests use: conformance suites, worlds of known truth, servers to throw away.
	"internal/testing/few":          {},
	"internal/testing/golden":       {},
	"internal/testing/causalbench":  {"episode", "infer", "query", "query/text", "patterns"},
	"internal/testing/clients":      {"internal/testing/model"},
	"internal/testing/model":        {},
	"internal/testing/enginetest":   {"graph/engine", "internal/lock"},
	"internal/testing/graphtest":    {"episode", "causal", "export", "graph", "graph/engine", "graph/stores", "internal/testing/querytest", "internal/testing/synthetic", "internal/testing/wild"},
	"internal/testing/localtest":    {},
	"internal/testing/pgtest":       {"internal/pg"},
	"internal/testing/pgtest/serve": {"internal/testing/pgtest"},
	"internal/testing/querytest":    {"episode", "keys", "causal", "query"},
	"internal/testing/synthetic":    {"episode", "keys"},
	"internal/testing/turnstest":    {"internal/turns", "internal/testing/golden"},
	"internal/testing/wild":         {"episode"},
	"internal/repotest":             {},
}

// engines are the libraries that one room alone may import, and rooms for tests.
var engines = map[string]string{
	"github.com/cayleygraph/":  "graph",
	"github.com/hidal-go/":     "graph",
	"github.com/dgraph-io/":    "graph/badgerkv",
	"github.com/yuin/goldmark": "extract/markdown",
	"go.abhg.dev/goldmark/":    "extract/markdown",
	"github.com/spf13/cobra":   "cmd/episodes",

	"github.com/modelcontextprotocol/": "internal/mcpserver",
}

// standardOnly are rooms that import nothing but the standard library and the
// rooms above.
var standardOnly = []string{"episode", "causal"}

// Rows A26.
func TestRoomsImportDownwards(t *testing.T) {
	for dir, imports := range tree(t) {
		for _, imp := range imports {
			if imp.test {
				continue
			}
			if imp.path == module { // it is for other programs
				t.Errorf("%s: %s may not import the package at the root", imp.at, dir)
				continue
			}
			if rest, ok := strings.CutPrefix(imp.path, module+"/"); ok {
				may := rooms[lineOf(dir)]
				if !slices.Contains(may, rest) && !slices.Contains(may, path.Dir(rest)+"/*") {
					t.Errorf("%s: %s may not import %s", imp.at, dir, rest)
				}
				continue
			}
			for prefix, owner := range engines {
				if strings.HasPrefix(imp.path, prefix) && dir != owner && !strings.HasPrefix(dir, owner+"/") && !strings.HasPrefix(dir, "internal/testing/") {
					t.Errorf("%s: only %s may import %s, not %s", imp.at, owner, prefix, dir)
				}
			}
			if slices.Contains(standardOnly, dir) && strings.Contains(strings.Split(imp.path, "/")[0], ".") {
				t.Errorf("%s: %s uses the standard library only, not %s", imp.at, dir, imp.path)
			}
		}
	}
}

// TestEveryRoomIsListed keeps the table above complete.
func TestEveryRoomIsListed(t *testing.T) {
	dirs := tree(t)
	for dir := range rooms {
		if _, ok := dirs[dir]; !ok && !strings.HasSuffix(dir, "/*") {
			t.Errorf("the table names %q, which is no package", dir)
		}
	}
	for dir := range dirs {
		if _, ok := rooms[lineOf(dir)]; !ok {
			t.Errorf("%q is not in the table of rooms", dir)
		}
	}
}

// lineOf is the key of the line that is about a room.
func lineOf(dir string) string {
	if _, ok := rooms[dir]; !ok {
		return path.Dir(dir) + "/*"
	}
	return dir
}

func TestOnePackageCommentEach(t *testing.T) {
	root := repoRoot(t)
	for dir := range tree(t) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		must(t, err)
		comments := 0
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			src, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly|parser.ParseComments)
			must(t, err)
			if src.Doc != nil {
				comments++
				if !strings.Contains(dir, "/") && dir != "." && !strings.Contains(src.Doc.Text(), "only that is a promise") {
					t.Errorf("the comment of package %s does not say that only package episodes is a promise", dir)
				}
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
	must(t, err)
	return out
}

func unquote(i *ast.ImportSpec) string {
	s, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return i.Path.Value
	}
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func repoRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	must(t, err)
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
