package actions

import (
	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
	"episodes/keys"
)

// choices takes the decisions that agent and user state, and the user's corrections.
func (d *drafting) choices() {
	var said []string // chosen so far, to recognize repetitions
	last := d.lastCall()
	first, settled := true, false
	var turned *facts.Fact // a correction that no decision has answered yet
	turnedAt := 0
	for i, s := range d.steps {
		switch s.role {
		case turns.User:
			if !first && s.corrects != "" {
				turned, turnedAt = d.event(episode.Correction, s, "the user corrects", s.corrects), i
			} else {
				turned = nil
			}
			first = false
			if s.answers != nil && turned == nil {
				for _, c := range s.answered() {
					said = append(said, c.chosen)
					d.decide(s, c)
				}
				settled = true
			}
		case turns.Agent:
			if i > last && d.ownsWork(i) {
				continue // the summary at the end repeats
			}
			if settled { // the agent only repeats it
				settled = false
				continue
			}
			c, ok := choiceIn(s.text, d.editsNext(i))
			if !ok || repeats(said, c.chosen) {
				continue
			}
			said = append(said, c.chosen)
			f := d.decide(s, c)
			if turned != nil && i-turnedAt <= answerSoon {
				d.draft.Links = append(d.draft.Links, facts.Link{From: turned, To: f, Type: episode.Causes, Span: place(s), Rule: "answers a correction", Why: "answers a correction"})
			}
			turned = nil
		}
	}
}

// answerSoon is how many steps after a correction what is decided still answers it.
const answerSoon = 8

// answered are the choices of the human in an answer to what the agent asked.
func (s *step) answered() []choice {
	pairs := answered().FindAllStringSubmatch(s.text, -1)
	if pairs == nil {
		return []choice{{question: oneLine(s.answers.Text), chosen: plainOption(firstSentence(s.text)), options: s.answers.Options, rule: "the user chooses"}}
	}
	var out []choice
	for _, m := range pairs {
		c := choice{question: oneLine(m[1]), chosen: plainOption(m[2]), rule: "the user chooses"}
		if len(pairs) == 1 {
			c.options = s.answers.Options
		}
		out = append(out, c)
	}
	return out
}

// plainOption is an option without what agents put behind the one that they favour.
func plainOption(text string) string { return recommended().ReplaceAllString(text, "") }

func (d *drafting) decide(s *step, c choice) *facts.Fact {
	f := &facts.Fact{Kind: facts.Decision, Span: place(s), Content: c.chosen, Rule: c.rule, Why: c.rule,
		Decision: episode.Decision{Type: episode.Design, Context: short(c.question), Chosen: c.chosen, Rationale: c.why, Outcome: episode.Unknown, Timestamp: s.time}}
	switch {
	case c.rejected != "":
		f.Decision.Options = []string{c.chosen, c.rejected}
	case len(c.options) > 0:
		f.Decision.Options = []string{c.chosen}
		for _, o := range c.options {
			if o = plainOption(o); o != "" && o != c.chosen {
				f.Decision.Options = append(f.Decision.Options, o)
			}
		}
	}
	d.draft.Facts = append(d.draft.Facts, f)
	return f
}

// lastCall is the index of the last call.
func (d *drafting) lastCall() int {
	last := -1
	for i, s := range d.steps {
		if s.role == turns.Call {
			last = i
		}
	}
	return last
}

// ownsWork reports whether there are calls between the last words of the human and a step.
func (d *drafting) ownsWork(i int) bool {
	for k := i - 1; k >= 0; k-- {
		switch d.steps[k].role {
		case turns.User:
			return false
		case turns.Call:
			return true
		}
	}
	return true
}

// soon is how many steps after words an edit still follows them.
const soon = 4

// editsNext reports whether the next thing that changes something after the words at i is
// an edit, before anybody says more.
func (d *drafting) editsNext(i int) bool {
	for k := i + 1; k < min(i+1+soon, len(d.steps)); k++ {
		s := d.steps[k]
		if s.role != turns.Call {
			return false
		}
		if s.call.Tool == turns.Edit || s.call.Tool == turns.Write {
			return true
		}
	}
	return false
}

// repeats reports whether a choice was stated before in nearly the same words.
func repeats(said []string, chosen string) bool {
	for _, s := range said {
		if keys.Similarity(s, chosen) >= 0.5 {
			return true
		}
	}
	return false
}
