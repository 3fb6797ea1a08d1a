package graph

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"
)

// exportQuads writes what Cayley holds, one quad a line, sorted. Names get a
// prefix here, since N-Quads wants whole IRIs and every byte of a name is stored.
func (g *Graph) exportQuads(w *bufio.Writer) error {
	f, err := g.evidence()
	if err != nil {
		return err
	}
	var lines []string
	err = f.with(g.ctx, quad.Directions, func(vals []quad.Value) error {
		var b strings.Builder
		for _, v := range vals {
			switch v := v.(type) {
			case quad.IRI:
				fmt.Fprintf(&b, "<%s%s> ", namespace, iriText(string(v)))
			case quad.String:
				fmt.Fprintf(&b, "%s ", literal(string(v)))
			default:
				return fmt.Errorf("%w: cayley: %T in a quad", ErrDamaged, v)
			}
		}
		b.WriteString(".\n")
		lines = append(lines, b.String())
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

// iriText is a name that can stand in an IRI as it is; ids and predicates are.
func iriText(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || strings.ContainsRune("<>\"{}|^`\\", r) {
			return '_'
		}
		return r
	}, s)
}

// literal quotes a text as N-Quads has it.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
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
