package recall

import (
	"cmp"
	"slices"
	"strings"

	"episodes/extract/statements"
	"episodes/keys"
)

// briefing collects the lines of a brief.
type briefing struct {
	x        *Index
	want     Brief
	all      []*briefed
	failures map[string]*briefed // by what failed
	words    map[string]*briefed // demands by their words
	sessions int
}

// briefed is a line that may come into a brief.
type briefed struct {
	BriefLine
	in            map[string]bool            // sessions that met it
	cures, orders map[string]map[string]bool // sessions of each
	terms         map[string]bool
	at            int // number of the newest session that met it
	score         float64
}

// read takes the lines of the newest sessions, the oldest first.
func (b *briefing) read() error {
	type place struct {
		segment, session, first int
		rank                    uint64
	}
	var list []place
	for i, s := range b.x.Segments {
		last := -1
		for doc := range s.docs {
			if n := s.session(doc); n != last && !b.x.Dead[i][n] {
				list = append(list, place{i, n, doc, s.ofSession(n, 1)})
			}
			last = s.session(doc)
		}
	}
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.rank, b.rank) })
	list = list[max(0, len(list)-mostBriefed):]
	for _, p := range list {
		s := b.x.Segments[p.segment]
		of, err := s.Session(p.session)
		if err != nil {
			return err
		}
		if b.x.countsAs(of.Episode) != of.Episode || of.Episode == b.want.Own {
			continue
		}
		b.sessions++
		if err := b.session(p.segment, p.first, of); err != nil {
			return err
		}
	}
	return nil
}

// heard is what a session has for a brief.
type heard struct {
	*briefing
	calls             []*Document
	errors, concluded []Cited
	orders            []Cited             // short ones of a person against the agent
	cures             map[string][]string // by the id of the event
	transcript        bool
}

// session takes the lines of one session.
func (b *briefing) session(segment, first int, of *Session) error {
	s, h := b.x.Segments[segment], heard{briefing: b, cures: map[string][]string{}}
	for doc := first; doc < s.docs && s.session(doc) == s.session(first); doc++ {
		kind, class := s.kind(doc), s.class(doc)
		h.transcript = h.transcript || kind == Said
		if !(kind == Said && class != Nothing || kind == Error || kind == Lesson || kind == Link && class == Fix || kind == Decision && class == Choice || kind == Event && class == Learned) {
			continue
		}
		d, err := s.document(doc)
		if err != nil {
			return err
		}
		if d == nil || d.Later != "" {
			continue
		}
		c := Cited{Kind: kindNames[d.Kind], Record: d.ID, At: d.Lines, Who: d.Who, Episode: of.Episode, Log: of.Log, Date: of.Date, Heading: d.Heading, Text: d.Text,
			Lines: d.Lines, Class: d.Class, Stated: d.stated(), session: of.Episode, name: of.Name, ref: ref{segment, doc}}
		if b.x.By != nil {
			c.By = b.x.By(of.Episode)
		}
		h.hear(d, c)
	}
	h.settle(of.Episode)
	return nil
}

// hear takes one document of the session, which c cites. A decision comes only if somebody recorded it: those of logs told readers nothing.
func (h *heard) hear(d *Document, c Cited) {
	switch {
	case c.Stated && d.Kind != Said:
		c.Text = d.line()
		h.add(BriefLine{Cited: c, Of: Recorded})
	case d.Class == Calls:
		h.calls = append(h.calls, d)
	case d.Kind == Error:
		h.errors = append(h.errors, c)
	case d.Kind == Link:
		_, target, _ := strings.Cut(d.ID, ">")
		cure, _, _ := strings.Cut(d.Text, "\n")
		h.cures[target] = append(h.cures[target], cure)
	case d.Kind == Event:
		c.Who = APerson
		if len(c.Text) <= shortOrder {
			h.orders = append(h.orders, c)
		}
		h.demands(c, true)
	case d.Class == Reverses:
		h.add(BriefLine{Cited: c, Of: Near})
	case d.Kind == Said:
		h.demands(c, false)
	case d.Kind == Lesson:
		c.Text = d.line()
		h.concluded = append(h.concluded, c)
	}
}

// settle takes what can be told only when all of a session was heard.
func (h *heard) settle(session string) {
	for _, c := range h.concluded {
		if !h.transcript {
			h.add(BriefLine{Cited: c, Of: Conclusion})
		}
	}
	failed := make([]*briefed, len(h.errors))
	for i, c := range h.errors {
		call := ""
		if at := slices.IndexFunc(h.calls, func(d *Document) bool { return overlap(d.Lines, c.Lines) }); at >= 0 {
			call, _, _ = strings.Cut(h.calls[at].Text, "\n")
		}
		if f := h.failed(c, call); f != nil {
			f.written, failed[i] = !h.transcript, f
			for _, cure := range h.cures[c.Record] {
				f.ended(cure, session)
			}
		}
	}
	for _, o := range h.orders { // are about the failure before
		last := -1
		for i, c := range h.errors {
			if c.Lines[1] <= o.Lines[0] && (last < 0 || c.Lines[0] >= h.errors[last].Lines[0]) {
				last = i
			}
		}
		if last >= 0 && failed[last] != nil {
			failed[last].answered(o.Text, session)
		}
	}
}

// failed takes a failure, nil if it says nothing to a later session.
func (b *briefing) failed(c Cited, call string) *briefed {
	key := failureKey(c.Text, call)
	if key == "" {
		return nil
	}
	f := b.failures[key]
	if f == nil {
		f = &briefed{in: map[string]bool{}, cures: map[string]map[string]bool{}, orders: map[string]map[string]bool{}}
		b.failures[key], b.all = f, append(b.all, f)
	}
	f.Cited, f.Of, f.Command, f.at, f.in[c.Episode] = c, AFailure, call, b.sessions, true
	return f
}

// ended notes what ended a failure in a session.
func (f *briefed) ended(cure, session string) {
	if f.cures[cure] == nil {
		f.cures[cure] = map[string]bool{}
	}
	f.cures[cure][session] = true
	if n := len(f.cures[cure]); n >= f.Held && proved(cure, f.Text, n) {
		f.Ended, f.Held = cure, n
	}
}

// answered notes what a person said after a failure in a session.
func (f *briefed) answered(order, session string) {
	const often = 2
	key := keys.Canonical(order)
	if f.orders[key] == nil {
		f.orders[key] = map[string]bool{}
	}
	f.orders[key][session] = true
	if n := len(f.orders[key]); n >= max(often, f.ordered) {
		f.Order, f.ordered = order, n
	}
}

func (b *briefing) add(l BriefLine) {
	b.all = append(b.all, &briefed{BriefLine: l, in: map[string]bool{l.Episode: true}, at: b.sessions})
}

// demand takes what a person demanded; said again in the same words it is one line.
func (b *briefing) demand(c Cited, lasting bool) {
	key := keys.Canonical(c.Text)
	if f := b.words[key]; f != nil {
		f.Cited, f.at, f.lasting = c, b.sessions, f.lasting || lasting
		f.in[c.Episode] = true
		return
	}
	b.add(BriefLine{Cited: c, Of: Demand, lasting: lasting})
	b.words[key] = b.all[len(b.all)-1]
}

// shortOrder is how long an order is, in bytes, that says something by being given again and again alone.
const shortOrder = 40

// demands takes the sentences of a person that demand something; corrects: the person stopped the agent to say it.
func (b *briefing) demands(c Cited, corrects bool) {
	if answer().MatchString(c.Text) {
		return
	}
	if corrects && len(c.Text) <= shortOrder {
		b.demand(c, false)
	}
	if whole := strings.TrimSpace(c.Text); corrects && corrective(whole) {
		b.demand(c, true)
		return
	}
	from := 0
	for _, at := range append(sentenceEnd().FindAllStringIndex(c.Text, -1), []int{len(c.Text), len(c.Text)}) {
		text := bullet().ReplaceAllString(strings.TrimSpace(c.Text[from:at[1]]), "")
		if abbreviated().MatchString(text) {
			continue
		}
		from = at[1]
		if corrects && corrective(text) {
			one := c
			one.Text = text
			b.demand(one, true)
		} else if statements.Demands(text) {
			one := c
			one.Text = text
			b.demand(one, statements.Lasts(text))
		}
	}
}
