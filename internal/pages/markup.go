package pages

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
)

// markup is hypertext: what literal says, with values that h escaped.
type markup string

// literal is hypertext of this package. Only constants have this type: a value in it is written as {}.
type literal string

// h fills in a literal. A value that is no markup is text, which is escaped; where an address begins, its scheme is
// checked, too. A literal has no value in a script, a style or the name of an attribute, nor outside of quotation marks
// in a tag.
func h(l literal, values ...any) markup {
	parts := strings.Split(string(l), "{}")
	if len(parts) != len(values)+1 {
		panic(fmt.Sprintf("%d values for %q", len(values), l))
	}
	var b strings.Builder
	for i, value := range values {
		b.WriteString(parts[i])
		text, is := value.(markup)
		if !is {
			s := fmt.Sprint(value)
			if addresses.MatchString(parts[i]) {
				s = address(s)
			}
			text = markup(html.EscapeString(s))
		}
		b.WriteString(string(text))
	}
	return markup(b.String() + parts[len(values)])
}

var (
	addresses = regexp.MustCompile(`\s(href|src|action)="$`)
	schemes   = regexp.MustCompile(`^(?i:https?:|mailto:|[^:]*[/?#]|[^:]*$)`)
	strange   = regexp.MustCompile(`%[[:xdigit:]]{2}|[^-!#$&*+,/:;=?@\[\]._~0-9A-Za-z]`)
)

// address is one that leads to a page and runs nothing.
func address(s string) string {
	if !schemes.MatchString(s) {
		return "#"
	}
	return strange.ReplaceAllStringFunc(s, func(s string) string {
		if len(s) == len("%20") && s[0] == '%' {
			return s
		}
		return url.PathEscape(s)
	})
}

// when is a literal, filled in, if something is so.
func when(is bool, l literal, values ...any) (out markup) {
	if is {
		out = h(l, values...)
	}
	return out
}

// with is a literal with a value, if there is one.
func with[T comparable](l literal, value T) markup {
	return when(value != *new(T), l, value)
}

// either is one of two texts.
func either[T any](is bool, yes, no T) T {
	if is {
		return yes
	}
	return no
}

// each is what a list becomes.
func each[T any](list []T, f func(T) markup) markup { return join(list, "", f) }

// join is the same with something between them.
func join[T any](list []T, between string, f func(T) markup) markup {
	var b strings.Builder
	for i, x := range list {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(string(f(x)))
	}
	return markup(b.String())
}

// data is a value for a script: JSON, in which no tag can be.
func data(v any) markup {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // answers are written as JSON, too
	}
	return markup(out)
}
