package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// optionName is the option that an item gives, without its letter and its aside.
func optionName(b *doc.Block) string {
	s := b.Text.Raw
	if i := strings.Index(s, " ("); i > 0 {
		s = s[:i]
	}
	if len(s) > 3 && (s[1] == '.' || s[1] == ')' || s[1] == ':') && s[2] == ' ' {
		s = s[3:]
	}
	return episode.Shorten(strings.Trim(s, " .:"), 160)
}

// addOptions reads the alternatives that a labelled line names.
func addOptions(f *fact, b *doc.Block) {
	if !b.Text.Empty() {
		f.Decision.Options = append(f.Decision.Options, splitList(b.Text.Raw)...)
		return
	}
	for _, c := range b.Introduced() {
		if o := optionName(c); o != "" {
			f.Decision.Options = append(f.Decision.Options, o)
		}
	}
}

// splitList splits "a, b, or c" into its parts; text with no such shape is one part.
func splitList(s string) []string {
	var out []string
	depth := 0
	from := 0
	cut := func(i int) {
		if p := strings.Trim(s[from:i], " ,;."); p != "" {
			for _, and := range lex.ListJoiners {
				p = strings.TrimPrefix(p, and)
			}
			out = append(out, episode.Shorten(p, 160))
		}
		from = i + 1
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',', ';', '/':
			if depth <= 0 && (s[i] != '/' || i > 0 && s[i-1] == ' ') {
				cut(i)
			}
		}
	}
	cut(len(s))
	return out
}

// options completes the list of options: from words of contrast where the log
// names none, and always with the chosen one among them.
func options(f *fact) {
	if len(f.Decision.Options) == 0 {
		if other, chosen, ok := contrastPair(f.Decision.Chosen); ok {
			f.Decision.Options = []string{chosen, other}
			f.Decision.Chosen = chosen
		}
	}
	if len(f.Decision.Options) == 0 {
		return
	}
	var list []string
	seen := map[string]bool{}
	for _, o := range append([]string{f.Decision.Chosen}, f.Decision.Options...) {
		k := strings.ToLower(o)
		if !seen[k] {
			seen[k] = true
			list = append(list, o)
		}
	}
	// An option that is the chosen one in fewer words replaces it.
	low := strings.ToLower(f.Decision.Chosen)
	for i, o := range list[1:] {
		if strings.Contains(low, strings.ToLower(o)) && len(o) > 3 {
			list = slices.Delete(list, i+1, i+2)
			break
		}
	}
	f.Decision.Options = nil
	if len(list) > 1 {
		f.Decision.Options = list
	}
}

// contrastPair finds "X instead of Y", "X rather than Y", "X over Y", "X (not Y)"
// and "from Y to X", and returns the other option and the chosen one.
func contrastPair(s string) (other, chosen string, ok bool) {
	low := lex.Lower(s) // its offsets are those of s
	for _, m := range lex.ContrastMarks {
		if i := strings.Index(low, m); i > 0 && strings.Count(s[:i], "(") <= strings.Count(s[:i], ")") { // not in an aside
			other = clause(s[i+len(m):])
			chosen = strings.Trim(s[:i], " ,;:")
			if _, rest, ok := strings.Cut(s[i:], ")"); ok && strings.HasPrefix(m, " (") {
				chosen += strings.TrimRight(rest, " ,;:")
			}
			if other != "" && chosen != "" {
				return other, chosen, true
			}
		}
	}
	if before, after, ok := lex.Over.Cut(low); ok && before != "" {
		for _, v := range lex.ChoiceVerbs {
			if j := strings.Index(before, v); j >= 0 {
				return clause(s[len(s)-len(after):]), strings.Trim(s[j+len(v):len(before)], " `,"), true
			}
		}
	}
	return "", "", false
}

// clause cuts a text at the end of its first clause.
func clause(s string) string {
	end := len(s)
	for _, m := range lex.ClauseEnds {
		if i := strings.Index(s, m); i > 0 && i < end {
			end = i
		}
	}
	return strings.Trim(s[:end], " .,;:()")
}

func isOption(t lex.Text) bool {
	return len(t.Words) > 1 && (t.At(0, lex.ClassOption) || lex.IsNumber(t.Words[0].Lower) && t.At(1, lex.ClassOption))
}
