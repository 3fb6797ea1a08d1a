package evaluate

import (
	"bytes"
	"encoding/json"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var (
	cargoFailed = lazy.Pattern(`(?m)^test (.+?)(?: - should panic)? \.\.\. FAILED\b`)
	cargoSaid   = lazy.Pattern(`(?m)^(?:---- (?<name>.+?) stdout ----|failures:)$`)
	cargoPanic  = lazy.Pattern(`(?m)^thread '.+?'(?: \(\d+\))? panicked at (.+?):(\d+):(\d+):$`)
	cargoTrace  = lazy.Pattern(`(?m)^(?:note: |stack backtrace:$)`)
	cargoFrame  = lazy.Pattern(`(?m)(::\S+)\n\s+at (?:\./)?(\S+?):(\d+):(\d+)$`)
)

// cargoText is the output of cargo with what the compiler says in the place of its JSON.
func cargoText(data []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(data) {
		var m struct{ Message struct{ Rendered string } }
		if line[0] == '{' && json.Unmarshal(line, &m) == nil && m.Message.Rendered != "" {
			b.WriteString(plain(m.Message.Rendered))
		} else {
			b.Write(line)
		}
	}
	return b.String()
}

func cargoFailures(text string, _ int) (out []reflexion.Problem) {
	said := map[string]string{}
	for _, s := range sections(text, cargoSaid()) {
		said[s.in["name"]] += s.body
	}
	for _, m := range cargoFailed().FindAllStringSubmatch(text, -1) {
		out = append(out, cargoProblem(m[1], said[m[1]]))
	}
	return out
}

// cargoProblem is the failure of a test: what it panicked with, or all that it printed. Of an
// assertion in a helper, the backtrace has the place in the test.
func cargoProblem(name, said string) reflexion.Problem {
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: name, Message: name + " failed"}
	before, text, trace := "", said, ""
	if m := cargoPanic().FindStringSubmatchIndex(said); m != nil {
		before, text = said[:m[0]], said[m[1]:]
		p.File, p.Line, p.Column = said[m[2]:m[3]], atoi(said[m[4]:m[5]]), atoi(said[m[6]:m[7]])
	}
	if at := cargoTrace().FindStringIndex(text); at != nil {
		text, trace = text[:at[0]], text[at[0]:]
	}
	if text = strings.TrimSpace(text); text != "" {
		p.Message = text
	}
	for _, m := range cargoFrame().FindAllStringSubmatch(trace, -1) {
		if strings.HasSuffix(m[1], "::"+name) {
			p.File, p.Line, p.Column = m[2], atoi(m[3]), atoi(m[4])
		}
	}
	p.StackTrace = strings.TrimSpace(before + trace)
	return p
}
