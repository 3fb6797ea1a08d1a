package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// node is a schema or a part of one. Its fields are the supported keywords.
type node struct {
	Type                 string           `json:"type"`
	Enum                 []string         `json:"enum"`
	Pattern              string           `json:"pattern"`
	Format               string           `json:"format"`
	MinLength            int              `json:"minLength"`
	Minimum              json.Number      `json:"minimum"`
	Maximum              json.Number      `json:"maximum"`
	Items                *node            `json:"items"`
	MinItems             *int             `json:"minItems"`
	MaxItems             *int             `json:"maxItems"`
	Required             []string         `json:"required"`
	Properties           map[string]*node `json:"properties"`
	AdditionalProperties json.RawMessage  `json:"additionalProperties"`
	Ref                  string           `json:"$ref"`
	Defs                 map[string]*node `json:"$defs"`

	// Annotations.
	Schema      string `json:"$schema"`
	ID          string `json:"$id"`
	Title       string `json:"title"`
	Description string `json:"description"`

	pattern    *regexp.Regexp
	additional *node
}

// check reports every violation of n in v, with its JSON pointer. A nil node allows
// everything.
func (n *node) check(d *Schema, v any, ptr string, report func(ptr, msg string)) {
	if n == nil {
		return
	}
	bad := func(format string, args ...any) { report(ptr, fmt.Sprintf(format, args...)) }
	if n.Ref != "" {
		d.root.Defs[strings.TrimPrefix(n.Ref, defs)].check(d, v, ptr, report)
	}
	if n.Type != "" && !hasType(v, n.Type) {
		bad("is %s, must be %s", kind(v), article(n.Type))
		return // the rest speaks of that type
	}
	if s, ok := v.(string); n.Enum != nil && (!ok || !slices.Contains(n.Enum, s)) {
		bad("is %s, must be one of %s", shown(v), strings.Join(n.Enum, ", "))
	}
	switch v := v.(type) {
	case string:
		n.checkString(v, bad)
	case json.Number:
		n.checkNumber(v, bad)
	case []any:
		n.checkArray(d, v, ptr, report)
	case map[string]any:
		n.checkObject(d, v, ptr, report)
	}
}

func (n *node) checkString(s string, bad func(string, ...any)) {
	switch {
	case utf8.RuneCountInString(s) < n.MinLength:
		bad("is empty")
	case n.pattern != nil && !n.pattern.MatchString(s):
		bad("is %s, which does not match %s", shown(s), n.Pattern)
	case n.Format == "date-time" && !dateTime(s):
		bad("is %s, must be a time such as 2026-01-31T12:00:00Z", shown(s))
	}
}

func (n *node) checkNumber(v json.Number, bad func(string, ...any)) {
	x, ok := new(big.Rat).SetString(v.String())
	if low, set := new(big.Rat).SetString(n.Minimum.String()); ok && set && x.Cmp(low) < 0 {
		bad("is %s, must be at least %s", v, n.Minimum)
	}
	if high, set := new(big.Rat).SetString(n.Maximum.String()); ok && set && x.Cmp(high) > 0 {
		bad("is %s, must be at most %s", v, n.Maximum)
	}
}

func (n *node) checkArray(d *Schema, v []any, ptr string, report func(ptr, msg string)) {
	if n.MinItems != nil && len(v) < *n.MinItems || n.MaxItems != nil && len(v) > *n.MaxItems {
		report(ptr, fmt.Sprintf("has %d items, must have %s", len(v), itemRange(n.MinItems, n.MaxItems)))
	}
	for i := range v {
		n.Items.check(d, v[i], ptr+"/"+strconv.Itoa(i), report)
	}
}

func (n *node) checkObject(d *Schema, v map[string]any, ptr string, report func(ptr, msg string)) {
	for _, name := range n.Required {
		if _, ok := v[name]; !ok {
			report(ptr, fmt.Sprintf("%q is missing", name))
		}
	}
	for name, value := range v {
		at := ptr + "/" + escape(name)
		p, ok := n.Properties[name]
		if !ok {
			p = n.additional
		}
		p.check(d, value, at, report)
	}
}

func hasType(v any, want string) bool {
	if want == "integer" {
		num, ok := v.(json.Number)
		if !ok {
			return false
		}
		x, ok := new(big.Rat).SetString(num.String())
		return ok && x.IsInt()
	}
	return kindName(v) == want
}

func kindName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func kind(v any) string {
	if v == nil {
		return "null"
	}
	if _, ok := v.(json.Number); ok {
		return shown(v)
	}
	return article(kindName(v))
}

func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}

// shown is a value, shortened for a message.
func shown(v any) string {
	switch v := v.(type) {
	case string:
		const most = 60
		if r := []rune(v); len(r) > most {
			v = string(r[:most]) + "…"
		}
		return strconv.Quote(v)
	case json.Number:
		return v.String()
	}
	return kind(v)
}

func itemRange(low, high *int) string {
	switch {
	case low != nil && high != nil && *low == *high:
		return strconv.Itoa(*low)
	case high == nil:
		return fmt.Sprintf("at least %d", *low)
	case low == nil:
		return fmt.Sprintf("at most %d", *high)
	}
	return fmt.Sprintf("%d to %d", *low, *high)
}

var timeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)

func dateTime(s string) bool {
	if !timeForm.MatchString(s) {
		return false
	}
	_, err := time.Parse(time.RFC3339, strings.ToUpper(s))
	return err == nil
}

// dotted writes a JSON pointer as a path: decisions[0].outcome.
func dotted(ptr string) string {
	var b strings.Builder
	for _, t := range strings.Split(ptr, "/")[1:] {
		t = unescaper.Replace(t)
		switch _, err := strconv.Atoi(t); {
		case err == nil:
			fmt.Fprintf(&b, "[%s]", t)
		case b.Len() > 0:
			b.WriteString("." + t)
		default:
			b.WriteString(t)
		}
	}
	return b.String()
}
