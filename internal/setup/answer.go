package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/term"
)

// Answer is the state of the settings of each agent, or what was changed.
type Answer struct {
	Action Action       `json:"action"`
	DryRun bool         `json:"dry_run,omitempty"`
	Agents []AgentState `json:"agents"`

	listed  bool     // no agent was named
	missing []string // that were named, and are not wired
}

// AgentState is one agent in one scope.
type AgentState struct {
	Agent   string      `json:"agent"`
	Title   string      `json:"title"`
	Scope   Scope       `json:"scope"`
	State   State       `json:"state"`
	Found   []string    `json:"found,omitempty"` // where it shows that the agent is used
	Files   []FileState `json:"files"`
	Trust   string      `json:"trust,omitempty"`   // how its user trusts the hooks, or ""
	Earlier []string    `json:"earlier,omitempty"` // what is of an earlier version that setup does not write, and what to do
	Notes   []string    `json:"notes,omitempty"`
	Problem string      `json:"problem,omitempty"` // why nothing could be done

	err error
}

// Err is what was wrong; nil: nothing.
func (a *Answer) Err() error {
	var errs []error
	for _, s := range a.Agents {
		errs = append(errs, s.err)
	}
	return errors.Join(errs...)
}

// Wrong reports whether something has to be done by somebody.
func (a *Answer) Wrong() bool {
	return len(a.missing) > 0 || slices.ContainsFunc(a.Agents, func(s AgentState) bool { return s.State.Wrong() })
}

// Done counts the agents for which nothing went wrong.
func (a *Answer) Done() (n int) {
	for _, s := range a.Agents {
		if s.err == nil {
			n++
		}
	}
	return n
}

// Empty reports whether no agent was found.
func (a *Answer) Empty() bool { return len(a.Agents) == 0 }

// Text is some lines for each agent.
func (a *Answer) Text(tokens int) string {
	var b strings.Builder
	if a.Empty() {
		b.WriteString("no agent was found on this machine or in this repository; episodes setup AGENT connects one all the same\n")
	}
	shown := ""
	for _, s := range a.Agents {
		if a.Action == Check && a.other(s) && s.Earlier == nil {
			continue
		}
		a.agentText(&b, s, shown)
		shown = s.Agent
	}
	if a.Action == Check && a.listed && !a.Empty() {
		b.WriteString(a.next())
	}
	return term.Cut(term.Lines(b.String()), tokens)
}

// other reports whether an agent is not wired in this scope but in another one, so that this
// state need not be shown.
func (a *Answer) other(s AgentState) bool {
	return s.State == Not && slices.ContainsFunc(a.Agents, func(o AgentState) bool {
		return o.Agent == s.Agent && (o.State != Not || o.Scope == User && s.Scope == Project)
	})
}

func (a *Answer) agentText(b *strings.Builder, s AgentState, before string) {
	where := ""
	if s.State != Not || a.Action != Check {
		where = fmt.Sprintf(" (%s settings)", s.Scope)
	}
	if s.Agent == AgentsMD {
		where = ""
	}
	if s.Trust != "" && s.State != Broken {
		where += ", not trusted yet: " + s.Trust
	}
	fmt.Fprintf(b, "%-10s %s%s\n", s.Agent, a.word(s), where)
	if s.Problem != "" {
		fmt.Fprintf(b, "           %s\n", s.Problem)
	}
	for _, f := range s.Files {
		if f.Diff != "" {
			b.WriteString(f.Diff)
			continue
		}
		if a.Action != Check && f.Change == Kept && !f.file.exists {
			continue
		}
		if a.Action != Check && (f.Change != Kept || s.State != Not) {
			fmt.Fprintf(b, "           %s: %s\n", f.Path, f.Change)
		} else if f.State.Wrong() {
			fmt.Fprintf(b, "           %s: %s\n", f.Path, f.State)
		}
	}
	for _, note := range slices.Concat(s.Earlier, s.Notes) {
		fmt.Fprintf(b, "           %s\n", note)
	}
	if a.listed && before != s.Agent && len(s.Found) > 0 && s.State == Not {
		fmt.Fprintf(b, "           found: %s\n", strings.Join(s.Found, ", "))
	}
}

// word is the state of an agent in one word, which depends on the action.
func (a *Answer) word(s AgentState) string {
	switch {
	case a.DryRun && s.State != Broken && slices.ContainsFunc(s.Files, func(f FileState) bool { return f.Diff != "" }):
		return "would be written:"
	case a.DryRun && s.State != Broken:
		return "nothing would be written"
	case a.Action != Remove || s.State != Not:
		return string(s.State)
	case slices.ContainsFunc(s.Files, func(f FileState) bool { return f.Change != Kept }):
		return "taken out"
	}
	return "was not wired"
}

// next is what to run.
func (a *Answer) next() string {
	var b strings.Builder
	var not []string
	for _, s := range a.Agents {
		switch {
		case s.State == Broken:
		case s.State.Wrong():
			fmt.Fprintf(&b, "to mend: episodes setup %s\n", s.mends())
		case s.State == Not && !a.other(s), s.State == ServerOnly && s.Scope == User:
			not = append(not, s.Agent)
		}
	}
	switch {
	case len(not) == 1:
		fmt.Fprintf(&b, "next: episodes setup %s   (--print shows what would be written)\n", not[0])
	case len(not) > 1:
		fmt.Fprintf(&b, "next: episodes setup %s, or --all   (--print shows what would be written)\n", not[0])
	}
	return b.String()
}
