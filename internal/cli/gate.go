package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"ralphex/internal/gate"
	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// runGate is the phase's gate: internal/gate over the frozen commands.
type runGate struct {
	dir      string
	outputs  string // folder of the run's artifacts
	commands []event.Command
	timeout  time.Duration
	env      []string
	keep     []string
	safe     func(io.Writer) io.WriteCloser // keeps secrets out of the files
	log      phase.Log
	n        int
}

// Commands counts the frozen commands.
func (g *runGate) Commands() int { return len(g.commands) }

// Check runs them all once.
func (g *runGate) Check(ctx context.Context, position int) (phase.Verdict, error) {
	v, err := gate.Run(ctx, gate.Options{Dir: g.dir, Commands: g.commands, Timeout: g.timeout, OutputDir: g.next(),
		Mark: proc.NewMark(), Env: g.env, Keep: g.keep, Safe: g.safe, Emit: func(d event.Data) { g.log.Emit(position, d) }})
	if err != nil {
		return phase.Verdict{}, fmt.Errorf("run validation: %w", err)
	}
	return phase.Verdict{Green: v.Green, Evidence: v.Evidence, Summary: v.Summary(), Failure: v.Failure()}, nil
}

// next is a folder for outputs that no earlier process of the run has used.
func (g *runGate) next() string {
	for {
		g.n++
		dir := filepath.Join(g.outputs, fmt.Sprintf("gate-%03d", g.n))
		if _, err := os.Lstat(dir); err != nil {
			return dir
		}
	}
}
