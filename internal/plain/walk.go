package plain

import "reflect"

// All filters every string that v, a pointer, leads to: fields, elements, keys and values
// of maps, as Text does. It reports whether anything changed.
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
	case reflect.Struct:
		for i := range v.NumField() {
			changed = walk(v.Field(i)) || changed
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k <= reflect.Complex128 { // numbers
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

// walkMap puts entries whose key or value changes anew, since they cannot be set.
func walkMap(v reflect.Value) (changed bool) {
	for _, key := range v.MapKeys() {
		k, x := reflect.New(key.Type()).Elem(), reflect.New(v.Type().Elem()).Elem()
		k.Set(key)
		x.Set(v.MapIndex(key))
		if newKey := walk(k); walk(x) || newKey {
			v.SetMapIndex(key, reflect.Value{})
			v.SetMapIndex(k, x)
			changed = true
		}
	}
	return changed
}
