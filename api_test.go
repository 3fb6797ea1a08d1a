package episodes_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/api.txt")

// TestAPI compares what this package exports with testdata/api.txt, in which each line is a promise.
// Most of its types are aliases, and apidiff compares types of other packages by name alone, so it
// would miss what changes in them. Here they are listed with their methods, and with the fields of
// all types of this module that their fields reach.
func TestAPI(t *testing.T) {
	const file = "testdata/api.txt"
	l := lister{t: t, packages: map[string]*listed{}, seen: map[string]bool{}}
	l.whole("episodes")
	slices.Sort(l.lines)
	got := strings.Join(slices.Compact(l.lines), "\n") + "\n"
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	old, err := os.ReadFile(file)
	must(t, err)
	for line := range strings.Lines(string(old)) {
		if !strings.Contains("\n"+got, "\n"+line) {
			t.Errorf("removed or changed: %s", line)
		}
	}
	for line := range strings.Lines(got) {
		if !strings.Contains("\n"+string(old), "\n"+line) {
			t.Errorf("new; if it is meant to stay, go test . -run API -update: %s", line)
		}
	}
}

// lister lists exported names, one on each line.
type lister struct {
	t        *testing.T
	packages map[string]*listed
	seen     map[string]bool
	lines    []string
}

// listed are the declarations of a package by name, its methods by "Type.Method".
type listed struct {
	path  string
	types map[string]*ast.TypeSpec
	funcs map[string]*ast.FuncDecl
	names []string // exported constants and variables, with their types
	files map[token.Pos]*ast.File
}

// read parses a package of this module.
func (l *lister) read(pkg string) *listed {
	if p := l.packages[pkg]; p != nil {
		return p
	}
	p := &listed{path: pkg, types: map[string]*ast.TypeSpec{}, funcs: map[string]*ast.FuncDecl{}, files: map[token.Pos]*ast.File{}}
	l.packages[pkg] = p
	dir := cmp.Or(strings.TrimPrefix(strings.TrimPrefix(pkg, "episodes"), "/"), ".")
	names, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go"))
	if err != nil || len(names) == 0 {
		l.t.Fatalf("%s: %d files, %v", dir, len(names), err)
	}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, d := range f.Decls {
			p.files[d.Pos()] = f
			p.add(f, d)
		}
	}
	return p
}

func (p *listed) add(f *ast.File, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
		}
		p.funcs[name] = d
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				p.types[s.Name.Name] = s
				p.files[s.Pos()] = f
			case *ast.ValueSpec:
				for _, n := range s.Names {
					line := fmt.Sprintf("%s %s.%s", d.Tok, path.Base(p.path), n.Name)
					if s.Type != nil {
						line += " " + types.ExprString(s.Type)
					}
					if n.IsExported() {
						p.names = append(p.names, line)
					}
				}
			}
		}
	}
}

// whole lists all that a package exports.
func (l *lister) whole(pkg string) {
	p := l.read(pkg)
	l.lines = append(l.lines, p.names...)
	for name, f := range p.funcs {
		if f.Recv == nil && f.Name.IsExported() {
			l.function(p, name, f)
		}
	}
	for name := range p.types {
		if token.IsExported(name) {
			l.named(p, name, true)
		}
	}
}

func (l *lister) function(p *listed, name string, f *ast.FuncDecl) {
	l.lines = append(l.lines, fmt.Sprintf("func %s.%s%s", path.Base(p.path), name, strings.TrimPrefix(types.ExprString(f.Type), "func")))
}

// named lists a type: its form, its exported fields with their tags, and with methods, its exported
// methods.
func (l *lister) named(p *listed, name string, methods bool) {
	spec, id := p.types[name], path.Base(p.path)+"."+name
	if spec == nil {
		return
	}
	if methods {
		for method, f := range p.funcs {
			if strings.HasPrefix(method, name+".") && f.Name.IsExported() {
				l.function(p, method, f)
			}
		}
	}
	key := fmt.Sprint(p.path, ".", name, methods)
	if l.seen[key] {
		return
	}
	l.seen[key] = true
	file := p.files[spec.Pos()]
	s, isStruct := spec.Type.(*ast.StructType)
	if !isStruct {
		sign := ""
		if spec.Assign != 0 {
			sign = "= "
		}
		l.lines = append(l.lines, fmt.Sprintf("type %s %s%s", id, sign, types.ExprString(spec.Type)))
		l.reach(p, file, spec.Type, methods && spec.Assign != 0)
		return
	}
	l.lines = append(l.lines, "type "+id+" struct")
	for _, field := range s.Fields.List {
		of := types.ExprString(field.Type)
		if field.Tag != nil {
			tag, _ := strconv.Unquote(field.Tag.Value)
			of += " " + tag
		}
		names := field.Names
		if len(names) == 0 { // what it has is promoted, even if its own name is not exported
			l.lines = append(l.lines, fmt.Sprintf("field %s embeds %s", id, of))
			l.reach(p, file, field.Type, methods)
		}
		for _, n := range names {
			if n.IsExported() {
				l.lines = append(l.lines, fmt.Sprintf("field %s.%s %s", id, n.Name, of))
				l.reach(p, file, field.Type, false)
			}
		}
	}
}

// reach lists the types of this module that an expression in a file names.
func (l *lister) reach(p *listed, f *ast.File, e ast.Expr, methods bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field: // not its names
			l.reach(p, f, n.Type, methods)
			return false
		case *ast.SelectorExpr:
			in := types.ExprString(n.X)
			for _, imp := range f.Imports {
				from, _ := strconv.Unquote(imp.Path.Value)
				if strings.HasPrefix(from, "episodes/") && in == path.Base(from) {
					l.named(l.read(from), n.Sel.Name, methods)
				}
			}
			return false
		case *ast.Ident:
			l.named(p, n.Name, methods)
		}
		return true
	})
}
