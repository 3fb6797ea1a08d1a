package statements

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/actions"
	"episodes/extract/internal/lex"
	"episodes/extract/markdown"
	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/keys"
)

// Session finds the statements of a session in its turns, which come in their order.
type Session struct {
	lex    *lex.Lexicon
	out    []Statement
	spoken bool                       // a person has spoken
	last   *turns.Turn                // of the agent, since the person spoke
	worked bool                       // the agent did more than to look since then
	asked  map[string]*turns.ToolCall // questions to the person, by id
}

// New makes a Session.
func New(l *lex.Lexicon) *Session { return &Session{lex: l, asked: map[string]*turns.ToolCall{}} }

// Statements returns the statements so far, in their order.
func (s *Session) Statements() []Statement {
	rest := *s
	rest.out = slices.Clone(s.out)
	rest.closing()
	return ordered(rest.out)
}

// Add takes the next turn.
func (s *Session) Add(t turns.Turn) {
	switch {
	case t.Sub != "":
	case t.Role == turns.Agent:
		s.states()
		s.last = &t
	case t.Role == turns.Call && t.Call.Tool == turns.Ask:
		s.asked[t.Call.ID] = t.Call
	case t.Role == turns.Call && t.Call.Tool != turns.Read && t.Call.Tool != turns.Search:
		s.worked = true
		s.writes(t)
	case t.Role == turns.Result && t.Result.Said != "":
		if c := s.asked[t.Result.ID]; c != nil && t.Result.State != turns.Refused {
			s.answer(&t, c)
		} else {
			s.hear(&t, t.Result.Said, true)
		}
	case t.Role == turns.User:
		s.hear(&t, t.Text, false)
	}
}

// put adds a statement of a turn; at are its lines.
func (s *Session) put(t *turns.Turn, kind Kind, at episode.Span, text, against string) *Statement {
	who := "user"
	if t.Role == turns.Agent {
		who = "agent"
	}
	s.out = append(s.out, Statement{Kind: kind, Who: who, At: at, Time: t.Time, Text: text, Against: against})
	return &s.out[len(s.out)-1]
}

var (
	answered = lazy.Pattern(`"([^"]*)"="([^"]+)"`)
	noted    = lazy.Pattern(`user[_ ]notes?: *(.+)`)
)

// answer takes what a person answered to the questions of a call.
func (s *Session) answer(t *turns.Turn, c *turns.ToolCall) {
	s.closing()
	s.last = nil
	said, last := t.Result.Said, ""
	notes := noted().FindStringSubmatch(said)
	pairs := answered().FindAllStringSubmatch(said, -1)
	if pairs == nil && notes == nil {
		pairs = [][]string{{"", c.Text, strings.TrimSpace(said)}}
	}
	for _, p := range pairs {
		last = p[2]
		s.put(t, Decision, t.At, last, p[1]).Options = c.Options
	}
	if notes != nil && (last == "" || !strings.HasPrefix(notes[1], last)) {
		s.hear(t, notes[1], true)
	}
	s.spoken, s.worked = true, false
}

// hear takes the words of a person. refused: they are why a person refused a call, or what they wrote instead of an answer.
func (s *Session) hear(t *turns.Turn, text string, refused bool) {
	s.closing()
	text = typed(text)
	said := sentences(s.lex, t, text, t.Lines)
	var offer []sentence
	asked := false
	if s.last != nil {
		offer = sentences(s.lex, s.last, s.last.Text, nil)
		asked = asks(s.last.Text, 400)
		s.worked = s.worked || strings.Contains(s.last.Text, "```") // some formats have no calls
	}
	s.spoken = s.spoken || s.last != nil && s.worked // what was said first is not always kept
	n := len(s.out)
	if !refused && s.last != nil && len(said) > 0 {
		s.decide(t, text, said, offer, asked)
	}
	made := s.out[n:]
	for i := range said {
		x := &said[i]
		switch {
		case x.rules():
			s.put(t, Rule, x.at, x.said, "")
		case !s.spoken || slices.ContainsFunc(made, func(d Statement) bool { return strings.Contains(d.Text, x.said) }):
		case i == 0 && refused && !x.At(0, lex.ClassAssent), !x.item && (x.turns(asked) || x.objects(!asked || s.worked)), x.urges():
			words, at := x.said, x.at
			if strings.HasSuffix(words, ":") && i+1 < len(said) && !said[i+1].rules() {
				words, at[1] = words+" "+said[i+1].said, said[i+1].at[1]
			}
			s.put(t, Correction, at, words, nearest(offer, words))
		}
	}
	s.spoken, s.last, s.worked = s.spoken || len(said) > 0, nil, false
}

// decide takes what a person settles in a reply to what the agent asked or offered: a pick, an assent or an answer.
func (s *Session) decide(t *turns.Turn, text string, said, offer []sentence, asked bool) {
	first, last := &said[0], &said[len(said)-1]
	ask, choice := "", false // choice: the offer ends with what there is to pick from
	for i := range offer {
		if offer[i].asks() || !asked {
			ask = offer[i].said
		}
		choice = offer[i].item && !offer[i].asks()
	}
	reply := strings.TrimSpace(text)
	if pick, of := actions.Picked(reply, s.last.Text); pick != "" {
		s.put(t, Decision, t.At, reply, pick).Options = of
		return
	}
	nth := false
	for i := range said {
		if x := &said[i]; x.nth && asked {
			nth = true
			s.put(t, Decision, x.at, x.said, ask)
		}
	}
	switch {
	case first.asks() || last.asks() || first.objects(false) || last.objects(false) || first.nth && nth:
	case first.At(0, lex.ClassAssent), asked && first.At(0, lex.ClassDenial):
		s.put(t, Decision, first.at, first.said, ask)
	case nth, first.turns(true), first.Is(lex.ClassManner), len(reply) > 600, len(reply) > 2 && (!asked || !choice && !first.names(ask)):
	default:
		s.put(t, Decision, t.At, reply, ask)
	}
}

// nearest is the sentence that shares the most words with what was said of it, or the first.
func nearest(list []sentence, said string) (best string) {
	words, most := keys.Words(said), -1
	for i := range list {
		if n := keys.Shared(words, keys.Words(list[i].said)); n > most {
			best, most = list[i].said, n
		}
	}
	return best
}

// states takes the sentences of an agent's turn that closes nothing which choose or state a cause.
func (s *Session) states() {
	if s.last == nil {
		return
	}
	for _, x := range s.chosen() {
		if x.Is(lex.ClassGround) {
			s.put(s.last, Conclusion, x.at, x.said, "")
		}
	}
}

// chosen takes the sentences of an agent's turn that choose, and returns the others.
func (s *Session) chosen() (rest []sentence) {
	before := ""
	for _, x := range sentences(s.lex, s.last, s.last.Text, s.last.Lines) {
		if actions.Chooses(x.said, before) {
			s.put(s.last, Decision, x.at, x.said, "")
		} else {
			rest = append(rest, x)
		}
		before = x.said
	}
	return rest
}

// closing takes what the agent said last before a person speaks: its words, and what its headings and labels mark.
func (s *Session) closing() {
	t := s.last
	if t == nil {
		return
	}
	s.chosen()
	s.put(t, Conclusion, t.At, t.Text, "")
	for _, st := range Document(markdown.Parse(s.lex, []byte(t.Text))) {
		if st.Kind != Open && st.Kind != Decision {
			continue
		}
		put := s.put(t, st.Kind, placed(t, st.At), st.Text, "")
		if put.Left = st.Left; st.Ended[0] > 0 {
			put.Ended = placed(t, st.Ended)
		}
	}
}

var (
	taken   = lazy.Pattern(`(?m)^(?:@@|\*\*\* |-).*\n?`)
	boxed   = lazy.Pattern(`(?m)^\s*[-*] (?:\[ \]|[🔄⏳🚧⬜☐]) `)
	pending = lazy.Pattern(`(?m)^\s*(?://|#|--|/?\*+|<!--)\s*((?:TODO|FIXME)\b.*?)\s*(?:\*/|-->)?$`)
)

// writes takes what stays open by what the agent writes: documents, but no templates, and remarks in code.
func (s *Session) writes(t turns.Turn) {
	text, files := t.Call.New, strings.Join(t.Call.Files, "\n")
	if strings.Contains(files, "template") {
		return
	}
	if strings.HasPrefix(text, "@@") || strings.HasPrefix(text, "*** ") { // a patch
		lines := strings.Split(taken().ReplaceAllString(text, ""), "\n")
		for i, l := range lines {
			lines[i] = l[min(1, len(l)):]
		}
		text = strings.Join(lines, "\n")
	}
	var list []Statement
	if strings.HasSuffix(files, ".md") || boxed().MatchString(text) {
		d := markdown.Parse(s.lex, []byte(text))
		for _, b := range d.Blocks {
			if ticked(b) {
				ends(s.out, b.Full(), t.At)
			}
		}
		list = Document(d)
	}
	for _, m := range pending().FindAllStringSubmatch(text, -1) {
		list = append(list, Statement{Kind: Open, Text: m[1]})
	}
	t.Role = turns.Agent
	for _, st := range list {
		if st.Kind == Open && st.Ended[0] == 0 && !slices.ContainsFunc(s.out, func(o Statement) bool { return o.Kind == Open && o.Text == st.Text }) {
			s.put(&t, Open, t.At, st.Text, "")
		}
	}
}

// placed is where lines of a turn's text stand.
func placed(t *turns.Turn, lines episode.Span) episode.Span {
	if lines[1] > len(t.Lines) {
		return t.At
	}
	return episode.Span{t.Lines[lines[0]-1], t.Lines[lines[1]-1]}
}
