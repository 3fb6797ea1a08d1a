package actions

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/keys"
)

// checkKind says what a command checks.
type checkKind uint8

const (
	noCheck    checkKind = iota
	testCheck            // runs tests
	buildCheck           // compiles, type checks, lints, formats, installs
	commit               // makes a commit, and runs its hooks
)

// searches exit with 1 if nothing is found, comparisons if things differ, questions if
// the answer is no. These are no failures.
var (
	searches    = keys.SetOf("grep egrep fgrep rg ag ack fd find ast-grep findstr Select-String")
	questions   = keys.SetOf("which type where command Get-Command")
	comparisons = union(questions, keys.SetOf("diff cmp test [ [[ pgrep comm expr cksum"))
	lookups     = keys.SetOf("ls cat stat head tail wc file readlink realpath du tree less more bat")
)

// scripted are programs whose first word names what they do; of gh two words do.
var scripted = keys.SetOf(`go cargo git docker podman kubectl terraform tofu dotnet mvn gradle make just task mage bazel bazelisk buck2 zig sbt stack cabal dune forge gleam dart
	npm pnpm yarn bun deno mise pip poetry uv pdm rye hatch apt apt-get brew rails rake bundle composer swift flutter xcodebuild turbo nx lerna mix bd
	playwright cypress pre-commit lefthook husky buf helm ansible-lint docker-compose gh`)

// seconds are subcommands after which one more word names the action.
var seconds = keys.SetOf("run run-script task tool exec compose script mod work pip nextest")

// interpreters run the script that they are given; dispatchers are scripts whose first
// word names what they do.
var (
	interpreters = keys.SetOf("python node ruby php perl bash sh zsh pwsh tsx ts-node")
	dispatchers  = keys.SetOf("manage.py setup.py artisan console")
)

// otherNames are other names of the same program or the same work.
var (
	otherNames = map[string]string{"mvnw": "mvn", "gradlew": "gradle", "pip3": "pip", "py": "python", "gmake": "make", "nodejs": "node"}
	otherWords = map[string]string{
		"npm t": "npm test", "npm tst": "npm test", "npm i": "npm install", "pnpm i": "pnpm install", "pnpm t": "pnpm test", "yarn": "yarn install",
		"npm run test": "npm test", "npm run-script test": "npm test", "npm run start": "npm start",
		"cargo t": "cargo test", "cargo b": "cargo build", "cargo c": "cargo check", "cargo r": "cargo run",
	}
	pythonVersion = lazy.Pattern(`^python[\d.]+$`)
)

// id is what is run, without what it is run on: "go test", "npm run lint", "pytest".
func (c command) id() string {
	if c.known.id != "" {
		return c.known.id
	}
	return c.findID()
}

func (c command) findID() string {
	name := c.name
	if pythonVersion().MatchString(name) {
		name = "python"
	} else if other := otherNames[name]; other != "" {
		name = other
	}
	if interpreters[name] {
		return c.scriptID(name)
	}
	if !known(name) && !isCheck(name) {
		return strings.Join(append([]string{name}, c.leading()...), " ")
	}
	id := strings.Join(append([]string{name}, c.verbs(name)...), " ")
	if name == "pnpm" || name == "yarn" { // they need no "run"
		id = strings.Replace(id, name+" run ", name+" ", 1)
	}
	return cmp.Or(otherWords[id], id)
}

// mostLeading is how many words name what an unlisted program does.
const mostLeading = 4

// leading are the words of a program that nobody has listed in front of its flags and files.
func (c command) leading() []string {
	n := 0
	for n < min(mostLeading, len(c.args)) && plainWord().MatchString(c.args[n]) {
		n++
	}
	return c.args[:n]
}

// isCheck reports whether the name of a program says that it tests or builds.
func isCheck(name string) bool {
	words := camelCase().ReplaceAllString(scriptSuffix().ReplaceAllString(name, ""), "$1 $2")
	return testWord().MatchString(words) || buildWord().MatchString(words)
}

// verbs are the first words of a scripted program that name what it does.
func (c command) verbs(name string) []string {
	var words []string
	n := 0
	switch {
	case name == "gh":
		n = 2
	case scripted[name]:
		n = 1
	}
	for i := 0; i < len(c.args) && n > 0; i++ {
		switch a := c.args[i]; {
		case valued[name][a] || name == "yarn" && a == "workspace":
			i++
		case strings.HasPrefix(a, "-") || strings.HasPrefix(a, "+") || strings.Contains(a, "=") || strings.Trim(a, "0123456789") == "":
		case a == "clean" && i+1 < len(c.args) && !strings.HasPrefix(c.args[i+1], "-"): // and then the rest
		default:
			words = append(words, a)
			if !seconds[a] || name == "gh" {
				n--
			}
		}
	}
	return words
}

// scriptID is what an interpreter runs.
func (c command) scriptID(name string) string {
	for i, a := range c.args {
		rest := c.args[i+1:]
		switch {
		case a == "-m" && len(rest) > 0:
			return command{name: rest[0], args: rest[1:]}.id()
		case a == "--run" && len(rest) > 0:
			return name + " --run " + rest[0]
		case a == "--test":
			return name + " --test"
		case a == "-c" || a == "-e" || a == "-":
			return name + " " + a
		case a == "" || strings.HasPrefix(a, "-"):
		case dispatchers[path.Base(a)] && len(rest) > 0 && !strings.HasPrefix(rest[0], "-"):
			return name + " " + path.Base(a) + " " + rest[0]
		default:
			return name + " " + path.Base(a)
		}
	}
	return name
}

var (
	testWord  = lazy.Pattern(`(?i)(?:^|[\s:_-])(?:tests?|spec|e2e|pytest|unittest|vitest|jest|mocha|ava|tap|rspec|nextest|xctest|phpunit|ctest|nosetests|tox|nox|playwright|cypress|junit|gotestsum|integration)(?:$|[\s:_-])`)
	buildWord = lazy.Pattern(`(?i)(?:^|[\s:_/-])(?:build|lint|lint-fix|typecheck|type-check|tsc|check|checks|verify|validate|analy[sz]e|assemble|compile|vet|clippy|fmt|format|prettier|eslint|biome|ruff|mypy|pyright|flake8|pylint|black|isort|golangci-lint|staticcheck|shellcheck|markdownlint|markdownlint-cli2|ultracite|stylelint|oxlint|tidy|install|add|ci|sync|restore|publish|package|cmake|gcc|g\+\+|clang|rustc|javac|webpack|vite|rollup|esbuild|tsup|goreleaser|generate|download|lint-staged|pre-commit|lefthook|xcodebuild|ninja)(?:$|[\s:_/-])`)
	trackers  = keys.SetOf("bd jira linear") // of issues: they add and sync no code
	notChecks = keys.SetOf("git gh vi vim nano code open echo printf cat ls sed awk mkdir rm cp mv touch chmod curl wget kill sleep")
)

var (
	scriptSuffix = lazy.Pattern(`\.(?:sh|bash|zsh|ps1)$`)
	looksOnly    = lazy.Pattern(`(?i)\bcheck-(?:prerequisites|prereqs|requirements|env|environment|status|updates)$`)
	camelCase    = lazy.Pattern(`([a-z])([A-Z])`)
	installing   = lazy.Pattern(`^(?:npm|pnpm|yarn|bun|pip|uv|uv pip|poetry|pdm|rye|apt|apt-get|brew|bundle|composer|gem|playwright|cypress|husky|mise|go mod|dotnet|cargo|flutter|dart) (?:install|add|install-deps|ci|sync|restore|tidy|download)$`)
	wholeBuild   = keys.SetOf("make ninja mage just") // without a word of what
)

// kind is what a command checks.
func (c command) kind() checkKind {
	if c.known.id != "" {
		return c.known.kind
	}
	return c.findKind()
}

func (c command) findKind() checkKind {
	id := c.id()
	if !known(c.name) && !isCheck(c.name) && !interpreters[c.name] {
		return noCheck
	}
	words := camelCase().ReplaceAllString(scriptSuffix().ReplaceAllString(id, ""), "$1 $2")
	switch {
	case id == "git commit":
		return commit
	case notChecks[c.name] || trackers[c.name] || filters[c.name] || comparisons[c.name] || lookups[c.name] || searches[c.name] || looksOnly().MatchString(words) || strings.HasPrefix(id, "docker run") || strings.HasPrefix(id, "docker exec"):
		return noCheck
	case installing().MatchString(words):
		return buildCheck
	case testWord().MatchString(words):
		return testCheck
	case buildWord().MatchString(words), wholeBuild[id], id == "make all":
		return buildCheck
	}
	return noCheck
}

// blamed is the command of a line that its exit code and an output are about: what checks
// the most, of several the last one. Nil when the line is empty.
func (l shellLine) blamed(text string) *command {
	var best *command
	rank := -1
	for i := range l.commands {
		c := &l.commands[i]
		r := 0
		switch k := c.kind(); {
		case k == testCheck:
			r = 4
		case k != noCheck:
			r = 3
		case c.feedsFilter():
		case searches[c.name] || lookups[c.name] || comparisons[c.name] || c.name == "echo" || gitLook().MatchString(c.id()):
			r = 1
		default:
			r = 2
		}
		switch {
		case text == "":
		case c.complainsIn(text):
			r += 4
			if c.isNamedIn(text) {
				r++
			}
		case slices.ContainsFunc(c.args, func(a string) bool { return len(a) > 3 && a[0] == '-' && quotes(text, a) }):
			r += 3
		case r >= 3 && strings.Contains(text, c.word()):
			r += 2
		}
		if r >= rank {
			best, rank = c, r
		}
	}
	return best
}

// complainsIn reports whether a command says something of its own in an output, other than that
// it had nothing to do.
func (c command) complainsIn(text string) bool {
	at := 0
	if !strings.HasPrefix(text, c.name+": ") {
		if at = strings.Index(text, "\n"+c.name+": "); at < 0 {
			return false
		}
	}
	line, _, _ := strings.Cut(text[at+len(c.name)+2:], "\n")
	return !idle().MatchString(line)
}

var idle = lazy.Pattern(`(?i)^\s*(?:nothing to be done|entering|leaving|'?\S+'? is up to date)`)

// quotes reports whether a text has a word in quotation marks.
func quotes(text, word string) bool {
	return strings.Contains(text, "'"+word+"'") || strings.Contains(text, "`"+word+"`") || strings.Contains(text, `"`+word+`"`)
}

// isNamedIn reports whether an output speaks of a file that a command is on.
func (c command) isNamedIn(text string) bool {
	return slices.ContainsFunc(c.operands(), func(o string) bool {
		return strings.Contains(text, o+":") ||
			strings.Contains(text, o+"'")
	})
}

// word is the last word of what is run, by which its output names it.
func (c command) word() string {
	id := strings.Fields(c.id())
	return id[len(id)-1]
}

// speaks reports whether what a command puts out is its own result, not what it reads.
func (c command) speaks() bool {
	return !notChecks[c.name] && !comparisons[c.name] && !c.quotes()
}

var helpFlags = keys.SetOf("--help -h help -help --usage")

// asksHelp reports whether a command asks how it is used.
func (c command) asksHelp() bool {
	return len(c.args) == 0 || slices.ContainsFunc(c.args, func(a string) bool { return helpFlags[a] })
}

// quotes reports whether a command puts out the texts of others.
func (c command) quotes() bool {
	return searches[c.name] || lookups[c.name] || filters[c.name] || c.name == "echo" ||
		c.name == "printf" || c.name == "curl" || c.name == "wget" || quoting().MatchString(c.id())
}

// gitLook matches the commands of git that only show the state.
var gitLook = lazy.Pattern(`^git (?:status|log|show|diff|branch|rev-parse|remote|describe)$`)

var quoting = lazy.Pattern(`^(?:git (?:show|log|diff|blame|grep|cat-file|stash)|gh \w+ (?:view|list|diff)|gh api .*|(?:docker|kubectl|docker-compose|podman|docker compose) logs|journalctl|psql|sqlite3|pbpaste)$`)

// looks reports whether a command only shows what there is, or moves files.
func (c command) looks() bool {
	return housekeeping[c.name] || c.quotes() || gitLook().MatchString(c.id())
}

// filters only pass on what another command puts out.
var filters = keys.SetOf("tail head grep egrep rg sed awk sort uniq wc tee cut tr less cat jq xargs column nl fmt strings Select-Object Out-String Format-Table Format-List")

func (c command) feedsFilter() bool { return filters[c.name] && !c.feeds }
