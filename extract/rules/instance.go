package rules

import (
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/internal/lazy"
)

// instance takes what the session worked on from the front matter and from labels near the
// start of the log.
func (x *extraction) instance() {
	var w facts.Worked
	for i := range len(x.doc.Meta) + len(x.doc.Blocks) {
		b := x.doc.At(i)
		if b.Kind == doc.Code || b.Span[0] > x.early() {
			continue
		}
		text := strings.TrimSpace(b.Text.Raw)
		switch {
		case taskLabel().MatchString(b.Label):
			w.Task(text)
		case issueLabel().MatchString(b.Label):
			w.Issue(text)
		case pullLabel().MatchString(b.Label):
			w.Pull(text)
		case branchLabel().MatchString(b.Label):
			w.Branch(text)
		}
	}
	x.draft.Instance = w.One()
}

var (
	taskLabel   = lazy.Pattern(`(?i)^(?:task|instance)[ _-]?id$`)
	issueLabel  = lazy.Pattern(`(?i)^(?:github )?(?:issues?|tickets?)$`)
	pullLabel   = lazy.Pattern(`(?i)^(?:github )?(?:prs?|pull requests?|merge requests?)$`)
	branchLabel = lazy.Pattern(`(?i)^(?:git |feature |working |current )?branch$`)
)
