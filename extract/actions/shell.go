package actions

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"episodes/internal/lazy"
	"episodes/keys"
)

// shellLine is what a line of shell runs.
type shellLine struct {
	commands []command
	env      []string // assignments that the line exports
	dirs     []string // folders that it changes to
	codes    bool     // it prints the exit code of its last check
	pipefail bool
	errexit  bool
	loose    bool // beyond the grammar: commands are uncertain
	depth    int
}

// identity is what a command is, found once.
type identity struct {
	id   string
	kind checkKind
}

// command is a simple command of a line.
type command struct {
	name   string   // of the program, without its folder
	known  identity // once it is parsed
	via    string   // the program that runs it; "" for none
	args   []string // words after it; "" for what is not plain text
	quiet  bool     // its errors are thrown away
	feeds  bool     // its output goes into another command
	caught bool     // followed by "||"
	env    []string // assignments in front of it
	writes string   // the file that its output goes to; "" for none
	by     *step    // that runs it, where it was looked for
	// masked: its exit code is not that of the line, because of a pipe, "|| true" or a command
	// behind a semicolon.
	masked bool
}

// parseShell finds the commands of a line. What is not of the shell's grammar (other
// shells, cut lines) is parted by separators and quotes alone.
func parseShell(line string) shellLine { return shellLineIn(line, 0) }

// mostNested is how deep scripts in arguments are read: bash -c "sh -c '…'".
const mostNested = 3

func shellLineIn(line string, depth int) shellLine {
	l := shellLine{depth: depth}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.RecoverErrors(5)).Parse(strings.NewReader(line), "")
	if err != nil || f == nil {
		l.loosely(line)
		return l
	}
	l.sequence(f.Stmts, command{})
	return l
}

// sequence adds statements of which the last one has the exit code.
func (l *shellLine) sequence(list []*syntax.Stmt, in command) {
	for i, st := range list {
		before := len(l.commands)
		l.stmt(st, in)
		if i > 0 && l.reportsCode(st) { // of what ran before it
			for k := range l.commands[:before] {
				l.commands[k].masked = in.masked
			}
		} else if i > 0 && !l.errexit {
			for k := range l.commands[:before] {
				l.commands[k].masked = true
			}
		}
	}
}

// reportsCode reports whether a statement ends with the exit code of what ran before it, and
// takes note of one that prints it.
func (l *shellLine) reportsCode(st *syntax.Stmt) bool {
	call, _ := st.Cmd.(*syntax.CallExpr)
	if call == nil || len(call.Args) < 2 {
		return false
	}
	switch wordText(call.Args[0]) {
	case "exit", "return":
		return exitCode().MatchString(wordText(call.Args[1]))
	case "echo", "printf":
		l.codes = l.codes || exitCode().MatchString(wordText(call.Args[len(call.Args)-1]))
	}
	return false
}

// exitCode matches the variables of shells that hold an exit code.
var exitCode = lazy.Pattern(`(?i)\$(?:\?|PIPESTATUS|LASTEXITCODE|rc|status|ret|code|exit_?code)\b|\$\?`)

// stmt adds the commands of a statement, with what it is part of.
func (l *shellLine) stmt(st *syntax.Stmt, in command) {
	if st == nil {
		return
	}
	in.quiet = in.quiet || quiet(st.Redirs)
	in.masked = in.masked || st.Background
	in.writes = cmp.Or(written(st.Redirs), in.writes)
	switch x := st.Cmd.(type) {
	case *syntax.CallExpr:
		var env []string
		for _, a := range x.Assigns {
			if a.Name != nil && a.Value != nil {
				env = append(env, a.Name.Value+"="+wordText(a.Value))
			}
		}
		if len(x.Args) == 0 {
			l.env = append(l.env, env...)
			return
		}
		c := in
		c.env = env
		for i, w := range x.Args {
			if text := wordText(w); i == 0 {
				c.name = programName(text)
			} else {
				c.args = append(c.args, text)
			}
		}
		l.add(c)
	case *syntax.DeclClause: // export A=1
		for _, a := range x.Args {
			if a.Name != nil && a.Value != nil {
				l.env = append(l.env, a.Name.Value+"="+wordText(a.Value))
			}
		}
	case *syntax.Block:
		l.sequence(x.Stmts, in)
	case *syntax.Subshell:
		l.sequence(x.Stmts, in)
	case *syntax.BinaryCmd:
		left, right := in, in
		switch x.Op {
		case syntax.Pipe, syntax.PipeAll:
			left.feeds, left.masked = true, in.masked || !l.pipefail
		case syntax.OrStmt:
			left.caught, left.masked = true, true
		}
		l.stmt(x.X, left)
		l.stmt(x.Y, right)
	case *syntax.TestClause:
		in.name = "[["
		l.add(in)
	default: // a loop or condition: its code is uncertain
		before := len(l.commands)
		if st.Cmd != nil {
			syntax.Walk(st.Cmd, func(n syntax.Node) bool {
				if inner, ok := n.(*syntax.Stmt); ok && inner != st {
					l.stmt(inner, in)
					return false
				}
				return true
			})
		}
		if len(l.commands) > before+1 {
			for k := range l.commands[before:] {
				l.commands[before+k].masked = true
			}
		}
	}
}

// written is the file that redirections write; "" for none.
func written(redirs []*syntax.Redirect) string {
	for _, r := range redirs {
		if word := ""; r.Word != nil && (r.Op == syntax.RdrOut || r.Op == syntax.AppOut) && (r.N == nil || r.N.Value == "1") {
			if word = wordText(r.Word); word != "" && !strings.HasPrefix(word, "/dev/") {
				return word
			}
		}
	}
	return ""
}

// quiet reports whether redirections throw away what goes to the standard error.
func quiet(redirs []*syntax.Redirect) bool {
	out, errs := false, false
	for _, r := range redirs {
		word := ""
		if r.Word != nil {
			word = r.Word.Lit()
		}
		fd := "1"
		if r.N != nil {
			fd = r.N.Value
		}
		switch null := word == "/dev/null"; {
		case r.Op == syntax.RdrAll || r.Op == syntax.AppAll:
			out, errs = null, null
		case r.Op == syntax.RdrOut || r.Op == syntax.AppOut:
			if fd == "2" {
				errs = null
			} else if fd == "1" {
				out = null
			}
		case r.Op == syntax.DplOut && fd == "2" && word == "1":
			errs = out
		}
	}
	return errs
}

// add takes a command, as what it really runs.
func (l *shellLine) add(c command) {
	c.unwrap()
	c.known.kind = c.findKind()
	c.known.id = c.findID()
	switch {
	case len(c.args) == 0:
	case c.name == "cd" || c.name == "pushd" || c.name == "Set-Location":
		l.dirs = append(l.dirs, c.args[len(c.args)-1])
	case c.name == "set":
		l.pipefail = l.pipefail || slices.Contains(c.args, "pipefail")
		l.errexit = l.errexit || strings.HasPrefix(c.args[0], "-e") || strings.HasPrefix(c.args[0], "-u") &&
			strings.Contains(c.args[0], "e") || strings.HasPrefix(c.args[0], "-xe")
	}
	if c.name == "" || silent[c.name] ||
		strings.HasPrefix(c.name, "$") && len(c.args) > 0 && c.args[0] == "=" {
		return
	}
	script := c.script()
	if script == "" || l.depth >= mostNested {
		l.commands = append(l.commands, c)
		return
	}
	inner := shellLineIn(script, l.depth+1)
	for _, d := range inner.commands {
		d.feeds, d.caught, d.quiet, d.masked = d.feeds || c.feeds, d.caught || c.caught, d.quiet || c.quiet, d.masked || c.masked
		d.via = cmp.Or(d.via, c.via)
		l.commands = append(l.commands, d)
	}
	l.env, l.dirs, l.codes = append(l.env, inner.env...), append(l.dirs, inner.dirs...), l.codes || inner.codes
}

// silent are commands that prepare for others and print nothing.
var silent = keys.SetOf("cd pushd popd export set source . : true shopt Set-Location Push-Location Pop-Location")

var shells = keys.SetOf("bash sh zsh dash pwsh powershell cmd")

// script is what a shell is given to run as an argument; "" for anything else.
func (c command) script() string {
	if !shells[c.name] {
		return ""
	}
	for i, a := range c.args {
		switch {
		case a == "-c" || a == "-lc" || a == "-ic" || a == "-ec" || strings.EqualFold(a, "-Command") || strings.EqualFold(a, "/c"):
			return strings.Join(c.args[i+1:], " ")
		case a == "" || !strings.HasPrefix(a, "-"):
			return ""
		}
	}
	return ""
}

// loosely finds the commands of a line by its separators and quotes alone.
func (l *shellLine) loosely(line string) {
	l.loose = true
	var words []string
	var word strings.Builder
	var quote rune
	ended := 0 // commands that are followed by others
	end := func(feeds bool) {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
		if len(words) > 0 && words[0] == "&" { // PowerShell's call
			words = words[1:]
		}
		if len(words) > 0 && !strings.ContainsAny(words[0][:1], "($@#-[") && !control[strings.ToLower(words[0])] {
			l.add(command{name: programName(words[0]), args: words[1:], feeds: feeds})
		}
		words = nil
	}
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			quote = r
		case strings.ContainsRune(";\n|{}", r):
			end(r == '|')
			ended = len(l.commands)
		case !unicode.IsSpace(r):
			word.WriteRune(r)
		case word.String() == "&&":
			word.Reset()
			end(false)
		case word.Len() > 0:
			words = append(words, word.String())
			word.Reset()
		}
	}
	end(false)
	if code := exitCode().MatchString(line) && strings.Contains(line, "exit"); !code {
		for k := range l.commands[:min(ended, max(0, len(l.commands)-1))] {
			l.commands[k].masked = true
		}
	}
}

// control are words that begin what is no command itself.
var control = keys.SetOf("if else elseif elif then fi for foreach while until do done try catch finally function param return case esac exit")

// wordText is a word as it is written, without its quotes; "" for one that the shell
// computes.
func wordText(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch x := p.(type) {
		case *syntax.Lit:
			b.WriteString(x.Value)
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
		case *syntax.DblQuoted:
			for _, q := range x.Parts {
				switch y := q.(type) {
				case *syntax.Lit:
					b.WriteString(y.Value)
				case *syntax.ParamExp:
					b.WriteString("$" + y.Param.Value)
				}
			}
		case *syntax.ParamExp:
			if x.Param != nil {
				b.WriteString("$" + x.Param.Value)
			}
		}
	}
	return b.String()
}
