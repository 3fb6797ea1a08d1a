package actions

import (
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/keys"
)

// failureKey is the key under which a failure meets others: what was run, and what
// identifies the error. That is the codes and names that the telling line has, where there
// are some (rules of linters, error codes, tests); else its words, masked, and the names of
// the files that were not there, since a missing file is another error than another one.
// "" where nothing identifies it.
func failureKey(s *step) string {
	if s.tells == "" {
		return ""
	}
	what := "error: "
	if s.role == turns.Call {
		what += strings.ToLower(s.name()) + ": "
	}
	words := keys.Canonical(keys.Mask(s.tells))
	raises := raised().FindAllString(s.tells, -1)
	if systemError().MatchString(s.tells) || len(raises) > 0 && len(strings.Fields(words)) >= tellingWords {
		what = "error: " // from any program
	}
	if codes := distinct(codesIn(s.tells)); len(codes) > 0 {
		return what + strings.Join(distinct(append(codes, raises...)), " ")
	}
	if tool := s.call.Tool; (tool == turns.Edit || tool == turns.Write || tool == turns.Read) &&
		missingFile().MatchString(s.tells) && !missingText().MatchString(s.tells) && len(s.call.Files) > 0 {
		words += " " + path.Base(s.call.Files[0])
	}
	if missingFile().MatchString(s.tells) {
		var files []string
		for _, p := range pathIn().FindAllString(s.tells, -1) {
			files = append(files, path.Base(strings.TrimRight(p, "/:,.")))
		}
		words = strings.Join(append([]string{words}, distinct(files)...), " ")
	}
	if len(strings.Fields(words)) < 2 {
		return "" // a path alone, or one word, is no error
	}
	return what + words
}

// tellingWords is how many words an exception has, with its name, that is known by them alone.
const tellingWords = 6

// codesIn are the names that tools give to an error.
func codesIn(text string) []string {
	codes := codeIn().FindAllString(text, -1)
	for _, m := range ruleIn().FindAllStringSubmatch(text, -1) {
		codes = append(codes, m[1])
	}
	return codes
}

// distinct are different texts, at most three, in order.
func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), 3)]
}

var (
	// codeIn are names that tools give to an error: TS2345, E0308, SA1000, ERR_MODULE_NOT_FOUND,
	// lint/style/useConst, TestRetry/budget, test_retry, EPERM, CVE-2026-1.
	codeIn = lazy.Pattern(`\b(?:[A-Z]{1,5}\d{2,5}|ERR_[A-Z_]+|lint/\w+/\w+|assist/\w+/\w+|Test[A-Z]\w*(?:/[\w#-]+)*|test_\w+|no[A-Z]\w+[a-z]|use[A-Z]\w+[a-z])\b`)
	// ruleIn is the rule of a plugin, which linters put behind what they say: import/no-unresolved.
	ruleIn = lazy.Pattern(`(?:^|[\s(\[@])([a-z]+(?:-[a-z0-9]+)*/[a-z]+(?:-[a-z]+)+)[)\]]?$`)
	// systemError are errors of the operating system and codes of runtimes.
	systemError = lazy.Pattern(`\b(?:ERR_[A-Z_]+|E(?:PERM|ACCES|ADDRINUSE|CONNREFUSED|CONNRESET|NOENT|EXIST|TIMEDOUT|NOTFOUND|MFILE|PIPE|ISDIR|NOTDIR|NOSPC))\b`)
	missingFile = lazy.Pattern(`(?i)no such file|not found|does not exist|doesn't exist|cannot find|can't find|could not read|failed to resolve|can't open|cannot open`)
	missingText = lazy.Pattern(`(?i)\bstring\b.*\bnot found\b`) // of an edit, in a file that is there
	pathIn      = lazy.Pattern(`[\w.~@+-]*/[\w./~@+-]+|\b[\w-]+\.[a-z]{1,5}\b`)
)
