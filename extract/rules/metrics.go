package rules

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"time"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// minutes is how long the session took, nil when the log does not say.
func (x *extraction) minutes() *float64 {
	for _, b := range x.doc.Blocks {
		if b.LabelRoles.Has(lex.RoleDuration) && b.Kind != doc.Row {
			if m, ok := parseMinutes(b.Text.Raw); ok {
				return &m
			}
		}
	}
	return nil
}

// filesChanged reads a "Files changed: 3" field; lists of files are often partial.
func (x *extraction) filesChanged() *int {
	for _, b := range x.doc.Blocks {
		if b.LabelRoles.Has(lex.RoleFiles) && len(b.Text.Words) > 0 && len(b.Text.Words) <= 3 {
			if n, err := strconv.Atoi(b.Text.Words[0].Lower); err == nil && n < 1e6 {
				return &n
			}
		}
	}
	return nil
}

var durationPart = lazy.Pattern(`(\d+(?:\.\d+)?)\s*\+?\s*(?:(` + lex.HourUnits + `)|` + lex.MinuteUnits + `)\b`)

// parseMinutes reads "~2 h 15 min", "45 minutes", "[2.5h]".
func parseMinutes(s string) (float64, bool) {
	total := 0.0
	found := false
	for _, m := range durationPart().FindAllStringSubmatch(strings.ToLower(s), 3) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			continue
		}
		if m[2] != "" {
			n *= 60
		}
		total += n
		found = true
	}
	return total, found
}

var timePattern = lazy.Pattern(`\b(20\d{2}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?`)

// timestamp is when the session started: from a date field, the title, the file's name or
// the first heading that has a date; "" when none says.
func (x *extraction) timestamp() string {
	var texts []string
	for _, b := range x.doc.Meta {
		if b.LabelRoles.Has(lex.RoleDate) {
			texts = append(texts, b.Text.Raw)
		}
	}
	for _, b := range x.doc.Blocks {
		if b.LabelRoles.Has(lex.RoleDate) && b.Kind != doc.Row && len(texts) < 4 {
			texts = append(texts, b.Text.Raw)
		}
	}
	for _, s := range x.doc.Sections {
		if s.Level == 1 {
			texts = append(texts, s.Title.Raw)
		}
	}
	texts = append(texts, path.Base(x.path), lex.DayOfName(path.Base(x.path)))
	if x.newest.head != nil {
		texts = append(texts, x.newest.head.Title.Raw)
	}
	for _, s := range x.doc.Sections {
		if s.Level > 1 && lex.FirstDay(s.Title.Raw) != "" {
			texts = append(texts, s.Title.Raw)
			break
		}
	}
	for _, s := range texts {
		if t, ok := parseTime(s); ok {
			return t.Format(time.RFC3339)
		}
	}
	return ""
}

func parseTime(s string) (time.Time, bool) {
	if !strings.Contains(s, "20") {
		return time.Time{}, false
	}
	if m := timePattern().FindStringSubmatch(s); m != nil {
		sec, zone := m[3], m[4]
		sec = cmp.Or(sec, ":00")
		if zone == "" || zone == "UTC" {
			zone = "Z"
		}
		if len(zone) == 5 {
			zone = zone[:3] + ":" + zone[3:]
		}
		if t, err := time.Parse(time.RFC3339, m[1]+"T"+m[2]+sec+zone); err == nil {
			return t, true
		}
	}
	if m := cmp.Or(lex.FirstDay(s), lex.SlashedDay(s), lex.NamedDay(s)); m != "" {
		if t, err := time.Parse(time.DateOnly, m); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
