package recall

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// A passage is a run of blocks of one section of a log of about passageBytes, so that a
// failure, its cause and its fix are usually in one passage.
const (
	passageBytes   = 700
	passageLines   = 16
	longestPassage = 2 * passageBytes // without a blank line or an item
)

var (
	heading = lazy.Pattern(`^(#{1,6})\s+(.+?)\s*#*$`)
	fence   = lazy.Pattern("^\\s*(?:```|~~~)")
	ruled   = lazy.Pattern(`^\s*[|:\s-]+$|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$`)
)

// Passages returns the passages of a log in Markdown or plain text, with line numbers from 1.
func Passages(lines []string) []Document {
	var out []Document
	var heads [7]string
	above := func() string {
		b := slices.DeleteFunc(slices.Clone(heads[2:]), func(h string) bool { return h == "" })
		if len(b) == 0 {
			return heads[1]
		}
		return strings.Join(b, " › ")
	}
	first, size := -1, 0
	flush := func(end int) { // lines[first:end]
		if first < 0 {
			return
		}
		for end > first && strings.TrimSpace(lines[end-1]) == "" {
			end--
		}
		out = append(out,
			Document{Kind: Passage, Lines: episode.Span{first + 1, end}, Heading: above(),
				Text: strings.Join(lines[first:end], "\n")})
		first, size = -1, 0
	}
	inFence := false
	for i, line := range lines {
		if fence().MatchString(line) {
			inFence = !inFence
		}
		if m := heading().FindStringSubmatch(line); m != nil && !inFence {
			flush(i)
			level := len(m[1])
			heads[level] = m[2]
			clear(heads[level+1:])
			continue
		}
		blank := strings.TrimSpace(line) == ""
		if first < 0 && (blank || ruled().MatchString(line)) {
			continue
		}
		full := size+len(line) > passageBytes || i-first >= passageLines
		if first >= 0 && full && (blank || size > passageBytes && (opens().MatchString(line) || size > longestPassage)) {
			flush(i)
			if blank {
				continue
			}
		}
		if first < 0 {
			first = i
		}
		size += len(line) + 1
	}
	flush(len(lines))
	return out
}

var jsonLine = lazy.Pattern(`^\s*"(\w+)"\s*:\s*(.*)$`)

// PassagesJSON returns the passages of an indented log in JSON: one for the strings of each
// object or list.
func PassagesJSON(lines []string) []Document {
	var out []Document
	first, size := -1, 0
	var text []string
	flush := func(end int) {
		if first >= 0 && size > 40 {
			out = append(out, Document{Kind: Passage, Lines: episode.Span{first + 1, end}, Unaligned: true, Text: strings.Join(text, "\n")})
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

// general matches headings within the section about a matter: of its parts, or of who says something.
var general = lazy.Pattern(`(?i)^\W*(?:[\d.]+ )?(?:the )?(?:problems?|issues?|symptoms?|errors?|failures?|observations?|what happened|background|context|details?|impact|analysis|investigation` +
	`|(?:root )?causes?(?: analysis)?|why\b.*|rules?|diagnosis|findings?|changes?(?: made)?|implementation|lessons?(?: learned)?|decisions?|outcome|results?|verification` +
	`|user|human|assistant|agent|asked|said|question|answer|prompt|response` +
	`|` + helped + `(?: applied| implemented)?(?: ?\([^()]*\))?|问题|問題|根因|(?:根本)?原因|원인|문제|причин[аы]|проблем[аы])\W*$`)

// section returns the headings of a document down to that of its matter: the problem, its cause and
// its fix often have headings of their own below it.
func (d *Document) section() string {
	heads := strings.Split(d.Heading, " › ")
	if at := slices.IndexFunc(heads, general().MatchString); at >= 0 {
		heads = heads[:at]
	}
	return strings.Join(heads, " › ")
}

// sameSection reports whether a document is of the section that is quoted of a place, or of one around
// or within it; only an error is a matter of its own.
func (p *Place) sameSection(q *Question, d *Document) bool {
	quoted, other := p.Docs[0].section(), d.section()
	return q.Want != AnError || around(quoted, other) || around(other, quoted)
}

// around reports whether a section, by its headings, is another one or around it.
func around(section, other string) bool {
	return section == "" || strings.HasPrefix(other+" › ", section+" › ")
}

// AddSaid adds the passages of one turn of the session's transcript, which is at a place of it. If its lines are
// those of the transcript from line on, so are those of each passage; if on is 0, all have the place of the turn. If the text is kept in a file, from is where it begins there, and the index
// has only the places in that file, see Segment.Kept; else from is 0.
func (s *Session) AddSaid(at episode.Span, on int, text string, from int) {
	lines := strings.Split(text, "\n")
	starts := []int{from}
	for _, l := range lines {
		starts = append(starts, starts[len(starts)-1]+len(l)+len("\n"))
	}
	kind := Said
	if recited(text) {
		kind = Read
	}
	for _, p := range Passages(lines) {
		if raw := p.Text; from > 0 && plain.Text(raw) == raw {
			p.from = starts[p.Lines[0]-1]
		}
		if on > 0 {
			at = episode.Span{on + p.Lines[0] - 1, on + p.Lines[1] - 1}
		}
		p.Kind, p.Lines, p.Unaligned, p.Text, p.Heading = kind, at, on == 0, plain.Text(p.Text), plain.Words(p.Heading)
		s.Docs = append(s.Docs, p)
	}
}

var (
	fillIn  = lazy.Pattern(`\[[A-Z][\w ,/'-]{3,60}\](?:[^(]|$)|\$ARGUMENTS|\{\{[^{}\n]+\}\}|<[A-Z_]{3,}>`)
	ordered = lazy.Pattern(`\b(?:MUST|NEVER|ALWAYS|DO NOT|CRITICAL|IMPORTANT|MANDATORY)\b`)
	story   = lazy.Pattern(`(?m)^\W*(?:Given|When|Then|And|As an?|I want|So that)\b`)
)

// The numbers of blanks to fill in, of orders, and of lines of user stories from which a turn is
// taken from a template, an instruction or a plan.
const (
	mostBlanks = 3
	mostOrders = 5
	mostStory  = 8
)

// recited reports whether a turn is text that was not written in the session: instructions, a
// template, or the stories of a plan.
func recited(text string) bool {
	n := func(pattern func() *regexp.Regexp, most int) bool {
		return len(pattern().FindAllString(text, most)) >= most
	}
	return n(fillIn, mostBlanks) || n(ordered, mostOrders) || n(story, mostStory)
}
