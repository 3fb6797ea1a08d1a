package evaluate

import (
	"strings"
	"testing"

	"episodes/internal/proc"
	"episodes/reflexion"
)

// work is a work tree, by path.
type work map[string]string

func (w work) read(name string) []byte {
	if text, ok := w[name]; ok {
		return []byte(text)
	}
	return nil
}

var project = work{
	"package.json": `{"name":"cart","scripts":{"test":"npm run unit && node scripts/check.js","unit":"sh ./run.sh"},"exports":{"import":"./a.mjs","require":"./a.js"}}`,
	"run.sh":       "make -C . ready\nmake unit\n", "scripts/check.js": "check()", "scripts/build.js": "build()", "index.js": "run()",
	"Makefile": "GO = go\nFLAGS = -race\nLDFLAGS = -s\n\nbuild:\n\t$(GO) build $(LDFLAGS)\n\nunit: ready\n\t$(GO) test $(FLAGS) ./...\n\nready:\n\t@./prepare\n",
	"prepare":  "true", "web/package.json": `{"scripts":{"test":"jest"}}`, "app/package.json": `{"scripts":{"test":"sh all.sh"}}`, "app/all.sh": "true",
	"web/Makefile": "unit:\n\tsh each.sh\n", "web/each.sh": "true",
}

// A file is a source unless it decides what passes, by its name, by what the verifiers run, or
// by the part of it that changed.
func TestClasses(t *testing.T) {
	c := ClassesFor([]string{"CI=1 npm test", "cd web && npm test", "python3 main.py | tee log", "make -C web unit", "npm --prefix app test"}, project.read)
	const rust = "fn add() {}\n\n#[cfg(test)]\nmod tests {\n}\n"
	for _, tt := range []struct {
		name, old, now string
		want           Class
	}{
		{"cart.go", "a", "b", Source}, {"cart_test.go", "a", "b", Test}, {"cmd/test/main.go", "a", "b", Source},
		{"internal/same/same.go", `import "testing"`, "package same", Test}, {"testdata/a.go", "a", "b", Golden}, {"_test/spec.txt", "a", "b", Golden},
		{"lib/test.js", "a", "b", Source}, {"test.js", "a", "b", Test}, {"test/helper.js", "a", "b", Test}, {"src/cart.test.tsx", "a", "b", Test},
		{"src/openapi-spec.js", "a", "b", Source}, {"spec/cart_spec.rb", "a", "b", Test}, {"src/CartTest.java", "a", "b", Test}, {"src/Contest.java", "a", "b", Source},
		{"test_cart.py", "a", "b", Test}, {"cart/latest.py", "a", "b", Source}, {"conftest.py", "", "b", Setup},
		{"src/lib.rs", rust, strings.Replace(rust, "add()", "add(x)", 1), Source}, {"src/lib.rs", rust, rust + "// more\n", Test}, {"src/tests.rs", "a", "b", Test},
		{"src/lib.rs", "#[cfg(test)]\nfn two() {\n}\nfn add() {}\n", "#[cfg(test)]\nfn two() {\n}\nfn add(x) {}\n", Source},
		{"__snapshots__/cart.snap", "a", "b", Golden}, {"internal/snapshot/take.go", "a", "b", Source}, {"fixtures/cart.json", "a", "b", Golden},
		{"package.json", project["package.json"], strings.Replace(project["package.json"], "cart", "shop", 1), Source},
		{"package.json", project["package.json"], strings.Replace(project["package.json"], "npm run unit", "true", 1), Setup},
		{"run.sh", "a", "b", Setup}, {"scripts/check.js", "a", "b", Setup}, {"scripts/build.js", "a", "b", Source}, {"prepare", "a", "b", Setup},
		{"web/Makefile", project["web/Makefile"], "unit:\n\ttrue\n", Setup}, {"web/each.sh", "a", "b", Setup}, {"app/all.sh", "a", "b", Setup},
		{"index.js", "a", "b", Source}, {"main.py", "a", "b", Source},
		{"Makefile", project["Makefile"], strings.Replace(project["Makefile"], "-s", "-w", 1), Source},
		{"Makefile", project["Makefile"], strings.Replace(project["Makefile"], "-race", "-run=None", 1), Setup},
		{"Makefile", project["Makefile"], strings.Replace(project["Makefile"], "./prepare", "true", 1), Setup},
		{"Makefile", project["Makefile"], project["Makefile"] + "export GOFLAGS = -run=None\n", Setup},
		{"Makefile", project["Makefile"], project["Makefile"] + "include more.mk\n", Setup},
		{"Makefile", "unit:\n\t@./prepare\n# then\n\tgo test\n", "unit:\n\t@./prepare\n# then\n\ttrue\n", Setup},
		{"Makefile", "unit:\nifdef CI\n\tgo test\nendif\nV = 1\n", "unit:\nifdef CI\n\ttrue\nendif\nV = 1\n", Setup},
		{"Makefile", "unit:\n\tgo test\n.PHONY: unit\nV = 1\n", "unit:\n\tgo test\n.PHONY: unit lint\nV = 2\n", Source},
		{"jest.config.js", "a", "b", Setup}, {".github/workflows/ci.yml", "a", "b", Setup}, {"tsconfig.json", "a", "b", Source},
		{"pyproject.toml", "[project]\nversion = 1\n", "[project]\nversion = 2\n", Source},
		{"pyproject.toml", "[tool.pytest.ini_options]\n", "[tool.pytest.ini_options]\naddopts = '--ignore=tests'\n", Setup},
		{"pyproject.toml", "[project]\ndependencies = []\n", "[project]\ndependencies = [\n'pytest-mock',\n]\n", Source},
		{"Cargo.toml", "[dev-dependencies]\n", "[dev-dependencies]\ntest-case = '3'\n", Source},
		{"Cargo.toml", "[lib]\nname = 'cart'\n", "[lib]\nname = 'cart'\ntest = false\n", Setup},
	} {
		if got := c.Of(tt.name, []byte(tt.old), []byte(tt.now)); got != tt.want {
			t.Errorf("%s from %q to %q: %q, want %q", tt.name, tt.old, tt.now, got, tt.want)
		}
	}
	if c := ClassesFor([]string{"npx tsc --noEmit"}, project.read); c.Of("tsconfig.base.json", []byte("a"), []byte("b")) != Setup {
		t.Error("what the compiler is told decides what it finds")
	}
	recursive := work{"package.json": `{"scripts":{"test":"npm test; make"}}`, "Makefile": "all: all\n\tnpm test\n\tsh a.sh\n", "a.sh": "sh a.sh; make all"}
	if c := ClassesFor([]string{"npm test"}, recursive.read); c.Of("a.sh", nil, []byte("x")) != Setup {
		t.Error("what is run in a circle is not found")
	}
}

// What is put back is what decides the verdict: the rest of a package.json keeps its order.
func TestPutBack(t *testing.T) {
	c := ClassesFor([]string{"npm test", "make unit"}, project.read)
	now := `{"name":"shop","scripts":{"test":"true"},"jest":{"bail":true},"exports":{"import":"./b.mjs","require":"./b.js"}}`
	got := string(c.PutBack("package.json", project.read("package.json"), []byte(now)))
	for _, want := range []string{`"name": "shop"`, `"test": "npm run unit && node scripts/check.js"`, `"import": "./b.mjs",`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "jest") || strings.Index(got, "import") > strings.Index(got, "require") {
		t.Error(got)
	}
	for _, tt := range []struct{ name, old, now, want string }{
		{"src/lib.rs", "a()\n#[cfg(test)]\nmod old;\n", "b()\n#[cfg(test)]\nmod new;\n", "b()\n#[cfg(test)]\nmod old;\n"},
		{"src/lib.rs", "a()\n#[cfg(test)]\nmod old;\n", "b()\n", "b()\n#[cfg(test)]\nmod old;\n"},
		{"src/lib.rs", "#[cfg(test)]\nmod old;\na()\n", "#[cfg(test)]\nmod new;\nb()\n", "b()\n#[cfg(test)]\nmod old;\n"},
		{"Cargo.toml", "[lib]\nname = 'a'\n[[test]]\nname = 'all'\n", "[dependencies]\nserde = '1'\n[lib]\nname = 'b'\ntest = false\n[lints]\nx = 1\n",
			"[dependencies]\nserde = '1'\n\n[lib]\nname = 'b'\n\n[[test]]\nname = 'all'\n"},
		{"pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-v'\n", "[project]\ndependencies = ['attrs']\n", "[project]\ndependencies = ['attrs']\n\n[tool]\n[tool.pytest]\n[tool.pytest.ini_options]\naddopts = '-v'\n"},
		{"Makefile", "all: unit\n\nunit:\n\tgo test $(FLAGS)\n\nFLAGS = \\\n\t-race\nV = 1\n", "FLAGS = -run=None\nV = 2\n\nunit:\n\ttrue\n\nnew: gen\n\tgo generate\n",
			"unit:\n\tgo test $(FLAGS)\n\nFLAGS = \\\n\t-race\nV = 2\n\nnew: gen\n\tgo generate\n"},
		{"Makefile", "all:\n\ttrue\nunit:\n\tgo test", "all:\n\ttrue\nunit:\n\ttrue\n", "unit:\n\tgo test\nall:\n\ttrue\n"},
		{"testdata/a.toml", "a = 1\n", "a = 2\n", "a = 1\n"}, {"ruff.toml", "select = ['E']\n", "select = []\n", "select = ['E']\n"}, {"fixtures/package.json", "{}", `{"a":1}`, "{}"},
		{"tests/a.rs", "old", "new", "old"}, {"package.json", "no JSON", now, "no JSON"}, {"a_test.go", "old", "new", "old"},
	} {
		if got := string(c.PutBack(tt.name, []byte(tt.old), []byte(tt.now))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if c.PutBack("conftest.py", nil, []byte("x")) != nil {
		t.Error("a file that was not there is put back")
	}
}

// A plain run of go test is counted by -json, unless its output goes elsewhere or counts no tests.
func TestCounting(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...":                     "go test -json ./...",
		"cd a && GOFLAGS=-x go test -v .":   "cd a && GOFLAGS=-x go test -json -v .",
		"go vet ./... && go test":           "go vet ./... && go test -json",
		"go test ./... | tee log":           "go test ./... | tee log",
		"go test -c .":                      "go test -c .",
		"echo 'go test' ":                   "echo 'go test' ",
		"go test ./a; go test -short ./b/c": "go test -json ./a; go test -json -short ./b/c",
	} {
		if got := shell(line).counting().Shell; got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if got := (Verifier{Command: proc.Spec{Args: []string{"go", "test", "./..."}}}).counting().Line(); got != "go test -json ./..." {
		t.Error(got)
	}
}

// The parent of a subtest is the longest prefix of its name that is itself a test: names given to
// subtests may have slashes.
func TestSubtestsWithSlashes(t *testing.T) {
	event := func(action, name string) string {
		return `{"Action":"` + action + `","Package":"p","Test":"` + name + `"}` + "\n"
	}
	before := event("run", "TestGet") + event("run", "TestGet/http://a/b") + event("fail", "TestGet/http://a/b") + event("run", "TestGet/c") + event("pass", "TestGet/c") + event("fail", "TestGet")
	r, err := Parse(Auto, []byte(before))
	if err != nil || *r.Passed != 1 || *r.Failed != 1 || strings.Join(r.Names, " ") != "TestGet TestGet/http://a/b TestGet/c" {
		t.Fatalf("%+v, %v", r, err)
	}
	after, err := Parse(Auto, []byte(strings.ReplaceAll(before, `"fail"`, `"pass"`)))
	if err != nil || *after.Passed != 2 || *after.Failed != 0 {
		t.Fatalf("%+v, %v", after, err)
	}
	of := func(r *Report) *reflexion.EvaluatorOutput {
		return &Combine([]*Report{r}, []reflexion.Result{{Status: reflexion.Pass}}, "").EvaluatorOutput
	}
	if m := reflexion.CompareTests(of(r), of(after)); *m.TestsGone != 0 {
		t.Errorf("%d tests are gone: %q", *m.TestsGone, m.Gone)
	}
	if m := reflexion.CompareTests(of(after), of(&Report{Passed: new(1), Failed: new(0), Names: []string{"TestGet", "TestNew"}})); *m.TestsGone != 2 {
		t.Errorf("%d tests are gone: %q", *m.TestsGone, m.Gone)
	}
}
