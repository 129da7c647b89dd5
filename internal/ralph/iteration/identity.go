package iteration

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// maxIdentity bounds the file of an agent, in bytes.
const maxIdentity = 16 << 20

// Remember notes in .ralph/agents/<agent>.json what the agent has completed ("" = nothing) and which files it touched. Others may write theirs at the same time:
// the folder has a lock. An agent id that can't be a file name is refused.
func Remember(ctx context.Context, l layout.Layout, agent, completed string, touched []string, now time.Time) error {
	if agent == "" || agent == "." || filepath.Base(agent) != agent || !filepath.IsLocal(agent) {
		return fmt.Errorf("%q can't be the name of a file in %s", agent, l.Rel(l.Agents))
	}
	dir, err := durable.OpenDir(l.Agents)
	if err != nil {
		return err
	}
	defer dir.Close()
	name := agent + ".json"
	r, err := lock.With(ctx, l.AgentsLock(), lock.Others, func() error {
		o := stable.ObjectOf(dir.ReadFile(name, maxIdentity))
		first, done, files := stable.Time(now), list(o, "completedTaskIds"), append(list(o, "touchedFiles"), touched...)
		if at := o.Text("firstSeenAt"); at != "" {
			first = at
		}
		if completed != "" && !slices.Contains(done, completed) {
			done = append(done, completed)
		}
		slices.Sort(files)
		files = slices.Compact(files)
		return dir.WriteFile(name, stable.Marshal(stable.NewObject("agentId", agent, "firstSeenAt", first, "completedTaskIds", done, "touchedFiles", files)), 0o640)
	})
	return errors.Join(err, r.Err())
}

// list are the strings of an array; never nil.
func list(o *stable.Object, key string) []string {
	v, _ := o.Get(key)
	return append([]string{}, texts(v)...)
}
