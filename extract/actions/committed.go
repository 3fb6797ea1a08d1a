package actions

import (
	"strings"

	"episodes/internal/lazy"
)

var (
	// longCommit is the first commit that git log and git show print: its hash and its subject.
	longCommit = lazy.Pattern(`(?m)^commit ([0-9a-f]{7,40})\b.*\n(?:\S.*\n)+\n    (\S.*)$`)
	// decorated begins a subject where git prints the names of a commit.
	decorated = lazy.Pattern(`^\([^()]*\) `)
)

// logged finds the commit of a line that prints a log behind it, if the newest commit of the log
// has the subject that the line gives: a quiet commit prints nothing itself.
func (s *step) logged(text string) *made {
	committed, shown := false, false
	for _, c := range s.line.commands {
		committed = committed || c.kind() == commit
		shown = shown || committed && (c.id() == "git log" || c.id() == "git show")
	}
	subject := s.subject()
	if !shown || subject == "" {
		return nil
	}
	for _, m := range [][]string{loggedCommit().FindStringSubmatch(text), longCommit().FindStringSubmatch(text)} {
		if m != nil && strings.TrimSpace(decorated().ReplaceAllString(m[2], "")) == subject {
			return &made{hash: m[1], message: subject}
		}
	}
	return nil
}

// takesMessage reports whether a flag of git commit is followed by the message: -m, -qam.
func takesMessage(flag string) bool {
	return flag == "--message" || strings.HasPrefix(flag, "-") && !strings.HasPrefix(flag, "--") && strings.HasSuffix(flag, "m")
}
