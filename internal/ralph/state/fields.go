package state

import (
	"math"
	"slices"

	"ralphex/internal/ralph/stable"
)

// in reads the fields of a record. A field that is required and missing makes the record bad, and a bad record is dropped.
type in struct {
	o   *stable.Object
	bad bool
}

// object returns the value as an object, an empty one if it is none.
func object(v any) *stable.Object {
	if o, ok := v.(*stable.Object); ok {
		return o
	}
	return &stable.Object{}
}

func (r *in) get(key string) any {
	v, _ := r.o.Get(key)
	return v
}

// str is a string, or "" where there is none.
func (r *in) str(key string) string { return r.o.Text(key) }

// need is a required string.
func (r *in) need(key string) string {
	s, ok := r.o.String(key)
	r.bad = r.bad || !ok
	return s
}

// one is a required string out of a set.
func (r *in) one(key string, of []string) string {
	s := r.need(key)
	r.bad = r.bad || !slices.Contains(of, s)
	return s
}

// strings are the strings of an array; nil if there is no array.
func (r *in) strings(key string) []string {
	a, ok := r.get(key).(*stable.Array)
	if !ok {
		return nil
	}
	list := make([]string, 0, len(a.Items))
	for _, v := range a.Items {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

// keep is an object as it stands; nil for anything else.
func (r *in) keep(key string) *stable.Object {
	o, _ := r.get(key).(*stable.Object)
	return o
}

// count is the whole part of a number, not below least; least where there is no number.
func (r *in) count(key string, least int) int {
	f, ok := r.get(key).(float64)
	if !ok {
		return least
	}
	return whole(f, least)
}

// whole cuts a number to what an int and a JavaScript number both hold.
func whole(f float64, least int) int {
	const most = 1<<53 - 1
	return int(max(float64(least), min(math.Floor(f), most)))
}

// exit is an exit code: a number, or null. Its absence makes the record bad if required.
func (r *in) exit(key string, required bool) *int {
	v, ok := r.o.Get(key)
	f, isNumber := v.(float64)
	if !isNumber {
		r.bad = r.bad || required && (!ok || v != nil)
		return nil
	}
	n := whole(f, -1<<31)
	return &n
}

// out writes the fields of a record.
type out struct{ stable.Object }

// opt writes a string that is left out where it is empty.
func (w *out) opt(key, s string) {
	if s != "" {
		w.Set(key, s)
	}
}

// null writes a string that is null where it is empty.
func (w *out) null(key, s string) { w.Set(key, stable.NullIfEmpty(s)) }

// obj writes an object, or null.
func (w *out) obj(key string, o *stable.Object) {
	if o == nil {
		w.Set(key, nil)
		return
	}
	w.Set(key, o)
}

func (w *out) exit(key string, code *int) {
	if code == nil {
		w.Set(key, nil)
		return
	}
	w.Set(key, *code)
}
