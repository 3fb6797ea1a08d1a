package redact

import (
	"strings"

	"episodes/internal/lazy"
)

// seam matches what parts a token in two: a line of a shell that is continued, also in JSON, and
// two literals that are added.
var seam = lazy.Pattern(`^(?:\\\\?\r?\n[ \t]{0,8}|\\\\\\n[ ]{0,8}| ?["'\x60]\s{0,40}\+\s{0,40}\\?["'\x60])`)

const (
	longestPart  = 256
	mostParts    = 8
	beforeParted = 40 // bytes that may say what the token is
)

// parted finds secrets whose parts are written one after another, and takes each part.
func parted(sc *scan, start, end int) {
	if start < sc.seen[seenParted] || sc.depth > 0 {
		return
	}
	at := start
	if sc.s[start] == '+' { // what ends the first part is before it
		at = len(strings.TrimRight(sc.s[:start], " \t\r\n"))
	}
	for at > 0 && strings.IndexByte("\"'`\\ ", sc.s[at-1]) >= 0 {
		at--
	}
	first := back(sc.s, at, longestPart, &tokenByte)
	joined := sc.s[max(0, first-beforeParted):first]
	head := len(joined)
	var parts []window
	for at = first; len(parts) < mostParts; {
		stop := run(sc.s, at, longestPart, &tokenByte)
		if stop == at {
			break
		}
		parts, joined = append(parts, window{at, stop}), joined+sc.s[at:stop]
		m := seam().FindString(sc.orig[stop:min(len(sc.orig), stop+100)])
		if at = stop + len(m); m == "" {
			break
		}
	}
	sc.seen[seenParted] = max(end, at)
	if len(parts) < 2 {
		return
	}
	for _, sp := range sc.r.findWith(sc.engine, joined, sc.depth+1) {
		var of []window
		for at, i := head, 0; i < len(parts); i++ {
			p := parts[i]
			size := p.end - p.start
			if sp.start < at+size && sp.end > at {
				of = append(of, window{p.start + max(0, sp.start-at), p.end - max(0, at+size-sp.end)})
			}
			at += size
		}
		for _, p := range of {
			if len(of) > 1 { // else it is found without this
				sc.add(p.start, p.end, sp.kind)
			}
		}
	}
}
