package ask

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/ledger"
	"episodes/recall"
)

// BriefRequest asks for what a session is told once, at its first prompt.
type BriefRequest struct {
	Text  string // of the prompt; may be empty
	Lines int    // at most; 0: BriefLines
	Why   int    // the number of a line, from 1, of which is said why it is there; 0: none
	Own   string // the episode of the session that asks, which needs no telling
}

// BriefLines is how many lines a brief has at most, and briefTokens what they take.
const (
	BriefLines  = 20
	briefTokens = 900
)

// Check refuses a request that cannot be answered.
func (r BriefRequest) Check() error {
	if r.Lines < 0 || r.Lines > recall.MostBriefLines {
		return badParam("lines", "", fmt.Sprintf("must be at most %d", recall.MostBriefLines))
	}
	return nil
}

// BriefAnswer is a brief.
type BriefAnswer struct {
	Said  string      `json:"text"`
	Lines []BriefItem `json:"lines"`
}

// BriefItem is a line of it.
type BriefItem struct {
	Text     string           `json:"text"`
	Kind     string           `json:"kind"`      // lesson, failed, demand or conclusion
	Ref      string           `json:"ref"`       // for show
	CameBack int              `json:"came_back"` // other sessions that met it
	Evidence []AdviceEvidence `json:"evidence"`

	who, date, why string
	names          string // what somebody may do who follows it
}

// Brief returns what earlier sessions have for one that begins: what came back first, what is recent, what is near to
// the prompt and the branch.
func (m *Memory) Brief(ctx context.Context, r BriefRequest) (*BriefAnswer, error) {
	if r.Lines == 0 {
		r.Lines = BriefLines
	}
	q := recall.Analyse(recall.ATask, asked(r.Text)+"\n"+gitdir.Branch(fsstore.Real(m.Location.WorkTree())))
	loaded := m.loaded()
	var lines []recall.BriefLine
	err := m.recall(ctx, q, func(x *recall.Index) (err error) {
		lines, err = x.Brief(q, recall.Brief{Lines: r.Lines, Bytes: 4 * briefTokens, Own: r.Own, Leave: func(l *recall.BriefLine) bool {
			if !l.Vouched && m.Risk(l.Ended) != "" {
				l.Ended = ""
			}
			return !m.there(l.Episode) || !l.Vouched && m.Risk(l.Text) != "" || loaded.has(l.Line())
		}})
		return err
	})
	if err != nil {
		return nil, err
	}
	out, path, doubts := &BriefAnswer{Lines: []BriefItem{}}, m.logPaths(), verifier{m: m}
	for i := range lines {
		l := &lines[i]
		at := AdviceEvidence{Episode: l.Episode, Log: path(l.Episode, l.Log), Lines: span(l.Lines), Private: m.isPrivate(l.Episode)}
		at.Origin, _ = m.originOf(l.Episode)
		if at.NotReviewed || doubts.remark(l.Episode, l.Lines, l.Text) == NotSaid {
			continue
		}
		item := BriefItem{Text: m.inert(l.Line()), Kind: string(l.Of), Ref: l.Episode, CameBack: l.CameBack, Evidence: []AdviceEvidence{at},
			date: l.Date, why: l.Why(), names: l.Ended}
		if at.Lines != nil {
			item.Ref += fmt.Sprintf(":%d-%d", at.Lines[0], at.Lines[1])
		}
		if l.Of != recall.AFailure {
			item.who = l.Who.String()
		}
		out.Lines = append(out.Lines, item)
	}
	if r.Why > 0 {
		if out.Lines = out.Lines[min(r.Why-1, len(out.Lines)):min(r.Why, len(out.Lines))]; len(out.Lines) > 0 {
			out.Said = out.Lines[0].line() + "  " + out.Lines[0].why + "\n"
		}
		return out, nil
	}
	for i := range out.Lines {
		out.Said += out.Lines[i].line()
	}
	return out, nil
}

// line is the line as it is told: what it says, who said it and when, and where.
func (l *BriefItem) line() string {
	about := slices.DeleteFunc([]string{l.who, l.date, l.Evidence[0].place()}, func(s string) bool { return s == "" })
	return "- " + l.Text + " (" + strings.Join(about, ", ") + ")\n"
}

// place is a short reference for show.
func (at *AdviceEvidence) place() string {
	name := plain.Name(logName(cmp.Or(at.Log, at.Episode)), longestName)
	if id := strings.TrimPrefix(at.Episode, "episode-"); sessionID().MatchString(id) {
		name = id[:8]
	}
	if at.Lines == nil {
		return name
	}
	return fmt.Sprintf("%s:%d", name, at.Lines[0])
}

// Fact is what the ledger keeps of the line.
func (l *BriefItem) Fact() ledger.Fact {
	return ledger.Fact{Place: placeOf(l.Evidence[0]), Names: ledger.Names(cmp.Or(l.names, l.Text), "", l.names != "")}
}

// Unasked is the brief for an agent, which did not ask.
func (a *BriefAnswer) Unasked() string {
	if a.Empty() {
		return ""
	}
	return Quoted + plain.Inert(a.Said)
}

// Text is the answer within a budget.
func (a *BriefAnswer) Text(tokens int) string {
	return term.Cut(strings.TrimSuffix(a.Said, "\n"), tokens)
}

// Empty reports whether nothing is known.
func (a *BriefAnswer) Empty() bool { return len(a.Lines) == 0 }

// instructions are the files that agents load by themselves.
var instructions = []string{"AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules"}

// rules are folders with such files.
var rules = []string{".claude/rules", ".cursor/rules", ".github/instructions"}

// sessionID matches the ids that agents give their sessions, of which the beginning is enough.
var sessionID = lazy.Pattern(`^[0-9a-f]{8}-[0-9a-f]{4}-`)

// paragraphs are those of what agents load anyway, as the words of each.
type paragraphs []map[string]bool

// loaded reads the instructions of the work tree.
func (m *Memory) loaded() (out paragraphs) {
	tree, err := fsstore.Open(m.Location.WorkTree())
	if err != nil {
		return nil
	}
	defer tree.Close()
	files := slices.Clone(instructions)
	for _, dir := range rules {
		if sub, err := tree.Existing(filepath.FromSlash(dir)); err == nil {
			names, _ := sub.Names()
			sub.Close()
			for _, name := range names {
				files = append(files, dir+"/"+name)
			}
		}
	}
	for _, file := range files {
		data, err := tree.ReadLarge(filepath.FromSlash(file), maxManifest)
		if err != nil {
			continue
		}
		for _, p := range strings.Split(string(data), "\n\n") {
			out = append(out, recall.Terms(p))
		}
	}
	return out
}

// has reports whether one paragraph has nearly all words of a line.
func (p paragraphs) has(line string) bool {
	const most = 0.8
	words := recall.Terms(line)
	return slices.ContainsFunc(p, func(in map[string]bool) bool {
		n := 0
		for w := range words {
			if in[w] {
				n++
			}
		}
		return len(words) > 0 && float64(n) >= most*float64(len(words))
	})
}
