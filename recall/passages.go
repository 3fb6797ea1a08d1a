package recall

import (
	"encoding/json"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// A passage is a run of blocks of one section of a log of about passageBytes, so that what belongs together is mostly
// in one passage. With 350, 500 and 700 bytes a passage on the lines that answer stands within 900 tokens in 20, 19 and
// 17 of 40 questions, and first in 4, 7 and 8.
const (
	passageBytes   = 500
	passageLines   = 16
	longestPassage = 3 * passageBytes // without a blank line or an item
	longestLead    = 200              // of what stands above a list or a table, in bytes
)

var (
	heading = lazy.Pattern(`^(#{1,6})\s+(.+?)\s*#*$`)
	fence   = lazy.Pattern("^\\s*(?:```|~~~)")
	opens   = lazy.Pattern(`^\s*(?:[-*+] |\d+[.)] |#|>|\||` + "```" + `|\*\*|\[)`)
	item    = lazy.Pattern(`^\s*(?:[-*+]|\d+[.)]) `)
	ruled   = lazy.Pattern(`^\s*[|:\s-]+$|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$`)
)

// Passages returns the passages of a log in Markdown or plain text, with line numbers from 1. The heading of one that
// goes on with a table or a list ends in the head of the table, or in what introduces the list.
func Passages(lines []string) []Document {
	c := cutter{lines: lines, first: -1}
	for i, line := range lines {
		c.line(i, line)
	}
	c.flush(len(lines))
	return c.out
}

// cutter cuts a log into passages.
type cutter struct {
	lines   []string
	out     []Document
	heads   [7]string
	fenced  bool
	before  string // the line before that is not blank
	lead    string // of the table or list that the line is in
	first   int    // line of the passage, from 0; -1: none
	size    int    // of it so far, in bytes
	heading string // of it
}

func (c *cutter) line(i int, line string) {
	if fence().MatchString(line) {
		c.fenced = !c.fenced
	}
	if m := heading().FindStringSubmatch(line); m != nil && !c.fenced {
		c.flush(i)
		level := len(m[1])
		c.heads[level], c.lead, c.before = m[2], "", ""
		clear(c.heads[level+1:])
		return
	}
	blank := strings.TrimSpace(line) == ""
	if c.first < 0 && (blank || ruled().MatchString(line)) {
		return
	}
	if full := c.size+len(line) > passageBytes || i-c.first >= passageLines; c.first >= 0 && full &&
		(blank || c.size > passageBytes && (opens().MatchString(line) || c.size > longestPassage)) {
		c.flush(i)
	}
	if blank {
		return
	}
	next := c.leads(line)
	if c.first < 0 {
		c.first, c.heading = i, c.under()
	}
	c.lead, c.before = next, line
	c.size += len(line) + 1
}

// leads sets the lead of a line's table or list, and returns that of the lines after it.
func (c *cutter) leads(line string) (next string) {
	was, row := strings.TrimSpace(c.before), strings.HasPrefix(strings.TrimSpace(line), "|")
	switch {
	case c.fenced:
	case row && !strings.HasPrefix(was, "|"):
		if c.lead = ""; len(line) <= longestLead {
			return strings.TrimSpace(line)
		}
	case item().MatchString(line):
		if strings.HasSuffix(was, ":") && len(was) <= longestLead && !item().MatchString(c.before) {
			c.lead = was
		}
	case !row && !strings.HasPrefix(line, " "):
		c.lead = ""
	}
	return c.lead
}

// under is the path of headings above a line, without the title of the log where there are others.
func (c *cutter) under() string {
	path := slices.Concat(c.heads[2:], []string{c.lead})
	if path = slices.DeleteFunc(path, func(h string) bool { return h == "" }); len(path) == 0 || len(path) == 1 && c.lead != "" {
		path = slices.DeleteFunc([]string{c.heads[1], c.lead}, func(h string) bool { return h == "" })
	}
	return strings.Join(path, " › ")
}

// flush ends the passage before a line.
func (c *cutter) flush(end int) {
	if c.first < 0 {
		return
	}
	for end > c.first && strings.TrimSpace(c.lines[end-1]) == "" {
		end--
	}
	c.out = append(c.out, Document{Kind: Passage, Lines: episode.Span{c.first + 1, end}, Heading: c.heading,
		Text: strings.Join(c.lines[c.first:end], "\n")})
	c.first, c.size = -1, 0
}

var jsonLine = lazy.Pattern(`^\s*"(\w+)"\s*:\s*(.*)$`)

// PassagesJSON returns the passages of an indented log in JSON: one for the strings of each object or list. Cut like
// other logs, 22 % of the given questions get the right words instead of 25.
func PassagesJSON(lines []string) []Document {
	var out []Document
	first, size := -1, 0
	var text []string
	flush := func(end int) {
		if first >= 0 && size > 40 {
			out = append(out, Document{Kind: Passage, Lines: episode.Span{first + 1, end}, Text: strings.Join(text, "\n")})
		}
		first, size, text = -1, 0, nil
	}
	for i, line := range lines {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "}") || strings.HasPrefix(t, "{") || strings.HasPrefix(t, "]") ||
			strings.HasSuffix(t, "{") || strings.HasSuffix(t, "[") {
			flush(i)
			continue
		}
		value := t
		if m := jsonLine().FindStringSubmatch(line); m != nil {
			value = m[2]
		}
		value = strings.TrimSuffix(value, ",")
		if !strings.HasPrefix(value, `"`) || len(value) < 2 {
			continue
		}
		_ = json.Unmarshal([]byte(value), &value)
		if len(value) < 12 {
			continue
		}
		if first < 0 {
			first = i
		}
		text = append(text, value)
		if size += len(value); size > passageBytes {
			flush(i + 1)
		}
	}
	flush(len(lines))
	return out
}

// AddPassages adds the passages of the session's log. The format is one of package extract.
func (s *Session) AddPassages(format string, log []string) {
	passages := Passages
	if format == "session-json" {
		passages = PassagesJSON
	}
	shown := make([]string, len(log))
	for i, line := range log {
		shown[i] = strings.ReplaceAll(plain.Text(line), "\n", " ") // one line stays one
	}
	list := passages(shown)
	for i := range list {
		list[i].Text, list[i].Heading = plain.Text(list[i].Text), plain.Words(list[i].Heading)
	}
	for i := range s.Docs {
		fact := &s.Docs[i]
		if at := slices.IndexFunc(list, func(p Document) bool { return fact.Lines[0] <= p.Lines[1] }); at >= 0 && fact.Lines[0] > 0 {
			fact.Heading = list[at].Heading
		}
	}
	s.Docs = append(s.Docs, list...)
}

// AddNote adds the passages of a note of another tool as documents of kind Note, with line numbers if lined is true. Notes
// are for searches: indexes for advice must not contain them.
func (s *Session) AddNote(text string, lined bool) {
	for _, d := range Passages(strings.Split(plain.Text(text), "\n")) {
		d.Kind, d.Heading = Note, plain.Words(d.Heading)
		if !lined {
			d.Lines = episode.Span{}
		}
		s.Docs = append(s.Docs, d)
	}
}

// AddSaid adds the passages of one turn of the session's transcript, which is at a place of it. If its lines are
// those of the transcript from line on, so are those of each passage; if on is 0, all have the place of the turn. If the text is kept in a file, from is where it begins there, and the index
// has only the places in that file, see Segment.Kept; else from is 0.
func (s *Session) AddSaid(at episode.Span, on int, who Who, text string, from int) {
	lines := strings.Split(text, "\n")
	starts := []int{from}
	for _, l := range lines {
		starts = append(starts, starts[len(starts)-1]+len(l)+len("\n"))
	}
	class := s.saidClass(who, text)
	for _, p := range Passages(lines) {
		if raw := p.Text; from > 0 && plain.Text(raw) == raw {
			p.from = starts[p.Lines[0]-1]
		}
		if on > 0 {
			at = episode.Span{on + p.Lines[0] - 1, on + p.Lines[1] - 1}
		}
		p.Kind, p.Class, p.Lines, p.Who, p.Text, p.Heading = Said, class, at, who, plain.Text(p.Text), plain.Words(p.Heading)
		s.Docs = append(s.Docs, p)
	}
}
