package recall

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/keys"
)

var (
	// looking matches a call that only looks at something: that a file is not there is soon seen.
	looking = lazy.Pattern(`^(?:ls|cat|head|tail|find|grep|rg|wc|stat|tree|which|sed|cd|test|echo|pwd|chmod|sleep|mkdir|cp|mv|rm|kill|source|export)\b`)
	// passing matches what is so for a moment, or soon seen: a place, a server that is not up, what a test compares.
	passing = lazy.Pattern(`(?i)no such file or directory|not a git repository|did not match any files|failed to connect|connection refused|parse error near|fetch failed|assert\w*(?:error|failed)?\b.*|expect(?:ed)?\b.*\b(?:but|got|received|to be|to equal|actual|want)\b`)
	// bullet matches the mark of a list.
	bullet = lazy.Pattern(`^(?:[-*•] )+`)
	// ruleName matches the rule of a linter or compiler that a message names.
	ruleName = lazy.Pattern(`\(([a-z][a-z0-9/-]+)\)$|\b[A-Z]{1,8}-?\d{2,5}\b`)
)

// lacking matches what is said where something is not there, or not as it was thought: so it will be the next time.
var lacking = lazy.Pattern(`(?i)command not found|: not found$|not recognized|(?:unknown|unrecognized|no such|invalid) (?:flag|option|sub-?command|command|skill|tool|argument)|not installed|unauthorized|\b40[13]\b|not supported`)

// ownTools are the agents' own, whose errors agents know: of these only what could not be read is told, by its file.
var ownTools = map[string]bool{"edit": true, "write": true, "search": true, "plan": true, "wait": true, "fetch": true, "ask": true, "read": true}

// corrective reports whether what a person said against an agent forbids something, or says why: it is a whole sentence or two, no question and
// no complaint that something does not work.
func corrective(text string) bool {
	const least = 60
	return len(text) >= least && len(text) <= briefLine && !strings.HasSuffix(text, "?") && !complains().MatchString(text) &&
		(demanding().MatchString(text) || lasting().MatchString(text) || reason().MatchString(text))
}

// pasted reports whether a text is what a program printed: it has many marks and digits.
func pasted(text string) bool {
	const most = 0.12
	marks, all := 0, 0
	for _, r := range text {
		if all++; !unicode.IsLetter(r) && !unicode.IsSpace(r) && !strings.ContainsRune(`.,'"-!/_`+"`", r) {
			marks++
		}
	}
	return float64(marks) > most*float64(all)
}

// leastNamed is how many words a message must have that are not those of any message.
const leastNamed = 2

var general = sync.OnceValue(func() map[string]bool {
	return keys.SetOf("error fail failed failure item emitted warning warnings some running checks check invalid request command exit code status test tests following content printed shows used unexpected")
})

// names are the words of a message that are not those of any message.
func names(says string) []string {
	return slices.DeleteFunc(keys.Words(says), func(w string) bool { return general()[w] })
}

// empty reports whether a line of a level does not say what failed.
func empty(l telling.Level) bool { return l <= telling.Stop || l == telling.Vague }

// failureKey tells failures apart; "" for one that says nothing to a later session.
func failureKey(text, call string) string {
	program, says, ok := strings.Cut(text, ": ")
	switch {
	case !ok || looking().MatchString(program) || program != "read" && (empty(telling.Of(says)) || passing().MatchString(says) || strings.ContainsAny(says[len(says)-1:], "[:") ||
		!codeLike().MatchString(says) && !specific().MatchString(says) && !lacking().MatchString(says) && len(names(says)) < leastNamed):
		return ""
	case program == "read" && strings.HasPrefix(call, "> "):
		return call[strings.LastIndexAny(call, "/ ")+1:] + " " + keys.Canonical(keys.Mask(says))
	case ownTools[program]:
		return ""
	}
	if rule := ruleName().FindString(says); rule != "" {
		return program + " " + rule
	}
	return program + " " + keys.Canonical(keys.Mask(says))
}

var (
	// demanding matches an order for work to come: at the beginning of a sentence or clause, or as a rule.
	demanding = lazy.Pattern(`(?i)(?:^|[.!?,;:(]\s*|\b(?:please|and|but|so|then)\s+)(?:do not|don['’]?t|never|always|make sure|remember|prefer|avoid|stop|only use|keep|no need to)\b|\b(?:from now on|in (?:the )?future|must (?:not|never|always)|should (?:not|never|always|only)|always use|never use|use\b[^.]*\binstead)\b|しない|するな|ください|じゃなく|ではなく|やめ|いらない|必ず|べき|使って|하지 ?마|반드시|항상`)
	// codeLike matches a name of code, a path or a flag.
	codeLike = lazy.Pattern("`[^`]+`|\\b[A-Za-z_]\\w*[._/]\\w[\\w./]*|\\b[a-z]+[A-Z]\\w*|\\s--?[a-z][\\w-]+")
	// complains matches what says that something does not work; once what is said of one time only.
	complains = lazy.Pattern(`(?i)\b(?:still|not work\w*|(?:doesn|didn|isn)['’]?t work\w*|broken?|same error|wait)\b`)
	once      = lazy.Pattern(`(?i)\b(?:yet|this time|right now)\b`)
	// specific matches a message that names something.
	specific = lazy.Pattern(`['"‘].+['"’]|->|\([a-z][\w/ -]+\)$`)
	// dangling matches the beginning of a sentence that speaks of something before it, or is none.
	dangling = lazy.Pattern(`(?i)^(?:(?:it|this|that|these|those|they|he|she|and|but|so|also|which|then|yes|no|ok|okay|sure|could|can|would|will|should|why|what|how|i|we|you)\b[^-]|[#|>/<@{}\[$&]|\x60{3}|https?:|\d+[.)])`)
)

// stands reports whether a line says something by itself.
func (f *briefed) stands() bool {
	const least = 4
	text := f.Text
	switch {
	case f.Of == AFailure:
		switch n := len(f.in); {
		case strings.HasPrefix(f.Text, "git "):
			return n >= leastOfGit
		case n == 1:
			return f.Ended != "" && !edits().MatchString(f.Ended) || lacking().MatchString(f.Text)
		}
		return true
	case f.Of == Recorded:
		return true
	}
	if f.Of == Demand && len(text) <= shortOrder && !f.lasting {
		return len(f.in) > 2
	}
	if f.Of == Demand && f.Class == Learned && corrective(text) {
		return !pasted(text)
	}
	return len(text) >= 12 && len(text) <= briefLine && !dangling().MatchString(text) && !strings.ContainsAny(text[len(text)-1:], `?:\`) && !strings.HasSuffix(text, "？") && len(f.terms) >= least && !pasted(text)
}

// More of what a line of a person may be. pointing matches what can be understood only beside what it points to, lasting
// what is said for work to come, reason what says why, answer an answer that a person gave to a question of a tool.
var (
	pointing = lazy.Pattern(`(?i)\b(?:it|its|them|they|this|these|those|currently|the (?:above|following)|the (?:first|second|last|other|same))\b|それ|これ|この|その|あれ`)
	lasting  = lazy.Pattern(`(?i)\b(?:never|always|from now on|in (?:the )?future|every ?time|whenever|must not|prefer|unless)\b|必ず|いつも|常に|今後|毎回|항상|반드시|절대|앞으로`)
	reason   = lazy.Pattern(`(?i)\b(?:because|since|otherwise|in mind)\b`)
	answer   = lazy.Pattern(`["'”’]=["'“‘]`)
)

// narrows matches a way out that only does less.
var narrows = lazy.Pattern(`\s-(?:run|k|t|g)\b|--(?:grep|filter|testNamePattern)|::`)

// proved reports whether a way out of a failure, which held in so many sessions, is one: what worked next may be another thing. It is
// if it held more than once, or changes the flags of the command, or is about a file or name of the message.
func proved(cure, message string, held int) bool {
	const often = 2
	named := slices.ContainsFunc(codeLike().FindAllString(cure, -1), func(name string) bool {
		name = strings.Trim(name, "` ")
		return len(name) > 3 && strings.Contains(message, name)
	})
	file := edits().FindStringSubmatch(cure)
	switch m := swapped().FindStringSubmatch(cure); {
	case vague(cure), strings.HasPrefix(cure, "with") && narrows().MatchString(cure):
		return false
	case held >= often:
		return true
	case file != nil:
		return strings.Contains(message, file[1])
	case m != nil:
		return lacking().MatchString(message) || strings.HasPrefix(m[1], "-") && strings.Contains(message, strings.Fields(m[1])[0])
	case named, lacking().MatchString(message):
		return true
	}
	for _, form := range []string{"with `-", "without `-", "as `"} {
		if strings.HasPrefix(cure, form) {
			return true
		}
	}
	return strings.HasPrefix(cure, "without `") && !strings.Contains(cure, "/") || strings.HasPrefix(cure, "with `") && strings.Contains(cure, "=")
}

// swapped matches what was put in the place of something else.
var swapped = lazy.Pattern("^`[^`]+` instead of `([^`]+)`")
