package term

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf16"

	"episodes/internal/plain"
)

// shown reports whether a character is printed as it is. Marks are; joiners and selectors,
// which depend on the characters around them, are escaped without loss.
func shown(r rune) bool {
	return unicode.In(r, unicode.M, unicode.Zs) && !unicode.Is(unicode.Variation_Selector, r) && plain.Text("a"+string(r)) != "a" ||
		plain.Text(string(r)) == string(r)
}

// JSON writes the characters that JSON may hold as they are, but that a terminal
// would obey, as escapes.
func JSON(data []byte) []byte {
	if plain.Text(string(data)) == string(data) {
		return data
	}
	var b bytes.Buffer
	known := map[rune]bool{}
	for _, r := range string(data) {
		safe, ok := known[r]
		if !ok && r >= 0x7f {
			safe = shown(r)
			known[r] = safe
		}
		switch {
		case r < 0x7f || safe:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}
