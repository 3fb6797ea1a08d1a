package episode

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"episodes/internal/lazy"
)

// LessonKind is the kind of a lesson.
type LessonKind string

// The kinds of lessons.
const (
	FixLesson    LessonKind = "fix"    // an error and what ended it
	ChoiceLesson LessonKind = "choice" // one of several ways, and why
	RuleLesson   LessonKind = "rule"   // what a person demands of work to come
	TrapLesson   LessonKind = "trap"   // what goes wrong here unless…
	OpenLesson   LessonKind = "open"   // one matter that was left unfinished
)

// LessonKinds lists the kinds of lessons.
func LessonKinds() []LessonKind {
	return []LessonKind{FixLesson, ChoiceLesson, RuleLesson, TrapLesson, OpenLesson}
}

// Ending is how what a lesson says ended in its session: held, failed, unknown, or "".
type Ending string

// Return is what became of an earlier lesson: met (it came back), held, failed, done, overtaken.
type Return string

// RelationType is how two lessons belong together: causes, enables, prevents, supersedes, refutes, disagrees.
type RelationType string

// Author is who says something: agent (of the session), reader, person, rules.
type Author string

// ByRules is the author of what the rules find.
const ByRules Author = "rules"

// LessonRef names a lesson: by its id, by an episode and its id, or by a name within one text.
type LessonRef string

// Lesson is one sentence for work to come, and what it stands on.
type Lesson struct {
	ID         LessonRef  `json:"id,omitempty"`
	Kind       LessonKind `json:"kind,omitempty"`
	When       Phrasings  `json:"when,omitempty"` // of situations in which it is needed
	Say        string     `json:"say,omitempty"`
	More       string     `json:"more,omitempty"` // what of it is never pushed
	Because    string     `json:"because,omitempty"`
	Was        string     `json:"was,omitempty"` // what was tried or held before
	WasOutcome Ending     `json:"was_outcome,omitempty"`
	Outcome    Ending     `json:"outcome,omitempty"` // of what it says
	Proof      Ranges     `json:"proof,omitempty"`   // the lines that show it; none: Lines
	Mends      LessonRef  `json:"mends,omitempty"`   // the lesson whose problem it ends
	Lines      Ranges     `json:"lines,omitempty"`
	Anchors    []Anchor   `json:"anchors,omitempty"` // of Lines; filled by the program, as Touches are
	Touches    []Touch    `json:"touches,omitempty"`
	By         Author     `json:"by,omitempty"`
	At         string     `json:"at,omitempty"` // when it was said, RFC 3339
	// Unchecked: there was nothing to hold it to. It is worked out anew.
	Unchecked bool `json:"unchecked,omitempty"`
}

// Touch is code that was edited near the cited lines.
type Touch struct {
	File   string `json:"file"`
	Symbol string `json:"symbol,omitempty"`
	Commit string `json:"commit,omitempty"`
	Hash   string `json:"hash,omitempty"`  // of its text then
	State  string `json:"state,omitempty"` // fresh, drifted, gone; worked out anew
}

// Again is what became of an earlier lesson in this session.
type Again struct {
	Of     LessonRef `json:"again"`
	What   Return    `json:"what"`
	Lesson LessonRef `json:"lesson,omitempty"` // of this session, which says it
	Remedy string    `json:"remedy,omitempty"` // words, or a reference
	Say    string    `json:"say,omitempty"`    // the sentence of the earlier one
	Why    string    `json:"why,omitempty"`
	Lines  Ranges    `json:"lines,omitempty"`
	Stated *bool     `json:"stated,omitempty"` // false: no lines say it
}

// Relation is how two lessons belong together.
type Relation struct {
	Type   RelationType `json:"link"`
	From   LessonRef    `json:"from"`
	To     LessonRef    `json:"to"`
	Lines  Ranges       `json:"lines,omitempty"`
	Stated *bool        `json:"stated,omitempty"`
}

// Limits of what a lesson says, in bytes.
const (
	MaxSay   = 240
	MaxTold  = 800 // say and more together
	MaxField = 120 // because, was
)

// NewLessonID works out the id of a lesson of a session, or else an episode; first is the first cited line as it is kept, or "".
func NewLessonID(session string, by Author, first, say string) LessonRef {
	h := sha256.Sum256([]byte(session + "\n" + string(by) + "\n" + first + "\n" + say + "\n"))
	return LessonRef("l" + hex.EncodeToString(h[:4]))
}

// cuts are the ends of sentences, of clauses and of words.
var cuts = []func() *regexp.Regexp{lazy.Pattern(`(?s)^.{40,}(?:[.!?]\s|[。！？])`), lazy.Pattern(`(?s)^.{40,}(?:[;:,]\s|\s[-–—]\s|[；，、])`), lazy.Pattern(`(?s)^.{40,}\s`)}

// CutLesson divides what is too long for Say at the end of a sentence, else of a clause, else of a word.
func CutLesson(text string) (say, more string) {
	if len(text) <= MaxSay {
		return text, ""
	}
	say = strings.ToValidUTF8(text[:MaxSay], "")
	for _, end := range cuts {
		if head := end().FindString(say); head != "" {
			say = head
			break
		}
	}
	return strings.TrimRight(say, " ,;:-–—；，、"), strings.TrimSpace(text[len(say):])
}

// Anchor holds on to lines by their text.
type Anchor struct {
	Lines Span   `json:"lines"`          // where they were
	Hash  string `json:"hash,omitempty"` // of the first line, and of all; "": no log
}

// Phrasings are ways to say one thing; a single one may stand without a list.
type Phrasings []string

// UnmarshalJSON takes a text or a list of texts. Empty ones are absent.
func (p *Phrasings) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		data = []byte("[" + string(data) + "]")
	}
	var list []string
	if json.Unmarshal(data, &list) != nil {
		return errors.New("when is a list of texts")
	}
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			*p = append(*p, s)
		}
	}
	return nil
}

// UnmarshalJSON takes a name of any form.
func (r *LessonRef) UnmarshalJSON(data []byte) error {
	s := string(data)
	if data[0] == '"' {
		json.Unmarshal(data, &s)
	}
	*r = LessonRef(strings.TrimSpace(s))
	return nil
}

// Ranges are ranges of lines of a log, each with both ends.
type Ranges []Span

var ranges = lazy.Pattern(`\[\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\]|(\d{1,9})\s*(?:-|–|\.\.)\s*L?(\d{1,9})|(\d{1,9})`)

// UnmarshalJSON takes pairs, one pair, a single line, and texts such as "3-5,8".
func (l *Ranges) UnmarshalJSON(data []byte) error {
	text := string(data)
	if strings.Trim(ranges().ReplaceAllString(text, ""), "[]\",;L \t\n") != "" {
		return fmt.Errorf("lines are pairs such as [[3,5],[8,8]] or a text such as \"3-5,8\", not %.60s", text)
	}
	*l = nil
	for _, m := range ranges().FindAllStringSubmatch(text, -1) {
		a, _ := strconv.Atoi(m[1] + m[3] + m[5])
		b, err := strconv.Atoi(m[2] + m[4])
		if err != nil {
			b = a
		}
		*l = append(*l, Span{a, b})
	}
	return nil
}

// String writes ranges as people do.
func (l Ranges) String() string {
	var out []string
	for _, s := range l {
		out = append(out, s.Range())
	}
	return strings.Join(out, ", ")
}
