package extract

import (
	"slices"
	"strings"

	"episodes/episode"
)

// newDecision starts a decision from the text that states the choice.
func (x *extraction) newDecision(b *block, span episode.Span, t text, why string) *fact {
	f := x.add(&fact{kind: decisionFact, block: b, span: span, text: t, content: t.s, why: why})
	f.dec = episode.Decision{Type: x.decisionType(b, t), Outcome: episode.Unknown}
	x.splitReason(f, t.s)
	return f
}

// reasonMarks open the reason inside a text that states a choice. The marks
// that need no word before them end in a colon.
var reasonMarks = []string{" Rationale:", " Reason:", " Why:", " because ", " since ", " due to ", " so that ", " to avoid ", " to prevent ", " to keep ", " eftersom ", " omdat ", " weil ", " потому что "}

// splitReason cuts the reason off a text and sets Chosen and Rationale.
func (x *extraction) splitReason(f *fact, s string) {
	chosen, reason := s, ""
	at := len(s)
	for _, m := range reasonMarks {
		if i := strings.Index(s, m); i > 0 && i < at {
			at, chosen = i, s[:i]
			reason = s[i:]
			if !strings.HasSuffix(m, ":") && (m == " so that " || strings.HasPrefix(m, " to ")) {
				reason = strings.TrimSpace(reason)
			} else {
				reason = s[i+len(m):]
			}
		}
	}
	for _, m := range []string{" Date/Author:", " Date:", " Author:"} {
		if i := strings.Index(reason, m); i >= 0 {
			reason = reason[:i]
		}
		if i := strings.Index(chosen, m); i > 0 {
			chosen = chosen[:i]
		}
	}
	if len(plain(chosen).words) == 0 {
		chosen, reason = s, ""
	}
	f.dec.Chosen = shorten(strings.Trim(chosen, " ,;:—–-"), maxContent)
	if r := shorten(strings.Trim(reason, " ,;:—–-"), maxContent); r != "" {
		f.dec.Rationale = r
	}
}

// reasonLike reports whether a text explains rather than states: it opens like
// a clause, not like an act.
func (x *extraction) reasonLike(t text) bool {
	if len(t.words) == 0 {
		return false
	}
	switch t.words[0].s {
	case "because", "since", "due", "ensures", "prevents", "no", "already", "keeps", "avoids", "allows", "maximizes", "maximises", "reduces", "provides", "matches", "all":
		return true
	}
	return false
}

// actLike reports whether a label states an act: it opens with a verb of choice
// or of making.
func (x *extraction) actLike(t text) bool {
	return len(t.words) > 1 && (x.lex.at(t, 0, classAdopt) || x.lex.at(t, 0, classChoose) || x.lex.at(t, 0, classMake))
}

// addNested reads the labelled children of a decision: rationale, alternatives,
// outcome. Other children are its detail.
func (x *extraction) addNested(f *fact, b *block) {
	for _, c := range b.children {
		switch {
		case c.labelRole.has(roleReason):
			f.dec.Rationale = x.partText(c)
		case c.labelRole.any(roleOptions, roleRejected):
			x.addOptions(f, c)
		case c.labelRole.any(roleContext, roleProblem):
			f.dec.Context = x.partText(c)
		case c.labelRole.any(roleOutcome, roleResult, roleStatus):
			f.dec.Outcome = x.statusOf(c.text)
		default:
			continue
		}
		x.used[c] = f
	}
}

// surroundings fills context, reason and outcome from the labelled lines that
// stand with a decision: the problem it answers, its rationale, its result.
func (x *extraction) surroundings(f *fact, b *block) {
	if f.dec.Context == "" && b.section.roles.has(roleDecision) && b.section.subject == "" {
		if up := b.section.parent; up != nil && up.level > 1 && up.roles.has(roleProblem) && !up.title.empty() {
			f.dec.Context = up.title.s
		}
	}
	group := x.group(b)
	// Lines of one record follow each other; a second line of the same role
	// starts the next record.
	at := slices.Index(group, b)
	if at < 0 || b.labelRole == 0 {
		return
	}
	for i := at - 1; i >= 0; i-- {
		o := group[i]
		if o.labelRole&b.labelRole != 0 && !o.labelRole.has(roleProblem) {
			break
		}
		if o.labelRole.any(roleProblem, roleContext, roleCause) && f.dec.Context == "" && !o.text.empty() {
			f.dec.Context = shorten(o.text.s, maxContent)
		}
		if o.labelRole.has(roleOptions) {
			x.addOptions(f, o)
		}
	}
	for _, o := range group[at+1:] {
		if o.labelRole&b.labelRole != 0 || o.labelRole.any(roleProblem) {
			break
		}
		switch {
		case o.labelRole.has(roleReason) && f.dec.Rationale == "":
			f.dec.Rationale = x.partText(o)
		case o.labelRole.any(roleRejected, roleOptions):
			x.addOptions(f, o)
		case o.labelRole.any(roleResult, roleOutcome, roleStatus) && f.dec.Outcome == episode.Unknown:
			f.dec.Outcome = x.statusOf(o.text)
		case o.labelRole.has(roleFailed) && !x.blank(o.text):
			f.dec.Outcome = episode.Failure
		}
	}
}

// addOptions reads the alternatives that a labelled line names.
func (x *extraction) addOptions(f *fact, b *block) {
	items := x.introduced(b)
	if !b.text.empty() {
		for _, o := range splitList(b.text.s) {
			f.dec.Options = append(f.dec.Options, o)
		}
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
			f.dec.Options = append(f.dec.Options, o)
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
func (x *extraction) options(f *fact) {
	if len(f.dec.Options) == 0 {
		if other, chosen, ok := contrastPair(f.dec.Chosen); ok {
			f.dec.Options = []string{chosen, other}
			f.dec.Chosen = chosen
		}
	}
	if len(f.dec.Options) == 0 {
		return
	}
	var list []string
	seen := map[string]bool{}
	for _, o := range append([]string{f.dec.Chosen}, f.dec.Options...) {
		k := strings.ToLower(o)
		if !seen[k] {
			seen[k] = true
			list = append(list, o)
		}
	}
	// An option that is the chosen one in fewer words stands for it.
	low := strings.ToLower(f.dec.Chosen)
	for i, o := range list[1:] {
		if strings.Contains(low, strings.ToLower(o)) && len(o) > 3 {
			list = slices.Delete(list, i+1, i+2)
			break
		}
	}
	f.dec.Options = nil
	if len(list) > 1 {
		f.dec.Options = list
	}
}

// contrastPair finds "X instead of Y", "X rather than Y", "X over Y", "X (not Y)"
// and "from Y to X", and returns the other option and the chosen one.
func contrastPair(s string) (other, chosen string, ok bool) {
	low := strings.ToLower(s)
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
			if j := strings.Index(low, v); j >= 0 && j < i {
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

// decisionType tells the kind of a choice from the place and the words.
func (x *extraction) decisionType(b *block, t text) episode.DecisionType {
	if b != nil {
		if b.labelRole.any(roleFix, roleAttempt) || b.section.roles.any(roleFix, roleFailed, roleAttempt) || b.section.within(roleProblem) || b.under(roleFix) {
			return episode.Recovery
		}
		if b.labelRole.has(roleVerdict) {
			return episode.Design
		}
	}
	first := t.first()
	switch {
	case x.lex.is(t, classHand) || t.has("parallel agents") || t.has("subagent") || t.has("sub-agent"):
		return episode.Routing
	case strings.HasPrefix(first, "revert") || first == "workaround" || t.has("workaround"):
		return episode.Recovery
	case first == "test" || first == "verify" || t.has("test case") || t.has("test cases") || t.has("regression test") || t.has("regression tests"):
		return episode.Testing
	case strings.HasPrefix(first, "fix") || strings.HasPrefix(first, "implement") || strings.HasPrefix(first, "refactor") || strings.HasPrefix(first, "rename"):
		return episode.Implementation
	}
	return episode.Design
}

// rowDecision takes a table row whose columns say that it is a decision.
func (x *extraction) rowDecision(b *block) {
	cols := b.table.columns
	at := func(rs ...role) int {
		for i, c := range cols {
			if i < len(b.cells) && c.roles.any(rs...) {
				return i
			}
		}
		return -1
	}
	if b.section.within(roleOptions) && at(roleChosen) < 0 {
		return
	}
	what := at(roleDecision, roleChosen)
	fix, problem := -1, at(roleProblem, roleCause)
	if what < 0 {
		if fix = at(roleFix); fix >= 0 && problem >= 0 && len(b.cells[fix].text.words) > 1 && !x.blank(b.cells[fix].text) {
			what = fix
		}
	}
	place := "column "
	if what < 0 && b.section.has(roleDecision) && len(cols) > 1 {
		what, place = 0, "table under "+quote(b.section.title.s)+", column "
	}
	if what < 0 || b.cells[what].text.empty() || x.blank(b.cells[what].text) {
		return
	}
	f := x.newDecision(b, b.span, b.cells[what].text, place+quote(cols[what].name))
	if fix >= 0 {
		f.dec.Type = episode.Recovery
		f.dec.Context = shorten(b.cells[problem].text.s, maxContent)
	}
	for i, c := range cols {
		if i >= len(b.cells) || i == what || b.cells[i].text.empty() {
			continue
		}
		t := b.cells[i].text
		switch {
		case c.roles.has(roleReason):
			f.dec.Rationale = shorten(t.s, maxContent)
		case c.roles.any(roleOptions, roleRejected):
			f.dec.Options = append(f.dec.Options, splitList(t.s)...)
		case c.roles.any(roleContext) && f.dec.Context == "":
			f.dec.Context = shorten(t.s, maxContent)
		case c.roles.any(roleOutcome, roleResult, roleStatus):
			f.dec.Outcome = x.cellStatus(b.cells[i])
		}
	}
	x.options(f)
}
