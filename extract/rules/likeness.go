package rules

import (
	"math"
	"slices"
	"sort"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// sameWork is the likeness from which two texts of one log are about one thing.
const sameWork = 0.5

// sameMatter is the likeness from which a choice answers an error, both cut down
// to their first clauses.
const sameMatter = 0.3

// likeness compares texts of one log by their words, each weighted by how few
// facts of the log share it.
type likeness struct {
	words  *wordTable
	weight []float64 // by word
	rare   float64   // of a word that no fact contains
	errors []worded  // by line
	work   []worded  // milestones and commits, by line
	done   []worded  // work, and checks that passed, by line
}

// worded is a fact with the words of its content.
type worded struct {
	*fact
	counted
}

// counted are the words of a fact's content, by number.
type counted struct {
	words    []int32
	clause   []int32 // of an error: of the content's first clause
	occasion []int32 // of an error: of what it says went before it
}

// count numbers the words of a fact.
func (l *likeness) count(f *fact) counted {
	c := counted{words: l.words.of(f.Content)}
	if f.isError() {
		c.clause, c.occasion = l.words.of(keys.Clause(f.Content)), l.words.of(occasion(f.Content))
	}
	return c
}

// likeness weighs the words of the facts taken so far.
func (x *extraction) likeness() *likeness {
	if x.words == nil {
		x.words = newWordTable()
	}
	l := &likeness{words: x.words}
	for _, f := range x.facts {
		c := l.count(f)
		for _, w := range c.words {
			for int(w) >= len(l.weight) {
				l.weight = append(l.weight, 0)
			}
			l.weight[w]++
		}
		switch {
		case f.Kind != facts.Event:
		case f.Event == episode.Error:
			l.errors = append(l.errors, worded{f, c})
		case f.Event == episode.Milestone && f.text.At(0, lex.ClassFind): // to find a thing is no answer to it
		case f.Event == episode.Milestone, f.Event == episode.Commit:
			l.work = append(l.work, worded{f, c})
		}
		if succeeded(f) {
			l.done = append(l.done, worded{f, c})
		}
	}
	n := float64(len(x.facts) + 1)
	for i, count := range l.weight {
		l.weight[i] = math.Log(1 + n/(count+1))
	}
	l.rare = math.Log(1 + n)
	sortByLine(l.errors)
	sortByLine(l.work)
	sortByLine(l.done)
	return l
}

func sortByLine(l []worded) {
	slices.SortStableFunc(l, func(a, b worded) int { return slices.Compare(a.Span[:], b.Span[:]) })
}

// of is the weight of the shared words over that of the text with less; 0 when
// fewer than two words are shared.
func (l *likeness) of(a, b string) float64 { return l.share(l.words.of(a), l.words.of(b)) }

func (l *likeness) share(wa, wb []int32) float64 {
	both := l.shared(wa, wb)
	if both == 0 {
		return 0
	}
	return both / min(l.sum(wa), l.sum(wb))
}

// shared is the weight of the words that both texts have; 0 when they are fewer than two.
func (l *likeness) shared(wa, wb []int32) float64 {
	both, n := 0.0, 0
	for i, j := 0, 0; i < len(wa) && j < len(wb); {
		switch {
		case wa[i] < wb[j]:
			i++
		case wa[i] > wb[j]:
			j++
		default:
			both += l.weightOf(wa[i])
			n++
			i++
			j++
		}
	}
	if n < 2 {
		return 0
	}
	return both
}

func (l *likeness) sum(words []int32) float64 {
	total := 0.0
	for _, w := range words {
		total += l.weightOf(w)
	}
	return total
}

func (l *likeness) weightOf(w int32) float64 {
	if int(w) >= len(l.weight) {
		return l.rare
	}
	return l.weight[w]
}

// near is the part of a list of facts, which are in the order of their lines, within reach
// of a line. Facts further apart than that are of different sessions in one file.
func near(list []worded, line int) []worded {
	i := sort.Search(len(list), func(i int) bool { return list[i].Span[0] >= line })
	return doc.Around(list, i)
}
