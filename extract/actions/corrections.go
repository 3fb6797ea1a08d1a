package actions

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// correctionIn returns the sentence in which a human rejects what the agent did and asks
// for something else, or "".
func correctionIn(text string) string {
	if template().MatchString(text) {
		return ""
	}
	words := courtesy().ReplaceAllString(spelled(ownWords(text)), "")
	lower := strings.ToLower(words)
	for _, p := range corrections {
		if !containsAny(lower, p.cues) {
			continue
		}
		if m := p.pattern().FindStringIndex(words); m != nil {
			return sentenceAt(text, words, m[0])
		}
	}
	return ""
}

// rejects reports whether a correction rejects what was done.
func rejects(text string) bool {
	words := spelled(straight(text))
	return slices.ContainsFunc(rejections, func(p phrase) bool { return p.in(words, strings.ToLower(words)) })
}

// sentenceAt is the first line of a text, or the sentence of its words at a place behind
// it.
func sentenceAt(text, words string, at int) string {
	first := firstSentence(text)
	if at < len(first) {
		return first
	}
	from := 0
	for _, m := range sentenceEnd().FindAllStringIndex(words[:at], -1) {
		from = m[1]
	}
	words = words[from:]
	if m := sentenceEnd().FindStringIndex(words); m != nil {
		words = words[:m[0]+1]
	}
	return firstSentence(words)
}

// ownWords are the first words of a human's turn, without what he pastes: code, quotations, output, and documents with
// headings and long lists.
func ownWords(text string) string {
	long := strings.Count(text, "\n") > pastedLines
	var own []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if pasted().MatchString(line) || long && notProse().MatchString(line) {
			break
		}
		own = append(own, line)
	}
	return straight(turns.Start(oneLine(strings.Join(own, " ")), correctionBytes))
}

// spelled has the apostrophes that people leave out, and nothing shouted.
func spelled(text string) string {
	if text == strings.ToUpper(text) {
		text = strings.ToLower(text)
	}
	return shortened().ReplaceAllStringFunc(text, func(w string) string {
		if strings.HasSuffix(strings.ToLower(w), "t") {
			return w[:len(w)-1] + "'" + w[len(w)-1:]
		}
		n := len(w) - 1
		if strings.HasSuffix(strings.ToLower(w), "re") {
			n--
		}
		return w[:n] + "'" + w[n:]
	})
}

const (
	// correctionBytes is how much of a turn is looked at: who corrects begins with it.
	correctionBytes = 400
	// pastedLines is how many lines a turn has that somebody types.
	pastedLines = 15
)

var (
	shortened = lazy.Pattern(`(?i)\b(?:(?:do|did|does|is|ca|wo|was|are|have|has|should|could|would)nt|thats|whats|youre|theyre)\b|^its\b`)
	pasted    = lazy.Pattern("^(?:```|~~~|>|#{1,6} |\\| |[➜❯$%⨯✖✗] |at \\S+ ?\\(|Traceback |File \"|diff --git|@@ |\\S*(?:[Ee]rror|ERROR|Exception|FAIL(?:ED)?|WARN(?:ING)?)\\b ?[:\\[]|<[a-z-]+>)")
)

// template matches what only prompts have that a program wrote.
var template = lazy.Pattern(`(?m)^<[a-z][\w-]*(?: [^>\n]*)?>\n\s*(?:\d+\.|[-*]) `)

// courtesy matches phrases that begin like a correction but are polite replies.
var courtesy = lazy.Pattern(`(?i)^(?:no(?:,|\b)? ?(?:problem|worries|rush|hurry|need|further|more (?:changes|questions))|never ?mind|sorry[,.]? (?:wrong|ignore|my (?:bad|mistake|fault))|actually,? (?:I'm|I am|that's|this is|it's) (?:(?:all|quite|really|very) )?(?:fine|good|great|ok|okay|happy|comfortable|perfect|right))\b[^.!?]*[.!?]? *`)

var corrections = []phrase{
	// What holds from now on.
	phraseOf("never|always|from now on|ever|must", `(?i)(?:^|[.!,;:] )(?:please |and |but )?(?:never|always|from now on,?|(?:don't|do not) ever) [a-z']+ \S+|^(?:the |all |our )?\w+(?: \w+){0,2} must (?:be|have|stay|always|never|not)\b`),
	// Words with which somebody turns the other around.
	phraseOf("", `(?i)^(?:no\b|nope\b|nah\b|wait\b|stop\b|hold on|actually\b|really\?|uh+\b|wrong\b|but\b|why (?:(?:did|are|would|do|don't)(?: \w+)? (?:you|we)|not)\b|(?:please |pls )?(?:don't|do not|never)\b|undo\b|revert\b|instead\b|rather\b|not (?:like|what|that|this)\b)`),
	phraseOf("what do you mean|you literally", `(?i)\bwhat do you mean\b|\byou literally\b`),
	// It is not as it should be.
	phraseOf("that's|that is|this is|it's|it is", `(?i)(?:^|[.!?,;:] |\bthink |\bbut |\band |\bbecause )(?:that's|that is|this is|it's|it is) (?:not|(?:the )?wrong|no good|incorrect|still|overkill|unnecessary|backwards|broken)\b`),
	phraseOf("n't|not", `(?i)\b(?:is|does|did|are|was|has|have)(?:n't| not| NOT) (?:work|right|what|correct|ok|good|needed|necessary|enough|acceptable|want|fix|help|compile|build|start|load|match|make sense|test|solve|true|like)|\bdo(?:n't| not) (?:work|match|compile|fix|help|make sense|solve)`),
	phraseOf("still", `(?i)\bstill (?:an? |not |no |fail|broken|the same|see|get|happen|blank|empty|wrong|missing|there|crash|doesn't|don't|does not|do not|can't|cannot|isn't|shows?|has\b|have\b)`),
	phraseOf("too", `(?i)\b(?:is|are|'s|seems?|looks?|feels?|way|much|bit) too \w+|\btoo (?:broad|much|many|complex|complicated|heavy|verbose|long)\b`),
	phraseOf("should", `(?i)\bshould(?:n't| not) (?:be|have|we|you|need)\b|\bshould (?:be|have been|use|go|return|say)\b[^.!?]*(?:\binstead\b|, not )`),
	// It is not what was asked for, or not wanted.
	phraseOf("don't|do not|didn't|did not|never|should|not what|said|meant|told|asked|remind", `(?i)\b(?:I|we) (?:don't|do not|didn't|did not|never) (?:want|ask|need|like|say|mean|use)|\bwe (?:never|should(?:n't| not))\b|\bnot what I\b|\bI (?:already )?(?:said|meant|told you|asked|remind you)\b`),
	// The agent did it.
	phraseOf("you", `(?i)\byou (?:just |also |have |'ve )?(?:forgot|missed|didn't|did not|haven't|should(?:n't| not)|(?:\w+ed|wrote|put|made|ran) [^.!?,]+, not|are wrong|removed|deleted|broke|lost|ignored|overlooked|misunderst\w+|misread)\b|\byou(?:'re| are) (?:\w+ing (?:the |a )?(?:wrong|old)|losing|breaking|missing|ignoring|overcomplicating|confusing|mixing)\b|\bwhat are you (?:talking|doing)\b`),
	// Doubts: a question in the negative, what it would lead to, what is better.
	phraseOf("n't|can not|just", `(?i)\b(?:could|can|should) (?:we|you|it) (?:also |not )?just\b|(?i)\b(?:don't|shouldn't|couldn't|can't|needn't) (?:we|you|it|that|this|there|they)\b|\bisn't (?:it|that|this|there)\b|\bcan not (?:we|you)\b`),
	phraseOf("would|can be|problem", `(?i)\bwould (?:require|break|cause|lose|hide) |\bcan be (?:\w+ )?(?:simp|shorte|removed|dropped)|\bwe have a problem\b`),
}

// rejections are the corrections that answer no question.
var rejections = append(slices.Clone(corrections[2:6]), corrections[9], corrections[10],
	phraseOf("", `(?i)^(?:no\b|nope\b|nah\b|wait\b|stop\b|hold on|wrong\b|(?:please |pls )?(?:don't|do not|never)\b|undo\b|revert\b|why (?:did|are) (?:you|we)\b|not (?:like|what|that|this)\b)`))
