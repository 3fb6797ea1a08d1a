// Package aider reads the chat history that aider keeps as Markdown, by default in
// .aider.chat.history.md, and Markdown pages that such chats were copied to. A history holds all
// chats of a folder; each is a session, which is named after its start. Aider logs the
// user's prompts, the model's messages with its edits, and its own messages: edits applied or
// rejected, commits, findings of the linter. It does not log the output of commands.
//
// The reader assigns each line to the user, the model or aider. Edits of the model wait until aider
// reports that it applied them; turns that follow are held back, so that they are emitted in the
// order of the file.
//
//	transcript.go  the Agent, and the reader
//	edits.go       lines of the model, and the edits in them
//	notices.go     lines of aider: applied edits, commits, questions, reports
//	detect.go      detection of the format
//	printed.go     the output of aider as the actor of a loop
package aider

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"episodes/agents/agent"
	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// Agent is aider.
var Agent = agent.Agent{
	Name: "aider", Title: "aider",
	Format: &turns.Format{Name: "aider", Title: "aider", Detect: detect, Starts: starts, Read: read},
	Actor: &agent.Actor{
		Head: "--message-file /dev/stdin --no-auto-commits --no-pretty --no-stream", Allow: "--yes-always",
		Asks: []string{"--yes", "--yes-always"}, Read: readPrinted, Cost: true,
	},
}

// read reads all chats of a file.
func read(in *turns.Reader) error {
	r := &reader{Reader: in}
	_ = in.Lines(r.line)
	r.flush()
	r.settle()
	r.release()
	return in.Err()
}

type reader struct {
	*turns.Reader
	held []turns.Turn // since the model or the human began to speak

	mode    mode
	begun   bool // past the lines that describe how aider was started
	done    bool // aider waits for the human
	said    int  // the last line that aider said
	ran     run  // the human's own command
	text    turns.Text
	first   int // lines of the text
	last    int
	bare    bool   // its last line was typed, without the blanks that aider puts behind one
	fence   string // what closes the open fence
	edits   []edit // of the model, not applied yet
	edit    *edit  // the one that is being read
	side    side
	name    string // the last line that can name a file
	named   int    // the line before, if it is that line
	namedBy string
	asked   []string // what aider says, up to a question
	answers []string // how the model's texts begin, since the human spoke
	report  *report
}

// mode says whose lines are being collected.
type mode uint8

const (
	nothing mode = iota
	human
	model
	thinking
)

// edit is an edit that the model proposes.
type edit struct {
	at       episode.Span
	file     string
	old, new turns.Text
	whole    bool // the new file
	diff     bool // new is a patch
}

// side is the part of an edit that a line belongs to.
type side uint8

const (
	noSide side = iota
	oldSide
	newSide
)

func (r *reader) line(n int, line []byte, _ bool) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if m := startLine().FindSubmatch(line); m != nil {
		r.start(string(m[1]))
		return
	}
	switch {
	case r.types(line):
		text := bytes.TrimSpace(line[4:])
		if r.mode != human {
			r.answered()
		} else if n > r.last+1 && bytes.HasPrefix(text, []byte("/")) { // no part of a prompt
			r.flush()
		}
		r.bare = !bytes.HasSuffix(line, []byte("  "))
		r.typed(n, text)
	case r.speaks(n, line):
		r.said = n
		r.notice(n, string(line[1:]))
		if len(r.edits) == 0 && r.report == nil {
			r.release()
		}
	case r.mode == thinking:
		if thinkEnd().Match(line) {
			r.mode = model
		}
	case !r.begun: // a message on the command line has lines of its own
	case len(bytes.TrimSpace(line)) == 0 && r.mode == human && r.bare && !strings.HasPrefix(r.text.String(), "/"): // a prompt may go on
	case len(bytes.TrimSpace(line)) == 0 && r.mode != model, r.fence == "" && r.edit == nil && pageMark().Match(line):
		r.flush()
	default:
		if r.mode != model {
			r.answered()
		}
		r.mode, r.done = model, false
		if thinkStart().Match(line) {
			r.mode = thinking
			return
		}
		r.words(n, line)
	}
}

// pageMark matches a line by which pages delimit chats.
var pageMark = lazy.Pattern(`^</?div\b[^>]*>\s*$`)

var (
	thinkStart = lazy.Pattern(`^(?:<thinking-content-[0-9a-f]+>|<think>|► \*\*THINKING\*\*)\s*$`)
	thinkEnd   = lazy.Pattern(`^(?:</thinking-content-[0-9a-f]+>|.*</think>|► \*\*ANSWER\*\*)\s*$`)
)

// marked reports whether a line starts with a mark, and whether it ends with the two spaces with
// which aider breaks its lines, unlike headings or quotes of the model.
func marked(line []byte, mark string) (ok, broken bool) {
	if !bytes.HasPrefix(line, []byte(mark)) {
		return false, false
	}
	line = line[len(mark):]
	return len(line) == 0 || line[0] == ' ', bytes.HasSuffix(line, []byte("  "))
}

// types reports whether a human typed a line.
func (r *reader) types(line []byte) bool {
	ok, broken := marked(line, "####")
	return ok && (broken || r.done || r.mode == human)
}

// speaks reports whether aider says a line.
func (r *reader) speaks(n int, line []byte) bool {
	ok, broken := marked(line, ">")
	return ok && (broken || r.done || n == r.said+1 || r.fence == "" && doneLine().Match(line))
}

// start begins a chat.
func (r *reader) start(at string) {
	r.answered()
	*r = reader{Reader: r.Reader}
	if r.Session.Started == "" {
		r.Session.ID = "aider-" + strings.NewReplacer(" ", "T", ":", "-").Replace(at)
		r.Session.Started = strings.Replace(at, " ", "T", 1) + "Z" // local time, taken for UTC
	}
}

func (r *reader) hold(t turns.Turn) { r.held = append(r.held, t) }

// release emits the turns that were held back, in the order of the file. They are held because an
// edit becomes a turn only when aider reports that it was applied.
func (r *reader) release() {
	slices.SortStableFunc(r.held, func(a, b turns.Turn) int { return cmp.Compare(a.At[0], b.At[0]) })
	for _, t := range r.held {
		r.Put(t)
	}
	r.held = nil
}

// typed adds line n, which the human typed, to the prompt.
func (r *reader) typed(n int, text []byte) {
	r.begun, r.done, r.mode = true, false, human
	r.gather(n, text)
}

// answered ends the previous exchange: it emits the turns that are held back, and drops the edits
// that were not applied.
func (r *reader) answered() {
	r.flush()
	r.settle()
	r.unfence()
	r.edits, r.asked, r.name = nil, nil, ""
	r.release()
}

func (r *reader) gather(n int, line []byte) {
	if len(bytes.TrimSpace(line)) > 0 {
		r.first = cmp.Or(r.first, n)
		r.last = n
	}
	if r.first != 0 {
		r.text.AddLine(n, line)
	}
}

// talks matches the commands whose argument is a prompt.
var talks = lazy.Pattern(`^/(?:ask|code|architect|context)\s+`)

// flush turns the collected lines into a turn.
func (r *reader) flush() {
	r.unnamed()
	text, at := strings.TrimSpace(r.text.String()), episode.Span{r.first, r.last}
	lines := r.text.Lines(text)
	r.text.Reset()
	r.first, r.last = 0, 0
	mode := r.mode
	r.mode = nothing
	if text == "" {
		return
	}
	switch mode {
	case model:
		if begins := turns.Start(folded(text), 100); len(begins) > 30 {
			r.answers = append(r.answers, begins)
		}
		r.hold(turns.Turn{Role: turns.Agent, At: at, Text: text, Lines: lines})
	case human:
		if m := ownRun().FindStringSubmatch(text); m != nil {
			r.ran = run{at: at, command: m[1]}
		}
		text = talks().ReplaceAllString(text, "")
		command := strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "/undo") || strings.HasPrefix(text, "!") // of aider, or of the human's own shell
		handed := turns.Begins(folded(text), r.answers)                                                              // by the architect to the editor
		if own := commented(text); own != text {
			text, lines = own, nil
		}
		r.answers = nil
		if r.done = r.done || command; !command && !handed && text != "" && !questionMark().MatchString(text) {
			r.hold(turns.Turn{Role: turns.User, At: at, Text: text, Lines: lines})
		}
	}
}

// folded is a text without what differs between an answer and a prompt that repeats it.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

// comment matches a line that a human wrote into a file, in a prompt that aider made of such comments.
var comment = lazy.Pattern(`(?m)^█.*$`)

// commented is what a human wrote of a prompt, which is all of it but for one that aider made of comments.
func commented(text string) string {
	if lines := comment().FindAllString(text, -1); lines != nil {
		return strings.ReplaceAll(strings.Join(lines, "\n"), "█", "")
	}
	return text
}
