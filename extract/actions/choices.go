package actions

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/keys"
)

// choices takes the decisions that agent and user state, and the user's corrections.
func (d *drafting) choices() {
	c := choosing{drafting: d, first: true, paced: d.paced()}
	for i, s := range d.steps {
		switch s.role {
		case turns.Call:
			if s.acts() && s.sub == "" {
				c.turned = nil
			}
		case turns.User:
			c.take(i, c.heard(i))
		case turns.Agent:
			c.take(i, c.stated(i))
		}
	}
}

// choosing is the state of a walk through a session that takes its decisions.
type choosing struct {
	*drafting
	made     []*facts.Fact
	first    bool        // the user has not spoken yet
	settled  bool        // the user has just decided
	paced    bool        // see there
	turned   *facts.Fact // a correction that no decision has answered yet
	turnedAt int         // its step
}

// heard takes a correction of the user, or else returns what the user decides at step i.
func (c *choosing) heard(i int) []statement {
	s := c.steps[i]
	if i > 0 && s.corrects != "" && c.steps[i-1].role == turns.User && c.steps[i-1].corrects == s.corrects {
		return nil // some agents repeat what was typed
	}
	c.turned = nil
	ordered := s.corrects != "" && corrections[0].pattern().MatchString(spelled(s.corrects))
	if s.corrects != "" && !s.refused && !rejects(s.corrects) && (c.askedBefore(i) || s.answers != nil && ordered) {
		s.corrects = ""
	}
	first := c.first
	c.first = false
	if first {
		s.corrects = ""
		return nil
	}
	if s.corrects == "" {
		return c.picks(i)
	}
	c.turned, c.turnedAt = c.event(episode.Correction, s, "the user corrects", s.corrects), i
	return nil
}

// stated returns what the agent may decide at step i.
func (c *choosing) stated(i int) (list []statement) {
	if !c.settled { // else the agent only repeats it
		list = slices.DeleteFunc(statementsIn(c.steps[i].text, c.turned != nil), func(st statement) bool {
			return c.paced && !st.root && !st.limit && !st.shown && st.rejected == "" || c.repairs(i, st)
		})
	}
	c.settled = false
	return list
}

// take makes decisions of the statements of step i that something proves; of an agent's step, of the first.
func (c *choosing) take(i int, list []statement) {
	s := c.steps[i]
	for _, st := range list {
		paced := c.paced && s.role == turns.Agent
		if paced {
			st.firm = st.root || st.rejected != "" && st.why != ""
		}
		did := c.proof(i, st)
		switch {
		case s.answers == nil && (did == nil && !st.given || repeats(c.made, st.chosen)):
			continue
		}
		answers := c.turned != nil && i-c.turnedAt <= answerSoon
		if answers && st.why == "" {
			st.why = c.turned.Content
		}
		f := c.decide(s, st)
		c.made = append(c.made, f)
		if answers {
			f.Span = near(f.Span, c.turned.Span)
			c.link(c.turned, f, s, "answers a correction")
		}
		if st.root {
			c.causes(f, i, st)
		}
		c.turned = nil
		if c.settled = s.role == turns.User; !c.settled {
			break
		}
	}
}

// paced reports whether most calls follow words of their own. That what is said is done proves little then.
func (d *drafting) paced() bool {
	calls, led := 0, 0
	for i, s := range d.steps {
		if s.role == turns.Call && s.made == nil {
			calls++
			if i > 0 && d.steps[i-1].role == turns.Agent {
				led++
			}
		}
	}
	return calls >= leastPaced && led*5 >= calls*4
}

// leastPaced is how many calls show whether a session is paced.
const leastPaced = 4

// repairs reports whether a statement at i only repeats an edit before it that failed.
func (d *drafting) repairs(i int, c statement) bool {
	for k := i - 1; k >= 0 && d.steps[k].role != turns.User; k-- {
		s := d.steps[k]
		if s.role != turns.Call || s.sub != d.steps[i].sub || !s.edits() && !s.acts() {
			continue
		}
		return s.edits() && s.failed && c.rejected == ""
	}
	return false
}

// askedBefore reports whether the agent's last words before step i end with a question.
func (d *drafting) askedBefore(i int) bool {
	for k := i - 1; k >= 0 && d.steps[k].role == turns.Agent; k-- {
		if text := strings.TrimRight(d.steps[k].text, "*_) \n"); text != "" {
			return strings.HasSuffix(text, "?")
		}
	}
	return false
}

// answerSoon is how many steps after a correction what is decided still answers it.
const answerSoon = 8

func (d *drafting) link(from, to *facts.Fact, s *step, rule string) {
	d.draft.Links = append(d.draft.Links, facts.Link{From: from, To: to, Type: episode.Causes, Span: place(s), Rule: rule})
}

// soon is how many steps after words what is done still follows them.
const soon = 16

// proof finds the step that does what a statement at i names: after it and before the next prompt, or else before it.
func (d *drafting) proof(i int, c statement) *step {
	for _, by := range []int{1, -1} {
		first, left := true, soon
		for k := i + by; k >= 0 && k < len(d.steps) && left > 0 && (by > 0 || c.past); k += by {
			s := d.steps[k]
			if s.sub != d.steps[i].sub {
				continue // steps of sub-agents may lie between
			}
			if s.role == turns.User {
				break
			}
			if s.proves(c, first && by > 0) {
				return s
			}
			first = first && (s.failed || !s.acts())
			left--
		}
	}
	return nil
}

// proves reports whether a step does what a statement says; first: nothing was done between.
func (s *step) proves(c statement, first bool) bool {
	if s.role != turns.Call || s.names == nil || s.failed {
		return false
	}
	return c.limit || (c.ways || s.acts()) && s.doesWhat(c.terms) || first && c.firm && s.acts()
}

// causes says that what a statement calls the root cause has caused the failure before it, when what was done then ended it.
func (d *drafting) causes(decision *facts.Fact, i int, c statement) {
	for k := i - 1; k >= 0 && d.steps[k].role != turns.User; k-- {
		failure := d.errors[d.steps[k]]
		if failure == nil || d.steps[k].sub != d.steps[i].sub {
			continue
		}
		ended := slices.ContainsFunc(d.draft.Links, func(l facts.Link) bool {
			return l.To == failure && l.Type == episode.Prevents && l.From.Span[0] > place(d.steps[i])[0]
		})
		if ended {
			cause := d.event(episode.Milestone, d.steps[i], "names the root cause", "cause: "+c.why)
			d.link(cause, failure, d.steps[i], "names the root cause")
			d.link(failure, decision, d.steps[i], "names the root cause")
		}
		return
	}
}

// plainOption is an option without what agents put behind the one that they favour.
func plainOption(text string) string { return recommended().ReplaceAllString(text, "") }

func (d *drafting) decide(s *step, c statement) *facts.Fact {
	at := s.where(c.chosen)
	switch {
	case c.of != nil:
		at = near(c.of.where(c.chosen), place(s))
	case c.why != "":
		at = near(at, s.where(c.why))
	}
	for _, asks := range d.steps {
		if &asks.call == s.answers {
			at = near(at, asks.at)
		}
	}
	f := &facts.Fact{Kind: facts.Decision, Span: at, Content: c.chosen, Rule: c.rule,
		Decision: episode.Decision{Type: episode.Design, Context: short(c.question), Chosen: c.chosen,
			Rationale: c.why, Outcome: episode.Unknown, Timestamp: s.time}}
	others := c.options
	if c.rejected != "" {
		others = []string{c.rejected}
	}
	if len(others) > 0 {
		f.Decision.Options = []string{c.chosen}
	}
	for _, o := range others {
		if o = plainOption(o); o != "" && o != c.chosen {
			f.Decision.Options = append(f.Decision.Options, o)
		}
	}
	d.draft.Facts = append(d.draft.Facts, f)
	return f
}

// repeats reports whether a choice was stated before in nearly the same words.
func repeats(made []*facts.Fact, chosen string) bool {
	return slices.ContainsFunc(made, func(f *facts.Fact) bool { return keys.Similarity(f.Content, chosen) >= 0.5 })
}

var (
	ordinals = []string{"first", "second", "third", "fourth", "fifth", "last"}
	picks    = lazy.Pattern(`(?i)^(?:(?:i|let's|we|please|go|do|use|try|pick|choose|take|like|prefer|with|the|number|option|yes|ok|think|i'd|say|definitely)[, ]+)*#?(first|second|third|fourth|fifth|last|[1-8a-h])(?:\)|\.)?(?: (?:one|option|approach|sounds|is|looks|seems|please|way|makes|then|but|and|it)\b.*)?[.! ]*$`)
	assents  = lazy.Pattern(`(?i)^(?:yes|yep|yeah|yup|sure|ok(?:ay)?|do (?:it|that|so)|go (?:ahead|for it)|please do|sounds? good|agreed?|correct|perfect|great|let's do (?:it|that)|y)\b`)
	offers   = lazy.Pattern(`(?i)\b(?:want me|shall i|should i|do you want|would you like|ok(?:ay)? to|sound good|agree|proceed)\b.*\?\W*$`)
	proposes = lazy.Pattern(`(?i)\b(?:could|would|should|instead|cleaner|simpler|better|recommend|suggest|propose|approach|i'll|i'd|the fix)\b`)
	option   = lazy.Pattern(`(?i)^(?:[-*] )?\**(?:option )?([1-8a-h一二三四五六七八])(?:(?:\.|\)|:| [-—–])\**:? +|[：、]\**)(.+)$`)
	noChoice = lazy.Pattern(`(?i)^(?:up to you|you (?:decide|choose|pick)|your call|whatever|either|any|next\b|skip|not sure|i don't (?:know|care|mind)|no preference|continue|chat about|other)\b|\?$`)

	answered    = lazy.Pattern(`(?:"([^"]*))?"="([^"]+)"`)
	recommended = lazy.Pattern(`(?i) *\((?:recom\p{L}+|default|empfohlen|consigliato|推荐|推薦|おすすめ|추천|рекоменд\p{L}+)\)`)
)
