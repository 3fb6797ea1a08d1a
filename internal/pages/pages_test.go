package pages

import (
	"net/url"
	"strings"
	"testing"

	"episodes/internal/ask"
)

// A list that goes on leads to what was not yet shown.
func TestNextPage(t *testing.T) {
	next := 10
	site := &Site{Name: "x", Static: func(name string) string { return name }, Link: func(page, id string, query ...string) string {
		return page + "?" + strings.Join(query, "=")
	}}
	for name, view := range map[string]any{
		"errors":  &ask.RecurrencesAnswer{Total: 11, Next: &next},
		"choices": &ask.ChoicesAnswer{Total: 11, Next: &next},
		"lessons": &ask.LessonsAnswer{Total: 11, Next: &next},
		"search":  &ask.SearchAnswer{Hits: make([]ask.SearchHit, 1), Next: &next},
	} {
		var b strings.Builder
		if err := (Page{Site: site, Name: name, Words: "w", Asked: url.Values{}, View: view}).Write(&b); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(b.String(), "skip=10") {
			t.Errorf("%s does not lead on:\n%s", name, b.String())
		}
	}
}
