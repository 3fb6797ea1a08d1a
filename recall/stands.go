package recall

import (
	"cmp"
	"slices"
	"strings"
)

// A line of a question is in a document if most of it, by weight, is there word for word and in its order:
// what somebody pastes has been logged with other words around it, or in another version.
const (
	standShare  = 0.8 // of the weight of the line's words
	leastStands = 3.0 // weight of what is there; that of common words is not evidence
	standGain   = 3.0 // what it adds to the score of the document
	numberInfo  = 1.5 // weight of a number: the index has none
	gapLoss     = 0.3 // what each word between costs
	leastClause = 3   // words of a clause that is looked for by itself
	mostClauses = 12  // lines and clauses that are looked for
	mostWords   = 60  // of a line: output of programs may be one long line
	mostRead    = 400 // documents that are compared, those of the key line first
)

// wording are the words of a line, with what they weigh.
type wording struct {
	words []string
	info  map[string]float64
	all   float64
	most  float64 // of one word
	least float64 // what a text needs that has the line
}

func (f *found) wording(text string) wording {
	w := wording{info: map[string]float64{}}
	withNumbers(text, func(t term) {
		if len(w.words) == mostWords {
			return
		}
		info := numberInfo
		if t.text[0] != '#' {
			info = f.info(t.text)
		}
		w.words, w.info[t.text], w.all, w.most = append(w.words, t.text), info, w.all+info, max(w.most, info)
	})
	w.least = max(leastStands, standShare*w.within(text))
	return w
}

// pasted are the lines of the question that may be in a log, and the clauses of its key line.
func (q *Question) pasted() (out []string) {
	add := func(s string) {
		if s != "" && len(out) < mostClauses && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	add(q.Telling)
	if q.Want != AnError {
		return out
	}
	add(q.marked)
	for rest := q.Telling; ; {
		_, after, found := strings.Cut(rest, ": ")
		if !found {
			break
		}
		if rest = after; strings.Count(rest, " ") >= leastClause-1 {
			add(rest)
		}
	}
	return out
}

// standing finds the documents that have a line of the question, and by how much, by weight.
func (f *found) standing() error {
	f.stands = map[ref]float64{}
	if f.q.Want != AnError && (f.q.Want != ATask || !strings.ContainsAny(f.q.Telling, "0123456789")) {
		return nil
	}
	whole, left := f.wording(f.q.Telling), mostRead
	for _, line := range f.q.pasted() {
		w := f.wording(line)
		if w.all < leastStands || len(w.info) < 2 || line != f.q.Telling && len(w.info) < leastClause {
			continue
		}
		if strings.HasSuffix(f.q.Telling, line) && 2*len(w.info) < len(whole.info) { // what failed is in the rest
			continue
		}
		f.lines = append(f.lines, w)
		refs := f.mayHold(w)
		refs = refs[:min(len(refs), left)]
		left -= len(refs)
		for _, r := range refs {
			d, err := f.x.Segments[r.segment].document(r.doc)
			if err != nil {
				return err
			}
			if d == nil || d.Kind == Read {
				continue
			}
			if v := w.within(d.Text); v >= w.least && v > w.most {
				f.stands[r] = max(f.stands[r], v)
			}
		}
	}
	return nil
}

// standing leaves the places that have a line of the question, if there are any, and those below in their logs that
// have words of it: all others are of other errors.
func standing(all []*Place) []*Place {
	if !slices.ContainsFunc(all, (*Place).standing) {
		return all
	}
	return slices.DeleteFunc(all, func(p *Place) bool {
		return !p.standing() && (p.keyShare < followShare || !slices.ContainsFunc(all, func(o *Place) bool {
			return o.standing() && p.near(o) && p.Lines[0] >= o.Lines[0]
		}))
	})
}

// standing reports whether the place has a line of the question.
func (p *Place) standing() bool { return p.stands > 0 }

// followShare is the share of the key line that a place has that follows an error and is about it.
const followShare = 0.1

// standsAt returns the sentence of a place that has a line of the question, or -1.
func (p *Place) standsAt(all []sentence) int {
	best, top := -1, p.stands/2
	for i, s := range all {
		for _, w := range p.lines {
			if v := w.within(s.text); v > top {
				best, top = i, v
			}
		}
	}
	return best
}

// from returns the sentences from the one with the line of the question, or behind it if it says no more, at
// most most bytes of them: logs say below an error how it ended. Of several items that one is enough which
// says that itself. It returns 0, 0 without such a one.
func (p *Place) from(all []sentence, most int) (from, to int) {
	from = p.standsAt(all)
	if from < 0 {
		return 0, 0
	}
	item, row := all[from].item, strings.Contains(all[from].text, " | ")
	alone := row || p.oneOf()
	if all[from].value == 0 && from+1 < len(all) && !row {
		from++
	}
	size, own := 0, row
	for to = from; to < len(all); to++ {
		if size += len(all[to].text) + len(" / "); to > from && (size > most || alone && own && all[to].item != item) {
			break
		}
		own = own || all[to].item == item && cue(all[to].text)
	}
	return from, to
}

// mayHold returns the documents that have enough of the words: each has one of the rarest.
func (f *found) mayHold(w wording) (out []ref) {
	var known []*match
	for i := range f.matches {
		if w.info[f.matches[i].term] > 0 {
			known = append(known, &f.matches[i])
		}
	}
	slices.SortFunc(known, func(a, b *match) int { return cmp.Compare(b.info, a.info) })
	seen, spent := map[ref]bool{}, 0.0
	for _, m := range known {
		for i, list := range m.lists {
			if f.x.only != 0 && i != f.x.only-1 {
				continue
			}
			for _, p := range list {
				r := ref{i, int(p.doc)}
				if seen[r] || f.x.Dead[i][f.x.Segments[i].session(r.doc)] {
					continue
				}
				seen[r] = true
				got := w.all
				for _, o := range known {
					if !o.in(r) {
						got -= w.info[o.term] * w.times(o.term)
					}
				}
				if got >= w.least {
					out = append(out, r)
				}
			}
		}
		if spent += w.info[m.term] * w.times(m.term); spent > w.all-w.least {
			break
		}
	}
	return out
}

// times is how often the line has a word.
func (w wording) times(word string) (n float64) {
	for _, o := range w.words {
		if o == word {
			n++
		}
	}
	return n
}

// within returns the weight of the words that a text has in their order, less what is between them: the best
// local alignment (Smith and Waterman, 1981).
func (w wording) within(text string) (best float64) {
	row, last := make([]float64, len(w.words)+1), 0 // by the words of the line so far
	withNumbers(text, func(t term) {
		if w.info[t.text] == 0 {
			return
		}
		before, apart := 0.0, gapLoss*float64(max(0, t.at-last-1))
		last = t.at
		for i, word := range w.words {
			was := max(0, row[i+1]-apart)
			row[i+1] = max(was, row[i])
			if word == t.text {
				row[i+1] = max(row[i+1], before+w.info[word])
			}
			before, best = was, max(best, row[i+1])
		}
	})
	return best
}

// oneOf reports whether the line of the question is in one of several items of a place, so that what follows
// the list is about all of them.
func (p *Place) oneOf() bool {
	for _, d := range p.Docs {
		if all := sentences(d); d.Kind.prose() {
			lines := strings.Split(d.Text, "\n")
			if i := p.standsAt(all); i >= 0 && all[i].item < len(lines) {
				at := item().FindString(lines[all[i].item])
				return at != "" && slices.ContainsFunc(lines, func(l string) bool {
					return l != lines[all[i].item] && len(item().FindString(l)) == len(at)
				})
			}
		}
	}
	return false
}

// isAbout reports whether a fact near by is about the line of the question at the place: it has
// that line, or follows it at once.
func (p *Place) isAbout(d *Document) bool {
	if slices.ContainsFunc(p.lines, func(w wording) bool { return 2*w.within(d.Text) >= w.all }) {
		return true
	}
	for _, o := range p.Docs {
		if all := sentences(o); o.Kind.prose() {
			if i := p.standsAt(all); i >= 0 {
				return d.Lines[0] >= all[i].line && d.Lines[0] <= all[i].end+nextLines
			}
		}
	}
	return false
}

// nextLines is how many lines below an error a fix follows it at once.
const nextLines = 4
