package analyze

import (
	"fmt"
	"html"
	"strings"
)

// SVG draws the share of tasks solved by trial, one line an arm, as a picture
// that stands alone. Names are escaped.
func SVG(a *Analysis) string {
	const width, height, left, top, bottom, right = 640, 360, 48, 16, 40, 160
	colours := []string{"#0b5fa5", "#c2410c", "#15803d", "#7e22ce", "#525252"}
	plotW, plotH := float64(width-left-right), float64(height-top-bottom)
	trials := 1
	for _, r := range a.Arms {
		trials = max(trials, len(r.SolvedByTrial)-1)
	}
	x := func(trial int) float64 { return left + plotW*float64(trial)/float64(trials) }
	y := func(share float64) float64 { return top + plotH*(1-share) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">`+"\n", width, height)
	b.WriteString("<title>tasks solved by trial</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
	for i := 0; i <= 4; i++ {
		s := float64(i) / 4
		fmt.Fprintf(&b, `<line x1="%d" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.0f %%</text>`+"\n",
			left, left+plotW, y(s), y(s), left-6, y(s)+4, 100*s)
	}
	for t := 0; t <= trials; t += max(1, trials/8) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(t), height-bottom+18, t)
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">trial</text>`+"\n", left+plotW/2, height-6)
	for i, r := range a.Arms {
		colour := colours[i%len(colours)]
		var points []string
		for t, n := range r.SolvedByTrial {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(t), y(float64(n)/float64(max(r.Tasks, 1)))))
		}
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>`+"\n", colour, strings.Join(points, " "))
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" fill="%s">%s (%d of %d)</text>`+"\n", left+plotW+10, top+14+18*i, colour,
			html.EscapeString(r.Name), lastOf(r.SolvedByTrial), r.Tasks)
	}
	b.WriteString("</svg>\n")
	return b.String()
}
