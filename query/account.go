package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
	"episodes/stats"
)

// Said is what was done about an error, or chosen, as a log says, with its place in it.
type Said struct {
	Evidence
	Rationale string `json:"rationale,omitempty"`
	Node      string `json:"node,omitempty"` // of the record, in the graph
	// Of is the cause or consequence that the logs link it to, where they do not link it to
	// what was asked about.
	Of string `json:"of,omitempty"`
	// Outcomes counts the sessions that say so by how the decision ended, or else they.
	Outcomes causal.Tally `json:"outcomes"`
	// Superseded is what took the place of a decision in the newest session that says so,
	// causal.NotNamed where nothing is named; "" while it holds.
	Superseded string `json:"superseded,omitempty"`

	sessions map[string]bool
	stated   bool // its log shows or states that it ended the error
	recurred bool // the session met the error again afterwards
}

// place is a record of a session.
type place struct {
	ep     *session
	record string
}

// session is a loaded episode with what it adds to the graph, which is worked out once.
type session struct {
	*episode.Episode
	mentions map[string]causal.Mention // by record; nil: not yet worked out
}

func (s *session) mention(record string) causal.Mention {
	if s.mentions == nil {
		s.mentions = map[string]causal.Mention{}
		for _, m := range causal.Contribute(s.Episode).Mentions {
			if _, twice := s.mentions[m.Record]; !twice {
				s.mentions[m.Record] = m
			}
		}
	}
	return s.mentions[record]
}

// addFixes adds what was done about the error of a place.
func addFixes(fixes []Said, p place) []Said {
	for _, r := range p.fixes() {
		said := p.said(r, "")
		said.recurred = p.metAfter(r)
		said.stated = p.stated(said)
		fixes = addSaid(fixes, said, true)
	}
	return fixes
}

// How many mentions of a node are read, and of one session.
const (
	mostPlaces      = 100
	mostOfAnEpisode = 10
)

// places loads the episodes of mentions, the newest first.
func (e *explainer) places(mentions []causal.Mention) (out []place, err error) {
	mentions = slices.Clone(mentions)
	slices.SortStableFunc(mentions, func(a, b causal.Mention) int { return b.Day - a.Day })
	of := map[string]int{}
	mentions = slices.DeleteFunc(mentions, func(m causal.Mention) bool {
		of[m.Episode]++
		return of[m.Episode] > mostOfAnEpisode
	})
	for _, m := range mentions[:min(len(mentions), mostPlaces)] {
		s, err := e.sources.session(m.Episode)
		if err != nil {
			return nil, err
		}
		if s != nil {
			out = append(out, place{s, m.Record})
		}
	}
	return out, nil
}

// fixes returns the decisions and steps that answer or prevent an error. An effect of an
// error is such a step unless it is an error itself or a reviewer's verdict.
func (p place) fixes() (out []string) {
	if ev := p.ep.Event(p.record); ev == nil || ev.Type != episode.Error {
		return nil
	}
	for _, l := range p.ep.Links {
		switch {
		case l.Type == episode.Prevents && l.Target == p.record:
			out = append(out, l.Source)
		case l.Type == episode.Causes && l.Source == p.record && l.Target != episode.OutcomeRef:
			if ev := p.ep.Event(l.Target); (ev == nil || ev.Type != episode.Error) && !IsVerdict(p.text(l.Target)) {
				out = append(out, l.Target)
			}
		}
	}
	return out
}

// stated reports whether the log shows or states that a fix ended the error. A transcript shows it
// by a call: the command that failed passed with the difference that the call names, an edit only
// for a check. Other logs state it by an explicit link in a session that went well.
func (p place) stated(fix Said) bool {
	stated := slices.ContainsFunc(p.ep.Links, func(l episode.Link) bool {
		return l.Explicit && (l.Type == episode.Prevents && l.Source == fix.Record && l.Target == p.record ||
			l.Type == episode.Causes && l.Source == p.record && l.Target == fix.Record)
	})
	call := p.ep.Event(fix.Record)
	if call == nil {
		format := p.ep.Provenance.Source.Format
		return stated && fix.Outcomes.Success > 0 && (format == "markdown" || format == "session-json")
	}
	return stated && call.Type == episode.ToolCall && p.named(call.Content) &&
		(!strings.HasPrefix(call.Content, "edit of ") || p.check() && !strings.HasSuffix(call.Content, ", and more"))
}

// named reports whether a difference between two runs has to do with the error: it names what the
// message names, or is something that was added. Other differences, such as another folder or
// number, often come along with what really ended it.
func (p place) named(difference string) bool {
	how, what, _ := strings.Cut(difference, " ")
	_, message, _ := strings.Cut(p.ep.Event(p.record).Content, ": ")
	const shortest = 4 // letters of a word that counts
	words := func(s string) []string {
		list := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
		return slices.DeleteFunc(list, func(w string) bool { return len(w) < shortest })
	}
	in := words(message)
	return how == "with" || slices.ContainsFunc(words(what), func(w string) bool { return slices.Contains(in, w) })
}

// check reports whether the command that failed is one that runs tests.
func (p place) check() bool {
	command, _, _ := strings.Cut(p.ep.Event(p.record).Content, ": ")
	return slices.ContainsFunc(p.ep.Events, func(v episode.Event) bool {
		return v.Type == episode.Test && strings.HasPrefix(v.Content, command+": ")
	})
}

// metAfter reports whether a call that seemed to end the error met it itself, or the session met it
// after that, perhaps about another file. Lines of other logs are not in the order of what happened.
func (p place) metAfter(record string) bool {
	if call := p.ep.Event(record); call == nil || call.Type != episode.ToolCall {
		return false
	}
	spans, failure := p.ep.Provenance.Spans, p.ep.Event(p.record)
	like := keys.Like(failure.Content)
	return slices.ContainsFunc(p.ep.Events, func(v episode.Event) bool {
		same := v.Key == failure.Key && v.Key != "" || like != "" && keys.Like(v.Content) == like
		return v.Type == episode.Error && same && spans[v.ID][0] >= spans[record][0]
	})
}

// text is that of a record of the place's episode: of a decision what was chosen, without its question.
func (p place) text(record string) string {
	if d := p.ep.Decision(record); d != nil {
		return oneLine(d.Chosen)
	}
	return RecordText(p.ep.Episode, record)
}

// said describes a record of the place's episode.
func (p place) said(record, of string) Said {
	m := p.ep.mention(record)
	s := Said{Evidence: evidenceOf(p.ep.Episode, record), Node: m.Node, Of: of, Superseded: m.Superseded,
		sessions: map[string]bool{p.ep.ID: true}}
	s.Text, s.Outcome = p.text(record), p.ep.Outcome
	if s.Outcome == episode.Partial {
		s.Outcome = episode.Unknown // what in the session did not work, it does not say
	}
	if d := p.ep.Decision(record); d != nil {
		s.Rationale = oneLine(d.Rationale)
		if d.Outcome.Known() {
			s.Outcome = d.Outcome
		}
	}
	s.Outcomes.Add(s.Outcome, 1)
	return s
}

// margin is how many more sessions ended well with it than not.
func (s Said) margin() int { return 2*s.Outcomes.Success - s.Outcomes.Known() }

// Failed reports whether it ended in some session, and in none well, or whether all its sessions
// met the error again afterwards.
func (s Said) Failed() bool { return s.recurred || s.Outcomes.Known() > 0 && s.Outcomes.Success == 0 }

// Held reports whether it ended well in more sessions than not, as far as their ends are
// known.
func (s Said) Held() bool { return !s.recurred && (s.Outcomes.Known() == 0 || s.margin() > 0) }

// addSaid adds a statement, or counts the session where the list has it: in the same words
// or, where sameNode is set, as the same decision.
func addSaid(list []Said, s Said, sameNode bool) []Said {
	plainly := func(text string) string { return strings.ToLower(strings.TrimRight(text, " .:;!")) }
	for i := range list {
		if plainly(list[i].Text) != plainly(s.Text) && !(sameNode && s.Node != "" && list[i].Node == s.Node) {
			continue
		}
		if !list[i].sessions[s.Episode] {
			list[i].sessions[s.Episode] = true
			list[i].Outcomes.Add(s.Outcome, 1)
		}
		list[i].stated, list[i].recurred = list[i].stated || s.stated, list[i].recurred && s.recurred
		list[i].Rationale = cmp.Or(list[i].Rationale, s.Rationale)
		return list
	}
	return append(list, s)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// fixes are what was done about an error by its mentions, what held in most sessions first.
func (e *explainer) fixes(mentions []causal.Mention) (out []Said, err error) {
	places, err := e.places(mentions)
	for _, p := range places {
		out = addFixes(out, p)
	}
	slices.SortStableFunc(out, func(x, y Said) int {
		return cmp.Or(stats.Indicator(y.Held())-stats.Indicator(x.Held()), y.margin()-x.margin())
	})
	return out, err
}

// EndOf is the fix of the error that a node represents of which a log shows or states that it ended it; nil where none does.
func EndOf(r Reader, eps Episodes, id string) (*Said, error) {
	ms, err := r.Mentions(id)
	if err != nil {
		return nil, err
	}
	e := &explainer{r: r, sources: sources{eps: eps, seen: map[string]*session{}}}
	fixes, err := e.fixes(ms)
	at := slices.IndexFunc(fixes, func(s Said) bool { return s.stated && !s.Failed() })
	if at < 0 || err != nil {
		return nil, err
	}
	return &fixes[at], nil
}

// endOf is EndOf for a failure that a program reported.
func endOf(r Reader, eps Episodes, id string) (*Said, error) {
	n, ok, err := r.Node(id)
	if !ok || err != nil || eps == nil || n.Type != causal.EventNode || !keys.Failing(n.Key, n.Label) {
		return nil, err
	}
	end, err := EndOf(r, eps, id)
	if end != nil {
		end.Of = n.Label
	}
	return end, err
}
