package cli

import (
	"context"

	"github.com/alecthomas/kong"
)

// early are flags of the public ralphex that are commands here: they do their work before a run is thought of.
type early struct {
	Init         bool    `help:"Put commented templates into .ralphex/ and exit: ralphex config init."`
	Reset        bool    `help:"Go back to the built-in settings, prompts or agents: ralphex config reset."`
	DumpDefaults *string `help:"Write what is built in to a folder and exit: ralphex config dump." placeholder:"DIR"`
}

// do obeys the flags in the public order: reset, init, dump. done tells that nothing else is wanted: after a reset a
// run goes on only where one was asked for, after the two others never.
func (e *early) do(ctx context.Context, p *Proc, g *root, kctx *kong.Context, plan bool) (done bool, err error) {
	if e.Reset {
		if err := (configResetCmd{}).Run(ctx, p, g); err != nil {
			return true, err
		}
	}
	if e.Init {
		if err := (configInitCmd{}).Run(ctx, p, g); err != nil {
			return true, err
		}
	}
	if e.DumpDefaults != nil {
		if err := (configDumpCmd{Dir: *e.DumpDefaults}).Run(p); err != nil {
			return true, err
		}
	}
	return e.Init || e.DumpDefaults != nil || e.Reset && !plan && !asksForRun(kctx), nil
}

// runFlags are those that mean a run even where no plan is named.
var runFlags = map[string]bool{"tasks-only": true, "review": true, "external-only": true, "codex-only": true, "plan": true, "dry-run": true, "serve": true, "watch": true}

func asksForRun(kctx *kong.Context) bool {
	for _, p := range kctx.Path {
		if p.Flag != nil && !p.Resolved && runFlags[p.Flag.Name] {
			return true
		}
	}
	return false
}
