package actions

import (
	"strings"

	"episodes/internal/lazy"
)

// choice is a decision in words.
type choice struct {
	question, chosen, why, rejected, rule string
	options                               []string // that were offered
}

// choiceIn finds the sentence of a text that settles on one way. Right before an edit the
// approach that shapes it is one too.
func choiceIn(text string, beforeEdit bool) (choice, bool) {
	before := ""
	for _, stated := range sentences(text) {
		sentence := straight(stated)
		rule := settles(sentence, before, beforeEdit)
		if rule == "" || len(strings.Fields(sentence)) < leastWords { // "Let me fix that": what is said elsewhere
			before = stated
			continue
		}
		c := choice{chosen: short(stated), why: short(whyOf(sentence, before)), rule: rule}
		if m := instead.pattern().FindStringIndex(sentence); m != nil {
			c.rejected = short(strings.Trim(clause(sentence[m[1]:]), " ,.;:"))
		}
		return c, true
	}
	return choice{}, false
}

// settles says how a sentence settles on one way; "" where it does not. Before is the
// sentence before it.
func settles(sentence, before string, beforeEdit bool) string {
	lower := strings.ToLower(sentence)
	switch {
	case strings.HasSuffix(sentence, "?") || unreal.in(sentence, lower):
		return ""
	case alternative.in(sentence, lower):
		return "names an alternative"
	case announces.in(sentence[mainClause(sentence):], lower), announces.in(sentence[consequence(sentence):], lower):
		return ""
	case chooses.in(sentence, lower):
		return "says what it chooses"
	case prefers.in(sentence, lower) && acts.in(sentence, lower):
		return "prefers one way"
	case instead.in(sentence, lower) && acts.in(sentence, lower):
		return "names what it does instead"
	case scope.in(sentence, lower) && acts.in(sentence, lower):
		return "settles what is left out"
	case verdictWords.in(sentence, lower):
		return "gives a verdict"
	case operates.in(sentence, lower) && !strongReason().MatchString(sentence):
		return "" // the next step, and what it is for
	case intends.in(sentence, lower) && (reason.in(sentence, lower) || consequence(sentence) > 0):
		return "says what it will do and why"
	case beforeEdit && intends.in(sentence, lower) && (means().MatchString(sentence) || ground().MatchString(before)):
		return "says how it will make the edit"
	}
	return ""
}

// whyOf is the reason that a sentence gives, or else the one before it; "" where there is
// none.
func whyOf(sentence, before string) string {
	m := reason.pattern().FindStringIndex(sentence)
	if m == nil {
		if ground().MatchString(before) {
			return before
		}
		return ""
	}
	from := m[1]
	if !because().MatchString(sentence[m[0]:m[1]]) {
		from = m[0] // "to avoid …", "which keeps …"
	}
	why := strings.Trim(firstThought(sentence[from:]), " ,.;:")
	if from == 0 || len(strings.Fields(why)) <= 2 {
		return ""
	}
	return why
}

// consequence is where the words begin that say what follows from those before: "…, so
// I'll …"; 0 where there are none.
func consequence(sentence string) int {
	if !strings.Contains(sentence, ", so ") {
		return 0
	}
	if m := follows().FindStringSubmatchIndex(sentence); m != nil {
		return m[2]
	}
	return 0
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

// mainClause returns the offset of the main clause after a leading reason or purpose
// ("Since …, I should …"), or 0.
func mainClause(sentence string) int {
	if m := headed().FindStringIndex(sentence); m != nil {
		return m[1]
	}
	return 0
}

// leastWords is how many words a sentence has that says what is chosen.
const leastWords = 6

var (
	acts         = phraseOf("i |i'll|i'm|i'd|i've|we'll|we will|let's|let me|better|best|simpler|cleaner|safer|should|going to|use|using|keep|switch|leav|exclud", `(?i)\b(?:I'll|I will|I'm|I am|I'd|I've|we'll|we will|let's|let me|I (?:use|keep|put|take|make|move|leave|fix|write|add|used|chose|went|decided|opted|kept|left|made|moved|switched|only)|(?:better|best|simpler|cleaner|safer) to|we should|I should|I need to|going to)\b|^(?:use|using|keep|keeping|switch|switching|leave|leaving|exclude|excluding)\b`)
	intends      = phraseOf("i'll|i will|i'm|i am|i need|i can|i should|i'd|let |let's|we'll|we should|i won't|i chose|i decided|i opted|i went|using|keeping|leaving|switching|treating|moving|skipping|dropping|going", `(?i)\b(?:I'll|I will|I'm going to|I am going to|I need to|I can|I should|I'd|let me|let's|we'll|we should|I'm (?:using|keeping|adding|leaving|switching|treating|making|moving|putting|taking|skipping|dropping|deferring)|I (?:won't|chose|decided|opted|went with))\b|^(?:Using|Keeping|Leaving|Switching|Treating|Moving|Skipping|Dropping|Going)\b`)
	headed       = lazy.Pattern(`(?i)^(?:since|as|to|for|before|after|now that|so|however|also)\b[^,]*, (?:so )?`)
	strongReason = lazy.Pattern(`(?i)\b(?:because|since|rather|instead|not)\b`)
	operates     = phraseOf("i'll|i will|i'm|i am|let me|let's|i need to", `(?i)\b(?:I'll|I will|I'm|I am|let me|let's|I need to)(?: (?:also|now|then|just|first|temporarily|going to))* (?:(?:force-)?push|commit|rebas|amend|re-?run|restor|load|stash|retarget|fetch|pull|verify|run|check|inspect|rank|export|unwind|rebuild)\w*\b`)
	unreal       = phraseOf("should have|could have|if|vs| or ", `(?i)\bshould have\b|\bcould have\b|^if\b|\bvs\.?$|(?-i:\bOR\b)`) // no choice that is made
	answered     = lazy.Pattern(`(?:"([^"]*))?"="([^"]+)"`)
	because      = lazy.Pattern(`(?i)^(?:because|since|as it|so that)$`)
	next         = lazy.Pattern(`(?i),? (?:and )?then\b.*|, (?:and |so )?I(?:'ll|'m| will| am)\b`)
	recommended  = lazy.Pattern(`(?i) *\((?:recommended|default)\)`)
	thought      = lazy.Pattern(`(?i),? (?:so|since|because|then|while|which|but|and then|and I)\b|[;:] | \(`)
	chooses      = phraseOf("going with|sticking|opting|not going|go with|stick |opt for|decision: |i picked|i chose|i prefer|settled on|opted for|decided", `(?i)\b(?:I'm|I am|we're) (?:going with|sticking (?:with|to)|opting for|not going to (?:touch|chang|add|updat|edit|us)\w*)|\b(?:I'll|I will|we'll|let's) (?:go with|stick (?:with|to)|opt for)\b|^(?:going|sticking) with\b|^decision: |\bI (?:picked|chose|prefer|settled on|opted for|decided (?:on|against|not))\b`)
	prefers      = phraseOf("than|avoid", `(?i)\brather \w+.*\bthan\b|\b(?:better|cleaner|simpler|safer|easier) to\b.*\bthan\b|\bavoid\b.*\binstead[.!]?$`)
	follows      = lazy.Pattern(`(?i), so ((?:I'll|I will|we'll|we will|I'm going to|I am going to|I need to)\b.*)`)
	instead      = phraseOf("instead|rather|opposed|favo|over using|not just", `(?i)\b(?:instead of|rather than|as opposed to|in favou?r of|over using|not just)\b`)
	reason       = phraseOf("because|since|so |as it|for |which |to ", `(?i)\b(?:because|since|so that|as it|for (?:backwards?|consistency|compatibility|simplicity|safety|clarity)|so (?:it|we|the|this|that|they)|which (?:gives|makes|keeps|avoids|ensures|matches|handles|means)|to (?:keep|avoid|match|preserve|ensure|prevent|make))\b`)
	means        = lazy.Pattern(`(?i)\b(?:by \w+ing|using|use|without|with|only|properly|for now|first)\b`)
	ground       = lazy.Pattern(`(?i)\b(?:requires?|ignores?|doesn't|does not|don't|isn't|can't|cannot|won't|issue is|problem is|because|existing pattern|already|pattern|convention|unrelated|only|pre-existing|unnecessary|redundant|removed)\b`)
	scope        = phraseOf("leav|left|only|just|touch|commit|includ|stag|chang|won't|will not|scope|unrelated|keep|exclud", `(?i)\b(?:leave|leaving|left) (?:\S+ ){0,5}(?:alone|untouched|unchanged|as is|as-is|out|unstaged|uncommitted)\b|\bI'd leave\b|(?:^|[^-\w])only (?:commit|stag|includ|the (?:two|changed))\w*|\b(?:commit|stag|chang|touch|fix|updat)(?:e|ing)? (?:only|just)\b|\b(?:won't|will not|not going to|without) (?:touch|commit|includ|stag|chang)\w*|\b(?:I|we) (?:won't|will not) (?:add|updat|edit|rewrit|remov|upgrad)\w*|\bout of scope\b|\bunrelated\b.*\b(?:leave|skip|exclude|ignore|separate)|\bkeep(?:ing)? (?:\S+ ){0,4}(?:focused|scoped|minimal|separate|out of)\b|\bexclud(?:e|ing)\b`)
	alternative  = phraseOf("but", `(?i)\b(?:alternative|other option)s? (?:would|is|was)\b.*\bbut\b|\bwould (?:also )?have (?:worked|been)\b.*\bbut\b|\b(?:could|might) (?:also )?\w+.*\bbut\b.*\b(?:simpler|cleaner|better|safer|easier|overkill|heavier|hides)\b`)
	verdictWords = phraseOf("recommend|suggest|would go|i'd go|fix is|approach is|solution is|option is|way is|reportable|lgtm", `(?i)\b(?:I (?:recommend|'d recommend|suggest|would go)|my recommendation|I'd go with|the (?:right|best|simplest|cleanest|proper) (?:fix|approach|solution|option|way) is)\b|\bno reportable\b|\bLGTM\b`)
	announces    = phraseOf("let me|i'll|i will|i'm|i am|let's|i need to|i should|we should", `(?i)^(?:(?:now|next|first|ok(?:ay)?|good|great|perfect|alright)[,.! ]+)*(?:(?:so|then|before \w+ \w+ \w+,?) )?(?:let me|I'll|I will|I'm going to|let's|I need to|I should|we should|I'm|I am) (?:now |first |next |also |just |quickly |probably |then )*(?:(?:check|look|read|run|verify|search|inspect|review|investigat|pull|reproduc|finish|fetch|look|trac|confirm|explor|examin|gather|open|test|wait|quot)ing|check|pull|make sure|look|read|run|see|verify|search|find|view|examine|explore|start|begin|take a look|review|inspect|understand|investigate|get|gather|open|list|test|try|continue|figure out|wait|ask|trace|confirm|fetch|reproduce|create (?:a |the )?(?:new |simple |small )?(?:\w+ )?(?:script|test|file|directory)|clean up|think|do (?:it|that|this))\b`)
)

// sentences splits prose; code blocks, tables and headings are none.
func sentences(text string) []string {
	var out []string
	fence := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fence = !fence
			continue
		}
		if fence || line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, ">") {
			continue
		}
		line, _, _ = strings.Cut(line, "```") // code that some formats glue to the words
		line = glued().ReplaceAllString(strings.TrimSpace(strings.TrimLeft(line, "-*• ")), "$1 $2")
		for line != "" {
			end := sentenceEnd().FindStringIndex(line)
			if end == nil {
				out = append(out, line)
				break
			}
			out = append(out, strings.TrimSpace(line[:end[0]+1]))
			line = line[end[1]:]
		}
	}
	return out
}

// glued are two sentences without a space between them. A name such as fmt.Println is not
// meant, so only words that begin a sentence count.
var glued = lazy.Pattern(`([a-z)][.!?])((?:I|I'll|I'm|The|Next|Let|We|This|Now|It|To|Before|After|Given|However|If)\b[ ,'])`)

var sentenceEnd = lazy.Pattern(`[.!?](?:["')\]]*\s+)`)
