package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/patterns"
)

// writeQuads writes the evidence as the store holds it, one quad a line, sorted.
// Names get a prefix here, since N-Quads wants whole IRIs and every byte of a name
// is stored.
func writeQuads(w *bufio.Writer, g Graph, _ []patterns.Pattern) error {
	var lines []string
	err := g.Quads(func(subject, predicate, object, episode string) error {
		if strings.HasPrefix(predicate, "mentioned:") {
			object = literal(object)
		} else {
			object = iri(object)
		}
		lines = append(lines, iri(subject)+" "+iri(predicate)+" "+object+" "+iri(episode)+" .\n")
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(lines)
	for _, l := range lines {
		if _, err := w.WriteString(l); err != nil {
			return err
		}
	}
	return nil
}

const namespace = "urn:episodes:"

// iri is a name as an IRI. Ids and predicates can be part of one as they are;
// in other names each character that cannot becomes "_".
func iri(name string) string {
	return "<" + namespace + strings.Map(func(r rune) rune {
		if r <= ' ' || strings.ContainsRune("<>\"{}|^`\\", r) {
			return '_'
		}
		return r
	}, plain.Line(name)) + ">"
}

// literal quotes a text as N-Quads has it.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range plain.Line(s) {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
