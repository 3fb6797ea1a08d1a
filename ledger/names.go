package ledger

import (
	"path"
	"slices"
	"strings"

	"episodes/extract/actions"
	"episodes/internal/lazy"
)

// The parts of facts and calls that are compared.
const (
	aCommand = "command"
	aFile    = "file" // its base name
	aLine    = "line" // the beginning of one that an edit inserts, since facts shorten long lines
)

// How many words identify a command. A fact has one such prefix, a call all of them.
const (
	fewestWords = 2
	mostWords   = 4
	leastLine   = 4 // bytes of a line of an edit
	lineBytes   = 28
	mostNames   = 12 // that are stored for a fact
)

// Names returns hashes of the parts of a fact that can be recognised in an agent's actions: quoted commands and, if
// mends is true because the fact is a fix, changed files and inserted lines. What the question has is no name: doing that
// does not follow an answer.
func Names(text, question string, mends bool) (out []string) {
	add := func(kind, part string) {
		if !strings.Contains(question, part) {
			out = append(out, hash(kind, part))
		}
	}
	for _, m := range backticked().FindAllStringSubmatch(text, -1) {
		if first, _, _ := strings.Cut(strings.TrimSpace(m[1]), " "); first != "cd" && !strings.HasPrefix(first, "./") && !actions.IsProgram(first) {
			continue
		}
		for _, c := range append(actions.Commands(m[1]), m[1]) { // also as one: facts drop quotes
			if words := strings.Fields(c); len(words) >= fewestWords {
				add(aCommand, strings.Join(words[:telling(words)], " "))
			}
		}
	}
	if mends {
		for _, f := range changedFile().FindAllString(text, -1) {
			add(aFile, path.Base(f))
		}
		for _, m := range putThere().FindAllStringSubmatch(text, -1) {
			if s := beginning(strings.TrimSuffix(m[1], "…")); len(s) >= leastLine {
				add(aLine, s)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(mostNames, len(out))]
}

// doneBy returns the names of what a call does.
func doneBy(a *actions.Act) (out []string) {
	for _, c := range a.Runs {
		words := strings.Fields(c)
		for n := fewestWords; n <= min(mostWords, len(words)); n++ {
			out = append(out, hash(aCommand, strings.Join(words[:n], " ")))
		}
	}
	for _, f := range a.Changes {
		out = append(out, hash(aFile, path.Base(f)))
	}
	for _, s := range a.Lines {
		out = append(out, hash(aLine, beginning(s)))
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

func beginning(line string) string {
	line = actions.PutLine(line)
	return line[:min(len(line), lineBytes)]
}

var (
	backticked = lazy.Pattern("`([^`\n]{4,200})`")
	// changedFile matches a file of source code or settings.
	changedFile = lazy.Pattern(`[\w.@+-]*(?:/[\w.@+-]+)*\w\.(?:go|mod|py|toml|ini|cfg|js|jsx|ts|tsx|mjs|cjs|json|jsonc|ya?ml|rs|java|kt|kts|gradle|rb|php|cs|c|h|cc|cpp|hpp|m|mm|swift|scala|sh|bash|zsh|ps1|sql|proto|css|scss|html|vue|svelte|tf|lock|md|xml|env|conf)\b`)
	// putThere matches a line inserted by an edit, as facts of transcripts quote it: after an
	// arrow, "adds" or the name of the file.
	putThere = lazy.Pattern("(?:→|adds|\\bedit of \\S+:) `([^`\n]+)`(?:[,\n]|$)")
)
