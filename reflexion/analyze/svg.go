package analyze

import (
	"fmt"
	"html"
	"strings"
)

// Sizes of the picture: two panels, one above the other, with their names at the side.
const (
	svgWidth, panelHeight           = 640, 320
	panelLeft, panelTop             = 48, 40
	panelBottom, panelRight         = 40, 170
	plotWidth, plotHeight   float64 = svgWidth - panelLeft - panelRight, panelHeight - panelTop - panelBottom
)

// series is a line of a panel: a share of 1 for each trial, nil where none is known.
type series struct {
	name   string
	points []*float64
}

// SVG draws the share of tasks solved and the mean reward by trial, one line for each
// arm, as a complete SVG file. Names are escaped.
func SVG(a *Analysis) string {
	trials := 1
	var solved, rewards []series
	for _, r := range a.Arms {
		trials = max(trials, len(r.SolvedByTrial)-1)
		s := series{name: fmt.Sprintf("%s (%d of %d)", r.Name, lastOf(r.SolvedByTrial), r.Tasks)}
		for _, n := range r.SolvedByTrial {
			share := float64(n) / float64(max(r.Tasks, 1))
			s.points = append(s.points, &share)
		}
		solved, rewards = append(solved, s), append(rewards, series{r.Name, r.RewardByTrial})
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">`+"\n",
		svgWidth, 2*panelHeight)
	b.WriteString("<title>tasks solved and mean reward by trial</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
	panel(&b, 0, "tasks solved", trials, solved, func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) })
	panel(&b, panelHeight, "mean reward", trials, rewards, func(share float64) string { return fmt.Sprintf("%.2f", share) })
	b.WriteString("</svg>\n")
	return b.String()
}

// panel draws one set of lines with its axes, offset pixels down.
func panel(b *strings.Builder, offset int, title string, trials int, lines []series, label func(float64) string) {
	colours := []string{"#0b5fa5", "#c2410c", "#15803d", "#7e22ce", "#525252"}
	x := func(trial int) float64 { return panelLeft + plotWidth*float64(trial)/float64(trials) }
	y := func(share float64) float64 { return plotHeight * (1 - share) }
	fmt.Fprintf(b, `<g transform="translate(0 %d)"><text x="%d" y="-14" font-weight="bold">%s</text>`+"\n",
		offset+panelTop, panelLeft, title)
	for i := 0; i <= 4; i++ {
		s := float64(i) / 4
		fmt.Fprintf(b,
			`<line x1="%d" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n",
			panelLeft, panelLeft+plotWidth, y(s), y(s), panelLeft-6, y(s)+4, label(s))
	}
	for t := 0; t <= trials; t += max(1, trials/8) {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%d</text>`+"\n", x(t), plotHeight+18, t)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">trial</text>`+"\n", panelLeft+plotWidth/2, plotHeight+34)
	for i, l := range lines {
		colour := colours[i%len(colours)]
		var points []string
		for t, share := range l.points {
			if share != nil {
				points = append(points, fmt.Sprintf("%.1f,%.1f", x(t), y(*share)))
			}
		}
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>`+"\n", colour, strings.Join(points, " "))
		if len(points) == 1 { // a line with one point is invisible
			at := strings.SplitN(points[0], ",", 2)
			fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="3" fill="%s"/>`+"\n", at[0], at[1], colour)
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="%s">%s</text>`+"\n", panelLeft+plotWidth+10, 14+18*i, colour,
			html.EscapeString(l.name))
	}
	b.WriteString("</g>\n")
}
