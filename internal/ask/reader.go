package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"episodes/internal/capture"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
	"episodes/internal/reader"
	"episodes/internal/term"
	"episodes/ledger"
)

// ReaderRequest says who completes the drafts that the rules make of logs.
type ReaderRequest struct {
	Answer  *string // the answer to a work order; nil: Command is asked
	Command string  // a command line from order to answer
	Name    string  // of the reader, and its version; "": made from Command
	Timeout time.Duration
	PerLog  int // tokens of 4 bytes that one log may cost; 0: no limit
	PerRun  int // tokens that all logs together may cost; 0: no limit
	// Apart: Command runs in a new, empty folder, so that no settings and instructions of a repository
	// reach it; otherwise in the folder of the request.
	Apart bool
	// Background says that no person waits for it: see UserConfig.ReaderDay.
	Background bool
}

// errNever says that nothing of a repository goes to a reader.
var errNever = errors.New("your configuration keeps this repository from readers (reader_never)")

// mayRead returns errNever where the user does not want the repository to be read.
func (o Options) mayRead() error {
	config, err := ReadUserConfig()
	if err == nil && config.never(o.Location.Root) {
		err = errNever
	}
	return err
}

// Spent is what the questions of a run to a reader have cost.
type Spent = reader.Spent

var readerName = lazy.Pattern(`^[A-Za-z0-9][A-Za-z0-9 ._:/@+-]{0,63}$`)

func (r *ReaderRequest) check(logs []string) error {
	switch {
	case r == nil:
		return nil
	case r.Answer != nil && r.Command != "":
		return &RequestError{Params: []string{"answer", "reader"}, Message: "together say two things"}
	case r.Answer == nil && strings.TrimSpace(r.Command) == "":
		return badParam("reader", "", "needs a command line")
	case r.Answer != nil && (len(logs) != 1 || logs[0] == Stdin):
		return &RequestError{Params: []string{"answer"}, Message: "is about one log, which is a file",
			Hint: "episodes extract --answer FILE LOG"}
	case r.Answer != nil && strings.TrimSpace(*r.Answer) == "":
		return badParam("answer", "", "is empty; a reader that agrees with all of a draft says its outcome again")
	case r.PerLog < 0 || r.PerRun < 0:
		return badParam("budget", "", "must not be negative")
	case r.Timeout < 0:
		return badParam("reader-timeout", "", "must not be negative")
	}
	return checkName("reader", r.Name)
}

// checkName refuses what cannot be the name of a reader or an agent.
func checkName(param, name string) error {
	if name == "" || readerName().MatchString(name) {
		return nil
	}
	return badParam(param, name, "must be letters, digits, spaces and . _ : / @ + -, at most 64")
}

// by names the reader in provenance.
func (r *ReaderRequest) by() string {
	name := r.Name
	if first := strings.Fields(r.Command); name == "" && len(first) > 0 {
		if name = filepath.Base(first[0]); !readerName().MatchString(name) {
			name = ""
		}
	}
	return strings.TrimSpace(corrections.ReaderMark + " " + name)
}

// reads lets the reader complete what is taken in; spent gives what that has cost so far.
func (r *ReaderRequest) reads(o Options, cwd string, c *capture.Options) (spent func() *Spent, err error) {
	if r == nil {
		return func() *Spent { return nil }, nil
	}
	if r.Answer == nil { // else it is here already
		if err := o.mayRead(); err != nil {
			return nil, err
		}
	}
	c.By, c.Again, c.Once = r.by(), r.Answer != nil, r.Background
	if c.Read, spent = r.read(cwd, o); r.Answer == nil && !r.Background {
		c.Asking = func(logs, tokens int) { o.note("%s", r.forecast(logs, tokens)) }
	}
	return spent, nil
}

// forecast says what the questions about some logs will cost.
func (r *ReaderRequest) forecast(logs, tokens int) string {
	text := fmt.Sprintf("the reader is asked about %s: %d tokens of orders, and once more where an answer has to be corrected", term.Plural(logs, "log"), tokens)
	if r.PerRun > 0 {
		text += fmt.Sprintf("; at most %d", r.PerRun)
	}
	return text
}

// read is how capture asks this reader, and what that has cost so far.
func (r *ReaderRequest) read(cwd string, o Options) (ask func(context.Context, reader.Log) (*reader.Verdict, error), spent func() *Spent) {
	if r.Answer != nil {
		return func(_ context.Context, l reader.Log) (*reader.Verdict, error) {
			return reader.Take(l, *r.Answer), nil
		}, func() *Spent { return nil }
	}
	cache, err := reader.OpenCache()
	if err != nil {
		cache = "" // then each answer is asked for again
	}
	note := func(a ledger.Reading) error {
		a.Time, a.Memory, a.By, a.Background = o.now(), ledger.MemoryKey(o.Location.Home().Dir), r.by(), r.Background
		return ledger.NoteReader(context.Background(), a) // also of what is interrupted
	}
	if r.Apart {
		cwd = ""
	}
	run := &reader.Runner{Command: r.Command, Dir: cwd, By: r.by(), Timeout: r.Timeout, PerLog: r.PerLog,
		PerRun: r.PerRun, Cache: cache, Redact: capture.Redactor(o.Location).String,
		Cost: func(in, out int) error { return note(ledger.Reading{In: in, Out: out}) }}
	return func(ctx context.Context, l reader.Log) (*reader.Verdict, error) {
		v, err := run.Read(ctx, l)
		switch {
		case errors.Is(err, reader.ErrBudget), err == nil && v.Cached:
		case err != nil:
			_ = note(ledger.Reading{Failed: 1})
		default:
			_ = note(ledger.Reading{Answers: 1, Refused: len(v.Refused)})
		}
		return v, err
	}, func() *Spent { s := run.Spent(); return &s }
}

// OrderAnswer is the work order for a reader of one log.
type OrderAnswer struct {
	full
	Order  string `json:"order"`
	Log    string `json:"log"`
	Tokens int    `json:"tokens"` // of 4 bytes
}

// Order writes the work order for the reader of one log. There need be no memory.
func Order(ctx context.Context, o Options, r ExtractRequest) (*OrderAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if len(r.Logs) != 1 {
		return nil, &RequestError{Params: []string{"ask"}, Message: "is about one log", Hint: "episodes extract --ask LOG"}
	}
	format := cmp.Or(r.Format, "auto")
	l, err := capture.Draft(ctx,
		capture.Options{Location: o.Location, Cwd: r.Cwd, Stdin: r.Stdin, Args: r.Logs, Session: r.Session, Format: format})
	if err != nil {
		return nil, err
	}
	text := o.order(l)
	return &OrderAnswer{Order: text, Log: l.Name, Tokens: reader.Tokens(text)}, nil
}

// order writes the order for a log, without secrets.
func (o Options) order(l reader.Log) string {
	return capture.Redactor(o.Location).String(reader.Order(l, l.Suffix()))
}

// Text is the order. It is never cut: half of one cannot be answered.
func (a *OrderAnswer) Text(int) string { return a.Order }
