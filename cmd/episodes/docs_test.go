package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// code matches fenced blocks and code in sentences; documented matches the command lines of the
// program in them. A comment, a pipe or a redirection ends a command line.
var (
	code       = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]+`")
	documented = regexp.MustCompile("(?m)(?:^\\$? ?|[`|;] ?)(?:bin/)?episodes ([a-z][^`|;>\n]*)")
)

// Every command's help says what it does, shows examples first and ends in exit codes, which
// agents read to call it right. "help COMMAND" and "COMMAND --help" print the same.
func TestHelpOfEveryCommand(t *testing.T) {
	w, all := newWorld(t), allCommands()
	for _, c := range all {
		for _, name := range append([]string{c.Name()}, c.Aliases...) {
			path := append(strings.Fields(c.Parent().CommandPath())[1:], name)
			help, _ := w.ok(append([]string{"help"}, path...)...)
			if flag, _ := w.ok(append(path, "--help")...); flag != help {
				t.Errorf("%q --help prints\n%s\nnot\n%s", path, flag, help)
			}
			lines := strings.Split(help, "\n")
			if len(lines) < 3 || lines[0] == "" || lines[2] != "EXAMPLES" {
				t.Errorf("the help of %q does not begin with what it does and with examples:\n%s", path, help)
			}
			titles := title.FindAllString(help, -1)
			if titles[len(titles)-1] != "EXIT STATUS" || !strings.Contains(help, "\n  0 ") {
				t.Errorf("the help of %q does not end in exit codes:\n%s", path, help)
			}
		}
	}
	if len(all) < 50 {
		t.Errorf("only %d commands were found", len(all))
	}
}

// title matches the titles of sections in a help text.
var title = regexp.MustCompile(`(?m)^[A-Z].*$`)

// TestDocumentedCommands checks that every command and flag in the documents exists.
func TestDocumentedCommands(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../plugins/*/skills/*/SKILL.md"} {
		found, err := filepath.Glob(pattern)
		must0(t, err)
		files = append(files, found...)
	}
	checked := 0
	for _, file := range files {
		data := read(t, file)
		for _, block := range code.FindAllString(string(data), -1) {
			for _, m := range documented.FindAllStringSubmatch(block, -1) {
				line, _, _ := strings.Cut(m[1], " #")
				if problem := unknown(words(line)); problem != "" {
					t.Errorf("%s: episodes %s: there is no %s", filepath.Base(file), line, problem)
				}
				checked++
			}
		}
	}
	if checked < 60 {
		t.Errorf("only %d command lines were found", checked)
	}
}

// unknown names the first command or flag of a command line that the program does not have; ""
// if it has all.
func unknown(args []string) string {
	root := (&app{environment: environment{getenv: func(string) string { return "" }}}).command()
	cmd, rest, err := root.Find(args)
	if err != nil || cmd == root {
		return "command " + args[0]
	}
	for i := 0; i < len(rest); i++ {
		arg := rest[i]
		name, long := strings.CutPrefix(arg, "--")
		name, _, assigned := strings.Cut(name, "=")
		var flag *pflag.Flag
		switch {
		case long && name == "": // the rest is the command line of another program
			return ""
		case long:
			flag = cmd.Flag(name)
		case len(arg) == 2 && arg[0] == '-':
			flag = cmd.Flags().ShorthandLookup(arg[1:])
		case i == 0 && cmd.HasSubCommands() && strings.ToLower(arg) == arg:
			return "command " + cmd.Name() + " " + arg
		default:
			continue
		}
		if flag == nil {
			return "flag " + arg + " of " + cmd.Name()
		}
		if !assigned && flag.NoOptDefVal == "" {
			i++ // its value
		}
	}
	return ""
}
