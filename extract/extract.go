// Package extract turns the bytes of a session log into an episode.
//
// It never guesses: a fact is taken only where the words or the structure of
// the log show it, every item carries the lines that show it, and what the log
// does not show is "unknown" or absent. The same bytes always give the same
// episode, and text of the log is only ever data.
//
// The way of the data, one package for each step:
//
//	redact               bytes → bytes without secrets and personal data
//	markdown             bytes → document: sections, blocks, tables, with their lines
//	rules                document → facts and links, by the words around them
//	transcript/...       bytes of an agent's transcript → turns, a package for each format
//	actions              turns → facts and links, by the result of each call
//	statements           turns or document → what was said that matters later
//	internal/facts       facts → episode: ids, cross references, provenance
//
// internal/lex knows the words and judges texts by them; internal/doc is a parsed
// log of any format, internal/turns what all transcripts have in common. The next
// format is one package that makes a document, facts or turns, and a line in
// formats.go or transcripts.go.
//
// A log is redacted before its format is looked up, so no parser sees a secret. A transcript
// that consists of several files, such as those of sub-agents, becomes one episode.
// Other programs use package episodes: only that is a promise.
package extract

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
	"episodes/extract/actions"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/extract/statements"
	"episodes/internal/corrections"
	"episodes/redact"
)

// Version names the extraction rules; it is written into every episode, and a
// log is read again when it changes.
const Version = "26"

// Number is the number of the rules of an episode's provenance, which has marks behind it; 0 for
// those of others.
func Number(rules string) int {
	end := strings.IndexFunc(rules, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rules)
	}
	n, _ := strconv.Atoi(rules[:end])
	return n
}

// Newer reports whether rules are of a newer version of the program.
func Newer(rules string) bool { return Number(rules) > Number(Version) }

// Source names the log.
type Source struct {
	Path    string // relative to the root, or the base name
	Session string // the name of the session; empty: taken from Path
	Format  string // name of a format; "" to find it by the content
	Explain bool   // say also what was passed over
}

// Result is an episode and how it came about.
type Result struct {
	Episode     *episode.Episode // sealed
	Diagnostics []Diagnostic     // by line
	Taken       []Taken          // by line
	Headings    []string         // not understood, with nothing found below
	Data        []byte           // of the log, redacted, when it was read whole
	Records     []string         // of a transcript, if Source.Explain is set
	More        []*Result        // the sessions that follow in the same file
	Parts       []string         // ids that episodes of sub-agents would have, or ""
	// Acts are the calls of a transcript, computed when they are asked for; nil for logs. It
	// holds all that was read, so nobody should keep it.
	Acts func() []actions.Act
	Said func() []Said // likewise, as Words returns it
	// Statements are what was said that matters later, with its lines: computed when they are asked for.
	Statements func() []statements.Statement
}

// Diagnostic is something a user may want to know of how a log was read.
type Diagnostic = episode.Diagnostic

// Taken says what one span of the log was read as.
type Taken = facts.Taken

// Vocabulary is what a project adds to the words that extraction knows, or takes
// from them: an entry that opens with "-" is taken away.
type Vocabulary = lex.Vocabulary

// ReadVocabulary reads the TOML text of a project's vocabulary. The error says
// on which line of it what is wrong; an entry of redact that is refused is no error.
func ReadVocabulary(data []byte) (Vocabulary, error) {
	v, err := lex.ReadVocabulary(data)
	if _, refused := redact.New(redact.Config(v.Redact)); refused != nil {
		v.Refused = strings.Split(refused.Error(), "\n")
	}
	return v, err
}

// Extractor reads logs with one vocabulary. Any number of goroutines may use one.
type Extractor struct {
	lex    *lex.Lexicon
	redact *redact.Redactor
	rules  string
}

// New makes an extractor with the built-in vocabulary and the additions of a project.
func New(v Vocabulary) *Extractor {
	e := &Extractor{lex: lex.New(v), rules: Version}
	e.redact, _ = redact.New(redact.Config(v.Redact)) // without what is in v.Refused
	if !v.Empty() {
		e.rules += "+" + v.Mark()
	}
	return e
}

// Rules names the rules in use: Version, and a mark of what the project added to
// the vocabulary. It is written into every episode; a log is read again when it
// changes.
func (e *Extractor) Rules() string { return e.rules }

// Redactor takes secrets and personal data out of texts, as the extractor does.
func (e *Extractor) Redactor() *redact.Redactor { return e.redact }

// Log reads one session log. Secrets and personal data are taken out first; its lines
// stay those that they are. The error is an *InputError when the bytes are
// binary or over a limit; every text gives an episode, if only an empty one.
func (e *Extractor) Log(src Source, data []byte) (*Result, error) {
	if err := checkInput(data); err != nil {
		return nil, err
	}
	if src.Session == "" {
		src.Session = episode.SessionFromPath(src.Path)
	}
	sum := sha256.Sum256(data)
	data = bytes.ReplaceAll(data, []byte{0}, []byte(" "))
	text, counts := e.redact.Text(string(data))
	if counts != nil {
		data = []byte(text)
	}
	f := formatOf(src.Format, data)
	log := f.read(e.lex, src, data)
	stated := statements.Document(log.doc)
	log.draft.Facts = append(log.draft.Facts, e.lessons(stated)...)
	if err := checkFacts(log.draft); err != nil {
		return nil, err
	}
	ep, taken := log.draft.Build()
	ep.ID = episode.IDFromSession(src.Session)
	ep.Session = src.Session
	ep.Provenance.Source = episode.Source{Path: src.Path, SHA256: hex.EncodeToString(sum[:]), Format: f.name,
		Session: log.draft.SessionID}
	ep.Provenance.Extractor = e.Rules()
	var headings []string
	if log.unknown != nil {
		headings = log.unknown(taken)
	}
	if src.Explain && log.passedOver != nil {
		taken = append(taken, log.passedOver(taken)...)
	}
	res, err := e.finish(ep, corrections.Split(data), taken, counts, append(log.diagnostics, remarks(ep, 1)...))
	if err == nil {
		res.Data, res.Headings = data, headings
		res.Statements = func() []statements.Statement { return stated }
	}
	return res, err
}

// finish seals an episode and sorts the explanations of its facts. Texts that parsing put
// together are redacted once more: counts are of what was found before. lines are those of a log; a transcript is
// not kept, so its lessons are named without them.
func (e *Extractor) finish(ep *episode.Episode, lines corrections.Lines, taken []Taken, counts redact.Counts, diagnostics []Diagnostic) (*Result, error) {
	ep.Clean()
	found := redact.Counts{}
	found.Add(counts)
	found.Add(e.redact.Episode(ep))
	name(ep, lines)
	for i := range diagnostics {
		diagnostics[i].Message = e.redact.String(diagnostics[i].Message)
	}
	if found.Total() > 0 {
		diagnostics = append(diagnostics, Diagnostic{Line: 0, Code: "redacted", Message: "redacted: " + found.String()})
	}
	if err := ep.Seal(); err != nil {
		return nil, fmt.Errorf("seal episode: %w", err)
	}
	res := &Result{Episode: ep, Taken: taken, Diagnostics: diagnostics}
	slices.SortStableFunc(res.Taken, func(a, b Taken) int {
		return cmp.Or(cmp.Compare(a.Span[0], b.Span[0]), strings.Compare(a.What, b.What))
	})
	slices.SortStableFunc(res.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Code, b.Code))
	})
	return res, nil
}

// remarks are what a user may wonder about in an episode, whose session begins at a line.
func remarks(ep *episode.Episode, line int) []Diagnostic {
	var out []Diagnostic
	if len(ep.Decisions)+len(ep.Events)+len(ep.Lessons) == 0 {
		out = append(out,
			Diagnostic{Line: line, Code: "no-facts", Message: "nothing in this log was recognised as a decision, an event or a lesson"})
	}
	if ep.Outcome == episode.Unknown {
		out = append(out, Diagnostic{Line: line, Code: "no-outcome", Message: "the log does not show what the session came to"})
	}
	return out
}
