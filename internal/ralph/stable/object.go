package stable

import (
	"iter"
	"slices"
	"strconv"
)

// Array is a JSON array. At has the byte offset of each item in the text that was parsed, and is nil for an array that was
// made.
type Array struct {
	Items []any
	At    []int
}

// Object is a JSON object that keeps the order of its keys. Keys are told apart by case. The zero value is empty and ready.
// Start and End are the byte offsets of its braces' outer edges in the text that was parsed; both are 0 if it was made.
type Object struct {
	Start, End int

	members []member
	index   map[string]int // key → place in members; nil while there are few
	twice   []string       // keys that the text had more than once
	numeric bool           // there are keys like "0", which JavaScript puts first
}

type member struct {
	key       string
	val       any
	keyAt, at int32
}

// few is how many keys are still found faster by looking at each.
const few = 24

// Get returns the value of the key. A value of null is nil, true. A nil Object can be asked as well: it has no keys.
func (o *Object) Get(key string) (any, bool) {
	if o == nil {
		return nil, false
	}
	if i := o.find(key); i >= 0 {
		return o.members[i].val, true
	}
	return nil, false
}

// String returns the value of the key if it is a string.
func (o *Object) String(key string) (string, bool) {
	v, _ := o.Get(key)
	s, ok := v.(string)
	return s, ok
}

// Text is the value of the key if it is a string, else "".
func (o *Object) Text(key string) string {
	s, _ := o.String(key)
	return s
}

// Objects are the objects in the array that the key has; other items of it are left out.
func (o *Object) Objects(key string) []*Object {
	v, _ := o.Get(key)
	a, ok := v.(*Array)
	if !ok {
		return nil
	}
	var out []*Object
	for _, item := range a.Items {
		if o, ok := item.(*Object); ok {
			out = append(out, o)
		}
	}
	return out
}

// Set gives the key a value. A new key comes last, an old one stays in its place.
func (o *Object) Set(key string, v any) {
	if i := o.find(key); i >= 0 {
		o.members[i].val = v
		return
	}
	o.add(member{key: key, val: v, keyAt: -1, at: -1})
}

// Delete takes the key away, if it is there.
func (o *Object) Delete(key string) {
	if i := o.find(key); i >= 0 {
		o.members = slices.Delete(o.members, i, i+1)
		o.reindex()
	}
}

// Len returns the number of keys.
func (o *Object) Len() int { return len(o.members) }

// Keys returns the keys in JavaScript's order: array indices ("0", "12") by number, then all others as they came.
func (o *Object) Keys() []string {
	keys := make([]string, len(o.members))
	for i, m := range o.ordered() {
		keys[i] = m.key
	}
	return keys
}

// All goes through keys and values in the order of Keys. The object must not change meanwhile.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, m := range o.ordered() {
			if !yield(m.key, m.val) {
				return
			}
		}
	}
}

// KeyAt returns the byte offset of the key's opening quote in the text, -1 for a key that was set or isn't there.
func (o *Object) KeyAt(key string) int {
	if i := o.find(key); i >= 0 {
		return int(o.members[i].keyAt)
	}
	return -1
}

// ValueAt returns the byte offset of the value in the text, -1 for a key that was set or isn't there.
func (o *Object) ValueAt(key string) int {
	if i := o.find(key); i >= 0 {
		return int(o.members[i].at)
	}
	return -1
}

// Twice tells whether the text had the key more than once. The last value is the one that counts.
func (o *Object) Twice(key string) bool { return slices.Contains(o.twice, key) }

// Clone returns an object with the same keys and values. The values themselves are shared.
func (o *Object) Clone() *Object {
	c := &Object{Start: o.Start, End: o.End, members: slices.Clone(o.members), twice: slices.Clone(o.twice), numeric: o.numeric}
	c.reindex()
	return c
}

func (o *Object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range o.members {
		if o.members[i].key == key {
			return i
		}
	}
	return -1
}

func (o *Object) add(m member) {
	o.members = append(o.members, m)
	o.numeric = o.numeric || isIndex(m.key)
	switch {
	case o.index != nil:
		o.index[m.key] = len(o.members) - 1
	case len(o.members) > few:
		o.reindex()
	}
}

func (o *Object) reindex() {
	o.index = nil
	if len(o.members) <= few {
		return
	}
	o.index = make(map[string]int, len(o.members))
	for i := range o.members {
		o.index[o.members[i].key] = i
	}
}

// ordered returns the members as JavaScript lists them.
func (o *Object) ordered() []member {
	if !o.numeric {
		return o.members
	}
	var first, rest []member
	for _, m := range o.members {
		if isIndex(m.key) {
			first = append(first, m)
		} else {
			rest = append(rest, m)
		}
	}
	slices.SortFunc(first, func(a, b member) int { return int(index(a.key) - index(b.key)) })
	return append(first, rest...)
}

// isIndex tells whether JavaScript takes the key for an array index: a whole number below 2³²−1 in its shortest form.
func isIndex(key string) bool {
	if key == "" || key[0] > '9' || key[0] < '0' || len(key) > 10 || len(key) > 1 && key[0] == '0' {
		return false
	}
	n, err := strconv.ParseUint(key, 10, 32)
	return err == nil && n < 1<<32-1
}

func index(key string) int64 {
	n, _ := strconv.ParseInt(key, 10, 64) // isIndex has looked
	return n
}
