package cli

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"ralphex/internal/config"
	"ralphex/pkg/event"
)

var wordStart = regexp.MustCompile("[A-Z]")

// refuse says "not yet" for each flag that this build knows and can't obey.
func (l *later) refuse(kctx *kong.Context) error {
	names := map[string]bool{}
	t := reflect.TypeFor[later]()
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("name")
		if name == "" {
			name = strings.ToLower(wordStart.ReplaceAllString(f.Name, "-$0"))[1:]
		}
		names[name] = true
	}
	for _, p := range kctx.Path {
		if p.Flag == nil || !names[p.Flag.Name] || p.Resolved {
			continue
		}
		return usage(fmt.Errorf("--%s: not yet in this build", p.Flag.Name),
			"leave it out; docs/compat.md lists what is there and what comes")
	}
	return nil
}

// laterKeys are configuration keys of the public ralphex that this build reads and does not act on yet.
var laterKeys = []string{"watch_dirs"}

// keysNotYet names the settings that have no effect, so that nobody waits for one.
func keysNotYet(cfg *config.Config) []event.Note {
	var notes []event.Note
	for _, name := range laterKeys {
		key, ok := config.Lookup(name)
		if ok && cfg.IsSet(name) && cfg.Value(name) != key.Default {
			notes = append(notes, event.Note{Level: event.Warn, Text: fmt.Sprintf("%s: %s has no effect in this build yet", cfg.Source(name), name)})
		}
	}
	return notes
}
