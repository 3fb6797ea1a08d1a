package actions

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/internal/turns"
)

// reported returns the line of a user's turn that names an error that a program printed; "" if there is none.
func reported(text string) string {
	if template().MatchString(text) || len(sectionHead().FindAllString(text, mostHeads)) == mostHeads {
		return "" // instructions
	}
	lines := slices.DeleteFunc(telling.Read(text), func(l telling.Line) bool {
		return l.Level >= telling.Reported && (notPrinted().MatchString(l.Text) || l.Level == telling.Reported && !errorWord().MatchString(l.Text))
	})
	if i := telling.Best(lines); i >= 0 && lines[i].Level >= telling.Reported {
		return short(lines[i].Text)
	}
	return ""
}

// mostHeads is the number of headings at which a turn is a document.
const mostHeads = 3

var (
	sectionHead = lazy.Pattern(`(?m)^#{1,6} \p{L}`)
	// notPrinted matches lines of code and of lists, and mentions of files.
	notPrinted = lazy.Pattern(`^(?:@|[-*•] |#|\d+\. |If |● \w+\()|[;{(+,]$`)
	errorWord  = lazy.Pattern(`(?i)err(?:or)?\b|err[_!]|fatal|exception|fail|denied|refused|undefined|invalid|cannot|not found|unexpected|curl: `)
)

// report is what became of an error that the user reported.
type report struct {
	cause string // the sentence of the agent that names it, or ""
	says  *step  // whose sentence it is
	done  []*step
	tried []trial
	acted bool // the agent did something about it
	ended bool // a check passed after a change, or the user went on to something else
	other bool // that is another error
}

// reports makes an error of each turn in which the user reports one, if the agent works on it, with what the agent
// found to be its cause, and the change after which it was not reported again.
func (d *drafting) reports() {
	known := map[string]bool{}
	for i, s := range d.steps {
		if s.role != turns.User || s.tells == "" || s.sub != "" || known[s.tells] {
			continue
		}
		r := d.reportAt(i)
		if !r.acted {
			continue
		}
		known[s.tells] = true
		f := d.event(episode.Error, s, "the user reports an error", s.tells)
		f.Key = failureKey(s)
		for _, t := range r.tried {
			d.vain(f, t)
		}
		if r.says != nil {
			d.link(d.event(episode.Milestone, r.says, "names the cause", "cause: "+r.cause), f, r.says, "names the cause")
		}
		if difference := changesFor(s, r.done); difference != "" && r.endsError(s) {
			end := slices.MaxFunc(r.done, func(a, b *step) int { return cmp.Or(a.speaksOf(s)-b.speaksOf(s), a.at[0]-b.at[0]) })
			fix := d.event(episode.ToolCall, end, "it is not reported again", difference)
			fix.Put = putsOf(d.session.Dir, r.done)
			d.draft.Links = append(d.draft.Links, facts.Link{From: fix, To: f, Type: episode.Prevents, Span: place(end),
				Rule: fix.Rule, Why: fix.Why})
		}
	}
}

// reportAt follows the error that is reported at step i to the first sign that it is gone, or to the end of the session.
func (d *drafting) reportAt(i int) (r report) {
	s, spoke := d.steps[i], 0
	for k, p := range d.steps[i+1:] {
		switch {
		case p.sub != "":
		case p.role == turns.User && p.answers == nil:
			if k == 0 && p.tells == s.tells {
				continue // some agents repeat what was typed
			}
			again := p.tells != "" && hashOf(p.tells) == hashOf(s.tells)
			if !again && p.corrects == "" {
				r.ended, r.other = true, p.tells != ""
				return r
			}
			if spoke++; spoke > farTurns {
				return report{tried: r.tried, acted: r.acted}
			}
			if change := changesFor(s, r.done); again && change != "" && len(r.tried) < mostTried {
				r.tried = append(r.tried, trial{change, p})
			}
			r = report{tried: r.tried, acted: r.acted}
		case p.role == turns.Agent:
			if c := causeIn(p.text); c != "" {
				r.cause, r.says = c, p
			}
		case p.role == turns.Call && (p.ended || p.edits()) && !p.failed && p.acts():
			r.ended = r.ended || p.green && p.sums && changesFor(s, r.done) != ""
			r.done, r.acted = append(r.done, p), true
		}
	}
	return r
}

// endsError reports whether what was done ended the error of f: an edit names what the error does, if that names
// anything and no other error came after it.
func (r *report) endsError(f *step) bool {
	names := slices.DeleteFunc(namesIn(f.tells), func(n string) bool { return strings.HasSuffix(n, "Error") || strings.HasSuffix(n, "Exception") })
	return r.ended && (len(names) == 0 && !r.other || slices.ContainsFunc(r.done, func(p *step) bool { return p.speaksOf(f) > 0 }))
}

// changesFor says in few words what was done about the error of f.
func changesFor(f *step, done []*step) string {
	d := differences{}
	edits, sure, _ := changesIn(f, done)
	d.edits(edits, f)
	d.after(sure)
	return d.text()
}

// causeIn returns the sentence of an agent's text that names the cause of an error; "" if there is none.
func causeIn(text string) string {
	for _, s := range sentences(text) {
		words := straight(s)
		if (namesCause().MatchString(words) || says("cause", words)) && !noCause().MatchString(words) && !asks(words) {
			return short(s)
		}
	}
	return ""
}

var (
	namesCause = lazy.Pattern(`(?i)\b(?:root cause|(?:issue|problem|error|bug|failure|culprit|reason)(?: here)? (?:is|was|occurs|occurred|happens|happened|comes|came)\b|caused by|(?:fail|break|happen|occur|crash)\w* (?:because|since|when)|because\b|due to)`)
	// noCause matches guesses, plans, advice, results, and what only announces the cause.
	noCause = lazy.Pattern(`(?i)\b(?:might|may|could|would|possibly|perhaps|probabl\w+|likely|usually|maybe|let me|I'll|I will|I need|let's|seems?|appears?|if|recommend|resolved|solved|fixed|gone|still)\b|\b(?:probable|wahrscheinlich|provavelmente|probabilmente)|可能|おそらく|아마|возможно|вероятно|[:：]\W*$`)
)
