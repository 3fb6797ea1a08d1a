package recall

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
)

// longestCure is the largest length of a fix at the head of an answer, in bytes. Longer facts are
// from the prose of logs.
const longestCure = 120

// helped matches what logs call that which helped.
const helped = `(?:(?:the|final|immediate|proposed|suggested|recommended|critical|actual|real|quick|permanent|correct|right|working) )?` +
	`(?:(?:how to )?fix(?:es)?|resolution|solutions?|workarounds?|remedy|recommend(?:ation|ed)s?|what (?:helped|fixed it|to do)|retry|mitigation` +
	`|soluci[oó]n|solução|correcci[oó]n|correção|arreglo|解決(?:策|方法)?|対処法?|対策|解决(?:方案)?|修复|해결(?:책| 방법)?|рішення|виправлення|решение|исправление)`

var (
	// solving matches the headings and labels under which logs say what helped.
	solving     = lazy.Pattern(`(?i)^[^\pL\pN]*(?:` + helped + `|actions?)(?: guidance| applied| taken| plan| option)?(?: ?\([^()]*\))?\W*(?:[:：—–]|$)\s*`)
	solvingHead = lazy.Pattern(`(?i)^[^\pL\pN]*(?:[\d.]+ )?` + helped + `(?:\s[^.]{0,40})?$`)
	// undo matches how to take a change back.
	undo     = lazy.Pattern(`(?i)^\W*(?:git )?(?:revert|roll ?back|undo|restore)\b.*\b(?:previous|prior|original|this|these|changes?|commit)\b`)
	numbered = lazy.Pattern(`^\d+[.)] `)
	// reasons matches texts that say what failed, or why, rather than what helped.
	reasons = lazy.Pattern(`^\W*(?:[A-Z]+_[A-Z_]+|[\w.]*(?:Error|Exception))\b|(?i)\b(?:root cause|because|caused|due to|failed|the (?:issue|problem|error))\b`)
	// deed matches what begins with something to do or done.
	deed = lazy.Pattern(`(?i)^(?:\d+[.)] )?(?:add|remov|delet|chang|replac|set|us|run|re-?run|mov|updat|renam|patch|fetch|pull|install|switch|wrap|bind|creat|writ|revert|restart|clear|pin|export|retr|modif|grant|initiali[sz])(?:e|ed|ing|t|y|ied|s|d|ting|ning)?\b`)
	// now matches what says how it is since the change.
	now = lazy.Pattern(`^Now,? `)
	// header matches the first line of a function or class.
	header = lazy.Pattern(`^(?:async |export |public |private |static )*(?:func|def|class|function|fn) .*[:{]$`)
	// choices matches options and what speaks for or against them, labelled values, and results.
	choices = lazy.Pattern(`(?i)^\W*(?:(?:options?|alternatives?|approach|variant)(?: (?:\d+|[a-z]))?|pros|cons|(?:dis)?advantages|drawbacks|trade-?offs)\W*[:：—–-]`)
	value   = lazy.Pattern(`^[\pL\pN_ ]{1,30}: \S+$`)
	result  = lazy.Pattern(`(?i)\b(?:fail(?:ed|s|ure)|now (?:works?|pass(?:es)?|succeeds?|loads?|builds?|compiles?|runs?)|(?:is|are|was|were|been|violations?.*|errors?.*) (?:resolved|fixed))\b[^,;:]{0,30}$`)
	// since matches how it is after a change, and touched the names of changed files.
	since   = lazy.Pattern(`(?i)^\W*(?:with|after|once|now that)\b[^,]*\b(?:resolved|fixed|applied|merged|in place), `)
	touched = lazy.Pattern(`(?i)^\W*(?:changed|modified|edited|updated|files?)\b[\w ]{0,20}: \S+$`)
	// related matches texts labelled as something about an error or a change, and watching those that
	// only look: neither changes anything.
	related  = lazy.Pattern(`(?i)^\W*(?:problem|issue|symptom|benefit|impact|effect|status|result|outcome|risk|goal|objective|reason|why|(?:root )?cause|error|expected|observed|before|note|caveat|evidence|statement|time)s?\W{0,3}[:：—–]`)
	watching = lazy.Pattern(`(?i)^(?:\d+[.)] )?(?:monitor|watch|observe|verif(?:y|ied)|confirm|investigate)(?:e?d|ing)?\b`)
	// unsolved matches texts that say that a change did not help.
	unsolved = lazy.Pattern(`(?i)\bstill (?:occur|happen|fail|present|block|broken|open|see(?:n|ing)?\b|reproduc|not\b)|\b(?:not|isn['’]t|wasn['’]t) (?:yet )?(?:resolved|fixed|solved)\b|\bunresolved\b|\b(?:did(?:n['’]t| not)|does(?:n['’]t| not)) (?:help|fix|resolve|solve)\b|\b(?:error|issue|problem|failure)s? (?:persists?|remains?)\b`)
	// beside matches headings about what is not the fix itself.
	beside = lazy.Pattern(`(?i)\b(?:options?|alternatives?|verif\w+|validation|testing|results?|status|roll-?back|revert)\b`)
	// hollow matches texts that say that something works now and not why, or where it was recorded.
	hollow = lazy.Pattern(`(?i)^\W*(?:committed|pushed|merged|landed|released|deployed)\b|(?i)^\W*(?:(?:the|all|build|compilation|tests?|ci|it|everything|now|is|are|go|npm|suite|issue|problem|bug|error|this|was|were|been|has|have|successfully|checks?)\s+)*(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|works?|working|green|resolved|fixed)\b[^,;:]{0,30}$`)
)

// solution returns the text near a place that announces what helped, in at most most bytes: what
// follows a label, or a section with such a heading.
func (p *Place) solution(q *Question, most int) (quote Quote, lines episode.Span) {
	if q.Want != AnError && q.Want != ATask {
		return quote, lines
	}
	for _, d := range slices.Concat(p.answer(), p.Docs, p.After) {
		if !d.Kind.prose() || !p.sameSection(q, d) {
			continue
		}
		all := sentences(d)
		for i, s := range all {
			label := solving().FindString(s.text)
			if label == "" || !strings.ContainsAny(label, ":：") || s.code {
				continue
			}
			if text, end := joined(all[i:], most); len(text) > len(label)+shortest/2 {
				return Quote{Says: Fix, Text: text, Line: s.line}, episode.Span{s.line, end}
			}
		}
	}
	for _, d := range p.After {
		all := slices.DeleteFunc(sentences(d), func(s sentence) bool { return s.code })
		if text, end := joined(all, most); p.sameSection(q, d) && q.mends(d, text) {
			return Quote{Says: Fix, Text: text, Line: all[0].line}, episode.Span{d.Lines[0], end}
		}
	}
	return quote, lines
}

// mends reports whether a text of a passage says what to do, in a section about what helped.
func (q *Question) mends(d *Document, text string) bool {
	head := func(h string) bool { return solvingHead().MatchString(h) && !beside().MatchString(h) }
	fix, _ := q.cure(text)
	return fix != "" && (q.Want == AnError || q.Want == ATask) && slices.ContainsFunc(strings.Split(d.Heading, " › "), head)
}

// fails reports whether a place says, after what it quotes as a fix, that the error is still there.
func (p *Place) fails(fix string) bool {
	return slices.ContainsFunc(slices.Concat(p.Docs, p.After), func(d *Document) bool {
		if !d.Kind.prose() || fix == "" {
			return false
		}
		all := sentences(d)
		at := slices.IndexFunc(all, func(s sentence) bool { return holds(s.text, fix) })
		return at >= 0 && slices.ContainsFunc(all[at:], func(s sentence) bool { return unsolved().MatchString(s.text) })
	})
}

// announces reports whether a part of a text is labelled as what helped.
func announces(text string) bool {
	return slices.ContainsFunc(strings.Split(text, " / "), func(part string) bool {
		return strings.ContainsAny(solving().FindString(part), ":：")
	})
}

// joined returns the first sentences, in at most most bytes, and their last line. What announces
// sentences that are left out is left out too.
func joined(all []sentence, most int) (text string, end int) {
	if len(all) == 0 {
		return "", 0
	}
	n, size := 0, 0
	for n < len(all) && (n == 0 || size < most/2) {
		size += len(all[n].text) + len(" / ")
		n++
	}
	for n > 1 && strings.HasSuffix(all[n-1].text, ":") {
		n--
	}
	return cut(join(all[:n]), most), all[n-1].end
}

// lead puts the first fix of the best session in front, as one line of at most longestCure bytes,
// before the rest of what is quoted with it, in which it is not repeated. A fix without content is
// no fix.
func (a *Answer) lead(q *Question) {
	for i, s := range a.Statements {
		if s.place.session != a.Statements[0].place.session {
			return
		}
		k := slices.IndexFunc(s.Quotes, func(o Quote) bool { fix, _ := q.cure(o.Text); return o.Says == Fix && fix != "" })
		if k < 0 {
			continue
		}
		fix, rest := q.cure(s.Quotes[k].Text)
		quotes := []Quote{s.Quotes[k]}
		quotes[0].Text = fix
		for j, o := range s.Quotes {
			if j == k {
				o.Says, o.Text = Nothing, rest
			}
			if text := without(o.Text, fix); text != o.Text {
				o.Says, o.Text = Nothing, text
			}
			twice := slices.ContainsFunc(quotes[1:], func(q Quote) bool { return holds(q.Text, o.Text) })
			if o.Text != "" && !twice && (o.Says != Nothing || !q.shows(o.Text)) {
				quotes = append(quotes, o)
			}
		}
		s.Quotes = quotes
		a.Statements = slices.Insert(slices.Delete(a.Statements, i, i+1), 0, s)
		return
	}
}

// empty reports whether a text is an option, a value or a result rather than something to do.
func empty(text string) bool {
	bare := solving().ReplaceAllString(text, "")
	if at := since().FindStringIndex(bare); at != nil && !deed().MatchString(bare[at[1]:]) {
		return true
	}
	return related().MatchString(text) || watching().MatchString(text) || unsolved().MatchString(text) ||
		hollow().MatchString(text) || touched().MatchString(bare) || undo().MatchString(bare) || choices().MatchString(text) ||
		!deed().MatchString(text) && (result().MatchString(text) || value().MatchString(text) && !solving().MatchString(text))
}

// onlyFixes takes the label from what does not say what to do or did not help, and from fixes and
// causes of errors other than the question's.
func (a *Answer) onlyFixes(q *Question, places []*Place) {
	for _, s := range a.Statements {
		other := q.Want == AnError && s.place.other(q, places)
		for i := range s.Quotes {
			o := &s.Quotes[i]
			if fix, _ := q.cure(o.Text); o.Says == Fix && (fix == "" || s.place.fails(fix)) || other && (o.Says == Fix || o.Says == Cause) {
				o.Says = Nothing
			}
		}
	}
}

// without leaves the parts of a text that do not only repeat a fix.
func without(text, fix string) string {
	parts := strings.Split(text, " / ")
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool {
		part = strings.TrimSuffix(solving().ReplaceAllString(part, ""), "…")
		return holds(fix, part) || holds(part, fix) && len(part) < len(fix)+shortest
	}), " / ")
}

// cure returns the part of a text that says what to do, and the rest of the text. It is "" if the
// text has no content, or is an option, a value or a result.
func (q *Question) cure(text string) (fix, rest string) {
	if before, after, found := strings.Cut(text, " → "); found && reasons().MatchString(before) && !strings.Contains(before, " / ") {
		text = before + " / " + after
	}
	var parts []string
	for part := range strings.SplitSeq(text, " / ") {
		parts = append(parts, alone(part)...)
	}
	best, top := -1, 0.0
	for i, part := range parts {
		v := 1.0 / float64(2+i)
		switch {
		case empty(part), q.shows(part), slices.ContainsFunc(q.output, func(l string) bool { return strings.Contains(l, part) }), len(solving().ReplaceAllString(part, "")) < shortest/2:
			continue
		case solving().MatchString(part), i > 0 && solving().FindString(parts[i-1]) == parts[i-1]: // or the label is alone
			v += 3
		case deed().MatchString(part), now().MatchString(part):
			v++
		}
		switch {
		case strings.HasSuffix(part, "{"), strings.HasSuffix(part, ";"), header().MatchString(part): // code
			v--
		case strings.HasSuffix(part, ":"): // announces what to do
			v -= 0.5
		}
		if strings.Contains(part, "`") {
			v++
		}
		if reasons().MatchString(part) {
			v--
		}
		if len(part) > longestCure {
			v -= 0.25
		}
		if best < 0 || v > top {
			best, top = i, v
		}
	}
	if best < 0 {
		return "", text
	}
	part := numbered().ReplaceAllString(solving().ReplaceAllString(parts[best], ""), "")
	fix, parts[best] = split(strings.TrimSuffix(part, ":"), longestCure)
	if len(parts[best]) < shortest {
		parts = slices.Delete(parts, best, best+1)
	}
	return fix, strings.Join(parts, " / ")
}

// alone returns the sentences of a text that is longer than a fix may be.
func alone(text string) (out []string) {
	for len(text) > longestCure {
		at := ends().FindStringIndex(text)
		if at == nil {
			break
		}
		out, text = append(out, strings.TrimSpace(text[:at[1]])), strings.TrimSpace(text[at[1]:])
	}
	return append(out, text)
}

// split divides a text after its last sentence that ends within most bytes or, where that is
// short, between two words.
func split(text string, most int) (first, rest string) {
	if len(text) <= most {
		return text, ""
	}
	n := 0
	for _, at := range ends().FindAllStringIndex(text, -1) {
		if at[0] < most {
			n = at[1]
		}
	}
	if first = strings.TrimSpace(text[:n]); 2*n >= most && len(first) <= most {
		return first, strings.TrimSpace(text[n:])
	}
	first = cut(text, most)
	return first, "…" + strings.TrimLeft(strings.TrimPrefix(text, strings.TrimSuffix(first, "…")), " /,;:")
}
