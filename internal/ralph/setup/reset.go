package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// ResetPlan is what a reset would remove, and what it keeps. It is computed once, so that what is shown is what is done.
type ResetPlan struct {
	Remove []Removal `json:"remove"`
	Keep   []string  `json:"keep"` // relative to the workspace, with slashes
}

// Removal is a file or a folder that goes, with what is in it.
type Removal struct {
	Path  string `json:"path"` // relative to the workspace, with slashes
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// ClaimedError says that somebody works here: an active claim that is not stale.
type ClaimedError struct{ Holders []string }

func (e *ClaimedError) Error() string {
	return "a reset would take the ground from under who works here: " + strings.Join(e.Holders, "; ")
}

// Hint says what to do.
func (e *ClaimedError) Hint() string {
	return "wait for it to end; `ralphex claim list` shows the claims; --force resets all the same"
}

// KeptInsideError says that a folder which a reset removes holds something that it must keep.
type KeptInsideError struct{ Folder, Holds string }

func (e *KeptInsideError) Error() string {
	return fmt.Sprintf("a reset would remove %s, which holds %s", e.Folder, e.Holds)
}

// Hint says what to do.
func (e *KeptInsideError) Hint() string {
	return "give ralphCodex.artifactRetentionPath a folder of its own, or move what must stay out of it"
}

// PlanReset looks at what a reset would do (resetRuntimeState in the seed) and changes nothing. holders are the agents with an active claim
// that is not stale; with force they don't count. It refuses where a folder that goes holds what must stay, forced or not.
func PlanReset(l layout.Layout, holders []string, force bool) (ResetPlan, error) {
	if err := l.CheckInside(); err != nil {
		return ResetPlan{}, err
	}
	if len(holders) > 0 && !force {
		return ResetPlan{}, &ClaimedError{holders}
	}
	plan := ResetPlan{Remove: []Removal{}, Keep: []string{}}
	kept := durables(l)
	for _, dir := range []string{l.Prompts, l.Runs, l.Handoff, l.Logs, l.Artifacts} {
		for _, k := range append([]string{l.Root, l.Ralph, filepath.Join(l.Root, ".git"), filepath.Join(l.Root, ".hg")}, kept...) {
			if layout.Within(dir, k) {
				return ResetPlan{}, &KeptInsideError{l.Rel(dir), l.Rel(k)}
			}
		}
		if err := plan.add(l, dir); err != nil {
			return ResetPlan{}, err
		}
	}
	if err := plan.add(l, l.State); err != nil {
		return ResetPlan{}, err
	}
	for _, k := range kept {
		if _, err := os.Lstat(k); err == nil {
			plan.Keep = append(plan.Keep, l.Rel(k))
		}
	}
	return plan, nil
}

// durables are what a reset keeps.
func durables(l layout.Layout) []string {
	return []string{l.PRD, l.Progress, l.Tasks, l.Doctrine, l.Claims, l.Agents, l.Handoffs, l.Memory, l.DeadLetter, l.Structure,
		l.Ignore, l.Settings, filepath.Join(l.Ralph, "events"), filepath.Join(l.Ralph, "daemon"), filepath.Join(l.Ralph, "run.lock")}
}

// add counts what lies at a path; a link counts as itself.
func (p *ResetPlan) add(l layout.Layout, at string) error {
	r := Removal{Path: l.Rel(at)}
	err := filepath.WalkDir(at, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		r.Files++
		if fi, err := d.Info(); err == nil {
			r.Bytes += fi.Size()
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at %s: %w", r.Path, err)
	}
	p.Remove = append(p.Remove, r)
	return nil
}

// Apply removes what the plan says, and nothing else. state.json goes under its lock. Links are removed, not followed.
func (p ResetPlan) Apply(ctx context.Context, l layout.Layout) error {
	w, err := open(l)
	if err != nil {
		return err
	}
	defer w.close()
	for _, r := range p.Remove {
		remove := func() error { return w.ws.Root().RemoveAll(filepath.FromSlash(r.Path)) }
		if r.Path == l.Rel(l.State) {
			result, err := lock.With(ctx, l.StateLock(), lock.Others, remove)
			if err = errors.Join(err, result.Err()); err != nil {
				return fmt.Errorf("remove %s: %w", r.Path, err)
			}
			continue
		}
		if err := remove(); err != nil {
			return fmt.Errorf("remove %s: %w", r.Path, err)
		}
	}
	return nil
}

// ActiveHolders reads the claims file for active claims of CLI runs that are not stale, as "agent, task, since". It reads the raw file: one
// that can't be understood is an error, since nobody knows then who works here. A missing one has no claims. ttl 0 = nothing gets stale.
func ActiveHolders(l layout.Layout, ttl time.Duration, now time.Time) ([]string, error) {
	data, err := durable.ReadFile(l.Claims, maxSize)
	if errors.Is(err, fs.ErrNotExist) || err == nil && stable.Trim(string(data)) == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o, err := stable.ParseObject(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Rel(l.Claims), err)
	}
	v, _ := o.Get("claims")
	all, ok := v.(*stable.Array)
	if !ok {
		return nil, fmt.Errorf("%s: expected an array \"claims\"", l.Rel(l.Claims))
	}
	var out []string
	for _, item := range all.Items {
		c, ok := item.(*stable.Object)
		if !ok {
			continue
		}
		status, _ := c.String("status") // an unknown or absent one reads as active
		provenance, _ := c.String("provenanceId")
		if status == "released" || status == "stale" || strings.Contains(provenance, "-ide-") {
			continue
		}
		at, _ := c.String("claimedAt")
		if t, ok := stable.ParseTime(at); ok && ttl > 0 && now.Sub(t) > ttl {
			continue
		}
		agent, _ := c.String("agentId")
		task, _ := c.String("taskId")
		out = append(out, fmt.Sprintf("%s has task %s since %s", agent, task, at))
	}
	return out, nil
}
