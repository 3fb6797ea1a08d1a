package lesson

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"episodes/episode"
	"episodes/redact"
)

// Code is the rule that an entry breaks.
type Code string

// The rules.
const (
	BadForm    Code = "form"      // a word, field or length that the form does not have
	Unsafe     Code = "unsafe"    // what no lesson may say
	Secret     Code = "secret"    // a password, key or token
	NoLines    Code = "lines"     // none, or not in the log
	Foreign    Code = "foreign"   // words of code, or addresses, that the session does not have
	Unrelated  Code = "unrelated" // the cited lines speak of something else
	Turned     Code = "turned"    // the cited lines say the opposite
	NoPerson   Code = "person"    // a rule that no person said
	BadRef     Code = "reference" // of nothing that is known, or of something younger
	Cycle      Code = "cycle"
	maxEntries      = 500
)

// Reason is why an entry is not taken, in one sentence for whoever wrote it.
type Reason struct {
	Code Code
	Text string
}

func refuse(c Code, format string, args ...any) *Reason {
	return &Reason{c, fmt.Sprintf(format, args...)}
}

// Refusal is an entry that is not taken.
type Refusal struct {
	Entry Entry
	Reason
}

// Age is how old a lesson is that is referred to, against the session that refers to it.
type Age uint8

// The ages of lessons.
const (
	Nowhere Age = iota // no lesson, or none that may be referred to
	Older
	Same // of the same session
	Younger
	Unordered // known, and nothing says which is older
)

// Check holds the entries of one session to it.
type Check struct {
	By      By
	Session string // its id, else the episode's, for the ids of lessons
	Log     *Session
	Stored  bool              // the entries were taken before: ids and what the program filled in stay
	Known   func(ref Ref) Age // nil: nothing is known but what the text says
	Redact  *redact.Redactor
}

// Result is what becomes of a text.
type Result struct {
	Taken   []Entry     // in their order
	IDs     map[Ref]Ref // the names within the text, and the ids of the lessons
	Refused []Refusal
}

type checker struct {
	Check
	names   map[Ref]Ref // of lessons of this text, also of those that were refused (to "")
	own     map[Ref]bool
	follows map[string]map[Ref][]Ref // causes and enables, mends: what is taken
}

// Take holds entries to the session. A nil Log: there is nothing to hold them to yet.
func (c Check) Take(entries []Entry) Result {
	k := &checker{Check: c, names: map[Ref]Ref{}, own: map[Ref]bool{}, follows: map[string]map[Ref][]Ref{"": {}, "mends": {}}}
	if k.Redact == nil {
		k.Redact = redact.Default
	}
	why := make([]*Reason, len(entries))
	entries = slices.Clone(entries)
	double := make([]bool, len(entries))
	for i := range entries {
		e := &entries[i]
		if i >= maxEntries {
			why[i] = refuse(BadForm, "A text has %d entries at most.", maxEntries)
		} else if e.Lesson != nil {
			l := *e.Lesson
			name := l.ID
			if e.Lesson = &l; name != "" && k.names[name] != "" && !c.Stored {
				why[i] = refuse(BadForm, "Two lessons have the id %q: give one of them another.", name)
				continue
			}
			if why[i] = k.lesson(&l); why[i] == nil {
				double[i] = k.own[l.ID]
				k.own[l.ID] = true
			}
			if name != "" {
				k.names[name] = l.ID
			}
			if why[i] != nil && name != "" {
				k.names[name] = ""
			}
		}
	}
	k.mends(entries, why)
	for i := range entries {
		if e := &entries[i]; e.Lesson == nil && why[i] == nil {
			why[i] = k.other(e)
		}
	}
	out := Result{IDs: map[Ref]Ref{}}
	for i, e := range entries {
		switch {
		case why[i] != nil:
			out.Refused = append(out.Refused, Refusal{e, *why[i]})
		case !double[i]:
			out.Taken = append(out.Taken, e)
		}
	}
	for name, id := range k.names {
		if id != "" {
			out.IDs[name] = id
		}
	}
	return out
}

// mends translates what lessons mend, until no lesson that is left mends one that is not.
func (k *checker) mends(entries []Entry, why []*Reason) {
	for again := true; again; {
		again = false
		for i := range entries {
			l := entries[i].Lesson
			if l == nil || why[i] != nil || l.Mends == "" {
				continue
			}
			if _, r := k.refer(l.Mends); r != nil {
				why[i], again = r, true
				for name, id := range k.names {
					if id == l.ID {
						k.names[name] = ""
					}
				}
				delete(k.own, l.ID)
			}
		}
	}
	for i := range entries {
		if l := entries[i].Lesson; l != nil && why[i] == nil && l.Mends != "" {
			l.Mends, _ = k.refer(l.Mends)
			why[i] = k.follow("mends", l.ID, l.Mends)
		}
	}
}

// lesson checks a lesson by itself, and fills in what is worked out.
func (k *checker) lesson(l *Lesson) *Reason {
	if r := l.form(); r != nil {
		return r
	}
	texts := []*string{&l.Say, &l.More, &l.Because, &l.Was}
	for i := range l.When {
		l.When = slices.Clone(l.When)
		texts = append(texts, &l.When[i])
	}
	if r := k.safe(texts...); r != nil {
		return r
	}
	if r := l.lengths(); r != nil {
		return r
	}
	l.Unchecked = k.Log == nil || len(l.Lines) == 0
	switch {
	case k.By == Person || k.Log == nil:
	case len(l.Lines) == 0 && k.By != Agent:
		return refuse(NoLines, "A lesson cites the lines that show it.")
	case len(l.Lines) > 0:
		if r := k.held(l); r != nil {
			return r
		}
	}
	if k.Log != nil {
		if r := k.lines("proof", l.Proof); r != nil {
			return r
		}
		k.outcome(l)
	}
	if k.Stored {
		return nil
	}
	l.By, l.Touches, l.Anchors = k.By, nil, nil
	first := ""
	if k.Log != nil && len(l.Lines) > 0 {
		if r := k.lines("lines", l.Lines); r != nil {
			return r
		}
		first = k.Log.Lines[l.Lines[0][0]-1]
		for _, s := range l.Lines {
			l.Anchors = append(l.Anchors, *k.Log.Lines.Anchor(s))
		}
	}
	l.ID = ID(k.Session, k.By, first, l.Say)
	return nil
}

func (l *Lesson) form() *Reason {
	ends := []Ending{"", Held, Failed, Unknown}
	switch {
	case !slices.Contains([]Kind{Fix, Choice, Rule, Trap, Open}, l.Kind):
		return refuse(BadForm, "%q is no kind: fix, choice, rule, trap, open.", l.Kind)
	case !slices.Contains(ends, l.Outcome) || !slices.Contains(ends, l.WasOutcome):
		return refuse(BadForm, "An outcome of a lesson is held, failed or unknown.")
	case l.Outcome != "" && l.Kind != Fix && l.Kind != Choice:
		return refuse(BadForm, "A %s has no outcome: only what a fix or choice says can end.", l.Kind)
	case l.WasOutcome != "" && l.Was == "":
		return refuse(BadForm, "was_outcome is how was ended, and there is no was.")
	case l.Mends != "" && l.Kind != Fix:
		return refuse(BadForm, "Only a fix mends something, no %s.", l.Kind)
	case len(l.Lines) > MaxRanges || len(l.Proof) > MaxRanges:
		return refuse(BadForm, "%d ranges of lines are enough.", MaxRanges)
	case len(l.ID) > maxName:
		return refuse(BadForm, "An id has %d bytes at most.", maxName)
	case strings.TrimSpace(l.Say) == "":
		return refuse(BadForm, "A lesson says something: say is empty.")
	}
	return nil
}

func (l *Lesson) lengths() *Reason {
	if n := len(l.Say) + len(l.More); n > MaxTold {
		return refuse(BadForm, "It has %d bytes, and %d are the most: say one matter in a sentence.", n, MaxTold)
	}
	say, more := Cut(l.Say)
	l.Say, l.More = say, strings.TrimSpace(more+" "+l.More)
	for _, text := range []string{l.Because, l.Was} {
		if len(text) > MaxField {
			return refuse(BadForm, "because and was have %d bytes at most: %.60q has %d.", MaxField, text, len(text))
		}
	}
	if len(l.When) > MaxWhen {
		return refuse(BadForm, "when has %d phrasings, and %d are the most.", len(l.When), MaxWhen)
	}
	for _, w := range l.When {
		if n := len(strings.Fields(w)); n > MaxWords || len(w) > MaxPhrasing {
			return refuse(BadForm, "A phrasing of when has %d words at most: %.60q is too long.", MaxWords, w)
		}
	}
	return nil
}

// lines says what is wrong with ranges, and cuts those that are too long.
func (k *checker) lines(name string, l Lines) *Reason {
	for _, s := range l {
		if !k.Log.Lines.Has(s) {
			return refuse(NoLines, "%s: the log has no lines %s, it ends at %d.", name, s.Range(), len(k.Log.Lines))
		}
	}
	return nil
}

// cut is the ranges with those of more than MaxCited lines cut to the lines that hold most of a text.
func (k *checker) cut(l Lines, text string) Lines {
	words := stems(text)
	out := slices.Clone(l)
	for i, s := range out {
		if s[1]-s[0] < MaxCited {
			continue
		}
		on := make([]map[string]bool, s[1]-s[0]+1)
		for n := range on {
			on[n] = among(k.Log.Of(Lines{{s[0] + n, s[0] + n}}), words)
		}
		best, most := 0, -1
		for from := 0; from+MaxCited <= len(on); from++ {
			seen := map[string]bool{}
			for _, line := range on[from : from+MaxCited] {
				for w := range line {
					seen[w] = true
				}
			}
			if len(seen) > most {
				best, most = from, len(seen)
			}
		}
		out[i] = episode.Span{s[0] + best, s[0] + best + MaxCited - 1}
	}
	return out
}

func among(text string, words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range stems(text) {
		if slices.Contains(words, w) {
			out[w] = true
		}
	}
	return out
}

// held holds a lesson to the cited lines and the log.
func (k *checker) held(l *Lesson) *Reason {
	if r := k.lines("lines", l.Lines); r != nil {
		return r
	}
	told := l.Say + "\n" + l.More + "\n" + l.Because + "\n" + l.Was
	for _, text := range []string{l.Say, l.More, l.Because, l.Was} {
		if w := k.Log.foreign(text); w != "" {
			return refuse(Foreign, "%q does not occur in the session: use its own words for it.", w)
		}
	}
	if a := k.Log.address(append([]string{told}, l.When...)...); a != "" {
		return refuse(Foreign, "The session does not have the address %q.", a)
	}
	if !k.Stored {
		l.Lines = k.cut(l.Lines, told)
	}
	around := k.Log.at(l.Lines)
	on := k.Log.Of(l.Lines) + said(around, nil)
	if !related(l.Say+" "+l.More+" "+l.Because, on) {
		return refuse(Unrelated, "Lines %s do not speak of it: cite those that do.", l.Lines)
	}
	if l.Kind == Rule && !slices.ContainsFunc(around, func(t Turn) bool { return t.Who == ByPerson || t.Who == ByLog }) {
		return refuse(NoPerson, "A rule cites the words of a person who demands it: on lines %s no person speaks. Cite them, or call it a trap or choice.", l.Lines)
	}
	return k.Log.turned(l)
}

// String writes ranges as people do.
func (l Lines) String() string {
	var out []string
	for _, s := range l {
		out = append(out, s.Range())
	}
	return strings.Join(out, ", ")
}

// related reports whether a text shares a word of code or two stems with cited lines. One in another language is held by
// its names in code alone.
func related(text, cited string) bool {
	lower := strings.ToLower(cited)
	names := 0
	for _, w := range codeWords(text) {
		if len(w) > 3 && strings.Contains(lower, strings.ToLower(w)) ||
			slices.ContainsFunc(atoms(w), func(a string) bool { return len(a) > 2 && codeAtom(a) && strings.Contains(lower, strings.ToLower(a)) }) {
			return true
		}
		if strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			names++
		}
	}
	return len(among(cited, stems(text))) > 1 || names == 0 && otherLanguage(text, cited)
}
