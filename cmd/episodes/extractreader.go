package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/lazy"
	"episodes/internal/term"
)

// readerFlags are the flags of extract about a reader.
type readerFlags struct {
	ask     bool
	answer  string
	command string
	budget  tokenCount
}

const readerHelp = `
A reader, any coding agent or model, can complete what the rules find: --reader names one that
reads a work order on its standard input and writes the answer. Each line of an answer is verified against
the log; what is refused is reported with the reason. --reader config uses the key reader of
episodes/config.toml in your own configuration folder.`

func (f *readerFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&f.ask, "ask", false, "print the work order for a reader of one log, and write nothing")
	fs.StringVar(&f.answer, "answer", "", "take the answer to a work order from `FILE`, or - for standard input")
	fs.StringVar(&f.command, "reader", "",
		"complete what the rules find with the reader that is this `COMMAND` line; with --answer: the name of who answered")
	fs.Var(&f.budget, "budget",
		"ask the reader no more when all logs together have cost `N` tokens of 4 bytes, such as 200k; 0: no limit; without it 500k, and 60k for one log")
}

// request is what the flags say of a reader; nil when they say nothing.
func (f *readerFlags) request(a *app, cmd *cobra.Command) (*ask.ReaderRequest, error) {
	r := &ask.ReaderRequest{Command: f.command, Timeout: readerTime, PerLog: 60000, PerRun: 500000}
	if cmd.Flags().Changed("budget") {
		r.PerLog, r.PerRun = 0, int(f.budget)
	}
	switch answer, command := cmd.Flags().Changed("answer"), cmd.Flags().Changed("reader"); {
	case f.ask && (answer || command):
		return nil, usage(seeHelp(cmd), "--ask only prints a work order: take one of --ask, --answer and --reader")
	case answer:
		data, err := a.readInput(cmd.Context(), f.answer)
		text := string(data)
		r.Answer, r.Command, r.Name = &text, "", f.command
		return r, err
	case !command:
		return nil, nil
	}
	if f.command == "config" {
		config, err := ask.ReadUserConfig()
		if err != nil {
			return nil, err
		}
		if r.Command = config.Reader; r.Command == "" {
			return nil, usage("episodes setup AGENT --reader", "--reader config: your configuration names no reader")
		}
		r.Apart = true
	}
	return r, nil
}

// readerTime is how long a reader may take for one answer.
const readerTime = 10 * time.Minute

// tokenCount is the value of a flag: a number, or one of thousands (k) or millions (M).
type tokenCount int

func (t *tokenCount) String() string { return strconv.Itoa(int(*t)) }
func (t *tokenCount) Type() string   { return "int" }

func (t *tokenCount) Set(text string) error {
	number, unit := text, 1
	switch {
	case strings.HasSuffix(text, "k"):
		number, unit = text[:len(text)-1], 1000
	case strings.HasSuffix(text, "M"):
		number, unit = text[:len(text)-1], 1_000_000
	}
	n, err := strconv.Atoi(number)
	if err != nil || n > math.MaxInt32 {
		return errors.New("not a number of tokens")
	}
	*t = tokenCount(n * unit)
	return nil
}

var numbers = lazy.Pattern(`\d+`)

// order prints the work order for one log.
func (a *app) order(cmd *cobra.Command, r ask.ExtractRequest) error {
	o, err := a.options(cmd)
	if err != nil && !errors.Is(err, ask.ErrNoMemory) { // a log can be read without a memory
		return err
	}
	answer, err := ask.Order(cmd.Context(), o, r)
	if err != nil {
		return err
	}
	return a.show(cmd, answer)
}

// afterReading says how a reader did: an error when a part of its work could not be taken.
func (a *app) afterReading(rep *ask.ExtractAnswer, answered bool) error {
	if s := rep.Reader; s != nil {
		a.note(fmt.Sprintf("the reader was asked about %s, %d known; %d tokens in, %d out",
			term.Plural(s.Asked, "log"), s.Cached, s.In, s.Out))
	}
	failed, refused, taken, skipped := 0, 0, 0, 0
	reasons := map[string]int{}
	for _, it := range rep.Episodes {
		if it.Reader == nil {
			continue
		}
		if it.Reader.Error != "" {
			failed++
		}
		if it.Reader.Skipped {
			skipped++
		}
		for _, f := range it.Reader.Refused {
			reasons[numbers().ReplaceAllString(f.Reason, "N")]++
		}
		refused += len(it.Reader.Refused)
		taken += it.Reader.Taken
	}
	if rep.Reader != nil && refused+skipped > 0 {
		a.note(fmt.Sprintf("%s taken, %s of answers refused, %s left out for the budget", term.Plural(taken, "addition"),
			term.Plural(refused, "line"), term.Plural(skipped, "log")))
		for _, why := range slices.SortedFunc(maps.Keys(reasons), func(x, y string) int {
			return cmp.Or(reasons[y]-reasons[x], strings.Compare(x, y))
		}) {
			a.note(fmt.Sprintf("refused %d: %s", reasons[why], term.Line(why)))
		}
	}
	switch {
	case failed > 0:
		return &failure{code: codePartly,
			err: fmt.Errorf("the reader failed on %s; they have what the rules find", term.Plural(failed, "log"))}
	case answered && refused > 0 && taken == 0:
		return &failure{code: codeFailed, err: fmt.Errorf("nothing of the answer was taken"), data: rep}
	case answered && refused > 0:
		return &failure{code: codePartly,
			err: fmt.Errorf("%s of the answer refused, the rest is taken", term.Plural(refused, "line"))}
	}
	return nil
}
