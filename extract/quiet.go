package extract

import (
	"strings"
)

// quiet reports whether b stands where nothing of this session is told:
// protocol lists, references, file lists, plans, templates.
func quiet(b *block) bool {
	return b.inProtocol() || b.labelRole.any(roleWho, roleDate, roleBase) || b.placeholder()
}

// inProtocol reports whether b is part of a protocol: it stands right under such
// a heading, or it is one of its ticked steps further down. A section that
// merely follows a protocol heading, at a deeper level, is none.
func (b *block) inProtocol() bool {
	if b.section.has(roleSkip) {
		return true
	}
	return b.section.within(roleSkip) && (b.tick != noTick || b.kind == rowBlock && b.table.names(roleStatus))
}

// placeholder reports whether a block is what a template leaves behind: a mark
// such as {{name}}, or nothing but bracketed words.
func (b *block) placeholder() bool {
	s := b.full()
	if strings.Contains(s, "{{") || strings.HasPrefix(s, "<!--") || strings.HasPrefix(s, "[TBD") {
		return true
	}
	rest := s
	brackets := 0
	for {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			break
		}
		j := strings.IndexByte(rest[i:], ']')
		if j < 0 {
			break
		}
		if isUpper(rest[i+1:i+j]) && !strings.Contains(rest[i:i+j], " | ") {
			return false // "[COMPLETE]" is a status that somebody set
		}
		brackets++
		rest = rest[:i] + rest[i+j+1:]
	}
	return brackets > 0 && !strings.ContainsFunc(strings.TrimPrefix(rest, b.label), isLetter)
}

func isLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f && r != '—' && r != '–' && r != '→'
}

// blank reports whether a text says only that there is nothing.
func (t text) blank() bool {
	if len(t.words) == 0 {
		return true
	}
	if len(t.words) > 3 && !t.at(0, classBlank) && t.s[0]|0x20 != 'n' {
		return false
	}
	s := strings.Trim(strings.ToLower(t.s), " .-*_")
	if rest, ok := strings.CutPrefix(s, "n/a"); s == "" || s == "…" || ok && (rest == "" || !isLetter(firstRune(rest))) {
		return true
	}
	if end := t.words[0].end; t.words[0].classes.has(classBlank) && strings.TrimLeft(t.s[end:], " ") != t.s[end:] && strings.ContainsAny(t.s[end+1:end+2], "-(") {
		return true // "None - all went well"
	}
	return len(t.words) <= 3 && t.at(0, classBlank)
}
