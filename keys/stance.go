package keys

import (
	"strings"
	"unicode"
)

// Words that say that what follows is done, or is no longer done. Each applies up to the next
// such word or the end of the clause.
var (
	awayWords = SetOf(`not never no without avoid avoided avoiding skip skipped skipping stop stopped stopping drop dropped dropping
		remove removed removing delete deleted deleting disable disabled disabling replace replaced replacing reject rejected
		rejecting revert reverted reverting abandon abandoned instead rather don't doesn't didn't won't cannot can't shouldn't
		nicht kein keine ohne statt vermeiden entfernt entfernen ersetzt ersetzen`)
	towardWords = SetOf(`use used uses using add added adding keep kept keeping adopt adopted enable enabled enabling introduce
		introduced choose chose chosen nutzen verwenden`)
	swapWords = SetOf(`replace replaced replacing ersetzt ersetzen`) // X with Y
	withWords = SetOf(`with by mit durch`)
	fillWords = SetOf(`a an the to be been is are was were do does did any all of than in it this that`)
)

// stances maps each word of a text, as returned by Words, to 1 if the text is for it and
// to -1 if it is against it, as in "replaced these with those". Words on both sides are left
// out.
func stances(text string) map[string]int {
	out := map[string]int{}
	stance, swap := 1, false
	fresh := false // nothing but fill words since the last word of this kind
	for _, field := range strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'"))) {
		token := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch {
		case awayWords[token]:
			if fresh && stance < 0 {
				stance = 1 // not removed
			} else {
				stance = -1
			}
			fresh, swap = true, swapWords[token]
		case !fresh && (towardWords[token] || swap && withWords[token]):
			stance = 1
		case token == "" || fillWords[token] || towardWords[token] || withWords[token]:
		default:
			fresh = false
			for _, w := range Words(field) {
				if old, ok := out[w]; ok && old != stance {
					out[w] = 0
				} else {
					out[w] = stance
				}
			}
		}
		if strings.ContainsAny(field[len(field)-1:], ".;:!?") {
			stance, fresh = 1, false
		}
	}
	return out
}

// Opposite reports whether two texts with words in common speak for opposite things, as
// "use grep" and "replaced grep with sed" do.
func Opposite(a, b string) bool {
	as, bs := stances(a), stances(b)
	sum := 0
	for w, s := range as {
		sum += s * bs[w]
	}
	return sum < 0
}

// Stance reports whether a word says only that something is done, or no longer done, and not what.
func Stance(word string) bool { return awayWords[word] || towardWords[word] || fillWords[word] }
