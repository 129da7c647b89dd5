package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ralphex/pkg/event"
)

// depthEnv counts the sessions of ralphex that a process runs inside of.
const depthEnv = "RALPHEX_DEPTH"

// depthOf reads the mark; one that is no number is none.
func depthOf(env []string) int {
	depth := 0
	for _, kv := range env {
		if text, ok := strings.CutPrefix(kv, depthEnv+"="); ok {
			depth, _ = strconv.Atoi(text)
		}
	}
	return max(depth, 0)
}

// withDepth is the environment of what a run starts: one deeper than its own.
func withDepth(env []string) []string {
	out := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if !strings.HasPrefix(kv, depthEnv+"=") {
			out = append(out, kv)
		}
	}
	return append(out, fmt.Sprintf("%s=%d", depthEnv, depthOf(env)+1))
}

// checkDepth refuses a run in a run in a run: an agent that starts agents that start agents has no end of its own.
func (j *job) checkDepth(context.Context) error {
	depth := depthOf(j.proc.Env)
	if depth == 0 {
		return nil
	}
	if depth >= j.cfg.MaxDepth {
		return hinted(fmt.Errorf("this would run inside of %d sessions of ralphex: %w", depth, errTooDeep),
			"if that is meant, set max_depth higher; if nobody meant it, an agent starts ralphex by itself (the variable "+depthEnv+" counts)")
	}
	j.notes = append(j.notes, event.Note{Level: event.Info, Text: fmt.Sprintf("this run is inside of %d session(s) of ralphex; max_depth is %d", depth, j.cfg.MaxDepth)})
	return nil
}

var errTooDeep = errors.New("that is as deep as max_depth allows")
