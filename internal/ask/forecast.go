package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/capture"
	"episodes/internal/reader"
	"episodes/internal/sources"
	"episodes/internal/term"
)

// ForecastRequest asks what a reader in the background will cost a user.
type ForecastRequest struct {
	Sources SourcesRequest
	Order   bool // also show what would be sent for the newest session here
}

// ForecastAnswer is the cost of the sessions of the last forecastDays, in tokens of 4 bytes: what
// their orders have. An answer adds some hundred, and one that has to be mended doubles it.
type ForecastAnswer struct {
	full
	Days     int          `json:"days"`
	Here     ForecastPart `json:"here"`    // of this repository
	Machine  ForecastPart `json:"machine"` // of all repositories; those without a memory are not read
	PerDay   int          `json:"reader_day"`
	Off      string       `json:"off,omitempty"` // why sessions here are not sent
	Order    string       `json:"order,omitempty"`
	measured int
}

// ForecastPart are sessions and what their orders cost. Of more than mostMeasured sessions the
// newest are measured, and the others counted as their mean.
type ForecastPart struct {
	Sessions int `json:"sessions"`
	Tokens   int `json:"tokens"`
}

const (
	forecastDays = 30
	mostMeasured = 40
)

// Forecast measures the orders of a user's own sessions on this machine. Nothing is written or sent.
func Forecast(ctx context.Context, o Options, r ForecastRequest) (*ForecastAnswer, error) {
	config, err := ReadUserConfig()
	if err != nil {
		return nil, err
	}
	a := &ForecastAnswer{Days: forecastDays, PerDay: config.ReaderDay}
	since := o.now().AddDate(0, 0, -forecastDays).UnixNano()
	recent := func(here *sources.Here) (all []sources.Session) {
		for _, f := range sources.Find(r.Sources.environment(), here, sources.All) {
			if f.Note == "" {
				all = append(all, slices.DeleteFunc(f.Sessions, func(s sources.Session) bool { return s.Modified < since })...)
			}
		}
		slices.SortStableFunc(all, func(x, y sources.Session) int { return cmp.Compare(y.Modified, x.Modified) })
		return all
	}
	here := []sources.Session{}
	if !o.Location.Bare {
		here = recent(sources.NewHere(o.Location.Root))
		if err := o.mayRead(); err != nil {
			a.Off = err.Error()
		}
	}
	known := map[string]int{} // tokens, by transcript
	measure := func(all []sources.Session) (p ForecastPart) {
		p.Sessions = len(all)
		n := 0
		for i, s := range all[:min(len(all), mostMeasured)] {
			if o.Progress != nil {
				o.progress("sessions measured", whole)(i, min(len(all), mostMeasured))
			}
			if _, ok := known[s.Path]; !ok {
				text, err := o.orderOf(ctx, s)
				if err != nil {
					continue
				}
				known[s.Path] = reader.Tokens(text)
				if a.Order == "" && r.Order && a.Off == "" && len(here) > 0 && s.Path == here[0].Path {
					a.Order = text
				}
			}
			p.Tokens, n = p.Tokens+known[s.Path], n+1
		}
		if n > 0 {
			p.Tokens = p.Tokens * p.Sessions / n
		}
		return p
	}
	a.Here = measure(here)
	a.Machine = measure(recent(sources.Everywhere()))
	a.measured = len(known)
	return a, ctx.Err()
}

// orderOf is the order for a session, as it would be sent.
func (o Options) orderOf(ctx context.Context, s sources.Session) (string, error) {
	l, err := capture.Draft(ctx, capture.Options{Location: o.Location, Transcripts: []sources.Session{s}, Format: "auto"})
	if err != nil {
		return "", err
	}
	return o.order(l), nil
}

// Text says what a month costs.
func (a *ForecastAnswer) Text(tokens int) string {
	var b strings.Builder
	line := func(where string, p ForecastPart) {
		fmt.Fprintf(&b, "%s: %s in %d days, some %d tokens for their orders\n", where, term.Plural(p.Sessions, "session"), a.Days, p.Tokens)
	}
	line("this repository", a.Here)
	line("this machine", a.Machine)
	fmt.Fprintf(&b, "(%s measured; an answer adds some hundred tokens, and one that must be corrected doubles the order. Agents add their own\n"+
		"instructions. Only sessions in repositories with a memory are read.)\n", term.Plural(a.measured, "session"))
	if a.PerDay > 0 {
		fmt.Fprintf(&b, "the limit is %d tokens a day: reader_day in your configuration\n", a.PerDay)
	}
	if a.Off != "" {
		fmt.Fprintf(&b, "nothing of this repository is sent: %s\n", a.Off)
	}
	text := term.Cut(term.Lines(b.String()), tokens)
	if a.Order != "" {
		text += "what would be sent for the newest session here:\n" + a.Order
	}
	return text
}
