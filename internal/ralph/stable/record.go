package stable

// Record is an object that is being written, key by key, in the order of its file.
type Record struct{ Object }

// Put sets a key.
func (r *Record) Put(key string, v any) *Record {
	r.Set(key, v)
	return r
}

// Null sets a string that is null where it is empty.
func (r *Record) Null(key, s string) *Record { return r.Put(key, NullIfEmpty(s)) }

// Opt sets a string, and leaves the key out where it is empty.
func (r *Record) Opt(key, s string) *Record {
	if s != "" {
		r.Set(key, s)
	}
	return r
}

// NewObject makes an object of keys and values by turns.
func NewObject(pairs ...any) *Object {
	o := &Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// NullIfEmpty is null for an empty string.
func NullIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// NullIfUnknown is null for what is not known.
func NullIfUnknown[T bool | int | float64](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}
