package agents

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"episodes/agents/agent"
)

// Every agent of the list is whole: what one part says another one does not contradict.
func TestAgentsAreWhole(t *testing.T) {
	names := map[string]*agent.Agent{}
	own := func(a *agent.Agent, name string) {
		if other := names[name]; other != nil && other != a {
			t.Errorf("%q is %s and %s", name, other.Title, a.Title)
		}
		names[name] = a
		if Named(name) != a {
			t.Errorf("%q does not lead to %s", name, a.Title)
		}
	}
	for _, a := range All() {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(a.Name) || a.Title == "" {
			t.Errorf("%q: the name must be of small letters, with a title: %q", a.Name, a.Title)
		}
		if own(a, a.Name); a.Format != nil {
			own(a, a.Format.Name)
			if a.Format.Title == "" || a.Format.Detect == nil || a.Format.Read == nil {
				t.Errorf("%s: its format is not whole", a.Name)
			}
		}
		if a.Format == nil && a.Hooks == nil && a.Actor == nil {
			t.Errorf("%s: neither transcripts nor hooks nor an actor", a.Name)
		}
		wholeTranscripts(t, a)
		wholeHooks(t, a)
		if x := a.Actor; x != nil && (x.Head == "" || x.Read == nil || x.Allow != "" && len(x.Asks) == 0) {
			t.Errorf("%s: its actor is not whole", a.Name)
		}
	}
}

func wholeTranscripts(t *testing.T, a *agent.Agent) {
	x := a.Transcripts
	switch {
	case x == nil:
	case a.Format == nil:
		t.Errorf("%s: transcripts without a format", a.Name)
	case x.Folders == nil, x.Is == nil, x.Place == nil, x.Apart && x.Member == nil:
		t.Errorf("%s: its transcripts cannot be found", a.Name)
	}
}

// wholeHooks: who calls hooks has settings to wire them in, and the other way round.
func wholeHooks(t *testing.T, a *agent.Agent) {
	if a.Hooks == nil && a.Settings == nil {
		return
	}
	if a.Hooks == nil || a.Settings == nil {
		t.Errorf("%s: hooks without settings, or settings without hooks", a.Name)
		return
	}
	word := regexp.MustCompile(`^[A-Za-z]+$`) // the lines in settings know no other events
	for _, e := range a.Hooks.Events {
		for _, name := range []string{e.Name, e.Also} {
			if found, ok := a.Hooks.Event(name); name != "" && (!ok || found.Name != e.Name || !word.MatchString(name)) {
				t.Errorf("%s: the event %q is there twice, or no word", a.Name, name)
			}
		}
		if (e.Unwired || e.Moment == agent.Silent) && e.Tools != "" {
			t.Errorf("%s %s: tools without being wired", a.Name, e.Name)
		}
		if answers := e.Moment != agent.Silent && e.Moment != agent.End; answers != (e.Answer != nil) {
			t.Errorf("%s %s: moment %s, with an answer: %v", a.Name, e.Name, e.Moment, e.Answer != nil)
		}
	}
	s := a.Settings
	if other := Named(a.Hooks.Shares); a.Hooks.Shares != "" && (other == nil || other.Hooks == nil || a.Hooks.Mark == "") {
		t.Errorf("%s runs the hooks of %q, which has none, or its payloads have no mark", a.Name, a.Hooks.Shares)
	}
	e := agent.Environment{Home: "/home/x", Getenv: func(string) string { return "" }}
	for _, files := range [][]agent.File{s.User(e, s.Home(e)), s.Project} {
		var parts []agent.Part
		for _, f := range files {
			parts = append(parts, f.Parts...)
		}
		if slices.Sort(parts); !slices.Equal(parts, []agent.Part{agent.HooksPart, agent.ServerPart}) {
			t.Errorf("%s: its files are for %v", a.Name, parts)
		}
	}
}

// Every agent gets its prompt from standard input, prints what can be read, and may change
// files; what the user says of the last replaces it.
func TestLines(t *testing.T) {
	for given, want := range map[string]string{
		"claude --model opus":                            "claude -p --output-format stream-json --verbose --permission-mode acceptEdits --model opus",
		"claude --permission-mode=plan":                  "claude -p --output-format stream-json --verbose --permission-mode=plan",
		"/opt/bin/claude --dangerously-skip-permissions": "/opt/bin/claude -p --output-format stream-json --verbose --dangerously-skip-permissions",
		"codex -m o3":                                    "codex exec --json --skip-git-repo-check --sandbox workspace-write -m o3 -",
		"codex --sandbox danger-full-access":             "codex exec --json --skip-git-repo-check --sandbox danger-full-access -",
		"gemini --yolo":                                  "gemini --output-format stream-json --yolo",
		"qwen":                                           "qwen --output-format stream-json --approval-mode auto-edit",
		"opencode --model a/b":                           "opencode run --format json --model a/b",
		"./cursor-agent --model auto":                    "./cursor-agent --print --output-format stream-json --force --model auto",
		"copilot":                                        `copilot -s --allow-all-tools --no-ask-user -p "$(cat)"`,
		"aider --model x cart.py":                        "aider --message-file /dev/stdin --no-auto-commits --no-pretty --no-stream --yes-always --model x cart.py",
		" claude  --append-system-prompt 'be brief; now' ": "claude -p --output-format stream-json --verbose --permission-mode acceptEdits --append-system-prompt 'be brief; now'",
	} {
		a, line, err := ActorLine(given)
		if err != nil || line != want || ActorNamed(a.Name) != a {
			t.Errorf("%q: %q, %v; want %q", given, line, err, want)
		}
	}
	for _, given := range []string{"", "unheard-of", "claude-wrapper"} {
		if _, _, err := ActorLine(given); err == nil || !strings.Contains(err.Error(), "one of aider, claude, ") {
			t.Errorf("%q: %v", given, err)
		}
	}
}

// What an agent says where its user is logged out, or at the limit of a plan, is no other failure.
func TestUnavailable(t *testing.T) {
	for name, says := range map[string][]string{
		"claude":  {"You've hit your limit · resets 1pm (Europe/Lisbon)", "You've hit your session limit · resets 5pm", "Claude AI usage limit reached|1750708800", "Invalid API key · Please run /login", "Credit balance is too low"},
		"codex":   {"You've hit your usage limit. Upgrade to Pro or try again in 2 days.", "exceeded retry limit, last status: 401 Unauthorized", "Quota exceeded. Check your plan and billing details."},
		"gemini":  {"You have exhausted your daily quota on this model.", `{"code":429,"status":"RESOURCE_EXHAUSTED"}`, "Please set an Auth method in your settings.json"},
		"copilot": {"Execution failed: 402 You have no quota", "Error: No authentication information found."},
	} {
		by := ActorNamed(name).Actor
		for _, said := range says {
			if !by.Unavailable().MatchString(said) {
				t.Errorf("%s: %q is not known", name, said)
			}
		}
		for _, said := range []string{"stream error: reconnecting 1/5", "API Error: 529 overloaded", "error_max_turns", "context limit reached", "the test of the login failed"} {
			if by.Unavailable().MatchString(said) {
				t.Errorf("%s: %q is another failure", name, said)
			}
		}
	}
}
