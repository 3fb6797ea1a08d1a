package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// told is a text that a session was told at an event.
type told struct {
	event
	Tokens int    `json:"tokens"`
	Again  bool   `json:"after_compaction,omitempty"` // counts for nothing, see event.again
	Text   string `json:"text"`
}

// lines are the facts of a text: each ends with a reference, unlike the line that introduces them. The reference is left out, and so
// are figures, since a line that comes back counts its sessions.
func (t *told) lines() (out []string) {
	for line := range strings.Lines(t.Text) {
		line = strings.TrimSpace(line)
		if at := strings.LastIndex(line, " ("); at > 0 && strings.HasSuffix(line, ")") {
			out = append(out, figures.ReplaceAllString(strings.TrimPrefix(line[:at], "- "), "#"))
		}
	}
	return out
}

var figures = regexp.MustCompile(`\d+`)

func (t *told) print(w io.Writer) {
	fmt.Fprintf(w, "  line %d, %s, %d tokens\n", t.Line, strings.TrimSpace(t.Hook+" "+t.Tool), t.Tokens)
	for line := range strings.Lines(t.Text) {
		fmt.Fprintf(w, "    %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// played is what one session was told.
type played struct {
	Session string    `json:"session"`
	Began   time.Time `json:"began,omitzero"`
	Events  int       `json:"events"`
	Told    []told    `json:"told"`
}

// repeated is a line that several sessions were told.
type repeated struct {
	Line     string `json:"line"`
	Sessions int    `json:"sessions"`
}

// total is what so many sessions were told.
type total struct {
	Sessions int `json:"sessions"`
	Pushes   int `json:"pushes"`
	Tokens   int `json:"tokens"`
}

func (m *total) add(p *played) {
	m.Sessions++
	for _, t := range p.Told {
		if !t.Again {
			m.Pushes++
			m.Tokens += t.Tokens
		}
	}
}

func (m total) String() string {
	n := float64(max(1, m.Sessions))
	return fmt.Sprintf("%d sessions, %.1f pushes and %.0f tokens each", m.Sessions, float64(m.Pushes)/n, float64(m.Tokens)/n)
}

// replayed is a whole history.
type replayed struct {
	Sessions []played   `json:"sessions"`
	Total    total      `json:"total"`
	Repeated []repeated `json:"repeated"` // the most frequent first
	InMost   int        `json:"in_most"`  // lines that more than half of the sessions were told
	Twice    int        `json:"twice"`    // lines that one session was told more than once
	Slow     int        `json:"slow"`     // hooks that gave up and were called again
	Score    *score     `json:"score,omitempty"`
}

func replay(bin, dir string) *replayed {
	sessions := history(dir)
	matters := labels(dir, sessions)
	c := newClient(bin, sessions)
	defer c.close()
	r := &replayed{Repeated: []repeated{}}
	for _, s := range sessions {
		p := played{s.name, s.began, len(s.events), c.play(s)}
		c.takeIn(s)
		r.Sessions = append(r.Sessions, p)
		r.Total.add(&p)
	}
	r.Slow = c.slow
	r.count()
	if matters != nil {
		r.Score = held(r.Sessions, matters)
	}
	return r
}

// count finds what was said again and again.
func (r *replayed) count() {
	in := map[string]int{} // sessions that were told a line
	for _, p := range r.Sessions {
		times := map[string]int{}
		for i := range p.Told {
			if !p.Told[i].Again {
				for _, line := range p.Told[i].lines() {
					times[line]++
				}
			}
		}
		for line, n := range times {
			in[line]++
			if n > 1 {
				r.Twice++
			}
		}
	}
	for line, n := range in {
		if 2*n > len(r.Sessions) {
			r.InMost++
		}
		if n > 1 {
			r.Repeated = append(r.Repeated, repeated{line, n})
		}
	}
	slices.SortFunc(r.Repeated, func(a, b repeated) int { return cmp.Or(b.Sessions-a.Sessions, cmp.Compare(a.Line, b.Line)) })
}

func (r *replayed) text(w io.Writer) {
	for _, p := range r.Sessions {
		fmt.Fprintf(w, "%s, %s: told at %d of %d events\n", p.Session, p.Began.Format(time.DateOnly), len(p.Told), p.Events)
		for i := range p.Told {
			p.Told[i].print(w)
		}
	}
	fmt.Fprintln(w, "\nsaid again and again:")
	for _, l := range r.Repeated {
		fmt.Fprintf(w, "  in %d sessions: %s\n", l.Sessions, l.Line)
	}
	fmt.Fprintf(w, "\n%s\nlines told in more than half of the sessions: %d\nlines told twice in one session: %d\n", r.Total, r.InMost, r.Twice)
	if r.Slow > 0 {
		fmt.Fprintf(w, "hooks that took too long and were called again: %d\n", r.Slow)
	}
	if r.Score != nil {
		r.Score.text(w)
	}
}

// labelFile is the name of the file of labels in a history.
const labelFile = "matters.jsonl"

// matter is a label: something that an earlier session settled and a later one met again.
type matter struct {
	ID       string
	Session  string // the later one: its file, without the extension
	Kind     string
	At       int        // its line where the matter comes up
	Deadline int        // the line from which telling no longer helps; 0: none
	Words    [][]string // the groups of words of which one must be told whole
	Cost     string     // "none": knowing it would not have helped
}

// labels reads the labels of a history; nil if there are none. Those without words are left out.
func labels(dir string, sessions []*session) (out []matter) {
	data, err := os.ReadFile(filepath.Join(dir, labelFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	check(err)
	n := 0
	for line := range strings.Lines(string(data)) {
		var m matter
		if n++; strings.TrimSpace(line) == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			check(fmt.Errorf("%s, line %d: %w", labelFile, n, err))
		}
		if !slices.ContainsFunc(sessions, func(s *session) bool { return s.name == m.Session }) {
			check(fmt.Errorf("%s, line %d: there is no session %q", labelFile, n, m.Session))
		}
		if len(m.Words) > 0 && m.Cost != "none" {
			out = append(out, m)
		}
	}
	return out
}

// inTime reports whether a text came before it was too late. In the line of the deadline only a hook before a call does, or
// the event with which the matter comes up.
func (m *matter) inTime(t *told) bool {
	return m.Deadline == 0 || t.Line < m.Deadline || t.Line == m.Deadline && (m.Deadline == m.At || t.Hook == "PreToolUse")
}

// says returns the number of the first group whose words are all in a text, from 1; 0 if there is none.
func says(text string, groups [][]string) int {
	text = plain(text)
	return 1 + slices.IndexFunc(groups, func(group []string) bool {
		return len(group) > 0 && !slices.ContainsFunc(group, func(w string) bool { return !strings.Contains(text, plain(w)) })
	})
}

// plain is a text without case, kinds of quotation marks and line breaks.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(quotes.Replace(text))), " ")
}

var quotes = strings.NewReplacer("“", "'", "”", "'", `"`, "'", "‘", "'", "’", "'", "`", "'", "´", "'")

// score is what was said in time of the matters of each kind.
type score struct {
	Said  int              `json:"said"`
	Of    int              `json:"of"`
	Kinds map[string][]int `json:"kinds"` // said, of
	Met   total            `json:"met"`   // over the sessions with labels
}

// held holds what was told against labels.
func held(sessions []played, matters []matter) *score {
	s := &score{Kinds: map[string][]int{}}
	for i := range sessions {
		p, of := &sessions[i], s.Of
		for _, m := range matters {
			if m.Session != p.Session {
				continue
			}
			said := 0
			if slices.ContainsFunc(p.Told, func(t told) bool { return !t.Again && m.inTime(&t) && says(t.Text, m.Words) > 0 }) {
				said = 1
			}
			kind := append(s.Kinds[m.Kind], 0, 0)
			s.Kinds[m.Kind] = []int{kind[0] + said, kind[1] + 1}
			s.Said, s.Of = s.Said+said, s.Of+1
		}
		if s.Of > of {
			s.Met.add(p)
		}
	}
	return s
}

func (s *score) text(w io.Writer) {
	fmt.Fprintf(w, "\nsaid in time: %d of %d\n", s.Said, s.Of)
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		fmt.Fprintf(w, "  %s: %d of %d\n", kind, s.Kinds[kind][0], s.Kinds[kind][1])
	}
	fmt.Fprintf(w, "with labels: %s\n", s.Met)
}
