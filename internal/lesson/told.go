package lesson

import (
	"slices"
	"strings"
	"sync"

	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/keys"
)

// How lines show that something held or failed.
var (
	well  = lazy.Pattern(`(?i)\b(?:success\w*|succeed\w*|completed?|done|pass(?:e[ds]|ing)?|green|works|working|worked|merged|shipped|fixed|resolved|solved|verified|confirmed|tested|ok|healthy|running|now|gone|clean|built|0 (?:errors?|failed|failures?|warnings?|problems?)|no (?:more )?(?:errors?|failures?|problems?|issues?)|faster|exit(?:ed)?(?: code)? 0)\b|✅|✓|✔|☑|\[x\]|成功|完了|修正|通過|正常|確認|解決|完成|완료|성공|해결|통과|정상|확인|\b(?:éxito|exitos\w*|completad\w*|funciona\w*|corregid\w*|resuelt\w*|verificad\w*|aprobad\w*|pasan|pasó)\b|\b\d+ ?/ ?\d+\b|\b\d+ ?(?:%|ms|s|MB|KB)(?:\W|$)`)
	badly = lazy.Pattern(`(?i)\b(?:fail\w*|red|broken|breaks|broke|blocked|abandon\w*|revert\w*|rolled back|unresolved|errors?|exceptions?|timed? ?out|crash\w*|wrong|useless|still|unable|cannot|couldn't|rejected|refused|denied|missing|lost|corrupt\w*|worse|slower|0/\d+)\b|\b(?:not|never|no|n't)\b|n['’]t\b|❌|✗|✘|⚠|失敗|エラー|실패|오류|에러|안 ?[되됨]|\b(?:fall[aóo]\w*|error\w*|no funcion\w*)\b`)
)

// shows reports whether on these lines, or in the turns on them, a check, a printed result or a person says that
// something held, or failed.
func (s *Session) shows(l Lines, held bool) bool {
	for _, t := range s.at(l) {
		text := t.Text
		if t.Who != ByPerson && !strings.HasPrefix(strings.TrimSpace(s.Lines[t.At[0]-1]), "{") {
			text = s.Of(inside(l, t))
		}
		good, bad := well().MatchString(text), badly().MatchString(text)
		switch {
		case t.Who == ByAgent:
		case t.Who == ByLog && held, t.Who == ByTool && held && bad:
			if good {
				return true
			}
		case held:
			if !bad || good {
				return true
			}
		default:
			if bad || t.Who == ByTool && complains(text) {
				return true
			}
		}
	}
	return false
}

// inside is what ranges have of a turn.
func inside(l Lines, t Turn) (out Lines) {
	for _, x := range l {
		if x[0], x[1] = max(x[0], t.At[0]), min(x[1], t.At[1]); x[0] <= x[1] {
			out = append(out, x)
		}
	}
	return out
}

func complains(output string) bool {
	return slices.ContainsFunc(telling.Read(output), func(l telling.Line) bool { return l.Level >= telling.Vague })
}

// outcome makes an outcome unknown that nothing shows. A person's word needs nothing.
func (k *checker) outcome(l *Lesson) {
	lines := l.Proof
	if len(lines) == 0 {
		lines = l.Lines
	}
	if k.By != Person && (l.Outcome == Held && !k.Log.shows(lines, true) || l.Outcome == Failed && !k.Log.shows(lines, false)) {
		l.Outcome = Unknown
	}
}

// opposites are words that turn a sentence round, by their stems: of which pairs, on which side.
var opposites = sync.OnceValue(func() map[string][][2]int {
	out := map[string][][2]int{}
	for i, pair := range [][2]string{
		{"enabl activ allow permit", "disabl deactiv forbid deni prohibit"}, {"add insert introduc creat", "remov delet drop"}, {"alway", "never"},
		{"pass succeed success", "fail failur"}, {"includ", "exclud omit"}, {"increas rais", "decreas reduc lower"}, {"befor", "after"},
		{"start", "stop"}, {"true", "fals"}, {"instal", "uninstal"}, {"sync synchron", "async asynchron"}, {"public", "privat"},
		{"show", "hide"}, {"requir mandatori", "option"}, {"lock", "unlock"}, {"keep", "remov delet drop"},
	} {
		for side, list := range pair {
			for w := range strings.FieldsSeq(list) {
				out[w] = append(out[w], [2]int{i, side})
			}
		}
	}
	return out
})

// sides are the words of a text that have an opposite: of each pair the sides that it has.
func sides(text string) map[int][2]bool {
	out := map[int][2]bool{}
	for _, w := range plainWords(text) {
		for _, p := range opposites()[keys.Stem(w)] {
			s := out[p[0]]
			s[p[1]] = true
			out[p[0]] = s
		}
	}
	return out
}

// plainWords are the words of a text in lower case.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool { return !isAtom(r) && r != '\'' && r < 0x80 })
}

var ends = lazy.Pattern(`[.!?:]["'’”)*\x60]*(?:\s|$)|[\n。！？;]`)

// sentences are the sentences of a text.
func sentences(text string) []string { return ends().Split(text, -1) }

// turned says which cited sentence says the opposite of a lesson.
func (s *Session) turned(l *Lesson) *Reason {
	cited := s.Of(l.Lines)
	has, was, says := sides(cited), sides(l.Was), sides(l.Say+" "+l.More)
	list := sentences(cited)
	for _, mine := range sentences(l.Say + "\n" + l.More) {
		words := stems(mine)
		for pair, m := range sides(mine) {
			for side := range 2 {
				if !m[side] || says[pair][1-side] || has[pair][side] || !has[pair][1-side] || was[pair][0] || was[pair][1] {
					continue
				}
				for _, c := range list {
					if sides(c)[pair][1-side] && len(among(c, words)) > 2 && negated(c) == negated(mine) {
						return refuse(Turned, "The cited lines say the opposite: %.160q.", strings.TrimSpace(c))
					}
				}
			}
		}
		for _, c := range list {
			if c := strings.TrimSpace(c); turnedQuote(mine, c) {
				return refuse(Turned, "The cited lines say the opposite: %.160q.", c)
			}
		}
	}
	return nil
}

// negation is a word that turns the sense of what follows it.
var negation = lazy.Pattern(`(?i)\b(?:not?|never|without|neither|nor|cannot|avoid(?:s|ed|ing)?|instead of|rather than|against|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|nicht|kein\w*|nie|nunca|sin|jamais|sans)\b|n['’]t\b`)

func negated(text string) bool { return negation().MatchString(text) }

// turning is a word that forbids what follows it; "no" alone mostly says that there is none.
var turning = lazy.Pattern(`(?i)^(?:not|never|cannot|avoid(?:s|ed|ing)?|of|than|against|reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)|nicht|nie|nunca|jamais|\w+n['’]t)$`)

// run is how many words with a meaning two sentences must share in a row to count as quoted.
const run = 3

// turnedQuote reports whether a sentence quotes words of another without the negation that stands right before them.
func turnedQuote(mine, cited string) bool {
	if negated(mine) || !negated(cited) {
		return false
	}
	a, b := spaced(mine), spaced(cited)
	for j := 1; j < len(b); j++ {
		if !turning().MatchString(b[j-1]) || (b[j-1] == "of" || b[j-1] == "than") && (j < 2 || b[j-2] != "instead" && b[j-2] != "rather") {
			continue
		}
		for i := range a {
			n, told := 0, 0
			for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] {
				if keys.Word(a[i+n]) != "" {
					told++
				}
				n++
			}
			if told >= run {
				return true
			}
		}
	}
	return false
}

// spaced are the words of a text as spaces part them, in lower case and without the marks around them.
func spaced(text string) (out []string) {
	for f := range strings.FieldsSeq(strings.ToLower(text)) {
		if f = strings.Trim(f, "\"'`“”‘’()[]{}*.,:;!?"); f != "" {
			out = append(out, f)
		}
	}
	return out
}
