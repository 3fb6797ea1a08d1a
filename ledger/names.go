package ledger

import (
	"slices"
	"strings"

	"episodes/extract/actions"
	"episodes/internal/lazy"
)

// mostNames is the largest number of names stored for a fact.
const mostNames = 12

// Names returns hashes of the parts of a fact that can be recognised in an agent's actions:
// commands and, if mends is true because the fact is a fix, changed files and inserted
// lines. Ordinary words are not names.
func Names(text string, mends bool) []string {
	var out []string
	for _, m := range backticked().FindAllStringSubmatch(text, -1) {
		out = append(out, commandNames(m[1])...)
	}
	for _, at := range subcommand().FindAllStringIndex(text, -1) {
		if !checked().MatchString(text[at[1]:]) {
			out = append(out, commandNames(text[at[0]:at[1]])...)
		}
	}
	if mends {
		for _, m := range changedFile().FindAllString(text, -1) {
			out = append(out, fileName(m))
		}
		for _, m := range putThere().FindAllStringSubmatch(text, -1) {
			if s := strings.TrimSuffix(m[1], "…"); len(strings.TrimSpace(s)) >= leastLine {
				out = append(out, lineName(s))
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(mostNames, len(out))]
}

// Asked returns the names in a question. Doing these does not follow an answer.
func Asked(question string) (out []string) {
	first, _, _ := strings.Cut(question, "\n")
	for _, c := range actions.Commands(strings.TrimPrefix(first, "$ ")) {
		out = append(out, prefixes(c)...)
	}
	for _, f := range changedFile().FindAllString(question, -1) {
		out = append(out, fileName(f))
	}
	return out
}

// Without returns the names that are not in asked.
func Without(names, asked []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(asked, n) })
}

// doneBy returns the names of what a call does.
func doneBy(a *actions.Act) (out []string) {
	for _, c := range a.Runs {
		out = append(out, prefixes(c)...)
	}
	for _, f := range a.Changes {
		out = append(out, fileName(f))
	}
	for _, s := range a.Lines {
		out = append(out, lineName(s))
	}
	return out
}

// How many words identify a command. A fact has one such prefix, a call all of them.
const (
	fewestWords = 2
	mostWords   = 4
	leastLine   = 4 // bytes of a line of an edit
	lineBytes   = 28
)

// commandNames returns the commands of a text that is likely one shell line, and the line: facts drop quotes.
func commandNames(line string) (out []string) {
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	if !programs[first] && !strings.HasPrefix(first, "./") && first != "cd" {
		return nil
	}
	for _, c := range append(actions.Commands(line), line) {
		if words := strings.Fields(c); len(words) >= fewestWords {
			out = append(out, commandName(words[:telling(words)]))
		}
	}
	return out
}

// telling returns how many words identify what a command does. The operands after them differ
// from session to session.
func telling(words []string) int {
	for n, w := range words[:min(mostWords, len(words))] {
		if n >= fewestWords && strings.ContainsAny(w, "./") {
			return n
		}
	}
	return min(mostWords, len(words))
}

func prefixes(command string) (out []string) {
	words := strings.Fields(command)
	for n := fewestWords; n <= min(mostWords, len(words)); n++ {
		out = append(out, commandName(words[:n]))
	}
	return out
}

func commandName(words []string) string { return hash("command", strings.Join(words, " ")) }
func fileName(path string) string       { return hash("file", path[strings.LastIndexByte(path, '/')+1:]) }

// lineName identifies a line by its beginning, since facts shorten long lines.
func lineName(s string) string {
	s = actions.PutLine(s)
	return hash("line", s[:min(len(s), lineBytes)])
}

// programs are the names that start a command but rarely a sentence.
var programs = set("apt apt-get brew bun bundle bunx cargo chmod composer corepack cp curl deno docker docker-compose dotnet eslint flutter gem gh git go golangci-lint gradle " +
	"helm kubectl make mise mkdir mv mvn mypy nix node npm npx pip pip3 pipenv pnpm poetry prettier pytest python python3 rails rake rm ruff rustup sed " +
	"sudo swift systemctl tar terraform tsc tox uv uvx vitest xcodebuild yarn")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var (
	backticked = lazy.Pattern("`([^`\n]{4,200})`")
	// subcommand matches unambiguous commands in prose, with flags but no other operands.
	subcommand = lazy.Pattern(`\b(?:go (?:test|build|mod|generate|vet|clean|env|fmt) ?(?:tidy|download|vendor)?|(?:npm|pnpm|yarn|bun) (?:ci|install|rebuild|dedupe|update|run [\w:-]+)|(?:pip3?|brew|apt|apt-get) install \S+|cargo (?:build|clean|update|fmt|clippy)|git (?:config|rebase|cherry-pick|stash|fetch|clean|submodule|worktree|lfs|update-index) ?(?:--[\w-]+)?|docker (?:compose|system|volume) \w+|poetry (?:lock|install)|uv (?:sync|lock|venv))(?: -[\w=./-]+){0,2}`)
	// checked matches the text after a command that only verified something else.
	checked = lazy.Pattern(`^\s*(?:passes|no longer fails|works)`)
	// changedFile matches a file of source code or settings.
	changedFile = lazy.Pattern(`[\w.@+-]*(?:/[\w.@+-]+)*\w\.(?:go|mod|py|toml|ini|cfg|js|jsx|ts|tsx|mjs|cjs|json|jsonc|ya?ml|rs|java|kt|kts|gradle|rb|php|cs|c|h|cc|cpp|hpp|m|mm|swift|scala|sh|bash|zsh|ps1|sql|proto|css|scss|html|vue|svelte|tf|lock|md|xml|env|conf)\b`)
	// putThere matches a line inserted by an edit, as facts of transcripts quote it: after an
	// arrow, "adds" or the name of the file.
	putThere = lazy.Pattern("(?:→|adds|\\bedit of \\S+:) `([^`\n]+)`(?:[,\n]|$)")
)
