package config

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Key is one row of the table: a key of the settings file and all that is known about it.
type Key struct {
	Name    string   // "task_model"
	Type    string   // "text", "bool", "number", "dollars", "tokens", "duration", "milliseconds", "list", "model", "colour", "path"
	Default string   // as one would write it in the file
	Doc     string   // what it means
	Note    string   // how it differs from the public ralphex; empty = not at all
	Group   string   // heading in the documentation
	Choices []string // the allowed values; empty = any
	Flag    string   // name of the flag that sets it, without dashes, "task-model"
	Command bool     // names something that is executed, or a place where something is sent: refused from a repository that is not trusted
	Secret  bool     // not for printing
	Ours    bool     // unknown to the public ralphex
	Since   string   // the release that brought it, "1.2"; a row that names none came with the first one
	// EmptyIsDefault tells what an empty value means: the default, or (false) the empty value itself.
	EmptyIsDefault bool

	tilde         bool // a leading ~/ is the home folder
	top           bool // of a file: a path is one from the repository's root, if there is such a file
	agent         bool // names an executor: the choices are the program's
	noneIsEmpty   bool // the word none is the empty value, since an empty one means the default
	zeroIsDefault bool // 0 has always meant the default
	unsetMeans    bool // it matters whether the key is set, be it to its default
	min           int
	unit          time.Duration // of a number that is a duration
	index         int           // of the field in Values
}

// FirstRelease is the one that brought the keys that name no other.
const FirstRelease = "1.0"

// Env is the environment variable that sets the key, "RALPHEX_TASK_MODEL".
func (k Key) Env() string { return "RALPHEX_" + strings.ToUpper(k.Name) }

// DefaultValue is the default as Config.Value writes values: "4h0m0s" for 4h.
func (k Key) DefaultValue() string {
	var v Values
	if k.set(&v, k.Default) != nil {
		return k.Default
	}
	return k.show(&v)
}

// Keys returns the table, in the order of the documentation. The caller may keep and change the slice.
func Keys() []Key { return slices.Clone(table()) }

// Lookup finds a key by its name.
func Lookup(name string) (Key, bool) {
	i, ok := byName()[name]
	if !ok {
		return Key{}, false
	}
	return table()[i], true
}

// table is read off the tags of Values once.
var table = sync.OnceValue(func() []Key {
	t := reflect.TypeFor[Values]()
	keys := make([]Key, 0, t.NumField())
	group := ""
	for i := range t.NumField() {
		k := readKey(t.Field(i), i)
		if k.Group == "" {
			k.Group = group
		}
		group = k.Group
		keys = append(keys, k)
	}
	return keys
})

var byName = sync.OnceValue(func() map[string]int {
	m := make(map[string]int, len(table()))
	for i, k := range table() {
		m[k.Name] = i
	}
	return m
})

// readKey turns one field's tags into a row.
func readKey(f reflect.StructField, index int) Key {
	is := strings.Split(f.Tag.Get("is"), ",")
	k := Key{
		Name:           f.Tag.Get("key"),
		Default:        f.Tag.Get("def"),
		Doc:            f.Tag.Get("doc"),
		Note:           f.Tag.Get("note"),
		Group:          f.Tag.Get("group"),
		Choices:        splitList(f.Tag.Get("one")),
		Flag:           f.Tag.Get("flag"),
		Command:        slices.Contains(is, "command"),
		Secret:         slices.Contains(is, "secret"),
		Ours:           slices.Contains(is, "ours"),
		Since:          cmp.Or(f.Tag.Get("since"), FirstRelease),
		EmptyIsDefault: f.Tag.Get("clear") == "default" || f.Type.Kind() == reflect.Bool || f.Type == reflect.TypeFor[time.Duration](),
		tilde:          slices.Contains(is, "tilde"),
		top:            slices.Contains(is, "top"),
		agent:          slices.Contains(is, "agent"),
		noneIsEmpty:    slices.Contains(is, "none"),
		zeroIsDefault:  slices.Contains(is, "zero"),
		unsetMeans:     slices.Contains(is, "unset"),
		index:          index,
	}
	if k.Flag == "" {
		k.Flag = strings.ReplaceAll(k.Name, "_", "-")
	}
	k.min, _ = strconv.Atoi(f.Tag.Get("min"))
	if f.Tag.Get("unit") == "ms" {
		k.unit = time.Millisecond
	}
	k.Type = typeName(f.Type, k, is)
	return k
}

// typeName words the type for people.
func typeName(t reflect.Type, k Key, is []string) string {
	switch {
	case t == reflect.TypeFor[Model]():
		return "model"
	case t == reflect.TypeFor[time.Duration]() && k.unit != 0:
		return "milliseconds"
	case t == reflect.TypeFor[time.Duration]():
		return "duration"
	case t.Kind() == reflect.Bool:
		return "bool"
	case t.Kind() == reflect.Int:
		return "number"
	case t.Kind() == reflect.Float64:
		return "dollars"
	case t == reflect.TypeFor[Count]():
		return "tokens"
	case t.Kind() == reflect.Slice:
		return "list"
	case slices.Contains(is, "color"):
		return "colour"
	case slices.Contains(is, "path"):
		return "path"
	default:
		return "text"
	}
}
