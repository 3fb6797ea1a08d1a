package redact

import (
	"reflect"
	"strconv"
	"strings"

	"episodes/episode"
)

// Episode redacts all texts of an episode in place, and returns the findings, or nil. Ids and
// the path of the log are kept, since they identify things.
func (r *Redactor) Episode(ep *episode.Episode) Counts {
	id, session, from := ep.ID, ep.Session, ep.Provenance
	ep.Provenance = episode.Provenance{}
	counts := r.All(ep)
	ep.ID, ep.Session, ep.Provenance = id, session, from
	return counts
}

// All redacts every string reachable from v, a pointer: fields, elements, values of maps and
// of interfaces. Keys of maps are kept.
func (r *Redactor) All(v any) Counts {
	counts := Counts{}
	r.walk(reflect.ValueOf(v), counts)
	if counts.Total() == 0 {
		return nil
	}
	return counts
}

func (r *Redactor) walk(v reflect.Value, counts Counts) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			s, found := r.Text(v.String())
			counts.Add(found)
			v.SetString(s)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			r.walk(v.Elem(), counts)
		}
	case reflect.Interface:
		if !v.IsNil() {
			if x := r.copied(v.Elem(), counts); v.CanSet() {
				v.Set(x)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.walk(v.Field(i), counts)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			r.walk(v.Index(i), counts)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			v.SetMapIndex(k, r.copied(v.MapIndex(k), counts))
		}
	}
}

// copied returns a redacted copy of a value that cannot be set in place.
func (r *Redactor) copied(v reflect.Value, counts Counts) reflect.Value {
	x := reflect.New(v.Type()).Elem()
	x.Set(v)
	r.walk(x, counts)
	return x
}

// since is the first version of the extraction rules that redacted episodes.
const since = 5

// Foreign redacts an episode unless extraction wrote it, which redacts itself: those of older
// versions, and those written by persons and other tools.
func (r *Redactor) Foreign(ep *episode.Episode) {
	number, _, _ := strings.Cut(ep.Provenance.Extractor, "+")
	if n, err := strconv.Atoi(number); err == nil && n >= since && ep.Sealed() {
		return
	}
	r.Episode(ep)
}
