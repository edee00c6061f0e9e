package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// filler gives every field of a value something that no other field has, so that a field which a store forgets, or
// swaps with another, shows.
type filler struct {
	n    int64
	from time.Time
}

var timeType = reflect.TypeFor[time.Time]()

func (f *filler) fill(t *testing.T, v reflect.Value) {
	t.Helper()
	f.n++
	if v.Type() == timeType {
		v.Set(reflect.ValueOf(f.from.Add(time.Duration(f.n) * time.Microsecond)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text-%d é\u2028\"\x00", f.n))
	case reflect.Int, reflect.Int64:
		v.SetInt(f.n)
	case reflect.Float64:
		v.SetFloat(float64(f.n) + 0.25)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(f.n % 256))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			f.fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(t, key)
		f.fill(t, value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(t, v.Field(i))
		}
	default:
		t.Fatalf("the suite cannot fill a field of type %s; teach it", v.Type())
	}
}

// plain makes those texts of a filled value that columns repeat such as a column can hold: without their odd characters.
func plain(v reflect.Value, columns ...string) {
	switch v.Kind() {
	case reflect.String:
		repeated := func(column string) bool { return strings.Contains(column, v.String()) }
		if slices.ContainsFunc(columns, repeated) {
			text, _, _ := strings.Cut(v.String(), " ")
			v.SetString(text)
		}
	case reflect.Pointer:
		plain(v.Elem(), columns...)
	case reflect.Slice:
		for i := range v.Len() {
			plain(v.Index(i), columns...)
		}
	case reflect.Struct:
		if v.Type() == timeType {
			return
		}
		for i := range v.NumField() {
			plain(v.Field(i), columns...)
		}
	}
}
