// Package redact removes secrets and personal data from texts before they reach an episode,
// a prompt or an answer.
//
// A finding is replaced by "[redacted KIND]", a home folder by "~". A replacement keeps the
// line ends, so that line numbers remain valid, and never splits a JSON string or escape.
// Redaction is idempotent.
//
// It finds:
//
//   - tokens and keys of some 200 providers, by the rules of gitleaks (gitleaks.toml,
//     taken as data), and by prefixes that it lacks
//   - private keys, JWTs, password hashes, passwords in URLs, Authorization headers,
//     cookies, passwords on command lines
//   - values of names such as password, secret, token or key that look random, instead of
//     gitleaks' rule generic-api-key, which matches ids and misses short passwords
//   - values below such a name, or below such a head of a table
//   - words that are too random for a name and longer than an id, whoever gives them out
//   - the same inside base64, and in codes or with characters that are not shown
//   - e-mail addresses and home folders
//
// One pass finds all keywords, and each is examined in a window of bounded size, so the time
// is linear in the length of the text. The tables are built on first use.
// Other programs use package episodes: only that is a promise.
package redact

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// Limits of a project's configuration, which is untrusted since it comes with a clone.
const (
	MaxEntries = 20  // patterns, and likewise allowed values
	MaxPattern = 256 // bytes of each
	MaxSteps   = 256 // of the programs of all of a kind: [A-Z]{40} has 42
)

// Config is the configuration of a project.
type Config struct {
	Patterns []string // Go regexps of further secrets, each within one line
	// Allow are Go regexps of values that are not secrets. Each must match a whole value. They
	// apply to values suspected by name or form, to e-mail addresses and to home folders, but
	// never to private keys and tokens of providers.
	Allow []string
}

// Redactor redacts texts. It is safe for concurrent use.
type Redactor struct {
	patterns []*regexp.Regexp
	allow    []*regexp.Regexp
}

// New returns a Redactor with the entries of the configuration that count. The error names those that do
// not: no regexp, too long, one too many, or too slow.
func New(c Config) (*Redactor, error) {
	r := &Redactor{}
	var refused []error
	for _, list := range []struct {
		name    string
		entries []string
		format  string
		into    *[]*regexp.Regexp
	}{
		{"patterns", c.Patterns, "%s", &r.patterns},
		{"allow", c.Allow, "^(?:%s)$", &r.allow},
	} {
		steps := 0
		for i, p := range list.entries {
			re, n, err := compile(fmt.Sprintf(list.format, p))
			switch {
			case i >= MaxEntries:
				err = fmt.Errorf("the limit is %d entries", MaxEntries)
			case len(p) > MaxPattern:
				err = fmt.Errorf("%d bytes, the limit is %d", len(p), MaxPattern)
			case err == nil && steps+n > MaxSteps:
				err = fmt.Errorf("too slow: a program of %d steps, the limit is %d for all together", n, MaxSteps)
			}
			if err != nil {
				refused = append(refused, fmt.Errorf("%s: %.60q: %w", list.name, p, err))
				continue
			}
			steps += n
			*list.into = append(*list.into, re)
		}
	}
	return r, errors.Join(refused...)
}

// compile compiles an expression, and counts the steps of its program: each may be taken at each byte.
func compile(expr string) (*regexp.Regexp, int, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, 0, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, 0, err
	}
	re, err := regexp.Compile(expr)
	return re, len(program.Inst), err
}

// Default is the Redactor without a project's configuration.
var Default = &Redactor{}

// Counts is the number of findings of each kind.
type Counts map[string]int

// Add adds other counts.
func (c Counts) Add(others Counts) {
	for k, n := range others {
		c[k] += n
	}
}

// Total returns the number of findings.
func (c Counts) Total() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// String lists the kinds, most frequent first: "2 email, 1 url-password".
func (c Counts) String() string {
	kinds := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		if d := c[b] - c[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", c[k], k)
	}
	return strings.Join(kinds, ", ")
}

// mostPasses is the largest number of passes over a text: a replacement can join what was
// separate.
const mostPasses = 6

// Text returns the redacted text and the findings, or nil.
func (r *Redactor) Text(s string) (string, Counts) {
	var counts Counts
	for range mostPasses {
		spans := r.find(s, 0)
		if len(spans) == 0 {
			break
		}
		if counts == nil {
			counts = Counts{}
		}
		var b strings.Builder
		b.Grow(len(s))
		at := 0
		for _, sp := range spans {
			b.WriteString(s[at:sp.start])
			b.WriteString(sp.replacement(s))
			counts[sp.kind]++
			at = sp.end
		}
		b.WriteString(s[at:])
		s = b.String()
	}
	return s, counts
}

// String is like Text without the counts.
func (r *Redactor) String(s string) string {
	s, _ = r.Text(s)
	return s
}

// span is a part of a text to be replaced.
type span struct {
	start, end int
	kind       string
	with       string // replacement; "" for a marker
}

// opening is the start of every marker.
const opening = "[redacted "

func (sp span) replacement(s string) string {
	with := cmp.Or(sp.with, opening+sp.kind+"]")
	old := s[sp.start:sp.end]
	if !strings.Contains(old, "\n") {
		return with
	}
	var b strings.Builder
	b.WriteString(with)
	for i := range len(old) {
		if old[i] == '\n' {
			if i > 0 && old[i-1] == '\r' {
				b.WriteByte('\r')
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// merge sorts spans and merges overlapping ones, with the kind of the longest.
func merge(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	out := spans[:0]
	for _, sp := range spans {
		if sp.start >= sp.end {
			continue
		}
		if n := len(out); n > 0 && sp.start < out[n-1].end {
			last := &out[n-1]
			if last.with != "" || sp.end-sp.start > last.end-last.start && sp.with == "" {
				last.kind, last.with = sp.kind, ""
				if sp.with != "" {
					last.with = sp.with
				}
			}
			last.end = max(last.end, sp.end)
			continue
		}
		out = append(out, sp)
	}
	return out
}
