package redact

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// gitleaksJSON has the used parts of gitleaks.toml in a format that is parsed five times as
// fast, since a hook is a new process at each action of an agent. A test generates it.
//
//go:embed gitleaks/rules.json
var gitleaksJSON []byte

// list is an allowlist of gitleaks. Its paths are ignored, since a text has none.
type list struct {
	Condition   string   `json:",omitempty"`
	RegexTarget string   `json:",omitempty"`
	Regexes     []string `json:",omitempty"`
	StopWords   []string `json:",omitempty"`
	Paths       []string `json:",omitempty"`
	compiled    []*regexp.Regexp
}

// rule is a rule of gitleaks.
type rule struct {
	ID          string
	Regex       string
	Entropy     float64 `json:",omitempty"`
	SecretGroup int     `json:",omitempty"`
	Keywords    []string
	Allowlists  []*list `json:",omitempty"`
	once        sync.Once
	re          *regexp.Regexp
	run         int  // least run of token characters in a match
	named       bool // a value after a name: see infix
}

type ruleset struct {
	Rules     []*rule
	Allowlist *list
	once      sync.Once
}

// readRules reads the rules of gitleaks that are used.
func readRules() (*ruleset, error) {
	set := &ruleset{}
	if err := json.Unmarshal(gitleaksJSON, set); err != nil {
		return nil, fmt.Errorf("gitleaks/rules.json: %w", err)
	}
	return set, nil
}

// infix is the part between name and value in gitleaks' rules of named values.
const infix = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`

// compile compiles a rule on first use.
func (r *rule) compile() {
	r.once.Do(func() {
		r.re = regexp.MustCompile(r.Regex)
		r.named = strings.Contains(r.Regex, infix)
		if tree, err := syntax.Parse(r.Regex, syntax.Perl); err == nil {
			n, best, solid := longestRun(tree)
			if solid {
				best = n
			}
			r.run = best
		}
		for _, a := range r.Allowlists {
			a.compile()
		}
	})
}

func (a *list) compile() {
	for _, re := range a.Regexes {
		a.compiled = append(a.compiled, regexp.MustCompile(re))
	}
}

// longestRun returns lower bounds on the runs of token characters in a match of a regexp: n
// if a match consists only of them (solid), and best in general.
func longestRun(re *syntax.Regexp) (n, best int, solid bool) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if c > 127 || !tokenByte[byte(c)] {
				return 0, 0, false
			}
		}
		return len(re.Rune), len(re.Rune), true
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for c := re.Rune[i]; c <= min(re.Rune[i+1], 127); c++ {
				if !tokenByte[byte(c)] {
					return 0, 0, false
				}
			}
		}
		return 1, 1, true
	case syntax.OpCapture:
		return longestRun(re.Sub[0])
	case syntax.OpPlus, syntax.OpRepeat, syntax.OpStar, syntax.OpQuest:
		n, best, solid = longestRun(re.Sub[0])
		times := re.Min
		switch re.Op {
		case syntax.OpPlus:
			times = 1
		case syntax.OpStar, syntax.OpQuest:
			times = 0
		}
		if times == 0 {
			return 0, 0, solid
		}
		return n * times, max(best, n*times), solid
	case syntax.OpConcat:
		cur := 0
		solid = true
		for _, sub := range re.Sub {
			m, b, ok := longestRun(sub)
			if !ok {
				cur, solid = 0, false
				best = max(best, b)
				continue
			}
			cur += m
			n += m
			best = max(best, cur)
		}
		return n, best, solid
	case syntax.OpAlternate:
		n, best, solid = 1<<30, 1<<30, true
		for _, sub := range re.Sub {
			m, b, ok := longestRun(sub)
			n, best, solid = min(n, m), min(best, max(b, 0)), solid && ok
		}
		return n, best, solid
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return 0, 0, true
	}
	return 0, 0, false
}

// match returns the secrets that the rule finds in a window of a text.
func (r *rule) match(set *ruleset, s string, add func(start, end int)) {
	for _, m := range r.re.FindAllStringSubmatchIndex(s, -1) {
		start, end := m[0], m[1]
		switch {
		case r.SecretGroup > 0:
			start, end = m[2*r.SecretGroup], m[2*r.SecretGroup+1]
		default: // the first group that matched, like gitleaks
			for g := 2; g+1 < len(m); g += 2 {
				if m[g] >= 0 && m[g+1] > m[g] {
					start, end = m[g], m[g+1]
					break
				}
			}
		}
		if start < 0 || start >= end {
			continue
		}
		secret := s[start:end]
		if r.Entropy > 0 && entropy(secret) <= r.Entropy || r.allowed(set, s, m[0], m[1], secret) {
			continue
		}
		add(start, end)
	}
}

func (r *rule) allowed(set *ruleset, s string, start, end int, secret string) bool {
	set.once.Do(set.Allowlist.compile)
	if set.Allowlist.allows(s, start, end, secret) {
		return true
	}
	return slices.ContainsFunc(r.Allowlists, func(a *list) bool { return a.allows(s, start, end, secret) })
}

func (a *list) allows(s string, start, end int, secret string) bool {
	if strings.EqualFold(a.Condition, "AND") && len(a.Paths) > 0 {
		return false
	}
	target := secret
	switch a.RegexTarget {
	case "match":
		target = s[start:end]
	case "line":
		first := strings.LastIndexByte(s[:start], '\n') + 1
		last := strings.IndexByte(s[end:], '\n')
		if last < 0 {
			last = len(s) - end
		}
		target = s[first : end+last]
	}
	for _, re := range a.compiled {
		if re.MatchString(target) {
			return true
		}
	}
	if len(a.StopWords) > 0 {
		lower := strings.ToLower(secret)
		for _, w := range a.StopWords {
			if strings.Contains(lower, w) {
				return true
			}
		}
	}
	return false
}
