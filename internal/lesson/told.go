package lesson

import (
	"slices"
	"strings"
	"sync"

	"episodes/internal/lazy"
	"episodes/keys"
)

// How lines show that something held or failed.
var (
	well  = lazy.Pattern(`(?i)\b(?:succe\w*|complet\w+|done|pass(?:e[ds]|ing)?|green|work(?:s|ing|ed)|merged|shipped|fixed|(?:re)?solved|verified|confirmed|tested|ok|healthy|running|now|gone|clean|resumed|recovered|restored|no longer|(?:0|no) (?:errors?|fail\w+|warnings?|problems?|issues?)|exit(?:ed)?(?: code)? 0|éxito|funciona\w*|corregid\w*|resuelt\w*|verificad\w*)\b|✅|✓|✔|\[x\]|成功|完了|修正|通過|正常|確認|解決|완료|성공|해결|통과|정상|확인|\b\d+ ?/ ?\d+\b`)
	badly = lazy.Pattern(`(?i)\b(?:fail\w*|broke\w*|breaks|blocked|abandon\w*|revert\w*|unresolved|errors?|exceptions?|timed? ?out|crash\w*|wrong|still|unable|cannot|rejected|refused|denied|missing|lost|corrupt\w*|worse|not|never|no|fall[aóo]\w*)\b|n['’]t\b|❌|✗|✘|⚠|失敗|エラー|실패|오류|에러`)
)

// shows reports whether on these lines a check, a printed result or a person says how something ended. That it is not known
// takes no line.
func (s *Session) shows(l Lines, end Ending) bool {
	if end != Held && end != Failed {
		return true
	}
	for _, t := range s.at(l) {
		text := t.Text
		if t.Who == ByLog {
			text = s.Of(l)
		}
		good, bad := well().MatchString(text), badly().MatchString(text)
		if t.Who != ByAgent && t.Who != ByCall && (end == Failed && (bad || !good && t.Who == ByPerson) || end == Held && (good || !bad && t.Who != ByLog)) {
			return true
		}
	}
	return false
}

// opposites are words that turn a sentence round, by their stems: the number of their pair, with the sign of their side.
var opposites = sync.OnceValue(func() map[string]int {
	out := map[string]int{}
	for i, pair := range strings.Split("enabl activ allow permit/disabl deactiv forbid deni prohibit|add ad insert introduc keep/remov delet|alway/never|pass succeed/fail|includ/exclud omit|increas rais/decreas reduc lower|start/stop|true/fals|instal/uninstal|synchron/asynchron|public/privat|requir mandatori/option|lock/unlock", "|") {
		one, other, _ := strings.Cut(pair, "/")
		for _, w := range strings.Fields(one) {
			out[w] = i + 1
		}
		for _, w := range strings.Fields(other) {
			out[w] = -i - 1
		}
	}
	return out
})

// pole is a word with an opposite, with the words around it.
type pole struct {
	is   int      // as opposites have it
	near []string // up to seven words on each side
}

// poles are the words of a text that have an opposite, with those around them in the sentence. A negation right before one
// makes it the other.
func poles(text string) (out []pole) {
	for _, sentence := range ends().Split(text, -1) {
		words := spaced(sentence)
		for i, w := range words {
			is := opposites()[keys.Stem(w)]
			if is == 0 {
				continue
			}
			if i > 0 && negates(words[i-1]) {
				is = -is
			}
			out = append(out, pole{is, stems(strings.Join(words[max(0, i-7):min(i+8, len(words))], " "))})
		}
	}
	return out
}

var (
	negations = keys.SetOf("not no never without cannot avoid against nor nicht kein nie nunca jamais sin")
	ends      = lazy.Pattern(`[.!?]["'”)*\x60]*(?:\s|$)|[\n。！？;]`)
)

// negates reports whether a word turns the sense of what follows it.
func negates(w string) bool {
	return negations[w] || strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
}

// turned says which cited sentence says the opposite of a lesson: it has only the other word of a pair, among the same words,
// or it forbids what the lesson says. A sentence about what was says nothing of it.
func (s *Session) turned(l *Lesson) *Reason {
	cited, told := s.Of(l.Lines), l.Say+"\n"+l.More
	sides := func(text string) map[int]bool { // those of a text or of was
		out := map[int]bool{}
		for _, p := range poles(text + "\n" + l.Was) {
			out[p.is] = true
		}
		return out
	}
	theirs, ours, was := sides(cited), sides(told), stems(l.Was)
	says := slices.DeleteFunc(poles(told), func(m pole) bool { return theirs[m.is] || ours[-m.is] })
	for _, c := range ends().Split(cited, -1) {
		against := forbids(c, told)
		if !against && keys.Shared(was, stems(c)) < 2 {
			against = slices.ContainsFunc(poles(c), func(p pole) bool {
				return slices.ContainsFunc(says, func(m pole) bool { return p.is == -m.is && keys.Shared(m.near, p.near) > 1 })
			})
		}
		if against {
			return refuse(Turned, "The cited lines say the opposite: %.160q.", strings.TrimSpace(c))
		}
	}
	return nil
}

// forbids reports whether a sentence forbids what a text says in the same four words, in a sentence that denies nothing.
func forbids(cited, told string) bool {
	words := spaced(cited)
	for i := 1; i+4 <= len(words); i++ {
		four := " " + strings.Join(words[i:i+4], " ") + " "
		if words[i-1] != "no" && negates(words[i-1]) && len(keys.Words(four)) > 1 && slices.ContainsFunc(ends().Split(told, -1), func(mine string) bool {
			said := spaced(mine)
			return !slices.ContainsFunc(said, negates) && strings.Contains(" "+strings.Join(said, " ")+" ", four)
		}) {
			return true
		}
	}
	return false
}

// spaced are the words of a text in lower case.
func spaced(text string) (out []string) {
	keys.EachToken(strings.ToLower(text), func(t string) { out = append(out, strings.Trim(t, ".-'’")) })
	return out
}
