package main

import (
	"errors"
	"io/fs"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
)

// aboutText is an annotation of commands that take any text, a pasted one too.
const aboutText = "text"

// takesText is exits of a command that takes any text.
func takesText(codes string) map[string]string {
	all := exits(codes)
	all[aboutText] = "yes"
	return all
}

// given is a text as it was given: words, - for standard input, @FILE for a file.
func (a *app) given(cmd *cobra.Command, text string) (string, error) {
	file, ok := strings.CutPrefix(text, "@")
	if text == "-" {
		file, ok = "-", true
	}
	if !ok || file == "" || strings.Contains(file, "\n") {
		return text, nil
	}
	data, err := a.readInput(cmd.Context(), file)
	if errors.Is(err, fs.ErrNotExist) && strings.Contains(file, " ") {
		return text, nil // "@types/node is missing"
	}
	return string(data), err
}

// dashedTexts moves the arguments of a command about a text that begin with a dash and are
// no flags, such as "--- FAIL: TestLock (0.01s)", behind --.
func dashedTexts(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Annotations[aboutText] == "" {
		return args
	}
	cmd.InheritedFlags() // makes those of root known to cmd
	var flags, texts []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(append(flags, "--"), append(texts, args[i+1:]...)...)
		case !strings.HasPrefix(arg, "-") || arg == "-":
			flags = append(flags, arg)
		case !mayBeFlag(arg):
			texts = append(texts, arg)
		default:
			flags = append(flags, arg)
			if takesNext(cmd, arg) && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		}
	}
	if texts == nil {
		return args
	}
	return append(append(flags, "--"), texts...)
}

// mayBeFlag reports whether an argument that begins with a dash has the form of a flag.
func mayBeFlag(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return !strings.HasPrefix(arg, "---") && !strings.ContainsFunc(name, unicode.IsSpace)
}

// takesNext reports whether the argument after a flag is its value.
func takesNext(cmd *cobra.Command, arg string) bool {
	if strings.Contains(arg, "=") {
		return false
	}
	f := cmd.Flags().Lookup(strings.TrimLeft(arg, "-"))
	if !strings.HasPrefix(arg, "--") {
		f = cmd.Flags().ShorthandLookup(arg[len(arg)-1:])
	}
	return f != nil && f.NoOptDefVal == ""
}

// noteNothing prints a line for people when an answer without an error is empty. With --json it prints nothing.
func (a *app) noteNothing(answer ask.Answer, err error, text string) error {
	if err == nil && answer.Empty() && !a.flags.json && terminal(a.stdout) {
		a.note(text)
	}
	return err
}
