package recall

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"episodes/extract/statements"
	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/keys"
)

var (
	// looking matches a call that only looks at something: that a file is not there is soon seen.
	looking = lazy.Pattern(`^(?:ls|cat|head|tail|find|grep|rg|wc|stat|tree|which|sed|cd|test|echo|pwd|chmod|sleep|mkdir|cp|mv|rm|kill|source|export|gh run|docker logs|kubectl logs|journalctl)\b`)
	// passing matches what is so for a moment, or soon seen: a place, a server that is not up, what a test compares.
	passing = lazy.Pattern(`(?i)no such file or directory|does not exist|not a git repository|did not match any files|failed to connect|connection refused|parse error near|fetch failed|\bwarning\b|\.{5,}|expect\(|assert\w*(?:error|failed)?\b.*|expect(?:ed)?\b.*\b(?:but|got|received|to be|to equal|actual|want)\b`)
	// bullet matches the mark of a list.
	bullet = lazy.Pattern(`^(?:[-*•] )+`)
	// ruleName matches the rule of a linter or compiler that a message names.
	ruleName = lazy.Pattern(`\(([a-z][a-z0-9/-]+)\)$|\b[A-Z]{1,8}-?\d{2,5}\b`)
)

var (
	// absent matches what is said where what the command names is not there.
	absent = lazy.Pattern(notThere)
	// lacking matches also what is not as it was thought: so it will be the next time.
	lacking = lazy.Pattern(`(?i)` + notThere + `|not recognized|(?:unknown|unrecognized|no such|invalid) (?:option|argument)|not installed|unauthorized|\b40[13]\b|not supported`)
)

const notThere = `command not found|: not found$|(?i:unknown|unrecognized|no such|invalid) (?i:flag|sub-?command|command|skill|tool)`

// ownTools are the agents' own, whose errors agents know: of these only what could not be read is told, by its file.
var ownTools = map[string]bool{"edit": true, "write": true, "search": true, "plan": true, "wait": true, "fetch": true, "ask": true, "read": true}

// corrective reports whether what a person said against an agent forbids something, or says why: it is a whole sentence or two, no question and
// no complaint that something does not work.
func corrective(text string) bool {
	const least = 60
	return len(text) >= least && len(text) <= briefLine && !strings.ContainsAny(text[len(text)-1:], "?:") && !complains().MatchString(text) && !statements.Once(text) &&
		(statements.Orders(text) || statements.Always(text) || reason().MatchString(text))
}

// pasted reports whether a text is what a program printed: it has many marks and digits.
func pasted(text string) bool {
	const most = 0.12
	marks, all := 0, 0
	for _, r := range text {
		if drawn(r) {
			return true
		}
		if all++; !unicode.IsLetter(r) && !unicode.IsSpace(r) && !strings.ContainsRune(`.,'"-!/_`+"`", r) {
			marks++
		}
	}
	return float64(marks) > most*float64(all)
}

// drawn reports whether a character is of a frame that a terminal draws.
func drawn(r rune) bool { return r >= '─' && r <= '▟' || strings.ContainsRune("⎿⏺●", r) }

// leastNamed is how many words a message must have that are not those of any message.
const leastNamed = 2

var general = sync.OnceValue(func() map[string]bool {
	return keys.SetOf(strings.Join(keys.Words("error fail failed failure item emitted warning some running check invalid request command exit code status test following content printed shows used unexpected"), " "))
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
	case !ok || looking().MatchString(program) || strings.ContainsFunc(text, drawn) || passing().MatchString(says) || program != "read" && (empty(telling.Of(says)) || strings.ContainsAny(says[len(says)-1:], "[:") ||
		!codeLike().MatchString(says) && !specific().MatchString(says) && !lacking().MatchString(says) && len(names(says)) < leastNamed):
		return ""
	case program == "read" && strings.HasPrefix(call, "> "):
		return call[strings.LastIndexAny(call, "/ ")+1:] + " " + keys.Canonical(keys.Mask(says))
	case ownTools[program]:
		return ""
	}
	if m := missing().FindStringSubmatch(says); m != nil {
		return cmp.Or(m[1], m[2]) + " missing"
	}
	if rule := ruleName().FindString(says); rule != "" {
		return program + " " + rule
	}
	return program + " " + keys.Canonical(keys.Mask(says))
}

var (
	// codeLike matches a name of code, a path or a flag.
	codeLike = lazy.Pattern("`[^`]+`|\\b[A-Za-z_]\\w*[._/]\\w[\\w./]*|\\b[a-z]+[A-Z]\\w*|\\s--?[a-z][\\w-]+")
	// complains matches what says that something does not work, and what only goes on.
	complains = lazy.Pattern(`(?i)\b(?:still|not work\w*|(?:doesn|didn|isn)['’]?t work\w*|broken?|errors?|fail\w*|messed up|try again|wait|let['’]?s)\b`)
	// abbreviated matches what ends in the point of an abbreviation.
	abbreviated = lazy.Pattern(`(?i)\b(?:e\.g|i\.e|vs|etc|bzw|z\.b)\.$`)
	// specific matches a message that names something.
	specific = lazy.Pattern(`['"‘].+['"’]|->|\([a-z][\w/ -]+\)$`)
	// dangling matches the beginning of a sentence that speaks of something before it, or is none.
	dangling = lazy.Pattern(`(?i)^(?:(?:it|this|that|these|those|they|he|she|and|but|so|also|which|then|yes|no|ok|okay|sure|could|can|would|will|should|must|shall|like|maybe|alright|now|anyway|essentially|basically|also|beyond|as|for (?:example|instance|each)|in (?:terms|theory)|in the future,? (?:i|we)|with that|if|why|what|how|i|we|you)\b[^-]|[#|>/<@{}\[$&]|[-*•] |\x60{3}|https?:|\d+[.)])`)
)

// stands reports whether a line says something by itself.
func (f *briefed) stands() bool {
	const least = 4
	text := f.Text
	switch {
	case f.Of == AFailure:
		return f.teaches()
	case f.Of == Recorded:
		return true
	case f.Of == Near:
		return !dangling().MatchString(strings.TrimPrefix(text, "no, ")) && !statements.Once(text)
	}
	if f.Of == Demand && len(text) <= shortOrder && !f.lasting {
		return len(f.in) > 2
	}
	if f.Of == Demand && f.Class == Learned && corrective(text) {
		return !pasted(text) && !dangling().MatchString(text)
	}
	return len(text) >= 12 && len(text) <= briefLine && len(f.terms) >= least && !dangling().MatchString(text) && !unquotable().MatchString(text) && !pasted(text)
}

// unquotable matches what is a question, an end without an end, a box to tick, marked up, or damaged.
var unquotable = lazy.Pattern(`[?？☐\x{FFFD}]|为什么|怎么|なぜ|왜|\*\*|\[ \]|[:\\]$`)

// teaches reports whether a failure says something to a later session: what ended it, or that it comes back.
func (f *briefed) teaches() bool {
	if f.Ended == "" && f.Order == "" && hints().MatchString(f.Text) {
		return false
	}
	m := missing().FindStringSubmatch(f.Text)
	switch n := len(f.in); {
	case m != nil && !strings.Contains(f.Command, cmp.Or(m[1], m[2])): // a shell of the agent's own or a script misses it
		return false
	case strings.HasPrefix(f.Text, "git "):
		return n >= leastOfGit
	case n >= leastUncured, f.Ended != "" && (f.Held > 1 || !edits().MatchString(f.Ended)), absent().MatchString(f.Text):
		return true
	default:
		return n > 1 && (strings.HasPrefix(f.Text, "read: ") || ruleName().MatchString(f.Text))
	}
}

// hints matches what a tool says that would help; where nobody knows that it did, it is not told.
var hints = lazy.Pattern(`(?i)\bto fix (?:this|it|them)\b|: (?:try|run|hint)\b`)

// missing matches what a shell says about a command that is not there.
var missing = lazy.Pattern(`command not found: (\S+)|(\S+): (?:command )?not found$`)

// saidClass is the class of the passages of a turn.
func (s *Session) saidClass(who Who, text string) Class {
	switch {
	case who == ATool && (strings.HasPrefix(text, "$ ") || strings.HasPrefix(text, "> ")):
		return Calls
	case who == APerson && s.heard(APerson) && reverses(text): // in the first turn a person says what the session is for
		return Reverses
	case who == APerson && len(text) <= longestDemand && slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
		return statements.Orders(bullet().ReplaceAllString(strings.TrimSpace(line), ""))
	}):
		return Demands
	}
	return Nothing
}

// longestDemand is how many bytes a turn of a person may have: of a longer one most is pasted, or about one task.
const longestDemand = 800

// heard reports whether somebody has had a turn.
func (s *Session) heard(who Who) bool {
	return slices.ContainsFunc(s.Docs, func(d Document) bool { return d.Kind == Said && d.Who == who })
}

// reverses reports whether a person's turn takes back what the agent did or was about to do, and says why.
func reverses(text string) bool {
	const least, longest = 60, 400
	return len(text) >= least && len(text) <= longest && reversing().MatchString(text) && !complains().MatchString(text) && !unquotable().MatchString(text) && !pasted(text)
}

// reversing matches words that take something back or forbid to touch it.
var reversing = lazy.Pattern(`(?i)\b(?:undo|revert|hands off|back out|take (?:it|that|this|them) (?:back )?out|(?:don['’]?t|do not) (?:touch|change|remove|rename|move)|leave (?:it|that|this|them) (?:alone|as)|mach (?:das|es) rückgängig|lass (?:das|es)|raus\b.* (?:da|weil)|deshaz|no toques|quita(?:lo)?)\b|元に戻|戻して|触らない|되돌려|撤销|还原|不要动|верни|убери|не трогай`)

// leastUncured is how many sessions must meet a failure of which nobody knows a way out.
const leastUncured = 3

// More of what a line of a person may be. reason matches what says why, answer an answer that a person gave to a question
// of a tool.
var (
	reason = lazy.Pattern(`(?i)\b(?:because|since|otherwise|in mind)\b`)
	answer = lazy.Pattern(`["'”’]=["'“‘]`)
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
	case vague(cure), strings.HasPrefix(cure, "with") && narrows().MatchString(cure), strings.HasPrefix(cure, "in `") && !placed().MatchString(message):
		return false
	case held >= often:
		return true
	case beside().MatchString(cure): // it may be either
		return false
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
	return false
}

// beside matches an edit beside a change of the command.
var beside = lazy.Pattern("`, (?:edit|writing) of ")

// placed matches what fails for the folder that a command runs in.
var placed = lazy.Pattern(`(?i)directory|folder|module|package|manifest|script|workspace|no such file|cannot find`)

// swapped matches what was put in the place of something else.
var swapped = lazy.Pattern("^`[^`]+` instead of `([^`]+)`")
