package aider

import (
	"strconv"
	"strings"

	"episodes/agents/agent"
	"episodes/internal/lazy"
)

// Lines that aider prints for people: the files that it changed, and the tokens and the cost of each
// message. Large token counts are in thousands or millions, see thousands.
var (
	printedEdit   = lazy.Pattern(`^Applied edit to (.+)$`)
	printedTokens = lazy.Pattern(`^Tokens: ([\d.,]+[kM]?) sent(?:, [\d.,]+[kM]? cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received\.(?: Cost: \$([\d.,]+) message)?`)
)

// readPrinted parses the output of aider without colours.
func readPrinted(p *agent.Printed, data []byte) {
	var text []string
	messages := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if m := printedEdit().FindStringSubmatch(line); m != nil {
			p.Use("", "edit", agent.Object{"path": m[1]})
			continue
		}
		m := printedTokens().FindStringSubmatch(line)
		if m == nil {
			text = append(text, line)
			continue
		}
		messages++
		p.Tokens[strconv.Itoa(messages)] = agent.Tokens{Read: thousands(m[1]), Cached: thousands(m[2]), Written: thousands(m[3])}
		if cost, err := strconv.ParseFloat(strings.ReplaceAll(m[4], ",", ""), 64); err == nil {
			p.AddCost(&cost)
		}
		p.Text, text = strings.Join(text, "\n"), nil // the lines before it are the message
	}
}

// thousands parses a count such as 950, 12k, 1.5M or 1,024.
func thousands(s string) int {
	s = strings.ReplaceAll(s, ",", "")
	factor := 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "M": 1e6} {
		if strings.HasSuffix(s, suffix) {
			s, factor = strings.TrimSuffix(s, suffix), f
		}
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1e9) {
		return 0
	}
	return int(x * factor)
}
