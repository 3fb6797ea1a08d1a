package actions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/internal/turns"
)

// Rendered is what a reader of a session is shown of one step. It may have several lines.
type Rendered struct {
	Record int // 1-based, in the unit of the format's spans
	Text   string
	rank   rank
}

// rank says what of a session that is too long is left out last.
type rank int

const (
	routine  rank = iota // calls that worked
	spoken               // words of the agent on its way
	edited               // edits
	measured             // failures, commits, tests
	closing              // the agent's last words before a person speaks
	person
)

// How long a rendering is, in bytes: as long as usual if it can be, and never longer than most.
const (
	usualRendering = 20 << 10
	mostRendering  = 80 << 10
)

// Rendering shows the session as a reader needs it, without what tools printed: what people said, the
// agent's last words before they speak again and the causes that it states, edits with both sides,
// beginnings of commands, of a failing output the lines that tell why, of a passing one its
// summary. Its last line says how much was left out of a session that is too long. The same turns give the same
// rendering.
func (b *Builder) Rendering() (out []Rendered) {
	last, whole := b.closings(), 0
	for _, d := range []detail{{1500, mostLines, true}, {800, 8, true}, {300, 6, true}, {200, 4, false}, {120, 2, false}, {0, 1, false}} {
		out = d.render(b.steps, last)
		if whole = max(whole, size(out)); size(out) <= usualRendering {
			break
		}
	}
	out = fitted(out, mostRendering-100)
	if n := whole - size(out); n > 0 {
		out[len(out)-1].Text += fmt.Sprintf("\nleft out: %d bytes of calls, edits and words on the way", n)
	}
	return out
}

func size(list []Rendered) (n int) {
	for _, r := range list {
		n += len(r.Text) + len("12345: \n")
	}
	return n
}

// fitted leaves steps out of the middle until the rest has at most so many bytes: those of a lower rank first.
func fitted(list []Rendered, most int) []Rendered {
	over := size(list) - most
	for r := routine; over > 0 && r <= person; r++ {
		for i := len(list) / 3; over > 0 && i < len(list); {
			if list[i].rank != r {
				i++
				continue
			}
			over -= size(list[i : i+1])
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}

// closings are the agent's words that are followed by no call before a person speaks, or the session ends.
func (b *Builder) closings() map[*step]bool {
	out := map[*step]bool{}
	var said []*step // since the last call after which the agent spoke
	called := false
	end := func() {
		for _, s := range said {
			out[s] = true
		}
		said, called = nil, false
	}
	for _, s := range b.steps {
		switch {
		case s.sub != "":
		case s.role == turns.Agent:
			if called {
				said, called = nil, false
			}
			said = append(said, s)
		case s.role == turns.Call:
			called = true
		default:
			end()
		}
	}
	end()
	return out
}

// detail is how much of each kind of step is shown.
type detail struct {
	words int  // bytes of what the agent says on its way
	lines int  // of each side of an edit
	all   bool // also calls that only look at something
}

// How much is shown of one step, in bytes.
const (
	personBytes  = 4 << 10 // of what a person wrote; more is pasted
	closingBytes = 3 << 10
	commandBytes = 200
	sideBytes    = 160 // of a line of an edit
)

func (d detail) render(steps []*step, last map[*step]bool) (out []Rendered) {
	for _, s := range steps {
		r := Rendered{Record: s.at[0]}
		switch {
		case s.role == turns.User:
			r.rank, r.Text = person, "user: "+turns.Ends(strings.TrimSpace(s.text), personBytes)
		case s.role == turns.Stop:
			r.rank, r.Text = person, "the user stopped the agent"
		case last[s]:
			r.rank, r.Text = closing, "agent: "+turns.Ends(strings.TrimSpace(s.text), closingBytes)
		case s.role == turns.Agent:
			if r.rank, r.Text = spoken, d.said(s); r.Text == "" {
				continue
			}
			r.Text = "agent: " + r.Text
		default:
			if r.rank, r.Text = d.call(s); r.Text == "" {
				continue
			}
			if s.failed {
				r.Record = s.shows()[0]
			}
		}
		out = append(out, r)
	}
	return out
}

func (d detail) call(s *step) (rank, string) {
	switch {
	case s.result.State == turns.Refused:
		return measured, callText(s) + " → refused by the user"
	case s.failed:
		return measured, strings.Join(append([]string{callText(s) + " → failed: " + s.tells}, s.tellsToo...), "\n")
	case s.made != nil:
		return measured, strings.TrimSpace(callText(s) + " → commit " + s.made.hash)
	case s.tests != nil && s.tests.counted():
		return measured, callText(s) + " → " + s.tests.String()
	case s.green && s.sums:
		return measured, callText(s) + " → passes"
	case s.green: // nothing but its exit code says so
		return measured, callText(s) + " → no error reported"
	case s.call.Tool == turns.Ask:
		return person, callText(s)
	case s.sub != "" && s.call.Tool != turns.Edit && s.call.Tool != turns.Write:
		return routine, ""
	case s.edits():
		return edited, d.sides(s)
	case s.call.Tool == turns.Shell && !OnlyLooks(s.call.Command), s.call.Tool == turns.Delegate, d.all:
		return routine, callText(s)
	}
	return routine, ""
}

// callText is a call in one line.
func callText(s *step) string {
	text, name := cmp.Or(s.call.Command, s.call.Text), s.call.Name+" "
	if text == "" && len(s.call.Files) > 0 {
		text = s.call.Files[0]
	}
	if s.call.Tool == turns.Shell {
		name, text = "$ ", inFolder().ReplaceAllString(text, "")
	}
	most := commandBytes
	if s.call.Tool == turns.Ask {
		name, most = "asks: ", personBytes
		if len(s.call.Options) > 0 {
			text += " [" + strings.Join(s.call.Options, " | ") + "]"
		}
	}
	text = oneLine(text)
	return name + ended(turns.Start(text, most), text)
}

// inFolder matches the change of folder that agents put before their commands.
var inFolder = lazy.Pattern(`^\s*cd \S+ *&&[\s\\]*`)

// sides is an edit with the first lines that it takes away and puts in.
func (d detail) sides(s *step) string {
	name, lines := "edits ", d.lines
	if s.call.Tool == turns.Write {
		name, lines = "writes ", 1
	}
	if len(s.call.Files) > 0 {
		name += s.call.Files[0]
		if len(s.call.Files) > 1 {
			name += fmt.Sprintf(" and %d more", len(s.call.Files)-1)
		}
	}
	return strings.Join(slices.Concat([]string{name}, side("- ", s.gone, lines), side("+ ", s.fresh, lines)), "\n")
}

func side(sign string, side []string, most int) (out []string) {
	if most < len(side) { // those that say most
		side = slices.DeleteFunc(slices.Clone(side), plumbing().MatchString)
	}
	for _, line := range side[:min(most, len(side))] {
		out = append(out, sign+ended(turns.Start(line, sideBytes), line))
	}
	return out
}

// causal matches how a sentence states the cause of something.
var causal = lazy.Pattern(`(?i)\b(?:root cause|because|caused by|due to|the (?:problem|issue|cause|reason|culprit) (?:is|was)|turn(?:s|ed) out|that'?s why|this is why)\b`)

// sentence matches the end of a sentence.
var sentence = lazy.Pattern(`[.!?]\s+|[。！？]\s*|\n+`)

// said is what is shown of words on the way: their beginning, and the sentences that state a cause.
func (d detail) said(s *step) string {
	text := oneLine(s.text)
	words := d.words
	if s.sub != "" {
		words = 0
	}
	if len(text) <= words {
		return text
	}
	cut := turns.Start(text, words)
	out, left := []string{}, 2*words+2*commandBytes
	if cut != "" {
		out = append(out, cut+"…")
	}
	for from := 0; from < len(s.text) && left > 0; {
		to := len(s.text)
		if m := sentence().FindStringIndex(s.text[from:]); m != nil {
			to = from + m[1]
		}
		if one := oneLine(s.text[from:to]); causal().MatchString(one) && !strings.Contains(cut, one) {
			one = ended(turns.Start(one, left), one)
			out, left = append(out, one), left-len(one)
		}
		from = to
	}
	return strings.Join(out, " ")
}

// ended marks a text that was cut.
func ended(cut, text string) string {
	if len(cut) < len(strings.TrimSpace(text)) {
		return cut + "…"
	}
	return cut
}

// mostTelling is how many lines of a failing output are shown beside the one that tells most.
const mostTelling = 4

// tellingToo are the other lines of a failing output that tell why.
func (s *step) tellingToo() (out []string) {
	for _, l := range telling.Read(s.result.Text) {
		if l.Level < telling.Reported || len(out) == mostTelling {
			continue
		}
		if line := "  " + string([]byte(turns.Start(oneLine(l.Text), sideBytes))); !strings.Contains(line, s.tells) && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}
