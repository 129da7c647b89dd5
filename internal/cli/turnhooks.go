package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralphex/internal/gate"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
)

// hookTime is how long a hook may take.
const hookTime = 30 * time.Second

// hook runs the command that the workspace has for an event of the iteration. Whatever becomes of it is a warning: a hook decides nothing. It is no agent's session,
// and may use ralphex. outcome is what is
// known by then; reason is why the loop stops, "" = it does not, or nobody knows yet.
func (o *oneTurn) hook(ctx context.Context, on settings.Hook, outcome, reason string) {
	command := o.s.settings.Hooks[string(on)]
	if command == "" {
		return
	}
	env := slices.Concat(o.p.Env, []string{"RALPH_AGENT_ID=" + o.s.settings.AgentID, "RALPH_TASK_ID=" + o.task.ID, "RALPH_OUTCOME=" + outcome, "RALPH_STOP_REASON=" + reason})
	warn := func(what string) {
		fmt.Fprintf(o.p.Err, "warning: hook %s: %s\n", on, task.Plain(what))
	}
	v, err := gate.Run(ctx, gate.Options{Dir: o.s.inspectionRoot(), Commands: []event.Command{{Text: command}}, Timeout: hookTime, Env: env, Keep: keepProcesses(o.cfg)})
	switch {
	case err != nil:
		warn(err.Error())
	case len(v.Results) > 0 && v.Results[0].Exit != 0:
		r := v.Results[0]
		what := fmt.Sprintf("exit code %d", r.Exit)
		if r.Cause != "" {
			what = r.Cause
		}
		if last := strings.TrimSpace(r.Tail); last != "" {
			what += ": " + lastLine([]byte(last))
		}
		warn(what)
	}
}
