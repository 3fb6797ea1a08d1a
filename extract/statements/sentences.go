package statements

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// sentence is one of a turn.
type sentence struct {
	lex.Text
	said string // as it was said
	at   episode.Span
	item bool // of a list
	nth  bool // of a numbered one
	led  bool // of a list whose lead-in rules
}

var (
	sentenceEnd = lazy.Pattern(`[.!?]["')\]*_]*\s+|[。！？]`)
	listMark    = lazy.Pattern(`^\s*(?:[-*•+.]\s+|(\d{1,2}|[a-hA-H])[.)]\s+)`)
	// printed matches a line that a program wrote.
	printed = lazy.Pattern(`^\s*(?:[{}\[\]<>|$+=/\\✖✗✘❯➜⨯│└├]|@@ |\d{1,2}:\d\d|\d{4}-\d\d-\d\d|at \S+[ (]|File "|Traceback|diff --git|(?:[EF]|FAILED|ERROR|Error|WARN\w*|INFO|DEBUG|Uncaught|\w+(?:Error|Exception))\b[: ]|[\w./@-]+[:@]\d+|\d+ (?:passed|failed)|"[\w ]+":)|[;{]\s*$|^(?:    |\t)\S+[ =(.]`)
	// ofDocuments matches a line as documents have them: a heading, an item, a label, a line of full width.
	ofDocuments = lazy.Pattern(`(?m)^\s*(?:\d+[.)] |\x60{3}|[^\s\pL\d"'(\x60@/.]|\pL[\pL\d /-]{1,30}: |.{60,110}[\pL\d,]\s*$|[\pL ]{1,40}$)`)
)

// pasteBytes is how long a text is of which a part may be pasted.
const pasteBytes = 2 << 10

// typed is the part of a text that its writer typed: of a long one that is made as documents are, what stands before.
func typed(text string) string {
	made := ofDocuments().FindAllStringIndex(text, -1)
	if len(text) > pasteBytes && len(made) > 0 && len(made)*5 >= strings.Count(text, "\n") {
		return text[:made[0][0]]
	}
	return text
}

// sentences splits a text of a turn, without code and output.
func sentences(l *lex.Lexicon, t *turns.Turn, text string, lines []int) (out []sentence) {
	fence, lead := false, sentence{}
	for i, line := range strings.Split(text, "\n") {
		x := sentence{at: t.At}
		if i < len(lines) {
			x.at = episode.Span{lines[i], lines[i]}
		}
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
			continue
		}
		if fence || printed().MatchString(line) {
			continue
		}
		if m := listMark().FindStringSubmatchIndex(line); m != nil {
			x.item, x.nth = true, m[2] >= 0
			x.led, line = lead.leads(), line[m[1]:]
		} else if line != "" {
			lead = sentence{Text: l.Text(line), said: line}
		}
		for line != "" {
			end := len(line)
			if m := sentenceEnd().FindStringIndex(line); m != nil {
				end = m[1]
			}
			x.said = strings.TrimSpace(line[:end])
			if x.Text = l.Text(strings.ReplaceAll(x.said, "’", "'")); len(x.Words) > 0 {
				out = append(out, x)
			}
			line, x.nth = line[end:], false
		}
	}
	return out
}

// asks reports whether one of the last n bytes of a text is a question mark.
func asks(text string, n int) bool { return strings.ContainsAny(text[max(0, len(text)-n):], "?？") }

// asks reports whether a sentence is a question.
func (x *sentence) asks() bool { return asks(x.said, 5) || x.At(0, lex.ClassAsk) }

// names reports whether a sentence has a word of a question, not a small one.
func (x *sentence) names(ask string) bool {
	ask = strings.ToLower(ask)
	return slices.ContainsFunc(x.Words, func(w lex.Word) bool { return len(w.Lower) > 3 && strings.Contains(ask, w.Lower) })
}

// has reports whether one of the first n words is of class c, and fits.
func (x *sentence) has(c lex.Class, n int, fits func(i int) bool) bool {
	for i := range x.Words[:min(n, len(x.Words))] {
		if x.At(i, c) && (fits == nil || fits(i)) {
			return true
		}
	}
	return false
}

// all is more than a sentence has words.
const all = 1e6

// opens reports whether word i begins a clause.
func (x *sentence) opens(i int) bool {
	if i == 0 {
		return true
	}
	before := x.Words[i-1]
	return strings.ContainsAny(x.Raw[before.End:x.Words[i].Start], ",;:.!?—–") || before.Any(lex.ClassJoint, lex.ClassDemand) && x.opens(i-1)
}

// rules reports whether a sentence sets something beyond the next step: it forbids, or demands of all or for good.
func (x *sentence) rules() bool {
	if x.asks() || len(x.Words) < 3 || strings.HasSuffix(x.said, ":") {
		return false
	}
	return x.led || x.sets()
}

// leads reports whether a sentence sets what the items of a list below it say.
func (x *sentence) leads() bool {
	return !x.item && !strings.HasSuffix(x.said, ".") && (strings.HasSuffix(x.said, ":") || len(x.Words) < 5) && (x.sets() || x.Is(lex.ClassRuling))
}

// sets reports whether the words of a sentence set something.
func (x *sentence) sets() bool {
	return x.has(lex.ClassForbid, all, x.opens) || x.has(lex.ClassEnsure, all, x.opens) || x.Is(lex.ClassManner) || x.At(1, lex.ClassPostposed) ||
		x.Is(lex.ClassStanding) && (x.Is(lex.ClassDemand) || !x.At(0, lex.ClassFirst) && x.has(lex.ClassStanding, all, x.opens)) ||
		x.Is(lex.ClassScope) && x.demands()
}

// demands reports whether a sentence says what must be, which is not what its writer is to have.
func (x *sentence) demands() bool {
	return x.has(lex.ClassDemand, all, func(i int) bool { return i == 0 || !x.At(i-1, lex.ClassFirst) })
}

// turns reports whether a sentence opens with a word by which people turn others around, and goes on; to a question
// "no" is an answer.
func (x *sentence) turns(asked bool) bool {
	return x.has(lex.ClassTurnaround, min(2, len(x.Words)-1), func(i int) bool { return x.opens(i) && !(asked && x.At(i, lex.ClassDenial)) })
}

// objects reports whether a sentence says that something is not as it should be; deny: or that something is not so, as a
// question does by its first words. What is only supposed is not meant.
func (x *sentence) objects(deny bool) bool {
	if x.asks() {
		return deny && x.has(lex.ClassDenial, 3, nil)
	}
	for i, w := range x.Words {
		if x.At(i, lex.ClassIf) {
			return false
		}
		if deny && w.Any(lex.ClassDenial) || w.Any(lex.ClassAmiss, lex.ClassFail) {
			return true
		}
	}
	return false
}

// urges reports whether a sentence is called out, and is no praise.
func (x *sentence) urges() bool {
	return strings.HasSuffix(x.said, "!") && len(x.Words) > 1 && !x.Is(lex.ClassGood) && !x.Is(lex.ClassPass)
}
