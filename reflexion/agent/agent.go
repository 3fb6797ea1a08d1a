package agent

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"episodes/reflexion"
)

// kind is one agent.
type kind struct {
	name string
	// program is the name of its program, where that is another one.
	program string
	// head and tail are the arguments before and behind those of the user.
	head, tail string
	// allow lets it change files without asking anybody. It is left out where the user
	// gives one of asks, which say what it may do.
	allow string
	asks  []string
	read  func(*reading, []byte)
	// tells: it says what it costs.
	tells bool
}

var kinds = []kind{
	{name: "aider", head: "--message-file /dev/stdin --no-auto-commits --no-pretty --no-stream", allow: "--yes-always", asks: []string{"--yes", "--yes-always"}, read: readAider, tells: true},
	{name: "claude", head: "-p --output-format stream-json --verbose", allow: "--permission-mode acceptEdits",
		asks: []string{"--permission-mode", "--dangerously-skip-permissions"}, read: readClaude, tells: true},
	{name: "codex", head: "exec --json --skip-git-repo-check", tail: "-", allow: "--sandbox workspace-write",
		asks: []string{"--sandbox", "-s", "--full-auto", "--dangerously-bypass-approvals-and-sandbox", "--yolo"}, read: readCodex},
	{name: "copilot", head: "-s", tail: `-p "$(cat)"`, allow: "--allow-all-tools --no-ask-user",
		asks: []string{"--allow-tool", "--allow-all-tools", "--allow-all", "--yolo"}, read: readText},
	{name: "cursor", program: "cursor-agent", head: "--print --output-format stream-json", allow: "--force", asks: []string{"--force", "-f", "--mode"}, read: readCursor},
	{name: "gemini", head: "--output-format stream-json", allow: "--approval-mode auto_edit", asks: []string{"--approval-mode", "--yolo", "-y"}, read: readGemini},
	{name: "opencode", head: "run --format json", read: readOpencode, tells: true},
	{name: "qwen", head: "--output-format stream-json", allow: "--approval-mode auto-edit", asks: []string{"--approval-mode", "--yolo", "-y"}, read: readClaude},
}

// Names lists the agents.
func Names() (out []string) {
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

// Known reports whether there is an agent of that name.
func Known(name string) bool { return find(name) != nil }

// TellsCost reports whether an agent says what an attempt costs.
func TellsCost(name string) bool {
	k := find(name)
	return k != nil && k.tells
}

func find(name string) *kind {
	for i := range kinds {
		if k := &kinds[i]; name != "" && (k.name == name || k.program == name) {
			return k
		}
	}
	return nil
}

// Line returns the name of the agent that a user asks for, and its command line for the
// shell, which takes the prompt from standard input. given is the agent's name, or the path
// of its program, and any options for it: "claude --model opus". The words are the user's,
// and stay as they are.
func Line(given string) (name, line string, err error) {
	program, options, _ := strings.Cut(strings.TrimSpace(given), " ")
	k := find(path.Base(program))
	if k == nil {
		return "", "", fmt.Errorf("no agent %q: one of %s, or the path of its program", program, strings.Join(Names(), ", "))
	}
	if program == k.name && k.program != "" {
		program = k.program
	}
	words := []string{program, k.head}
	asked := slices.ContainsFunc(strings.Fields(options), func(w string) bool {
		w, _, _ = strings.Cut(w, "=")
		return slices.Contains(k.asks, w)
	})
	if !asked {
		words = append(words, k.allow)
	}
	words = append(words, strings.TrimSpace(options), k.tail)
	return k.name, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "), nil
}

// Answer is what an agent printed.
type Answer struct {
	Text   string // its last words to the user
	Output reflexion.ActorOutput
	Usage  reflexion.Usage
	// Failed is why it gave up, in its words; "" where it did not say that it did.
	Failed string
}

// Read reads what an agent printed, as far as it is known: all of it may be cut, or be
// other words. dir is the folder in which it worked.
func Read(name, dir string, stdout []byte) Answer {
	k := find(name)
	r := &reading{dir: dir, calls: map[string]*call{}, tokens: map[string]tokens{}}
	if k != nil {
		k.read(r, stdout)
	}
	return r.answer()
}
