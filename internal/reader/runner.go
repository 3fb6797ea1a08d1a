package reader

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"episodes/episode"
	"episodes/internal/proc"
)

// Runner asks a reader that is a command line: the order on its standard input, the answer
// on its standard output. Any number of goroutines may use one.
type Runner struct {
	Command string // for the shell; given by the user, never by a repository
	Dir     string // where it runs; "": in a new, empty folder each time
	By      string // names the reader
	Timeout time.Duration
	PerLog  int   // tokens that one log may cost, in and out; 0: no limit
	PerRun  int   // tokens that all logs together may cost; 0: no limit
	Cache   Cache // of answers
	// Redact takes out of a prompt what must not leave this machine; nil: nothing.
	Redact func(string) string
	// Cost is called with the tokens of each prompt before it is sent, and with those of its
	// answer. Nothing is sent if it fails. May be nil.
	Cost func(in, out int) error

	mu    sync.Mutex
	spent Spent
}

// Spent is what a run has cost, in tokens of 4 bytes.
type Spent struct {
	Asked  int `json:"asked"`  // logs that a reader was asked about
	Cached int `json:"cached"` // logs whose answer was known
	In     int `json:"tokens_in"`
	Out    int `json:"tokens_out"`
}

// Spent returns what was spent so far.
func (r *Runner) Spent() Spent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spent
}

// ErrBudget says that a log was not asked about, or not once more, since that would cost
// more tokens than the user allowed.
var ErrBudget = errors.New("over the budget of tokens")

// Read asks about one log: once, and once more where lines of the answer were refused. The error is ErrBudget, that of ctx,
// or says how the command failed.
func (r *Runner) Read(ctx context.Context, l Log) (*Verdict, error) {
	key, err := l.Key()
	if err != nil {
		return nil, err
	}
	if text := r.Cache.read(r.cacheName(l, key)); text != "" {
		v := Take(l, text)
		v.Cached = true
		r.mu.Lock()
		r.spent.Cached++
		r.mu.Unlock()
		return v, nil
	}
	order := Order(l, l.Suffix())
	cost := 0
	answer, err := r.call(ctx, order, &cost)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.spent.Asked++
	r.mu.Unlock()
	if strings.TrimSpace(answer) == "" {
		return nil, errors.New("reader: the answer is empty")
	}
	v := Take(l, answer)
	if len(v.Refused) > 0 {
		kept := v.keeps(answer)
		again, err := r.call(ctx, order+kept+Again(v), &cost)
		switch {
		case errors.Is(err, ErrBudget):
		case err != nil:
			return nil, err
		default:
			v = mended(l, kept, again)
		}
	}
	if text := v.text(); text != "" {
		_ = r.Cache.write(r.cacheName(l, key), text) // else it is asked for again
	}
	return v, nil
}

// mostReasons is how many refused lines are reported to a reader.
const mostReasons = 40

// Again returns the text that asks a reader to mend its answer.
func Again(v *Verdict) string {
	var b strings.Builder
	b.WriteString("\nThe lines above are what was taken of your answer.\nRefused; give each line once more, mended, or leave it out:\n")
	for i, f := range v.Refused {
		if i == mostReasons {
			fmt.Fprintf(&b, "and %d more\n", len(v.Refused)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n    %s\n", quoted(f.Text), f.Reason)
	}
	b.WriteString("Only the lines that you add or mend, in the same forms:\n")
	return b.String()
}

// off keeps the hooks and the server of this program silent in a reader, which may be an agent
// that calls them.
const off = "EPISODES_OFF=1"

func (r *Runner) note(in, out int) error {
	if r.Cost == nil {
		return nil
	}
	return r.Cost(in, out)
}

// call runs the command once and counts what it costs.
func (r *Runner) call(ctx context.Context, prompt string, cost *int) (string, error) {
	prompt = r.redact(prompt)
	in := Tokens(prompt)
	left, err := r.reserve(in, *cost)
	if err != nil {
		return "", err
	}
	if err := r.note(in, 0); err != nil {
		return "", err
	}
	*cost += in
	dir := r.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "episodes-reader-"); err != nil {
			return "", fmt.Errorf("reader: %w", err)
		}
		defer os.RemoveAll(dir)
	}
	most := min(maxAnswer, left*bytesPerToken)
	res, err := proc.Run(ctx, proc.Spec{Shell: r.Command, Dir: dir, Env: []string{off}, Stdin: []byte(prompt), Timeout: r.Timeout, Most: most})
	if err != nil {
		return "", fmt.Errorf("reader: %w", err)
	}
	out := Tokens(string(res.Stdout)) // what came costs, whether it is of use or not
	*cost += out
	r.mu.Lock()
	r.spent.Out += out
	r.mu.Unlock()
	if err := r.note(0, out); err != nil {
		return "", err
	}
	switch {
	case res.TimedOut:
		return "", fmt.Errorf("reader: no answer within %s", r.Timeout)
	case res.Cut:
		return "", fmt.Errorf("reader: the answer is longer than the %d bytes that were left for it", most)
	case res.Exit != 0:
		return "", fmt.Errorf("reader: exit code %d%s", res.Exit, r.firstLine(res.Stderr))
	}
	return strings.ToValidUTF8(string(res.Stdout), "\uFFFD"), nil
}

// firstLine is what a reader says of its failure, for messages and logs.
func (r *Runner) firstLine(stderr []byte) string {
	text := r.redact(strings.ToValidUTF8(string(stderr[:min(len(stderr), 4096)]), ""))
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	return ": " + episode.Shorten(line, 200)
}

func (r *Runner) redact(text string) string {
	if r.Redact == nil {
		return text
	}
	return r.Redact(text)
}

// reserve takes tokens from the budgets, and returns how many are left for the answer.
func (r *Runner) reserve(tokens, before int) (left int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	spent := r.spent.In + r.spent.Out
	left = math.MaxInt32 / bytesPerToken
	if r.PerLog > 0 {
		left = r.PerLog - before - tokens
	}
	if left <= 0 {
		return 0, fmt.Errorf("%w: %d tokens before the answer, %d are allowed for one log", ErrBudget, before+tokens, r.PerLog)
	}
	if r.PerRun > 0 {
		left = min(left, r.PerRun-spent-tokens)
	}
	if left <= 0 {
		return 0, fmt.Errorf("%w: %d tokens are spent, this log takes %d before the answer, %d are allowed for one run", ErrBudget,
			spent, tokens, r.PerRun)
	}
	r.spent.In += tokens
	return left, nil
}

// cacheName is the file of the answer that this reader gave to the order for a log: its parts are what
// Forget knows.
func (r *Runner) cacheName(l Log, key string) string {
	return key + "-" + hashOf(r.By+"\n"+r.Command) + "-" + PathMark(l.Path)
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:8])
}
