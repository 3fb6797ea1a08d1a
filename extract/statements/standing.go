package statements

import "episodes/internal/lazy"

// What readers of quoted sentences took for a demand, and what not, beyond what Session marks as a rule.

// Orders reports whether a sentence of a person orders something.
func Orders(text string) bool { return orders().MatchString(text) }

// Once reports whether a sentence is said of one time only.
func Once(text string) bool { return once().MatchString(text) }

// Always reports whether a sentence says that it is for work to come.
func Always(text string) bool { return always().MatchString(text) }

// Demands reports whether a sentence orders something that can be understood without what stands beside it.
func Demands(text string) bool {
	return Orders(text) && !Once(text) && (Always(text) || !points().MatchString(text))
}

// Lasts reports whether an order is for work to come: it says so, or it forbids something that it names.
func Lasts(text string) bool {
	return Always(text) || forbids().MatchString(text) && !points().MatchString(text) && !purpose().MatchString(text)
}

// Standing reports whether a sentence by itself sets something for all work to come.
func Standing(text string) bool { return Demands(text) && Always(text) && !points().MatchString(text) }

var (
	// orders matches an order for work to come: at the beginning of a sentence or clause, or as a rule.
	orders = lazy.Pattern(`(?i)(?:^|[.!?,;:(]\s*|\b(?:please|and|but|so|then)\s+)(?:do not|don['’]?t|never|always|make sure|remember|prefer|avoid|stop \w+ing|only use|keep|no need to)\b|\b(?:from now on|in (?:the )?future|must (?:not|never|always)|should (?:not|never|always|only)|always use|never use|use\b[^.]*\binstead)\b|しない|するな|ください|じゃなく|ではなく|やめ|いらない|必ず|べき|使って|하지 ?마|반드시|항상`)
	once   = lazy.Pattern(`(?i)\b(?:yet|this time|right now|for now|(?:don['’]?t|do not) (?:know|think|see|understand|take any)|(?:don['’]?t|do not|no need to) (?:write|make|change|run|implement|do) (?:any |the )?(?:code|changes|anything|commands?))\b`)
	always = lazy.Pattern(`(?i)(?:^|[,.] )in (?:the )?future\b|\b(?:never|always|from now on|every ?time|whenever|must not|prefer|unless)\b|必ず|いつも|常に|今後|毎回|항상|반드시|절대|앞으로`)
	// points matches what can be understood only beside what it points to.
	points = lazy.Pattern(`(?i)\b(?:it|its|them|they|this|these|those|currently|the (?:above|following)|said|the (?:first|second|last|other|same))\b|それ|これ|この|その|あれ`)
	// forbids matches an order not to do something, purpose what something is done for.
	forbids = lazy.Pattern(`(?i)(?:^|[.!?,;:(]\s*|\b(?:please|pls|and|but|so|then|we|you)\s+)(?:do not|don['’]?t|dont|avoid|no need to|must not|should(?:n['’]?t| not| never))\b|しない|するな|ではなく|じゃなく|やめ|いらない|하지 ?마|不要|别|не надо|не нужно`)
	purpose = lazy.Pattern(`(?i)\bso (?:that )?(?:we|it|i|they) (?:do not|don['’]?t|dont)\b`)
)
