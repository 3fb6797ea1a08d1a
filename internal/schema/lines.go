package schema

import (
	"bytes"
	"encoding/json"
	"sort"
	"strconv"
	"strings"
)

// locator finds the line on which a JSON value starts.
type locator struct {
	data  []byte
	ends  []int          // offsets of the line ends
	lines map[string]int // by JSON pointer; computed on first use
}

func (l *locator) walk() {
	l.lines = map[string]int{}
	for i, c := range l.data {
		if c == '\n' {
			l.ends = append(l.ends, i)
		}
	}
	l.value(json.NewDecoder(bytes.NewReader(l.data)), "")
}

// line returns the line of the value at ptr, or of the innermost enclosing one.
func (l *locator) line(ptr string) int {
	if l.lines == nil {
		l.walk()
	}
	for {
		if n, ok := l.lines[ptr]; ok {
			return n
		}
		if ptr == "" {
			return 1
		}
		ptr = ptr[:strings.LastIndexByte(ptr, '/')]
	}
}

// mark records the line of the token just read; no token contains a line end.
func (l *locator) mark(ptr string, dec *json.Decoder) {
	at := int(dec.InputOffset()) - 1
	l.lines[ptr] = 1 + sort.SearchInts(l.ends, at)
}

// value walks one value; false at the end of the input.
func (l *locator) value(dec *json.Decoder, ptr string) bool {
	tok, err := dec.Token()
	if err != nil {
		return false
	}
	l.mark(ptr, dec)
	switch tok {
	case json.Delim('{'):
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return false
			}
			name, _ := key.(string)
			if !l.value(dec, ptr+"/"+escape(name)) {
				return false
			}
		}
	case json.Delim('['):
		for i := 0; dec.More(); i++ {
			if !l.value(dec, ptr+"/"+strconv.Itoa(i)) {
				return false
			}
		}
	default:
		return true
	}
	_, err = dec.Token() // the closing bracket
	return err == nil
}

// The escapes of JSON pointers.
var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

func escape(token string) string { return escaper.Replace(token) }
