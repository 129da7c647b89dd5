package layout

import (
	"fmt"
	"path/filepath"
)

// Dir is the store's folder, relative to the workspace root.
const Dir = ".ralph"

// DoctrineDir is the doctrine's folder as files and reports spell it, on every system.
const DoctrineDir = ".ralph/doctrine"

// Overrides are the places that settings may move. An empty one stays where it is by default; a relative one is below the workspace root.
type Overrides struct {
	PRD       string // prdPath
	Progress  string // progressPath
	Tasks     string // ralphTaskFilePath
	Artifacts string // artifactRetentionPath
	Structure string // structureDefinitionPath
}

// Layout is the absolute paths of one workspace.
type Layout struct {
	Root  string // the workspace
	Ralph string // <root>/.ralph

	PRD      string
	Progress string
	Tasks    string
	Doctrine string

	Claims     string
	Agents     string
	Handoffs   string // contracts between roles; Handoff, in the singular, is another folder
	Memory     string
	DeadLetter string // dead-letter.json
	Structure  string
	Ignore     string // .ralph/.gitignore
	Settings   string // .ralph/settings.json, ours

	Events       string // journals of the runs
	Outputs      string // a folder for each run of a plan, with what its validation commands printed: .ralph/artifacts, also where Artifacts was moved
	State        string
	Prompts      string
	Runs         string
	Handoff      string // notes from session to session
	Artifacts    string
	Bundles      string // <artifacts>/runs
	Watchdog     string
	Seeding      string
	Registry     string // <artifacts>/index.json
	Logs         string
	ExtensionLog string

	moved []moved
}

// moved is a place that a setting names.
type moved struct{ key, path string }

// New returns the layout of the workspace at root. It asks the disk nothing.
func New(root string, o Overrides) (Layout, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return Layout{}, fmt.Errorf("workspace root: %w", err)
	}
	ralph := filepath.Join(root, Dir)
	in := func(name string) string { return filepath.Join(ralph, name) }
	l := Layout{
		Root: root, Ralph: ralph,
		Doctrine: in("doctrine"), Claims: in("claims.json"), Agents: in("agents"), Handoffs: in("handoffs"),
		Memory: in("memory-summary.md"), DeadLetter: in("dead-letter.json"), Ignore: in(".gitignore"), Settings: in("settings.json"),
		Events: in("events"), Outputs: in("artifacts"), State: in("state.json"), Prompts: in("prompts"), Runs: in("runs"), Handoff: in("handoff"),
		Logs: in("logs"), ExtensionLog: filepath.Join(in("logs"), "extension.log"),
	}
	for _, place := range []struct {
		to             *string
		key, set, name string
	}{
		{&l.PRD, "prdPath", o.PRD, "prd.md"},
		{&l.Progress, "progressPath", o.Progress, "progress.md"},
		{&l.Tasks, "ralphTaskFilePath", o.Tasks, "tasks.json"},
		{&l.Artifacts, "artifactRetentionPath", o.Artifacts, "artifacts"},
		{&l.Structure, "structureDefinitionPath", o.Structure, "structure.json"},
	} {
		switch {
		case place.set == "":
			*place.to = in(place.name)
			continue
		case filepath.IsAbs(place.set):
			*place.to = filepath.Clean(place.set)
		default:
			*place.to = filepath.Join(root, filepath.FromSlash(place.set))
		}
		l.moved = append(l.moved, moved{place.key, *place.to})
	}
	l.Bundles = filepath.Join(l.Artifacts, "runs")
	l.Watchdog = filepath.Join(l.Artifacts, "watchdog")
	l.Seeding = filepath.Join(l.Artifacts, "task-seeding")
	l.Registry = filepath.Join(l.Artifacts, "index.json")
	return l, nil
}

// InitGuard is the file whose presence means that the workspace is initialized: the PRD at its default place, whatever settings say.
func (l Layout) InitGuard() string { return filepath.Join(l.Ralph, "prd.md") }

// TasksLock is the lock file of the task graph.
func (l Layout) TasksLock() string { return filepath.Join(filepath.Dir(l.Tasks), "tasks.lock") }

// StateLock is the lock file of the runtime state.
func (l Layout) StateLock() string { return filepath.Join(filepath.Dir(l.State), "state.lock") }

// ClaimsLock is the lock file of the claims.
func (l Layout) ClaimsLock() string { return l.Claims + ".lock" }

// RegistryLock is the lock file of the artifact registry.
func (l Layout) RegistryLock() string { return l.Registry + ".lock" }

// AgentsLock is the lock file of the agents' identities.
func (l Layout) AgentsLock() string { return filepath.Join(l.Agents, "tasks.lock") }

// DoctrineFile returns the path of a doctrine file.
func (l Layout) DoctrineFile(name string) string { return filepath.Join(l.Doctrine, name) }

// RuntimeDirs are the folders of the runtime in the order in which a repair makes them.
func (l Layout) RuntimeDirs() []string {
	return []string{l.Handoff, l.Prompts, l.Runs, l.Logs, l.Artifacts}
}
