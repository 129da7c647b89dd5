package events

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"ralphex/internal/ralph/stable"
)

// Event is one line of a journal.
type Event struct {
	RunID     string // the provenance id
	Seq       int    // from 1
	Timestamp string // as it stands in the file
	Body      Body
}

// line prints the event: the body's keys, then those that all events share.
func (e Event) line() []byte {
	o := encode(e.Body)
	o.Set("schemaVersion", 1)
	o.Set("runId", e.RunID)
	o.Set("seq", e.Seq)
	o.Set("timestamp", e.Timestamp)
	return append(stable.Compact(o), '\n')
}

func encode(b Body) *stable.Object {
	o := &stable.Object{}
	o.Set("type", b.Type())
	v := reflect.ValueOf(b)
	for i := range v.NumField() {
		key, how := tag(v.Type().Field(i))
		f := v.Field(i)
		switch {
		case f.IsZero() && how == "opt":
		case f.IsZero() && how == "null":
			o.Set(key, nil)
		case f.Kind() == reflect.Pointer:
			o.Set(key, f.Elem().Interface())
		default:
			o.Set(key, f.Interface())
		}
	}
	return o
}

func tag(f reflect.StructField) (key, how string) {
	key, how, _ = strings.Cut(f.Tag.Get("js"), ",")
	return key, how
}

// types are the bodies by their names.
var types = func() map[string]reflect.Type {
	m := map[string]reflect.Type{}
	for _, b := range bodies {
		m[b.Type()] = reflect.TypeOf(b)
	}
	return m
}()

// decode reads a line. The body is nil if its type isn't known.
func decode(line []byte) (Event, error) {
	o, err := stable.ParseObject(line)
	if err != nil {
		return Event{}, err
	}
	name, ok := o.String("type")
	if !ok {
		return Event{}, fmt.Errorf(`"type" has to be a string`)
	}
	seq, ok := number(o, "seq")
	if !ok || seq < 1 {
		return Event{}, fmt.Errorf(`"seq" has to be a whole number from 1 on`)
	}
	e := Event{Seq: seq}
	e.RunID, _ = o.String("runId")
	e.Timestamp, _ = o.String("timestamp")
	t, ok := types[name]
	if !ok {
		return e, nil
	}
	v := reflect.New(t).Elem()
	for i := range v.NumField() {
		key, how := tag(t.Field(i))
		if !set(v.Field(i), o, key) && how == "" {
			return Event{}, fmt.Errorf("%s needs %q, a %s", name, key, v.Field(i).Kind())
		}
	}
	e.Body = v.Interface().(Body)
	return e, nil
}

// set fills a field. It returns false if the object has no value for it, or one of another type.
func set(f reflect.Value, o *stable.Object, key string) bool {
	v, _ := o.Get(key)
	switch f.Interface().(type) {
	case string:
		s, ok := v.(string)
		f.SetString(s)
		return ok
	case bool:
		b, ok := v.(bool)
		f.SetBool(b)
		return ok
	case *bool:
		b, ok := v.(bool)
		if ok {
			f.Set(reflect.ValueOf(&b))
		}
		return ok
	case *int:
		n, ok := number(o, key)
		if ok {
			f.Set(reflect.ValueOf(&n))
		}
		return ok
	case []string:
		a, ok := v.(*stable.Array)
		if !ok {
			return false
		}
		var list []string
		for _, item := range a.Items {
			if s, ok := item.(string); ok {
				list = append(list, s)
			}
		}
		f.Set(reflect.ValueOf(list))
		return true
	}
	panic("events: a field of type " + f.Type().String())
}

func number(o *stable.Object, key string) (int, bool) {
	v, _ := o.Get(key)
	f, ok := v.(float64)
	return int(f), ok && f == float64(int(f)) && f < 1<<53
}

// Time returns when the event was, or false where its timestamp can't be read.
func (e Event) Time() (time.Time, bool) { return stable.ParseTime(e.Timestamp) }
