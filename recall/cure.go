package recall

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// longestCure is the largest length of a fix at the head of an answer, in bytes. Longer facts are
// from the prose of logs.
const longestCure = 120

// helped matches what logs call that which helped.
const helped = `(?:(?:the|final|immediate|proposed|suggested|recommended|critical|actual|real|quick|permanent|correct|right|working) )?` +
	`(?:(?:how to )?fix(?:es)?|resolution|solutions?|workarounds?|remedy|recommend(?:ation|ed)s?|what (?:helped|fixed it|to do)|retry|mitigation` +
	`|soluci[oó]n|solução|correcci[oó]n|correção|arreglo|解決(?:策|方法)?|対処法?|対策|解决(?:方案)?|修复|해결(?:책| 방법)?|рішення|виправлення|решение|исправление)`

var (
	// solving matches the headings and labels under which logs say what helped.
	solving = lazy.Pattern(`(?i)^[^\pL\pN]*(?:` + helped + `|actions?)(?: guidance| applied| taken| plan| option)?(?: ?\([^()]*\))?\W*(?:[:：—–]|$)\s*`)
	// undo matches how to take a change back.
	undo = lazy.Pattern(`(?i)^\W*(?:git )?(?:revert|roll ?back|undo|restore)\b.*\b(?:previous|prior|original|this|these|changes?|commit)\b`)
	// deed matches what begins with something to do or done.
	deed = lazy.Pattern(`(?i)^(?:\d+[.)] )?(?:add|remov|delet|chang|replac|set|us|run|re-?run|mov|updat|renam|patch|fetch|pull|install|switch|wrap|bind|creat|writ|revert|restart|clear|pin|export|retr|modif|grant|initiali[sz])(?:e|ed|ing|t|y|ied|s|d|ting|ning)?\b`)
	// choices matches options and what speaks for or against them, labelled values, and results.
	choices = lazy.Pattern(`(?i)^\W*(?:(?:options?|alternatives?|approach|variant)(?: (?:\d+|[a-z]))?|pros|cons|(?:dis)?advantages|drawbacks|trade-?offs)\W*[:：—–-]`)
	value   = lazy.Pattern(`^[\pL\pN_ ]{1,30}: \S+$`)
	result  = lazy.Pattern(`(?i)\b(?:fail(?:ed|s|ure)|now (?:works?|pass(?:es)?|succeeds?|loads?|builds?|compiles?|runs?)|(?:is|are|was|were|been|violations?.*|errors?.*) (?:resolved|fixed))\b[^,;:]{0,30}$`)
	// since matches how it is after a change, and touched the names of changed files.
	since   = lazy.Pattern(`(?i)^\W*(?:with|after|once|now that)\b[^,]*\b(?:resolved|fixed|applied|merged|in place), `)
	touched = lazy.Pattern(`(?i)^\W*(?:changed|modified|edited|updated|files?)\b[\w ]{0,20}: \S+$`)
	// related matches texts labelled as something about an error or a change, and watching those that
	// only look: neither changes anything.
	related  = lazy.Pattern(`(?i)^\W*(?:problem|issue|symptom|benefit|impact|effect|status|result|outcome|risk|goal|objective|reason|why|(?:root )?cause|error|expected|observed|before|note|caveat|evidence|statement|time)s?\W{0,3}[:：—–]`)
	watching = lazy.Pattern(`(?i)^(?:\d+[.)] )?(?:monitor|watch|observe|verif(?:y|ied)|confirm|investigate)(?:e?d|ing)?\b`)
	// unsolved matches texts that say that a change did not help.
	unsolved = lazy.Pattern(`(?i)\bstill (?:occur|happen|fail|present|block|broken|open|see(?:n|ing)?\b|reproduc|not\b)|\b(?:not|isn['’]t|wasn['’]t) (?:yet )?(?:resolved|fixed|solved)\b|\bunresolved\b|\b(?:did(?:n['’]t| not)|does(?:n['’]t| not)) (?:help|fix|resolve|solve)\b|\b(?:error|issue|problem|failure)s? (?:persists?|remains?)\b`)
	// hollow matches texts that say that something works now and not why, or where it was recorded.
	hollow = lazy.Pattern(`(?i)^\W*(?:committed|pushed|merged|landed|released|deployed)\b|(?i)^\W*(?:(?:the|all|build|compilation|tests?|ci|it|everything|now|is|are|go|npm|suite|issue|problem|bug|error|this|was|were|been|has|have|successfully|checks?)\s+)*(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|works?|working|green|resolved|fixed)\b[^,;:]{0,30}$`)
)

// fails reports whether a place says, after what it quotes as a fix, that the error is still there.
func (p *Place) fails(fix string) bool {
	return slices.ContainsFunc(p.Docs, func(d *Document) bool {
		if !d.Kind.prose() || fix == "" {
			return false
		}
		all := sentences(d)
		at := slices.IndexFunc(all, func(s sentence) bool { return holds(s.text, fix) })
		return at >= 0 && slices.ContainsFunc(all[at:], func(s sentence) bool { return unsolved().MatchString(s.text) })
	})
}

// announces reports whether a part of a text is labelled as what helped.
func announces(text string) bool {
	return slices.ContainsFunc(strings.Split(text, " / "), func(part string) bool {
		return strings.ContainsAny(solving().FindString(part), ":：")
	})
}

// empty reports whether a text is an option, a value or a result rather than something to do.
func empty(text string) bool {
	bare := solving().ReplaceAllString(text, "")
	if at := since().FindStringIndex(bare); at != nil && !deed().MatchString(bare[at[1]:]) {
		return true
	}
	return related().MatchString(text) || watching().MatchString(text) || unsolved().MatchString(text) ||
		hollow().MatchString(text) || touched().MatchString(bare) || undo().MatchString(bare) || choices().MatchString(text) ||
		!deed().MatchString(text) && (result().MatchString(text) || value().MatchString(text) && !solving().MatchString(text))
}
