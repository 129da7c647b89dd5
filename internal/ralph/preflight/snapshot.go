package preflight

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/health"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// Snapshot is a workspace at one moment, as far as a preflight looks at it.
type Snapshot struct {
	Layout   layout.Layout
	Settings settings.Settings
	Now      time.Time
	Windows  bool

	Missing   []string // of PRD, progress and tasks, relative to the workspace
	Tasks     *task.Inspection
	TasksErr  error // tasks.json can't be read; Tasks is nil
	Claims    claim.Graph
	ClaimsErr error
	Doctrine  doctrine.Report
	StateErr  error // state.json is there and can't be read
	Health    []health.Signal
	Latest    Surfaces
	Retention Retention
	Scanned   []string // validation commands that the project's own files name, best first
	Project   Project  // what the folder that is judged shows of itself
	Fallback  bool     // the memory summary says that it is the static fallback
	Provider  Provider
	Role      task.Role // how the configured role chooses; zero where none is set

	executable func(word string) (found, known bool)
}

// Retention is what a cleanup would find.
type Retention struct {
	Iterations, Prompts, Runs, Bundles int // how many there are

	// Kept only by protection, beyond the newest N.
	ProtectedIterations, ProtectedPrompts, ProtectedRuns, ProtectedBundles int
}

// ProviderState is what is known of an agent's command.
type ProviderState string

// The states.
const (
	ProviderMissing       ProviderState = "missing"
	ProviderNotExecutable ProviderState = "notExecutable"
	ProviderAssumed       ProviderState = "assumed" // nobody could look
	ProviderVerified      ProviderState = "verified"
)

// Provider is an agent's command as it was found.
type Provider struct {
	Name    string // "claude"
	Command string // as configured
	State   ProviderState
	Detail  string // where it is, its version, or why it is not there
}

// Looker answers what only the system knows. Its methods start no process of an agent.
type Looker interface {
	// Provider looks for the agent's command.
	Provider(ctx context.Context) Provider
	// Executable tells whether a word at the beginning of a shell command names a program; known is false if that can't be told.
	// A path is relative to dir.
	Executable(dir, word string) (found, known bool)
}

// Read takes the snapshot. It writes nothing and takes no lock of the store; what can't be read is part of the result. The check of what was
// left behind comes first, before anybody of this process could take a lock.
func Read(ctx context.Context, l layout.Layout, s settings.Settings, look Looker, now time.Time) Snapshot {
	snap := Snapshot{Layout: l, Settings: s, Now: now, Windows: filepath.Separator == '\\'}
	snap.Health = health.CheckStaleState(l, health.Options{Now: now, StaleLock: s.StaleLock, ClaimTTL: s.ClaimTTL})
	for _, path := range []string{l.PRD, l.Progress, l.Tasks} {
		if _, err := os.Stat(path); err != nil {
			snap.Missing = append(snap.Missing, l.Rel(path))
		}
	}
	if snap.TasksErr = durable.CheckRegular(l.Tasks); snap.TasksErr == nil {
		snap.Tasks, snap.TasksErr = task.At(l.Tasks).Read(ctx)
	}
	if snap.ClaimsErr = durable.CheckRegular(l.Claims); snap.ClaimsErr == nil {
		snap.Claims, snap.ClaimsErr = claim.New(l.Claims, s.ClaimTTL).Inspect(ctx, now)
	}
	snap.StateErr = readState(ctx, l)
	snap.Doctrine = doctrine.Inspect(l)
	snap.Latest = readSurfaces(l)
	snap.Retention = countArtifacts(l)
	root := VerificationRoot(l, s)
	snap.Scanned, snap.Project = scanCommands(root), readProject(root)
	if s.MemoryStrategy == "summary" {
		text, _ := durable.ReadFile(l.Memory, maxSize) // a missing summary is no fallback
		snap.Fallback = strings.Contains(strings.ToLower(string(text)), "static fallback")
	}
	snap.Role = RoleOf(l, s)
	snap.Provider = look.Provider(ctx)
	snap.executable = func(word string) (bool, bool) { return look.Executable(root, word) }
	return snap
}

// readState says why state.json can't be read; what is not there is no error.
func readState(ctx context.Context, l layout.Layout) error {
	if err := durable.CheckRegular(l.State); err != nil {
		return err
	}
	loaded, err := state.New(l.State, state.Options{Artifacts: l.Artifacts}).Load(ctx)
	return cmp.Or(err, loaded.Warning)
}

// RoleOf is how the configured role chooses its task. A role that nobody set filters nothing. What is planned and reviewed is looked up once.
func RoleOf(l layout.Layout, s settings.Settings) task.Role {
	if !s.RoleSet {
		return task.Role{}
	}
	planned, reviewed := map[string]bool{}, map[string]bool{}
	for _, id := range list(l.Artifacts) {
		if dir, err := l.TaskDir(id); err == nil {
			planned[id] = exists(filepath.Join(dir, "task-plan.json"))
			reviewed[id] = exists(filepath.Join(dir, "review.json"))
		}
	}
	return task.Role{Name: s.AgentRole, PlanRequired: s.PlanningPass.Enabled && s.PlanningPass.Mode == "dedicated" && s.AgentCount > 1,
		Planned: func(id string) bool { return planned[id] }, Reviewed: func(id string) bool { return reviewed[id] }}
}

// LockTimeout returns the lock that the tasks could not be read for, if that is why.
func (s Snapshot) LockTimeout() (lock.Result, bool) {
	timeout, ok := errors.AsType[*lock.TimeoutError](s.TasksErr)
	if !ok {
		return lock.Result{}, false
	}
	return timeout.Result, true
}

// maxSize is the largest file that is looked at, tasks.json apart.
const maxSize = 64 << 20

// countArtifacts counts what the retention settings are about.
func countArtifacts(l layout.Layout) Retention {
	var r Retention
	for _, e := range list(l.Artifacts) {
		if _, ok := layout.ParseIteration(e); ok {
			r.Iterations++
		}
	}
	for _, e := range list(l.Prompts) {
		if strings.HasSuffix(e, ".prompt.md") {
			r.Prompts++
		}
	}
	bases := map[string]bool{}
	for _, e := range list(l.Runs) {
		for _, end := range []string{".transcript.md", ".last-message.md"} {
			if base, ok := strings.CutSuffix(e, end); ok {
				bases[base] = true
			}
		}
	}
	r.Runs = len(bases)
	for _, e := range list(l.Bundles) {
		if strings.HasPrefix(e, "run-") {
			r.Bundles++
		}
	}
	return r
}

// list returns the names in a folder; one that is not there has none.
func list(dir string) []string {
	entries, _ := os.ReadDir(dir)
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
