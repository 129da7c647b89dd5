package cli

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
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
