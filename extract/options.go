package extract

import (
	"slices"
	"strings"

	"episodes/episode"
)

// sectionOptions takes the items under an options heading.
func sectionOptions(f *fact, s *section) {
	for _, b := range s.blocks {
		if b.kind != itemBlock || b.parent != nil || b.labelRole.any(roleDecision, roleChosen, roleReason) {
			continue
		}
		o := b.text.s
		if b.label != "" {
			o = b.label
		} else if b.lead != "" {
			o = b.lead
		}
		if o = optionName(o); o != "" {
			f.decision.Options = append(f.decision.Options, o)
		}
	}
}

// optionName is an option without its letter and its aside.
func optionName(s string) string {
	if i := strings.Index(s, " ("); i > 0 {
		s = s[:i]
	}
	if len(s) > 3 && (s[1] == '.' || s[1] == ')' || s[1] == ':') && s[2] == ' ' {
		s = s[3:]
	}
	return shorten(strings.Trim(s, " .:"), 160)
}

// namedOption resolves "option 2, X", "2, X" and "Option C: X" against the list
// of options: what stays is the option itself.
func (x *extraction) namedOption(f *fact) {
	t := x.plain(f.decision.Chosen)
	for i := 1; i+1 < len(t.words); i++ { // "Fail closed (option 2)"
		if n := optionNumber(t.words[i+1].s); t.at(i, classOption) && n > 0 && n <= len(f.decision.Options) && t.s[t.words[i].start-1] == '(' {
			f.decision.Options = slices.Delete(f.decision.Options, n-1, n)
			return
		}
	}
	i := 0
	if len(t.words) > 0 && t.at(0, classOption) {
		i = 1
	}
	if i >= len(t.words) || len(t.words[i].s) > 2 || i == 0 && (len(f.decision.Options) == 0 || !strings.HasPrefix(t.s[t.words[0].end:], ",")) {
		return
	}
	n := optionNumber(t.words[i].s)
	if n == 0 {
		return
	}
	rest := t.sub(t.words[i].end, len(t.s))
	aside := strings.HasPrefix(rest.s, "(") && strings.HasSuffix(rest.s, ")") // "Option 1 (the short way)"
	if len(rest.words) > 1 && (!aside || n > len(f.decision.Options)) {
		f.decision.Chosen = rest.s
		if aside {
			f.decision.Chosen = rest.s[1 : len(rest.s)-1]
		}
	} else if n >= 1 && n <= len(f.decision.Options) {
		f.decision.Chosen = f.decision.Options[n-1]
	}
}

// optionNumber is the place of option "2" or "b" in a list, 0 for other words.
func optionNumber(w string) int {
	switch {
	case len(w) == 1 && w[0] >= '1' && w[0] <= '9':
		return int(w[0] - '0')
	case len(w) == 1 && w[0] >= 'a' && w[0] <= 'h':
		return int(w[0]-'a') + 1
	}
	return 0
}

// addOptions reads the alternatives that a labelled line names.
func addOptions(f *fact, b *block) {
	items := b.introduced()
	if !b.text.empty() {
		f.decision.Options = append(f.decision.Options, splitList(b.text.s)...)
		return
	}
	for _, c := range items {
		o := c.text.s
		if c.label != "" {
			o = c.label
		} else if c.lead != "" {
			o = c.lead
		}
		if i := strings.Index(o, " ("); i > 0 {
			o = o[:i]
		}
		if o = shorten(strings.Trim(o, " .:"), 160); o != "" {
			f.decision.Options = append(f.decision.Options, o)
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
			p = strings.TrimPrefix(strings.TrimPrefix(p, "or "), "and ")
			out = append(out, shorten(p, 160))
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
	if len(f.decision.Options) == 0 {
		if other, chosen, ok := contrastPair(f.decision.Chosen); ok {
			f.decision.Options = []string{chosen, other}
			f.decision.Chosen = chosen
		}
	}
	if len(f.decision.Options) == 0 {
		return
	}
	var list []string
	seen := map[string]bool{}
	for _, o := range append([]string{f.decision.Chosen}, f.decision.Options...) {
		k := strings.ToLower(o)
		if !seen[k] {
			seen[k] = true
			list = append(list, o)
		}
	}
	// An option that is the chosen one in fewer words stands for it.
	low := strings.ToLower(f.decision.Chosen)
	for i, o := range list[1:] {
		if strings.Contains(low, strings.ToLower(o)) && len(o) > 3 {
			list = slices.Delete(list, i+1, i+2)
			break
		}
	}
	f.decision.Options = nil
	if len(list) > 1 {
		f.decision.Options = list
	}
}

// contrastPair finds "X instead of Y", "X rather than Y", "X over Y", "X (not Y)"
// and "from Y to X", and returns the other option and the chosen one.
func contrastPair(s string) (other, chosen string, ok bool) {
	low := lower(s) // its places are those of s
	for _, m := range []string{" instead of ", " rather than ", " in favor of not ", " as opposed to ", " istället för ", " i stället för ", " in plaats van ", " statt ", ", not ", " (not "} {
		if i := strings.Index(low, m); i > 0 {
			other = clause(s[i+len(m):])
			chosen = strings.Trim(s[:i], " ,;:")
			if other != "" && chosen != "" {
				return other, chosen, true
			}
		}
	}
	if i := strings.Index(low, " over "); i > 0 {
		for _, v := range []string{"chose ", "chosen ", "choose ", "prefer ", "preferred ", "picked ", "selected ", "favored ", "valde ", "koos "} {
			if j := strings.Index(low, v); j >= 0 && j+len(v) <= i {
				return clause(s[i+6:]), strings.Trim(s[j+len(v):i], " `,"), true
			}
		}
	}
	return "", "", false
}

// clause cuts a text at the end of its first clause.
func clause(s string) string {
	end := len(s)
	for _, m := range []string{". ", "; ", ", ", " because ", " since ", " based on ", " to ", " for ", " so ", ") ", ")", " — ", " – "} {
		if i := strings.Index(s, m); i > 0 && i < end {
			end = i
		}
	}
	return strings.Trim(s[:end], " .,;:()")
}

// optionSelected takes "Option C — selected": one of several sections that each
// stand for an option, whose title or short text says that it was taken.
func (x *extraction) optionSelected(s *section) bool {
	if !isOption(s.title) || s.parent == nil {
		return false
	}
	selected := saysSelected(s.title)
	span := episode.Span{s.line, s.line}
	for _, b := range s.blocks {
		if !selected && b.kind == paraBlock && len(b.text.words) <= 30 && saysSelected(b.text) {
			selected = true
			span[1] = b.span[1]
		}
	}
	if !selected {
		return false
	}
	f := x.newDecision(nil, span, s.title, "option marked as taken")
	for _, o := range around(s.parent.subs, s.pos) {
		if isOption(o.title) && o != s {
			f.decision.Options = append(f.decision.Options, shorten(o.title.s, 160))
		}
	}
	if s.parent.roles.has(roleOptions) && s.parent.parent != nil && s.parent.parent.level > 1 {
		f.decision.Context = s.parent.parent.title.s
	}
	x.fillFromSection(f, s)
	return true
}

func isOption(t text) bool {
	return len(t.words) > 1 && (t.at(0, classOption) || isNumber(t.words[0].s) && t.at(1, classOption))
}

func saysSelected(t text) bool {
	for i := range t.words {
		if t.at(i, classTaken) && !t.negated(i) {
			return true
		}
	}
	return false
}
