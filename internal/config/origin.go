package config

import (
	"errors"
	"fmt"
	"strings"
)

// Layer names who set a value. Later layers win.
type Layer int

// The layers, from the lowest to the highest.
const (
	Default Layer = iota
	Global
	Local
	Env
	Flag
)

var layerNames = [...]string{"default", "global", "local", "env", "flag"}

// String names the layer, "global".
func (l Layer) String() string { return layerNames[l] }

// Origin tells where a value was set.
type Origin struct {
	Layer Layer
	Name  string // file as shown to people, variable or flag; empty for defaults
	Line  int    // 1-based, in a file; 0 = unknown or not a file
}

// Place is the origin without its layer: ".ralphex/config:12", "RALPHEX_TASK_MODEL", "--task-model".
func (o Origin) Place() string {
	if o.Line > 0 {
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	}
	return o.Name
}

// String is "local .ralphex/config:12", "env RALPHEX_TASK_MODEL", "default".
func (o Origin) String() string {
	return strings.TrimSpace(o.Layer.String() + " " + o.Place())
}

// Warning is something in the settings that has no effect, or another one than it seems to have.
type Warning struct {
	Origin Origin
	Text   string
	Hint   string // what to write instead; may be empty
}

// String is one line for a person.
func (w Warning) String() string {
	s := w.Origin.Place() + ": " + w.Text
	if w.Hint != "" {
		s += "; " + w.Hint
	}
	return s
}

// ValueError is a value that a key cannot take.
type ValueError struct {
	Key    string
	Origin Origin
	Reason string
}

func (e *ValueError) Error() string {
	spelled := strings.ToLower(strings.ReplaceAll(e.Origin.Place(), "-", "_"))
	if spelled == "__"+e.Key || spelled == "ralphex_"+e.Key { // the place names the key
		return e.Origin.Place() + ": " + e.Reason
	}
	return fmt.Sprintf("%s: %s: %s", e.Origin.Place(), e.Key, e.Reason)
}

// Hint says where the values are told.
func (e *ValueError) Hint() string {
	return "mend it there; docs/config.md tells what each setting takes"
}

// Command is a setting by which a repository says what is executed.
type Command struct {
	Key    string
	Value  string
	Origin Origin
}

// String is one line for a person, `.ralphex/config:3: claude_command = "evil"`.
func (c Command) String() string {
	return fmt.Sprintf("%s: %s = %q", c.Origin.Place(), c.Key, c.Value)
}

// ErrUntrusted is what every TrustError is.
var ErrUntrusted = errors.New("command in the settings of a repository that is not trusted")

// TrustError says that a repository's own settings name a command. Cloning a repository must not be
// enough to have its commands run, so a person has to say once that they may.
type TrustError struct {
	Command
	Why error // ErrUntrusted, or what stands in the way of trust
}

func (e *TrustError) Error() string {
	s := e.String() + " says what is executed or where something is sent, and a repository's own settings may not do that"
	if e.Why != nil && !errors.Is(e.Why, ErrUntrusted) {
		s += ": " + e.Why.Error()
	}
	return s
}

// Hint says how a person lets it be done.
func (e *TrustError) Hint() string {
	return "read it, then allow it for good: ralphex trust; or for one run: --trust-repo-config"
}

// Is makes errors.Is(err, ErrUntrusted) work.
func (e *TrustError) Is(target error) bool { return target == ErrUntrusted }

// Untrusted are the commands that Load refused.
func Untrusted(err error) []Command {
	var list []Command
	for _, e := range each(err) {
		if t, ok := errors.AsType[*TrustError](e); ok {
			list = append(list, t.Command)
		}
	}
	return list
}
