package recall

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// RunsFetchedNote is the remark on a text with a command that runs what it fetches or unpacks: nobody
// has read that before.
const RunsFetchedNote = "runs what it fetches"

const (
	fetchers = `\b(?:curl|wget|fetch|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b`
	decoders = `\b(?:base(?:64|32)\s+-{1,2}d\w*|xxd\s+-\w*r|openssl\s+(?:base64|enc)\b[^|\n]*\s-d|gunzip\b|gzip\s+-\w*d|zcat\b)`
	runners  = `(?:sudo\s+(?:-\S+\s+)*|env\s+)?(?:/\S*/)?(?:(?:ba|z|da|k|a|fi|c|tc)?sh|python[\d.]*|perl|ruby|node|php|deno|bun|pwsh|powershell|iex|invoke-expression)\b`
)

// fetching are the forms of such commands. The group of a form, if it has one, is a package, which
// counts only if no manifest names it.
var fetching = []func() *regexp.Regexp{
	lazy.Pattern(`(?i)(?:` + fetchers + `|` + decoders + `)[^\n|]*(?:\|[^\n|]*)*?\|\s*` + runners),
	lazy.Pattern(`(?i)(?:` + runners + `|\beval|\bsource|(?:^|[\s;&])\.)\s*(?:-\w+\s+)*["'(&]*[$<@]?\(?(?:\(|` + "`" + `)[^\n]{0,40}?(?:` + fetchers + `|` + decoders + `)`),
	lazy.Pattern(`(?i)\b(?:exec|eval|system|popen)\s*\([^\n]{0,40}(?:b64decode|urlopen|requests\.get|atob\(|fetch\(|curl |wget )`),
	lazy.Pattern(`(?i)\bpowershell(?:\.exe)?\b[^\n]*\s-e(?:nc?|ncodedcommand)?\s+[\w+/=]{20,}`),
	lazy.Pattern(`(?i)\b(?:npx|pnpx|bunx|uvx|pipx\s+run|(?:pnpm|yarn)\s+dlx|bun\s+x|npm\s+exec)\s+(?:-[^\s=]+\s+)*([\w@-][^\s"'\x60;&|),]*)`),
	lazy.Pattern(`(?i)\b(?:go\s+run|go\s+install)\s+(?:-\S+\s+)*[\w-]+\.[\w.-]+/\S+@\S`),
	lazy.Pattern(`(?i)\bdeno\s+run\b[^\n]*\bhttps?://`),
	lazy.Pattern(`(?i)\b(?:pip[\d.]*|uv|npm|pnpm|yarn|cargo|gem)\s+(?:pip\s+)?(?:i|install|add)\s[^\n]*?(?:git\+|https?://|github:|--git\b)`),
}

// saved matches a file that a download was written to, or a download that keeps the name of its URL.
var (
	saved = lazy.Pattern(`(?i)` + fetchers + `[^\n|]*?(?:(?:\s-o|\s--output(?:-document)?|\s-outfile|>)[\s=]*["']?([^\s"';&|]+)|\bhttps?://\S*?([^\s/"';&|]+)(?:["'\s;&]|$))`)
	runs  = lazy.Pattern(`(?:(?:\b(?:ba|z|da)?sh|\bsource|\bpython[\d.]*|\bperl|\bnode|\bchmod\s+(?:-R\s+)?(?:[ugoa]*\+[rw]*x\w*|0?[75][0-7]{2}))\s+|(?:^|[\s;&])\./|(?:^|[\s;&])\.\s+)["']?([^\s"';&|]+)`)
)

// fetchWords are in each text that a form matches. Looking for them takes less than to compile the forms.
var fetchWords = []string{"curl", "wget", "fetch", "aria2c", "iwr", "irm", "invoke-", "download", "base", "xxd", "openssl", "gunzip", "gzip", "zcat", "eval", "exec",
	"system", "popen", "powershell", "npx", "pnpx", "bunx", "uvx", "pipx", "dlx", "bun x", "go run", "go install", "deno", "://", "git+", "github:", "--git"}

// prose matches the name of such a program in a sentence about it. A command has options, too.
var prose = lazy.Pattern(`(?i)^[\w\s]+\s(?:to|and|or|for|with|in|on|is|was|as|but|from|then|the|a|it|so)$`)

// RunsFetched reports whether a text has a command that runs what it fetches or unpacks. known reports
// whether a manifest of the project names a package.
func RunsFetched(text string, known func(name string) bool) bool {
	lower := strings.ToLower(text)
	if !slices.ContainsFunc(fetchWords, func(w string) bool { return strings.Contains(lower, w) }) {
		return false
	}
	for _, form := range fetching {
		for _, m := range form().FindAllStringSubmatch(text, -1) {
			if len(m) == 1 || !prose().MatchString(m[0]) && !known(m[1]) {
				return true
			}
		}
	}
	for _, at := range saved().FindAllStringSubmatchIndex(text, -1) {
		name := ""
		for g := 2; g < len(at); g += 2 {
			if at[g] >= 0 {
				name = path.Base(text[at[g]:at[g+1]])
			}
		}
		for _, m := range runs().FindAllStringSubmatch(text[at[1]:], -1) {
			if path.Base(strings.TrimRight(m[1], ".,)`")) == name {
				return true
			}
		}
	}
	return false
}

// MarkFetches marks the quotations that have such a command. A marked one is not a fix, and its statement
// comes after the others.
func (a *Answer) MarkFetches(known func(name string) bool) {
	for i := range a.Statements {
		for j := range a.Statements[i].Quotes {
			q := &a.Statements[i].Quotes[j]
			if q.Fetches = RunsFetched(q.Text, known); !q.Fetches {
				continue
			}
			if q.Vouched = a.vouched(q.Text); q.Class == Fix {
				q.Class = Nothing
			}
		}
	}
	rank := map[bool]int{true: 1}
	slices.SortStableFunc(a.Statements, func(x, y Statement) int { return rank[x.Fetches()] - rank[y.Fetches()] })
}

// vouched reports whether facts by more than one author have a text.
func (a *Answer) vouched(text string) bool {
	text = strings.TrimSuffix(text, "…")
	var by []string
	for _, p := range a.places {
		if !slices.Contains(by, p.by.Author) && slices.ContainsFunc(p.Docs, func(d *Document) bool { return strings.Contains(d.Text, text) }) {
			by = append(by, p.by.Author)
		}
	}
	return len(by) > 1
}

// Vouched reports whether each such command of the statement is by several authors.
func (s *Statement) Vouched() bool {
	return !slices.ContainsFunc(s.Quotes, func(q Quote) bool { return q.Fetches && !q.Vouched })
}

// Fetches reports whether a quotation of the statement has a command that runs what it fetches.
func (s *Statement) Fetches() bool {
	return slices.ContainsFunc(s.Quotes, func(q Quote) bool { return q.Fetches })
}
