package evaluate

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// Class is what a file of a work tree is to the verdict of the verifiers.
type Class string

// The classes of files. All but sources decide what is a pass.
const (
	Source Class = ""
	Test   Class = "test"
	Golden Class = "golden"
	Setup  Class = "verifier" // what a verifier runs, and its configuration
)

// Classes tells the classes of the files of a work tree.
type Classes struct {
	read     func(name string) []byte
	scripts  map[string]bool     // files that the verifiers run
	targets  map[string][]string // that they make, by Makefile
	types    bool                // a verifier is the TypeScript compiler
	followed map[string]bool     // texts, with their folders
}

var (
	code = lazy.Pattern(`(?i)\.(?:go|[cm]?[jt]sx?|py|rb|java|kt|scala|groovy|rs|cc?|cpp|hh?|hpp|cs|php|swift|exs?|dart)$`)
	// What holds tests by the customs of the languages but Go.
	testFile = lazy.Pattern(`(?:^|/)(?:test_[^/]*\.(?:py|rb|c|cc|cpp)|tests?\.(?:py|rs)|[^/]+(?:[_.-](?:tests?|unittest)|[_.]specs?|[.-](?:e2e|cy))\.\w+|` +
		`[^/]*[a-z0-9](?:Tests?|Spec|IT)\.(?:java|kt|scala|groovy|cs|php|swift))$|^(?:tests?|test-[^/]*|spec)\.[cm]?[jt]sx?$`)
	testFolder = lazy.Pattern(`(?:^|/)(?:tests?|__tests__|e2e|cypress)/|^(?:packages/[^/]+/)?specs?/`)
	goldenFile = lazy.Pattern(`(?i)(?:^|/)(?:testdata|_tests?|goldens?|__(?:\w+_)?(?:snapshots|fixtures|recordings)__)/|` +
		`\.(?:golden|snap|snapshot|approved|verified|expected)(?:\.\w+)?$`)
	goldenData = lazy.Pattern(`(?i)(?:^|/)(?:fixtures|snapshots|cassettes|expected|baselines?)/|(?:golden|snapshot|expected)[^/]*$`)
	setup      = lazy.Pattern(`(?i)(?:^|/)(?:(?:jest|vitest|ava|karma|playwright|cypress|wdio|eslint|stylelint)\.(?:config|conf|setup)\.\w+|` +
		`\.(?:mocha|eslint|tap|nyc|c8|stylelint|pylint|coverage)rc(?:\.\w+)?|\.(?:rspec|flake8|eslintignore)|\.(?:golangci|rubocop)\.ya?ml|` +
		`(?:pytest|tox|mypy)\.ini|conftest\.py|noxfile\.py|(?:site|user)customize\.py|phpunit\.xml(?:\.dist)?|ruff\.toml|biome\.jsonc?|` +
		`\.travis\.ya?ml|\.gitlab-ci\.ya?ml|azure-pipelines\.ya?ml|jenkinsfile)$|^\.(?:github|circleci|buildkite)/|(?:^|/)__mocks__/`)
	makefile  = lazy.Pattern(`(?:^|/)(?:GNUm|[mM])akefile$`)
	buildFile = lazy.Pattern(`(?:^|/)(?:package\.json|pom\.xml|build\.gradle(?:\.kts)?|Cargo\.toml|pyproject\.toml|setup\.cfg|CMakeLists\.txt|` +
		`[^/]+\.csproj|mix\.exs|Rakefile|composer\.json|deno\.jsonc?|vite\.config\.\w+)$`)
	aboutTests = lazy.Pattern(`(?i)test|skip|exclude|ignore|lint`)
	// dependencies match keys below which nothing configures tests, also where it is only for them.
	dependencies = lazy.Pattern(`(?i)depend|^group$`)
	// rustTest is an item in Rust that is for tests: a module goes to the end, by custom.
	rustTest = lazy.Pattern(`(?m)^#\[cfg\(test\)\]\s*(?:#\[.*\]\s*)*(?:.*[;}]\r?$\n?|.*\bmod (?s:.*)|(?:.*\n)*?\}.*\n?)`)
	// importsTesting matches files in Go for tests, also helpers.
	importsTesting = lazy.Pattern(`(?m)^(?:import)?\s*(?:[\w.]+ )?"testing"\s*(?://.*)?$`)
)

// packageKeys are the parts of a package.json that say how it is tested.
var packageKeys = []string{"scripts", "jest", "mocha", "ava", "tap", "vitest", "nyc", "c8", "eslintConfig"}

// Of is the class of a file that changed, or of its part that did. nil: there is no file.
func (c *Classes) Of(name string, old, now []byte) Class {
	differs := func(part func([]byte) []byte) bool { return !bytes.Equal(part(old), part(now)) }
	class := c.whole(name)
	switch {
	case class != Source:
		return class
	case strings.HasSuffix(name, ".go") && (importsTesting().Match(old) || importsTesting().Match(now)),
		strings.HasSuffix(name, ".rs") && differs(rustTests):
		return Test
	case makefile().MatchString(name) && differs(func(text []byte) []byte { rules, _ := makeRules(text, c.targets[name]); return rules }),
		buildFile().MatchString(name) && differs(func(text []byte) []byte { return testSetup(name, text) }):
		return Setup
	}
	return Source
}

// whole is the class of a file by its name, as a whole.
func (c *Classes) whole(name string) Class {
	switch {
	case setup().MatchString(name), c.types && strings.HasPrefix(path.Base(name), "tsconfig"):
		return Setup
	case goldenFile().MatchString(name), goldenData().MatchString(name) && !code().MatchString(name):
		return Golden
	case strings.HasSuffix(name, "_test.go"), // a folder means nothing in Go
		!strings.HasSuffix(name, ".go") && (testFile().MatchString(name) || testFolder().MatchString(name)):
		return Test
	case c.scripts[name]:
		return Setup
	}
	return Source
}

// PutBack is the text of a file in which what decides the verdict is as it was; nil: no file.
func (c *Classes) PutBack(name string, old, now []byte) []byte {
	switch {
	case old == nil || now == nil || c.whole(name) != Source:
	case isTables(name):
		tests, _ := split(name, old)
		if _, rest := split(name, now); tests != nil && rest != nil {
			merge(rest, tests)
			return join(name, rest)
		}
	case makefile().MatchString(name):
		rules, _ := makeRules(old, c.targets[name])
		_, rest := makeRules(now, c.targets[name], rules...)
		return append(rules, rest...) // the first rule stays the first
	case strings.HasSuffix(name, ".rs"):
		return slices.Concat(rustTest().ReplaceAll(now, nil), rustTests(old))
	}
	return old
}

func rustTests(text []byte) []byte { return slices.Concat(rustTest().FindAll(text, -1)...) }

// testSetup is the part of a build file that configures tests.
func testSetup(name string, text []byte) []byte {
	if isTables(name) {
		if tests, _ := split(name, text); tests != nil {
			return join(name, tests)
		}
	}
	return linesLike(text, aboutTests())
}

func isTables(name string) bool {
	return path.Base(name) == "package.json" || path.Ext(name) == ".toml"
}

// split separates what configures tests from the rest; nil: it cannot be read.
func split(name string, text []byte) (tests, rest map[string]any) {
	if path.Ext(name) == ".toml" {
		if toml.Unmarshal(text, &rest) != nil {
			return nil, nil
		}
		return takeTests(rest), rest
	}
	var all map[string]json.RawMessage // the order of some keys below counts
	if json.Unmarshal(text, &all) != nil {
		return nil, nil
	}
	tests, rest = map[string]any{}, map[string]any{}
	for key, value := range all {
		if slices.Contains(packageKeys, key) {
			tests[key] = value
		} else {
			rest[key] = value
		}
	}
	return tests, rest
}

// join is the text of what split returned.
func join(name string, all map[string]any) (text []byte) {
	if path.Ext(name) == ".toml" {
		text, _ = toml.Marshal(all) // it was TOML
	} else {
		text, _ = reflexion.Encode(all, "  ") // it was JSON
	}
	return text
}

func takeTests(from map[string]any) map[string]any {
	tests := map[string]any{}
	for key, value := range from {
		inner, table := value.(map[string]any)
		switch {
		case dependencies().MatchString(key):
		case table && !aboutTests().MatchString(key):
			if in := takeTests(inner); len(in) > 0 {
				tests[key] = in
			}
		case isAboutTests(key, value):
			tests[key] = value
			delete(from, key)
		}
	}
	return tests
}

// isAboutTests reports whether a key configures tests, or its words, or a table of its list.
func isAboutTests(key string, value any) bool {
	switch v := value.(type) {
	case string:
		key += " " + v
	case []any:
		return aboutTests().MatchString(key) || slices.ContainsFunc(v, func(x any) bool {
			t, _ := x.(map[string]any)
			return slices.ContainsFunc(slices.Collect(maps.Keys(t)), func(key string) bool { return isAboutTests(key, t[key]) })
		})
	}
	return aboutTests().MatchString(key)
}

// merge adds what another table has.
func merge(into, other map[string]any) {
	for key, value := range other {
		in, both := into[key].(map[string]any)
		if inner, table := value.(map[string]any); table && both {
			merge(in, inner)
		} else {
			into[key] = value
		}
	}
}

func linesLike(text []byte, pattern *regexp.Regexp) (out []byte) {
	for line := range bytes.Lines(text) {
		if pattern.Match(line) {
			out = append(out, line...)
		}
	}
	return out
}
