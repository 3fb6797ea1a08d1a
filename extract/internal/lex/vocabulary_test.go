package lex

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Words that no rule asks for would stay in the vocabulary for ever: every class, role
// and list of phrases is used somewhere in extract. The keys of the tables that give
// them names and words are no use.
func TestVocabularyIsAskedFor(t *testing.T) {
	declared, used := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ofLex := file.Name.Name == "lex"
		words := ofLex && filepath.Base(path) == "vocabulary.go"
		var visit func(ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for _, name := range n.Names {
					if words || ofLex && (strings.HasPrefix(name.Name, "Class") || strings.HasPrefix(name.Name, "Role")) {
						declared[name.Name] = true
					}
				}
				for _, v := range n.Values {
					ast.Inspect(v, visit)
				}
				return false
			case *ast.KeyValueExpr:
				ast.Inspect(n.Value, visit)
				return false
			case *ast.Ident:
				used[n.Name] = true
			}
			return true
		}
		ast.Inspect(file, visit)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(declared) < 100 {
		t.Fatalf("found only %d names of the vocabulary", len(declared))
	}
	for name := range declared {
		if !used[name] {
			t.Errorf("nothing asks for %s", name)
		}
	}
}
