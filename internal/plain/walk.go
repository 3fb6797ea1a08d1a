package plain

import "reflect"

// All filters every string that v, a pointer, leads to: fields, elements, keys and values
// of maps, and of interfaces, as Text does. It reports whether anything changed.
func All(v any) bool { return walk(reflect.ValueOf(v)) }

func walk(v reflect.Value) (changed bool) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); v.CanSet() {
			if t := Text(s); t != s {
				v.SetString(t)
				return true
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return walk(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			x := reflect.New(v.Elem().Type()).Elem()
			x.Set(v.Elem())
			if changed = walk(x); changed {
				v.Set(x)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			changed = walk(v.Field(i)) || changed
		}
	case reflect.Slice, reflect.Array:
		if numbers(v.Type()) {
			return false
		}
		for i := range v.Len() {
			changed = walk(v.Index(i)) || changed
		}
	case reflect.Map:
		return walkMap(v)
	}
	return changed
}

// numbers reports whether values of a type are numbers only.
func numbers(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() <= reflect.Complex128
}

// walkMap replaces entries whose key or value changes, since they cannot be set.
func walkMap(v reflect.Value) (changed bool) {
	skip := numbers(v.Type().Elem())
	for all := v.MapRange(); all.Next(); {
		if key := all.Key(); skip && key.Kind() == reflect.String && Text(key.String()) == key.String() {
			continue
		}
		k, x := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		k.Set(all.Key())
		x.Set(all.Value())
		if newKey := walk(k); walk(x) || newKey {
			v.SetMapIndex(all.Key(), reflect.Value{})
			v.SetMapIndex(k, x)
			changed = true
		}
	}
	return changed
}
