package ask

import (
	"fmt"
	"strings"

	"episodes/internal/capture"
	"episodes/internal/term"
)

// TrustConfigRequest confirms the lines of the project's file that have no effect before.
type TrustConfigRequest struct {
	DryRun bool // only say what would be confirmed
}

// TrustConfigAnswer lists the entries of the file that need to be confirmed.
type TrustConfigAnswer struct {
	full
	File      string   `json:"file"`
	New       []string `json:"new"`       // confirmed now
	Confirmed []string `json:"confirmed"` // before
	DryRun    bool     `json:"dry_run,omitempty"`
}

// TrustConfig confirms the project's file as it is now.
func TrustConfig(o Options, r TrustConfigRequest) (*TrustConfigAnswer, error) {
	entries, confirmed, err := capture.ConfigEntries(o.Location)
	if err != nil {
		return nil, err
	}
	a := &TrustConfigAnswer{File: capture.VocabularyFile, New: []string{}, Confirmed: []string{}, DryRun: r.DryRun}
	for _, e := range entries {
		if confirmed[e] {
			a.Confirmed = append(a.Confirmed, e)
		} else {
			a.New = append(a.New, e)
		}
	}
	if r.DryRun || len(a.New) == 0 && len(a.Confirmed) == len(confirmed) {
		return a, nil
	}
	return a, capture.ConfirmConfig(o.Location, entries)
}

// Text is the difference to what was confirmed before.
func (a *TrustConfigAnswer) Text(tokens int) string {
	var b strings.Builder
	for _, part := range []struct {
		mark    string
		entries []string
	}{{"+ ", a.New}, {"  ", a.Confirmed}} {
		for _, e := range part.entries {
			b.WriteString(part.mark + term.Line(e) + "\n")
		}
	}
	would := wouldBe(a.DryRun)
	fmt.Fprintf(&b, "%s: %s %sconfirmed, %d before\n", a.File, term.Plural(len(a.New), "line"), would, len(a.Confirmed))
	return term.Cut(b.String(), tokens)
}
