package recall

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/plain"
)

// sentence is the smallest part of a passage that is quoted.
type sentence struct {
	text  string
	line  int // first line in the log
	end   int // last line in the log
	item  int // index of the line or list item that it belongs to
	code  bool
	value float64
}

// advising matches the words by which a log gives a reason or advice.
var advising = lazy.Pattern(`(?i)\b(?:root cause|because|due to|fix(?:e[sd])?|resolution|resolved|solution|workaround|instead|should|must|always|never|avoid|lesson|learning|learned|rationale|reason|decided|chose|chosen|corrected|correct pattern)\b|→|✅|原因|解決|修正|対処|対策|回避|禁止|教訓|解决|修复|建议|원인|해결|수정|대신|금지|교훈|причин|рішен|решен|виправ|исправ|замість|вместо|(?:по)?треба|нужно|обов|всегда|завжди|никогда|ніколи`)

// The value of a sentence is the sum of these.
const (
	worthOfAny   = 0.5 // any sentence that is not code
	worthOfWords = 1.0 // each word of the question
	worthOfCue   = 1.0 // a word of advice
	worthOfFact  = 2.0 // the line of a fact that gives advice
	echoed       = 0.5 // share of the question's words above which nothing is new
	longSentence = 300 // bytes above which a line is split into sentences
)

// excerpt returns the most valuable run of sentences of a passage in at most most bytes, and
// its lines. Another more bytes may complete the last item. p is the place that the passage
// belongs to, or nil.
func excerpt(q *Question, d *Document, p *Place, most, more int) (string, episode.Span) {
	all := sentences(d)
	under := advising().MatchString(d.Heading)
	for i := range all {
		all[i].weigh(q, p.fact(all[i].line), under)
	}
	from, to := run(all, most, more, q.Want != AnError)
	for to > from+1 && strings.HasSuffix(all[to-1].text, ":") { // announces what is not quoted
		to--
	}
	for from+1 < to && all[from].value <= worthOfAny && all[from].item != all[from+1].item { // unrelated lines above
		from++
	}
	if from == to {
		return "", d.Lines
	}
	return cut(join(all[from:to]), most+more), episode.Span{all[from].line, all[to-1].end}
}

// join returns sentences as one line; those of different lines are separated by a slash.
func join(all []sentence) string {
	var b strings.Builder
	for i, s := range all {
		switch {
		case i == 0:
		case all[i-1].line == s.line:
			b.WriteString(" ")
		default:
			b.WriteString(" / ")
		}
		b.WriteString(s.text)
	}
	return b.String()
}

// run returns the run all[from:to] with the largest value within most bytes, see excerpt; of a
// passage that fits, if whole is true, what is between its first and last sentence of value.
func run(all []sentence, most, more int, full bool) (from, to int) {
	size := 0
	for _, s := range all {
		size += len(s.text) + len(" / ")
	}
	if full && size <= most+more {
		for to = len(all); to > 0 && all[to-1].value <= worthOfAny; to-- {
		}
		for from < to && all[from].value <= worthOfAny {
			from++
		}
		if from < to {
			return from, to
		}
	}
	best := -1.0
	for i := range all {
		size, sum := 0, 0.0
		for k := i; k < len(all); k++ {
			n := len(all[k].text) + len(" / ")
			room := most
			if k > i && all[k].item == all[k-1].item {
				room += more
			}
			if k > i && size+n > room {
				break
			}
			size, sum = size+n, sum+all[k].value
			if sum > best {
				best, from, to = sum, i, k+1
			}
		}
	}
	return from, to
}

// fact reports whether a line belongs to a fact of the place that gives advice.
func (p *Place) fact(line int) bool {
	return p != nil && slices.ContainsFunc(p.Docs, func(d *Document) bool {
		return !d.Kind.prose() && d.Class != Nothing && d.Lines[0] <= line && line <= d.Lines[1]
	})
}

func (s *sentence) weigh(q *Question, fact, under bool) {
	if !s.code { // lines of code need a reason to be quoted
		s.value = worthOfAny
	}
	have, all := map[string]bool{}, map[string]bool{}
	terms(s.text, true, func(t term) {
		all[t.text] = true
		if q.Weights[t.text] >= evidenceWeight {
			have[t.text] = true
		}
	})
	if n := len(have); float64(n) <= echoed*float64(len(all)) {
		s.value += worthOfWords * float64(n)
	} else {
		s.value = 0
	}
	if cue(s.text) {
		s.value += worthOfCue
	} else if under {
		s.value += worthOfCue / 2
	}
	if fact {
		s.value += worthOfFact
	}
}

// cue reports whether a sentence has a word of advice. Rows of tables and checklists do not
// count.
func cue(text string) bool { return !strings.Contains(text, " | ") && advising().MatchString(text) }

var ends = lazy.Pattern(`[.;!?] +|。`)

// sentences splits a passage into lines, joins those that were wrapped, and splits long ones
// into sentences.
func sentences(d *Document) []sentence {
	var out []sentence
	lines := strings.Split(d.Text, "\n")
	code := false
	for i := 0; i < len(lines); {
		if fence().MatchString(lines[i]) {
			code = !code
		}
		text, first := tidy(lines[i]), i
		if strings.Trim(text, "_^~*=.- ") == "" {
			text = ""
		} else if code {
			text = plain.Words(lines[i])
		}
		for i++; i < len(lines) && !d.Unaligned && !code && continues(lines[i-1], lines[i], item().MatchString(lines[first])); i++ {
			text += " " + tidy(lines[i])
		}
		if !code {
			text = emphasis().ReplaceAllString(text, "$1")
		}
		line, end := d.Lines[0]+first, d.Lines[0]+i-1
		if d.Unaligned {
			line, end = d.Lines[0], d.Lines[1]
		}
		for text != "" {
			n := len(text)
			if at := ends().FindStringIndex(text[min(60, n):]); n > longSentence && at != nil {
				n = 60 + at[1]
			}
			out = append(out,
				sentence{text: strings.TrimSpace(text[:n]), line: line, end: end, item: first, code: code})
			text = strings.TrimSpace(text[n:])
		}
	}
	return blocks(out)
}

// blocks makes one sentence of the first lines of a block of code that a label announces as what helped.
func blocks(all []sentence) (out []sentence) {
	for i := 0; i < len(all); i++ {
		out = append(out, all[i])
		if i == 0 || !all[i].code || all[i-1].code || solving().FindString(all[i-1].text) != all[i-1].text {
			continue
		}
		block := &out[len(out)-1]
		block.code, block.item = false, all[i-1].item
		for ; i+1 < len(all) && all[i+1].code && len(block.text)+len(all[i+1].text) < longestCure; i++ {
			if !strings.ContainsAny(block.text[len(block.text)-1:], "{([:,;") {
				block.text += ";"
			}
			block.text, block.end = block.text+" "+all[i+1].text, all[i+1].end
		}
	}
	return out
}

// wrapped is the length in bytes from which a line may continue on the next.
const wrapped = 60

var (
	// opens matches lines that start an item, a heading, a row, a quotation or code.
	opens = lazy.Pattern(`^\s*(?:[-*+] |\d+[.)] |#|>|\||` + "```" + `|\*\*|\[)`)
	item  = lazy.Pattern(`^\s*(?:[-*+]|\d+[.)]) `)
)

// continues reports whether a line continues the one before, which was wrapped or, if inItem
// is true, belongs to a list item.
func continues(before, line string, inItem bool) bool {
	before = strings.TrimSpace(before)
	if strings.TrimSpace(line) == "" || opens().MatchString(line) || strings.HasPrefix(before, "|") ||
		strings.HasPrefix(before, "#") {
		return false
	}
	return len(before) >= wrapped || inItem && (line[0] == ' ' || line[0] == '\t')
}

var (
	bullets  = lazy.Pattern(`^(?:(?:[-*+]|#+) +|[>|] ?)+(?:\[[ xX]\] +)?`)
	emphasis = lazy.Pattern(`\*\*([^\s*](?:[^*]*[^\s*])?)\*\*`)
)

// tidy removes the Markdown of lists, quotations and headings from a line.
func tidy(line string) string {
	line = plain.Words(line)
	if fence().MatchString(line) || ruled().MatchString(line) {
		return ""
	}
	return strings.TrimSpace(bullets().ReplaceAllString(line, ""))
}
