// Package risk finds commands that nobody should run because a log says so.
package risk

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// The remarks on texts with a command that runs what it fetches or unpacks, which nobody has read before; that
// lets everybody read, write or run something; or that switches off what would find an error.
const (
	runsFetched = "runs what it fetches"
	opensAll    = "gives rights to everybody"
	unchecks    = "switches a check off"
)

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

// Forms of the other two. offProse is how a sentence says that a check is switched off.
var (
	opening = lazy.Pattern(`(?i)\bchmod\s+(?:-\S+\s+)*(?:[0-7]?[0-7]{2}[2367]\b|(?:[ugo]*[ao][ugo]*|)[+=][rx]*w)|\bumask\s+0?00[01]?\b|\bicacls\b[^\n]*\b(?:everyone|\*s-1-1-0):` +
		`|\bgrant\s+all\b[^\n;]*\bto\s+(?:public|'?%'?|'[^']*'@'%')|\bpublic-read-write\b|\bexecutionpolicy\s+(?:unrestricted|bypass)\b|--privileged\b`)
	off = lazy.Pattern(`(?i)(?:^|[^\w-])-{1,2}(?:no-(?:verify|gpg-sign|check\w*|strict\S*)|nogpgcheck|insecure\S*|skip-?(?:tests?|checks?|verif\w*|hooks?|lint)\b|trusted-host|allow-unauthenticated|dskiptests|dmaven\.test\.skip|dangerously\S*)` +
		`|\b(?:\w*ssl_?no_?verify|node_tls_reject_unauthorized|pythonhttpsverify|insecureskipverify|gonosum(?:check|db)|husky(?:_skip_hooks)?)\s*[=:]|\bgosumdb=off\b|\b(?:ssl_?verify|strict-ssl|verify(?:_ssl|_peer)?|rejectunauthorized)["']?\s*[=: ]\s*["']?(?:false|0|none)\b` +
		`|\bstricthostkeychecking[= ]no\b|\bsetenforce\s+0\b|\bcurl\s+(?:[^\n|]*\s)?-\w*k\w*\s|(?:^|[\s;&])(?:ufw disable|iptables -f)\b|@ts-(?:ignore|nocheck)|\beslint-disable|#\s*(?:noqa|type:\s*ignore)|//\s*nolint|\|\|\s*true\b`)
	offProse = lazy.Pattern(`(?i)\b(?:disabled?|skip(?:ped)?|bypass|suppress(?:ed)?|(?:turn|switch)(?:ed)?\s+off|comment(?:ed)?\s+out)\s+(?:\S+\s+){0,3}?(?:tests?|(?:\w+[ -])?checks?|checking|lint\w*|(?:pre-\w+\s+)?hooks?|\w*verif\w+|validation|tls|ssl|certificates?|signatures?|sandbox\w*|firewall|selinux|assertions?|authenti\w+)\b`)
	// tells matches what follows a form in a sentence about it.
	tells = lazy.Pattern(`(?i)^[\x60"')]*\s+(?:bypass|skip|disable)\w*\b`)
	// against matches what says, right before such a form, that it is not to be used.
	against = lazy.Pattern(`(?i)(?:\b(?:never|not|without|avoid|bypassed|no|instead of|rather than|stop(?:ped)?)|n['’]t)(?:\s+[\w/-]+){0,3}[\s\x60"'(]*$`)
)

// prose matches the name of such a program in a sentence about it. A command has options, too.
var prose = lazy.Pattern(`(?i)^[\w\s]+\s(?:to|and|or|for|with|in|on|is|was|as|but|from|then|the|a|it|so)$`)

// Of returns the remark on a text with such a command, or "". known reports whether a manifest of the project names a
// package.
func Of(text string, known func(name string) bool) string {
	said := func(form *regexp.Regexp) bool {
		return slices.ContainsFunc(form.FindAllStringIndex(text, -1), func(at []int) bool {
			return !against().MatchString(text[max(0, at[0]-40):at[0]]) && !tells().MatchString(text[at[1]:])
		})
	}
	switch {
	case runsWhatItFetches(text, known):
		return runsFetched
	case said(opening()):
		return opensAll
	case said(off()), said(offProse()):
		return unchecks
	}
	return ""
}

func runsWhatItFetches(text string, known func(name string) bool) bool {
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
