package recall

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/keys"
)

// How many fixes of the very error, and failed attempts at it, an answer gives.
const (
	mostDirect = 3
	mostFailed = 2
)

// direct is a fact about the error of a question, in the words of the fact: what ended it, or
// what did not.
type direct struct {
	place *Place
	doc   *Document
	text  string
	like  bool // the error is about something else of the same kind
}

// failures are the lines of a question by which it is known: in canonical form, and as wider
// keys.
type failures struct{ exact, like map[string]bool }

func (q *Question) failures() failures {
	f := failures{map[string]bool{}, map[string]bool{}}
	for _, l := range q.output {
		f.exact[keys.Canonical(keys.Mask(l))], f.exact[l] = true, true
		if k := keys.Like(l); k != "" {
			f.like[k] = true
		}
	}
	delete(f.exact, "")
	return f
}

// direct returns the fixes of the question's error among the facts of some places, those of
// the same error if there are any, those of most sessions first, and what was tried and failed.
func (q *Question) direct(places []*Place) (fixes, failed []direct) {
	if q.Want != AnError || len(q.output) == 0 {
		return nil, nil
	}
	for _, p := range places {
		for _, d := range p.Docs {
			from, to, _ := strings.Cut(d.Text, "\n")
			switch {
			case d.Kind == Link && d.Class == Fix && len(from) <= longestCure && !empty(from) && !p.fails(from):
				if like, is := q.about(q.known, to); is {
					fixes = append(fixes, direct{p, d, from, like})
				}
			case d.Kind == Decision && d.Class == Failed:
				if like, is := q.about(q.known, from); is && !like {
					to, _, _ = strings.Cut(to, "\n")
					failed = append(failed, direct{p, d, to, false})
				}
			}
		}
	}
	if slices.ContainsFunc(fixes, func(d direct) bool { return !d.like }) {
		fixes = slices.DeleteFunc(fixes, func(d direct) bool { return d.like })
	}
	held := map[string]map[string]bool{} // sessions, by fix
	for _, d := range fixes {
		if held[d.text] == nil {
			held[d.text] = map[string]bool{}
		}
		held[d.text][d.place.session] = true
	}
	slices.SortStableFunc(fixes, func(a, b direct) int { return len(held[b.text]) - len(held[a.text]) })
	return inTurn(fixes, failed), failed
}

// about reports whether an error of the memory is that of the question; like is true where
// only the wider key is, and the same program failed.
func (q *Question) about(f failures, failure string) (like, is bool) {
	program, message, found := strings.Cut(failure, ": ")
	if !found {
		return false, false
	}
	if !q.names(message) {
		return true, f.like[keys.Like(message)] && strings.Contains(q.command, program)
	}
	if _, last, more := strings.Cut(message, ": "); more && strings.Count(last, " ") >= shownError-1 &&
		f.exact[keys.Canonical(keys.Mask(last))] {
		return false, true
	}
	if strings.Count(message, " ") >= shownError-1 && f.exact[message] {
		return false, true
	}
	if k := keys.Canonical(keys.Mask(message)); strings.Count(k, " ") >= shownError-1 && f.exact[k] || q.shows(failure) {
		return false, true
	}
	return true, f.like[keys.Like(message)] && strings.Contains(q.command, program)
}

// quotedName matches a name that an error message quotes.
var quotedName = lazy.Pattern("'[^' ]+'|\"[^\" ]+\"|`[^` ]+`")

// names reports whether the question's output has all names that an error message quotes. The
// signature of an error masks them, but a type that is missing has another cure than another one.
func (q *Question) names(message string) bool {
	return !slices.ContainsFunc(quotedName().FindAllString(message, -1), func(name string) bool {
		return !q.prints(name[1 : len(name)-1])
	})
}

// prints reports whether the question's output has a name.
func (q *Question) prints(name string) bool {
	return slices.ContainsFunc(q.output, func(l string) bool { return strings.Contains(l, name) })
}

// foreign reports whether a fact is of another error: one with a code that is not in the question.
func (q *Question) foreign(d *Document) bool {
	from, _, _ := strings.Cut(d.Text, "\n")
	code, _, ok := strings.Cut(coded().FindString(from), ":")
	return ok && q.Want == AnError && !q.prints(code)
}

// fixes adds statements about the changes that ended the error, the reason, and the changes that
// did not end it.
func (a *Answer) fixes(q *Question, fixes, failed []direct) {
	sessions := map[string][]string{} // in which each was done
	add := func(d direct) bool {
		known := sessions[d.text]
		if !slices.Contains(known, d.place.session) {
			sessions[d.text] = append(known, d.place.session)
		}
		return known == nil
	}
	fixes = slices.DeleteFunc(fixes, func(d direct) bool { return !add(d) })
	fixes = firstOfEach(fixes)
	for _, d := range fixes[:min(mostDirect, len(fixes))] {
		fix := Quote{Class: Fix, Text: d.text, Held: len(sessions[d.text]), Like: d.like}
		for _, p := range a.confirming {
			held := slices.ContainsFunc(fixes, func(o direct) bool { return slices.Contains(sessions[o.text], p.session) })
			if !held && d.place.Session.Date != "" && p.Session.Date > d.place.Session.Date {
				fix.Again++
			}
		}
		a.Statements = append(a.Statements, d.statement(fix))
	}
	if d := a.best(q, fixes[0].place, shareAfter); d != nil && (d.Class == Cause || d.Class == Learned) {
		a.add(fixes[0].place, d.Lines, Quote{Class: d.Class, Text: q.render(d, shareAfter), Line: d.Lines[0]})
	}
	failed = slices.DeleteFunc(failed, func(d direct) bool { return !add(d) })
	for _, d := range failed[:min(mostFailed, len(failed))] {
		a.Statements = append(a.Statements, d.statement(Quote{Class: Failed, Text: d.text}))
	}
}

func (d direct) statement(q Quote) Statement {
	return Statement{Quotes: []Quote{q}, Episode: d.place.Session.Episode, Log: d.place.Session.Log, Lines: d.doc.Lines, place: d.place}
}
