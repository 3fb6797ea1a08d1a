package recall

import (
	"cmp"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/keys"
)

// How many fixes of the very error, and failed attempts at it, advice has, of how many facts.
const (
	mostDirect = 2
	mostFailed = 1
	mostFacts  = 80
)

// shownError is the least number of words of an error that the question shows.
const shownError = 3

// failures are the lines of the question's output, also in canonical form.
func (q *Question) failures() map[string]bool {
	out := map[string]bool{}
	for _, l := range q.output {
		out[keys.Canonical(keys.Mask(l))], out[l] = true, true
	}
	delete(out, "")
	return out
}

// about reports whether an error of the memory is that of the question.
func (q *Question) about(failure string) bool {
	_, message, found := strings.Cut(failure, ": ")
	if !found || !q.names(message) {
		return false
	}
	long := func(text string) bool { return strings.Count(text, " ") >= shownError-1 }
	_, last, more := strings.Cut(message, ": ")
	key := keys.Canonical(keys.Mask(message))
	return more && long(last) && q.known[keys.Canonical(keys.Mask(last))] || long(message) && q.known[message] ||
		long(key) && q.known[key] || q.known[failure]
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

// direct returns the ways out of the question's error, of the very same if any are known, those that held in most sessions
// first, then what did not end it.
func (x *Index) direct(q *Question) ([]Line, error) {
	if q.Want != AnError || len(q.output) == 0 {
		return nil, nil
	}
	return x.ways(q, func(_, to string) bool { return q.about(to) })
}

// ways returns the ways out of those failures for which is returns true of the way and of the failure.
func (x *Index) ways(q *Question, is func(from, to string) bool) ([]Line, error) {
	f, err := x.search(q, func(r ref) bool {
		class := x.Segments[r.segment].class(r.doc)
		return class == Fix || class == Failed
	}, mostFacts)
	if err != nil {
		return nil, err
	}
	var fixes, failed []Line
	for _, h := range f.hits {
		d, err := x.Segments[h.segment].document(h.doc)
		if err != nil {
			return nil, err
		}
		c, err := f.cited(h, Filter{})
		if err != nil {
			return nil, err
		}
		if d == nil || c == nil {
			continue
		}
		from, to, _ := strings.Cut(d.Text, "\n")
		c.Lines, c.Class = d.Lines, d.Class
		to, _, _ = strings.Cut(to, "\n")
		if !is(from, to) { // a decision has its question first, and a link to it the error
			if from, to = to, from; !is(from, to) {
				continue
			}
		}
		if l := (Line{Cited: *c, Text: from}); d.Class == Fix {
			fixes = append(fixes, l)
		} else {
			failed = append(failed, l)
		}
	}
	fixes, failed = counted(fixes), counted(failed)
	for i := range fixes {
		l := &fixes[i]
		l.Of = l.Held
		if at := slices.IndexFunc(failed, func(f Line) bool { return f.Text == l.Text }); at >= 0 {
			l.Of += failed[at].Held
		}
		if x.State != nil && i < mostDirect {
			l.State = x.State(l.Episode, l.Lines)
		}
	}
	slices.SortStableFunc(fixes, func(a, b Line) int { return cmp.Compare(b.Held, a.Held) })
	fixes = oneOfEach(behind(fixes, func(l Line) By { return l.By }))
	slices.SortStableFunc(fixes, func(a, b Line) int { return cmp.Compare(a.worse(), b.worse()) })
	failed = slices.DeleteFunc(failed, func(f Line) bool {
		return slices.ContainsFunc(fixes, func(l Line) bool { return l.Text == f.Text })
	})
	return slices.Concat(fixes[:min(mostDirect, len(fixes))], failed[:min(mostFailed, len(failed))]), nil
}

// worse is 1 for a way out that failed as well, or whose lines are no longer there; else 0.
func (l *Line) worse() int {
	if l.Of > l.Held || l.State == Drifted || l.State == Gone {
		return 1
	}
	return 0
}

// counted leaves one line of each text, the first, with the number of sessions that have it.
func counted(lines []Line) (out []Line) {
	sessions := map[string][]string{}
	for _, l := range lines {
		known := sessions[l.Text]
		if slices.Contains(known, l.session) {
			continue
		}
		sessions[l.Text] = append(known, l.session)
		at := slices.IndexFunc(out, func(o Line) bool { return o.Text == l.Text })
		if at < 0 {
			at, out = len(out), append(out, l)
		}
		one := &out[at]
		one.Held++
		one.Vouched = one.Vouched || one.Held > 1 && (l.By.own() || l.By.Author != one.By.Author)
	}
	return out
}
