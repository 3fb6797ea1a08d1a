package actions

import (
	"cmp"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/keys"
)

// statement is a sentence that settles on one way. It is a decision when what is done proves it.
type statement struct {
	question, chosen, why, rejected, rule string

	options []string // that were offered
	of      *step    // that offered them, before the step that picks

	given bool   // the human picked it from a list, which needs no proof
	shown bool   // why was said just before, of the same thing
	root  bool   // why says what is wrong
	firm  bool   // has a reason, before or within, and an alternative
	past  bool   // it reports what was done before
	ways  bool   // about ways of working, so that a look proves it
	limit bool   // it says what is not done, so that any work proves it
	terms []term // that what is done has to name
}

// statementsIn finds the sentences of an agent's text that settle on one way; urged: the human corrected the agent just
// before.
func statementsIn(text string, urged bool) (out []statement) {
	before := [2]string{}
	for _, stated := range sentences(text) {
		sentence := straight(stated)
		s := settles(sentence, before[1], urged)
		if s.why == "" && s.rule == "" && rootCause().MatchString(before[0]) {
			s = settles(sentence, before[0], urged)
		}
		if s.rule != "" && len(strings.Fields(stated)) >= leastWords {
			s.chosen, s.why, s.rejected = short(cmp.Or(s.chosen, stated)), short(s.why), short(s.rejected)
			out = append(out, s)
		}
		before = [2]string{before[1], sentence}
	}
	return out
}

// Chooses reports whether a sentence of an agent settles on one way, and names another one or says why; before is the
// sentence before it.
func Chooses(sentence, before string) bool {
	before = straight(before)
	s := settles(straight(sentence), before, false)
	return s.rule != "" && !strings.HasSuffix(sentence, ":") && (s.rejected != "" || weighed().MatchString(sentence) ||
		s.why != "" && s.why != before && !needed().MatchString(sentence))
}

// needed matches what leaves no choice, or is only the next step.
var needed = lazy.Pattern(`(?i)\b(?:needs?|have|has) to\b|\blet(?: me|'s|’s)\b|\bshould\b`)

// settles reads a sentence; before is the one before it. Without a rule it settles nothing.
func settles(sentence, before string, urged bool) (s statement) {
	if asks(sentence) || unreal().MatchString(sentence) {
		return s
	}
	if weighed().MatchString(sentence) {
		return weighs(sentence)
	}
	verb, from, at := commitment(sentence, urged)
	if verb == "" {
		return s
	}
	does := strings.TrimSpace(sentence[at:])
	s.past = past[verb]
	s.terms = termsIn(does)
	reason, because := reasonIn(sentence[:from], does)
	s.why = reason
	s.drops(sentence[:from], does)
	s.rejected = strings.Trim(s.rejected, " ,.;:")
	if s.rejected != "" {
		s.rule = "names what it does instead"
	}
	ground := grounds().MatchString(before) && !announced().MatchString(before)
	root := ground && rootCause().MatchString(before)
	if !because && ground && (shareTerm(termsIn(before), s.terms) || refers().MatchString(does) || root && fixes()[verb]) {
		s.why, s.root, s.firm, s.shown = before, root, true, shareTerm(termsIn(before), s.terms)
	}
	if ground {
		s.terms = append(s.terms, termsIn(before)...)
	}
	s.firm = s.firm || because && s.rejected != ""
	s.limit = limits().MatchString(does) || refuses().MatchString(sentence[from:at])
	s.ways = chooses()[verb] || s.past
	argued := s.rejected != "" || because
	if !argued && (s.routine(verb, sentence) || !s.limit && !s.ways && (!s.firm || fixes()[verb]) && len(termsIn(object(does))) == 0) {
		return statement{}
	}
	if s.rule == "" {
		s.rule = s.shownBy(because, urged)
	}
	return s
}

// weighs reads a sentence that gives up an alternative, for what it goes on to name.
func weighs(sentence string) statement {
	s := statement{rule: "weighs an alternative", past: true, terms: termsIn(sentence)}
	if at := but().FindStringIndex(sentence); at != nil && !speaksOf().MatchString(sentence[at[1]:]) {
		s.chosen, s.rejected = sentence[at[1]:], alternative().ReplaceAllString(sentence[:at[0]], "")
	}
	return s
}

// shownBy names what shows that a sentence settles something, "" if nothing does.
func (s *statement) shownBy(because, urged bool) string {
	switch {
	case s.limit:
		return "settles what is left out"
	case s.ways:
		return "says what it chooses"
	case because:
		return "says why"
	case s.firm:
		return "follows from what was found"
	case urged && slices.ContainsFunc(s.terms, func(t term) bool { return t.name }):
		return "answers a correction"
	}
	return ""
}

// asks reports whether a sentence is a question.
func asks(sentence string) bool {
	sentence = strings.TrimRight(sentence, `*_") `)
	return strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？")
}

// drops finds the alternative that a sentence gives up: lead is the text before its verb, does the
// rest.
func (s *statement) drops(lead, does string) {
	said := does
	if m := because().FindStringIndex(does); m != nil {
		said = does[:m[0]]
	}
	if m := instead().FindStringIndex(said); m != nil && !looksAt(does[m[1]:]) {
		s.rejected, s.terms = clause(does[m[1]:]), termsIn(does[:max(m[0], strings.LastIndex(does[:m[1]], " "))])
	}
}

// routine reports whether a sentence only announces a step, or leaves what it chooses to a list behind it.
func (s *statement) routine(verb, sentence string) bool {
	return !s.limit && (mechanical()[verb] || !s.root && nextStep().MatchString(sentence)) || leftOpen().MatchString(sentence)
}

// object is what a clause that begins with a verb does it to.
func object(does string) string {
	_, object, _ := strings.Cut(clause(does), " ")
	return object
}

// commitment finds the verb with which a writer says what they do, and the offsets of its clause and of the verb. It
// returns "" if the only verbs are of looking, waiting and the like.
func commitment(sentence string, urged bool) (verb string, from, at int) {
	if m := label().FindStringIndex(sentence); m != nil {
		return keys.Stem("choose"), 0, m[1]
	}
	looked := false
	for _, m := range commits().FindAllStringSubmatchIndex(sentence, -1) {
		word := strings.ToLower(sentence[m[4]:m[5]])
		who := strings.ToLower(sentence[max(m[2], 0):max(m[3], 0)])
		stem, at := keys.Stem(word), max(m[3], m[0])
		switch {
		case looks()[stem], loosely().MatchString(sentence[m[4]:]):
			looked = true
		case looked && strings.HasSuffix(sentence[:m[0]], "then"), subordinate().MatchString(sentence[:m[0]]):
		case strings.HasSuffix(who, "m") || strings.HasSuffix(who, "re") || who == "":
			if strings.HasSuffix(word, "ing") && !(looked && strings.HasSuffix(who, "re")) {
				return stem, m[0], at
			}
		case who == "i" || who == "we" || strings.HasSuffix(who, "ve"):
			if past[word] || instead().MatchString(sentence[m[4]:]) {
				return word, m[0], at
			}
		case strings.HasSuffix(who, "can") && !urged:
		default:
			return stem, m[0], at
		}
	}
	return "", 0, 0
}

// reasonIn is the reason that the words before a clause or those from its verb on give. strong: it is no mere purpose.
func reasonIn(lead, does string) (reason string, strong bool) {
	if m := leading().FindStringIndex(lead); m != nil {
		return strings.Trim(lead[m[1]:], " ,.;:"), true
	}
	if m := follows().FindStringIndex(lead); m != nil && strings.Count(lead[:m[0]], " ") > 1 {
		return strings.Trim(lead[:m[0]], " ,.;:"), !done().MatchString(lead)
	}
	if m := because().FindStringIndex(does); m != nil {
		return strings.Trim(firstThought(does[m[1]:]), " ,.;:"), true
	}
	if m := serves().FindStringIndex(does); m != nil {
		return strings.Trim(firstThought(does[m[0]:]), " ,.;:"), false
	}
	return "", false
}

// looksAt reports whether a text begins with a word for looking, guessing or the like.
func looksAt(text string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return looks()[keys.Stem(strings.ToLower(strings.Trim(word, ".,;:")))]
}

// clause is a text up to where another thought begins.
func clause(text string) string {
	if m := thought().FindStringIndex(text); m != nil {
		return text[:m[0]]
	}
	return text
}

// firstThought is a reason without what comes next: ", then I'll …".
func firstThought(text string) string {
	if m := next().FindStringIndex(text); m != nil {
		return text[:m[0]]
	}
	return text
}

// straight has plain apostrophes, which the patterns know.
func straight(text string) string { return strings.ReplaceAll(text, "’", "'") }

// leastWords is how many words a sentence has that says what is chosen.
const leastWords = 4

var (
	// looks are stems of verbs of looking, trying, waiting and reporting; past reports a choice that was made.
	looks = stemmed("check look read run rerun verify search find see view examine explore start begin review inspect understand investigate get gather open list test try continue figure wait ask trace confirm fetch " +
		"reproduce think know note say explain show tell summarize have be do pull load compare analyze identify determine locate scan dig study watch debug validate guess assume speculate stop finish present " +
		"ensure notice deal scroll navigate goto plan aim replicate double-check attempt help focus quote clarify double re-run believe want like hope expect recommend suggest mention describe report give provide keep-going search walk follow grep capture measure probe log found saw got notic")
	past  = keys.SetOf("chose picked decided opted settled preferred went")
	fixes = stemmed("fix correct resolve address repair solve patch")
	// mechanical are verbs of the steps that any way of working consists of.
	mechanical = stemmed("mark create edit write insert paste copy execute generate commit restart")
	chooses    = stemmed("choose pick decide opt settle switch pin inline prefer stick drop skip defer revert avoid adopt treat go rely keep")

	commits = lazy.Pattern(`(?i)(?:^|[\s(,;:—–])(?:((?:(?:I|we)(?:'ll(?: need to)?| will(?: not| need to)?| won't|'d|'m(?: not)? going to| am(?: not)? going to|'re going to| (?:need|have|want) to| should| can|'ve|'m| am|'re| are)?|let me|let's))\s+|^)(?:(?:now|also|just|then|therefore|instead|simply|first|next|still|rather|only|not|go ahead and|[a-z]+ly) )*([a-z][a-z-]+)\b`)
	label   = lazy.Pattern(`(?i)^\**(?:the )?(?:right |best |simplest |cleanest |proper |correct )?(?:approach|decision|fix|solution|strategy|way)(?: \w+)?(?::\**| is to)\s`)
	// subordinate are words behind which nobody commits himself.
	subordinate = lazy.Pattern(`(?i)\b(?:since|because|as|when|if|that|after|before|what|which|where|while|until|than|how|whether)$`)
	unreal      = lazy.Pattern(`(?i)\b(?:should|could) have\b|^if\b|\bvs\.?$|(?-i:\bOR\b)|\bif you\b|\bto (?:check|see|verify|confirm|understand|find out|test (?:that|if|whether|it))\b`) // no choice that is made
	weighed     = lazy.Pattern(`(?i)\b(?:alternative|other option)s? (?:would|is|was)\b.*\bbut\b|\bwould (?:also )?have (?:worked|been)\b.*\bbut\b|\b(?:could|might) (?:also )?\w+.*\bbut\b.*\b(?:simpler|cleaner|better|safer|easier|overkill|heavier|hides)\b`)
	but         = lazy.Pattern(`,? but `)
	speaksOf    = lazy.Pattern(`(?i)^(?:it|this|that|these|those|they)\b`)
	alternative = lazy.Pattern(`(?i)^.*\b(?:alternative|other option)s? (?:would have been|would be|is|was) `)
	instead     = lazy.Pattern(`(?i)\b(?:instead of|(?:^rather\b.*|rather )than|as opposed to|in favou?r of|over using|, (?:and )?not|and not)\b`)
	// loosely are verbs of choosing in other senses.
	loosely  = lazy.Pattern(`(?i)^(?:go(?:ing)? (?:to|ahead|through|over|back)\b|keep(?:ing)? (?:\w+ing|an eye)\b|map(?:ping)? (?:out|how|where|which)\b|tak(?:e|ing) (?:a|another|one) (?:\w+ )?(?:look|pass|step)|us(?:e|ing) (?:\S+ ){1,6}to (?:\w+ly )?(?:look|read|find|search|check|see|get|inspect|explore|locate|navigate|walk|list)\b|mov(?:e|ing) on\b|switch(?:ing)? over to\b|proceed(?:ing)? (?:to|with implementing)\b)`)
	nextStep = lazy.Pattern(`(?i)^(?:\w+[,!.] )?(?:next|now|first|then|finally),? (?:I|we|let)\b`)
	leftOpen = lazy.Pattern(`(?i)\b(?:by|to|should|is|this|that|it|them):$`)
	limits   = lazy.Pattern(`(?i)\b(?:leav|keep)\w* .*\b(?:alone|untouched|unchanged|as[ -]is|out|unstaged|uncommitted|minimal|scoped|separate)\b|\b(?:commit|stag)\w* .*\b(?:only|just|alone)\b|\b(?:only|just) (?:commit|stag|chang|touch|includ)\w*|\bwithout (?:touch|chang|commit)ing\b|\bout of (?:scope|the commit)\b|^(?:should )?ignor\w+ `)
	refuses  = lazy.Pattern(`(?i)\b(?:won't|not)\b`)
	because  = lazy.Pattern(`(?i)\b(?:because|since|given that|due to|as (?:it|they|there|we|this) |which (?:also )?(?:will|would|already|[a-z]{3,}s)\b)`)
	// done begins what somebody has done so far, which is no reason.
	done      = lazy.Pattern(`(?i)^(?:I|we)(?:'ve| have)\b`)
	serves    = lazy.Pattern(`(?i)\b(?:so that |so (?:it|we|the|this|they|existing|all|both)\b|to (?:keep|avoid|match|preserve|prevent)\b|for (?:backwards?|consistency|compatibility|simplicity|safety|clarity)\b)`)
	leading   = lazy.Pattern(`(?i)^(?:now )?(?:since|because|as|given(?: that)?|to (?:keep|avoid|preserve)) `)
	follows   = lazy.Pattern(`(?i)(?:[,;—–-]? ?\b(?:so|therefore|hence)|;),?$`)
	grounds   = lazy.Pattern(`(?i)\b(?:requires?|ignores?|\w+n't|not|cannot|no|none|missing|wrong|stale|behind|issue|problem|cause|because|existing|already|pattern|convention|unrelated|only|pre-existing|unnecessary|redundant|removed|twice|duplicates?|conflicts?|instead|noisy|misleading|br[eo]aks?|broken|fails?|failed|mismatch|\w+consistent|invalid|outdated|needs?|expects?|mistake|again)\b`)
	announced = lazy.Pattern(`(?i)\b(?:(?:I|we)(?:'ll| will)|we (?:should|can)|this (?:\w+ )?(?:will|involves)|let me|let's|(?:I|we)(?: also| now)? (?:need|have|want) to|I'm going to)\b`)
	// rootCause are sentences that say what is wrong.
	rootCause = lazy.Pattern(`(?i)\b(?:(?:issue|problem|bug|culprit|error|failure)(?: (?:is|was)\b|:| [-—–])|root cause|because\b|happens (?:when|since)|caused by|comes from|due to\b|the reason)|\b(?:fail(?:s|ed)?|breaks|broke) (?:because|since|when|as)\b`)
	refers    = lazy.Pattern(`(?i)^\S+(?: \w+)? (?:this|that|it|them|both|these|those)\b|\bto match\b`)
	next      = lazy.Pattern(`(?i),? (?:and )?then\b.*|, (?:and |so )?I(?:'ll|'m| will| am)\b`)
	thought   = lazy.Pattern(`(?i),? (?:so|since|because|then|while|which|but|and then|and I)\b|[;:] | \(`)
)

// sentences splits prose; code blocks, tables, headings and the items of lists are none.
func sentences(text string) []string {
	var out []string
	fence := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fence = !fence
			continue
		}
		if fence || line == "" || notProse().MatchString(line) {
			continue
		}
		line, _, _ = strings.Cut(line, "```") // code that some formats glue to the words
		line = strings.TrimSpace(line)
		for line != "" {
			end := sentenceEnd().FindStringIndex(line)
			if end == nil {
				out = append(out, line)
				break
			}
			out = append(out, strings.TrimSpace(line[:end[1]]))
			line = line[end[1]:]
		}
	}
	return out
}

var (
	sentenceEnd = lazy.Pattern(`[.!?](?:["')\]]*\s+)|[。！？]`)
	notProse    = lazy.Pattern(`^(?:#|\||>|[-*•+] |\d+[.)] )`)
)
