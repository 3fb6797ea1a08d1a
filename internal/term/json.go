package term

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf16"

	"episodes/query/text"
)

// JSON writes the characters that JSON may hold as they are, but that a terminal
// would obey, as escapes.
func JSON(data []byte) []byte {
	if !bytes.ContainsFunc(data, func(r rune) bool { return r >= 0x7f }) {
		return data
	}
	var b bytes.Buffer
	known := map[rune]bool{}
	for _, r := range string(data) {
		safe, ok := known[r]
		if !ok && r >= 0x7f {
			safe = unicode.Is(unicode.Zs, r) || text.Printable(string(r)) == string(r)
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
