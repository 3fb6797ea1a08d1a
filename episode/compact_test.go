package episode

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Every field, also one that is added later, is written as encode writes it.
func TestCompactIsWhatEncodeGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &Episode{}
		n := 0
		draw(t, reflect.ValueOf(e).Elem(), &n)
		want, err := encode(e, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := compact(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

func TestCompactRefusesWhatEncodeRefuses(t *testing.T) {
	e := &Episode{Links: []Link{{Confidence: math.NaN()}}}
	_, want := encode(e, "")
	if _, err := compact(nil, e); err == nil || want == nil || err.Error() != want.Error() {
		t.Fatalf("got %v, want %v", err, want)
	}
}

var drawnText = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "\"\\/", "<&>", "\x00\x1f\x7f\b\f\n\r\t", "\u2028 \u2029 \ufffd", "\xff\xe2\x80", "日本"}))

// draw fills a value of any of the types of which an episode is made.
func draw(t *rapid.T, v reflect.Value, n *int) {
	*n++
	name := fmt.Sprint(*n)
	switch v.Kind() {
	case reflect.String:
		v.SetString(drawnText.Draw(t, name))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, name))
	case reflect.Int:
		v.SetInt(int64(rapid.Int().Draw(t, name)))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, name))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, name) {
			v.Set(reflect.New(v.Type().Elem()))
			draw(t, v.Elem(), n)
		}
	case reflect.Slice:
		if k := rapid.IntRange(-1, 3).Draw(t, name); k >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), k, k))
			for i := range k {
				draw(t, v.Index(i), n)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			draw(t, v.Index(i), n)
		}
	case reflect.Map:
		if k := rapid.IntRange(-1, 3).Draw(t, name); k >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range k {
				key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				draw(t, key, n)
				draw(t, val, n)
				v.SetMapIndex(key, val)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			draw(t, v.Field(i), n)
		}
	default:
		t.Fatalf("an episode holds a %s, which this test cannot draw", v.Kind())
	}
}
