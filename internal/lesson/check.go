package lesson

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/keys"
	"episodes/redact"
)

// Code is the rule that an entry breaks.
type Code string

// The rules.
const (
	BadForm   = "form"      // a word, field or length that the form does not have
	Unsafe    = "unsafe"    // what no lesson may say
	Secret    = "secret"    // a password, key or token
	NoLines   = "lines"     // none, or not in the log
	Foreign   = "foreign"   // words of code, or addresses, that the session does not have
	Unrelated = "unrelated" // the cited lines speak of something else
	Turned    = "turned"    // the cited lines say the opposite
	NoPerson  = "person"    // a rule that no person said
	BadRef    = "reference" // of nothing that is known, or of something younger
	Cycle     = "cycle"
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
	Session string   // its id, else the episode's, for the ids of lessons
	Log     *Session // nil: there is nothing yet to hold them to
	Stored  bool     // the entries were taken before: ids and what the program filled in stay
	Known   func(ref Ref) Age
	Names   map[Ref]Ref // IDs of the sessions before in the same text
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
	names map[Ref]Ref // of lessons of this text, also of those that were refused
	own   map[Ref]bool
	leads map[Ref][]Ref // causes and enables that are taken
}

// twice marks a lesson that the text has already.
var twice = &Reason{}

// Take holds entries to the session. It fills in and translates what they point to.
func (c Check) Take(entries []Entry) Result {
	k := &checker{c, map[Ref]Ref{}, map[Ref]bool{}, map[Ref][]Ref{}}
	why := make([]*Reason, len(entries))
	given := make([]Ref, len(entries)) // names
	for i, e := range entries {
		l := e.Lesson
		if l == nil {
			continue
		}
		given[i] = l.ID
		known := k.names[l.ID]
		switch why[i] = k.lesson(l); {
		case why[i] != nil:
			l.ID = ""
		case given[i] != "" && known != "" && known != l.ID:
			why[i] = refuse(BadForm, "Two lessons have the id %q: give one of them another.", given[i])
			continue
		case k.own[l.ID]:
			why[i] = twice
		}
		if k.own[l.ID] = true; known == "" {
			k.names[given[i]] = l.ID
		}
	}
	delete(k.names, "")
	delete(k.own, "")
	for i := 0; i < len(entries); i++ {
		if l := entries[i].Lesson; l != nil && why[i] == nil && l.Mends != "" {
			id, r := k.refer(l.Mends)
			if id == l.ID {
				r = refuse(BadRef, "A fix mends another lesson, not itself.")
			}
			if why[i] = r; r != nil {
				delete(k.own, l.ID)
				i = -1 // others may mend it
			}
		}
	}
	out := Result{IDs: k.names}
	for i, e := range entries {
		switch {
		case e.Lesson == nil:
			why[i] = k.other(&e)
		case why[i] != nil:
			e.Lesson.ID = given[i]
		default:
			e.Lesson.Mends, _ = k.refer(e.Lesson.Mends)
		}
		if why[i] == nil {
			out.Taken = append(out.Taken, e)
		} else if why[i] != twice {
			out.Refused = append(out.Refused, Refusal{e, *why[i]})
		}
	}
	maps.DeleteFunc(k.names, func(_, id Ref) bool { return !k.own[id] })
	return out
}

// holds reports whether there is a log to which the author is held.
func (k *checker) holds() bool { return k.Log != nil && k.By != Person }

// lesson checks a lesson by itself, and fills in what is worked out.
func (k *checker) lesson(l *Lesson) *Reason {
	r := cmp.Or(k.text(l, true), k.lines(append(slices.Clone(l.Lines), l.Proof...)))
	if r == nil && k.holds() {
		r = k.held(l)
	}
	if r != nil {
		return r
	}
	first := ""
	if k.Log != nil && len(l.Lines) > 0 {
		first = k.Log.Lines[l.Lines[0][0]-1]
	}
	l.Unchecked = k.By != Person && (k.Log == nil || len(l.Lines) == 0)
	if !k.Stored || l.ID == "" {
		l.By, l.Touches, l.Anchors, l.ID = k.By, nil, nil, episode.NewLessonID(k.Session, k.By, first, l.Say)
	}
	return nil
}

// oneOf refuses a word that is not in a list.
func oneOf[T ~string](word T, list string) *Reason {
	if slices.Contains(strings.Split(list, ", "), string(word)) {
		return nil
	}
	return refuse(BadForm, "%q is not one of these: %s.", word, strings.Trim(list, ", "))
}

// text checks the fields of a lesson, whole or what a correction changes, without a session.
func (k *checker) text(l *Lesson, whole bool) *Reason {
	l.When = slices.Clone(l.When)
	texts := []*string{&l.Say, &l.More, &l.Because, &l.Was}
	long := false
	for i := range l.When {
		texts = append(texts, &l.When[i])
		long = long || len(strings.Fields(l.When[i])) > MaxWords || len(l.When[i]) > MaxTold
	}
	const kinds, endings = "fix, choice, rule, trap, open", "held, failed, unknown, "
	if r := cmp.Or(k.safe(texts...), oneOf(cmp.Or(l.Kind, Fix), kinds), oneOf(l.Outcome, endings), oneOf(l.WasOutcome, endings)); r != nil {
		return r
	}
	switch other := l.Kind == Rule || l.Kind == Trap || l.Kind == Open; {
	case whole && (l.Kind == "" || l.Say == ""):
		return refuse(BadForm, "A lesson has a say and a kind: %s.", kinds)
	case other && l.Outcome != "", other && l.Mends != "", l.Kind == Choice && l.Mends != "", whole && l.WasOutcome != "" && l.Was == "":
		return refuse(BadForm, "Only a fix or choice has an outcome, only a fix mends, and was_outcome is how was ended: this is a %s.", l.Kind)
	case long, len(l.Lines)+len(l.Proof) > MaxRanges, len(l.ID) > MaxSay, len(l.When) > MaxWhen:
		return refuse(BadForm, "At most %d phrasings of %d words, %d ranges of lines, and a short id.", MaxWhen, MaxWords, MaxRanges)
	case len(l.Say)+len(l.More) > MaxTold, max(len(l.Because), len(l.Was)) > MaxField:
		return refuse(BadForm, "say has %d bytes at most, because and was %d: one matter in a sentence.", MaxTold, MaxField)
	}
	say, more := episode.CutLesson(l.Say)
	l.Say, l.More = say, strings.TrimSpace(more+" "+l.More)
	return nil
}

// lines says what is wrong with ranges.
func (k *checker) lines(l Lines) *Reason {
	for _, s := range l {
		if k.Log != nil && !k.Log.Lines.Has(s) {
			return refuse(NoLines, "The log has no lines %s: it ends at %d.", s.Range(), len(k.Log.Lines))
		}
	}
	return nil
}

// held holds a lesson to the cited lines and the log.
func (k *checker) held(l *Lesson) *Reason {
	s, told := k.Log, l.Say+"\n"+l.More+"\n"+l.Because
	if r := cmp.Or(s.foreign(told, l.Was), s.address(told, l.Was, strings.Join(l.When, "\n"))); r != nil {
		return r
	}
	if len(l.Lines) == 0 {
		if k.By == Agent {
			return nil
		}
		return refuse(NoLines, "A lesson cites the lines that show it.")
	}
	l.Lines = s.cut(l.Lines, stems(told), l.Kind == Rule)
	if !related(told, s.around(l.Lines)) {
		return refuse(Unrelated, "Lines %s do not speak of it: cite those that do.", l.Lines)
	}
	if l.Kind == Rule && !s.spoken(l.Lines) {
		return refuse(NoPerson, "A rule cites the words of a person, and none speaks on lines %s: make it a trap.", l.Lines)
	}
	proof := l.Proof
	if len(proof) == 0 {
		proof = l.Lines
	}
	if !s.shows(proof, l.Outcome) {
		l.Outcome = Unknown
	}
	return s.turned(l)
}

// spoken reports whether a person speaks on these lines.
func (s *Session) spoken(l Lines) bool {
	return slices.ContainsFunc(s.at(l), func(t Turn) bool { return t.Who == ByPerson || t.Who == ByLog })
}

// cut is the ranges, with those of more than MaxCited lines cut to the lines that hold most of some words; of a rule to those
// with a person.
func (s *Session) cut(l Lines, words []string, rule bool) Lines {
	out := slices.Clone(l)
	for i, x := range l {
		sums, best := []int{0}, -1 // of the lines before one
		for n := x[0]; n <= x[1] && x[1]-x[0] >= MaxCited; n++ {
			line := Lines{{n, n}}
			sum := sums[n-x[0]] + keys.Shared(words, stems(s.Of(line)))
			if rule && s.spoken(line) {
				sum += MaxTold
			}
			sums = append(sums, sum)
			if from := len(sums) - 1 - MaxCited; from >= 0 && sum-sums[from] > best {
				best, out[i] = sum-sums[from], episode.Span{n - MaxCited + 1, n}
			}
		}
	}
	return out
}

// related reports whether a text shares a word of code or two stems with cited lines. One in another language is held by
// its words of code alone.
func related(text, cited string) bool {
	lower, codes := strings.ToLower(cited), codeWords(text)
	for _, a := range append(atoms(strings.Join(codes, " ")), codes...) {
		if len(a) > 2 && isCode(a) && strings.Contains(lower, strings.ToLower(a)) {
			return true
		}
	}
	named := slices.ContainsFunc(codes, func(w string) bool { return piece().MatchString(strings.Trim(w, "0123456789")) })
	return keys.Shared(stems(text), stems(cited)) > 1 || !named && otherLanguage(text) != otherLanguage(cited)
}
