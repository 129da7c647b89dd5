package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/proc"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/state"
	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
)

// store is the `.ralph` workspace that a command works on.
type store struct {
	layout.Layout
	settings settings.Settings
	repo     vcs.Repo // nil = there is none around it
}

// openStore finds the workspace: the repository's root, else the nearest folder above with a .ralph, else the working folder. In a worktree
// that a run made it is the main checkout's, as it is for the run. It need not be initialized. Nothing is written.
func openStore(ctx context.Context, p *Proc) (*store, error) {
	s := &store{}
	var root string
	switch repo, err := openRepo(ctx, p); {
	case err == nil:
		s.repo = repo
		if root, err = storeRoot(ctx, p, repo); err != nil {
			return nil, err
		}
	case !errors.Is(err, vcs.ErrNotRepo):
		return nil, err
	default:
		root = nearestStore(p.Dir)
	}
	var err error
	if s.settings, err = settings.Load(root); err != nil {
		return nil, err
	}
	s.Layout, err = layout.New(root, s.settings.Overrides())
	return s, err
}

// storeRoot is the checkout whose store counts. A worktree that a person made has a store of its own.
func storeRoot(ctx context.Context, p *Proc, repo vcs.Repo) (string, error) {
	_, ours := workspace.ReadMarker(repo.Root())
	told := getenv(p.Env, mainCheckoutEnv) // the agent of a run may have cleaned its worktree
	if !ours && told == "" {
		return repo.Root(), nil
	}
	main, err := mainCheckout(ctx, p, repo)
	if err != nil {
		return "", fmt.Errorf("find the main checkout of the worktree %s: %w", repo.Root(), err)
	}
	if !ours && main.Root() != workspace.Settled(told) {
		return repo.Root(), nil // the run that told us is one of another repository
	}
	return main.Root(), nil
}

func nearestStore(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if fi, err := os.Stat(filepath.Join(at, layout.Dir)); err == nil && fi.IsDir() {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// initialized tells whether somebody made a workspace here; a plan run leaves a .ralph without one.
func (s *store) initialized() bool {
	_, err := os.Stat(s.PRD)
	return err == nil
}

// mustExist is the error of a command that wants a workspace where there is none.
func (s *store) mustExist() error {
	if s.initialized() {
		return nil
	}
	return usage(fmt.Errorf("no .ralph workspace: %s is missing", s.Rel(s.PRD)), "ralphex workspace init")
}

// mustBeWritable is mustExist of a command that writes into more than one folder of the workspace: none of them may lead out of it.
func (s *store) mustBeWritable() error {
	if err := s.mustExist(); err != nil {
		return err
	}
	return s.CheckInside()
}

// takeCheckout takes the run lock of the checkout, so that no run works in it meanwhile.
func (s *store) takeCheckout(holder durable.Holder) (release func(), err error) {
	held, err := durable.Acquire(workspace.LockFile(s.Root), holder)
	if errors.Is(err, durable.ErrHeld) {
		return nil, busy(err)
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = held.Release() }, nil // it dies with the process in any case
}

// saveState normalizes state.json, and makes it where it is missing.
func (s *store) saveState(ctx context.Context) error {
	return state.New(s.State, state.Options{Artifacts: s.Artifacts}).Refresh(ctx)
}

// inSession tells whether an agent's session typed this.
func inSession(p *Proc) bool { return getenv(p.Env, proc.MarkEnv) != "" }

// refuseInSession keeps an agent from changing the ground that its own session stands on.
func refuseInSession(p *Proc, verb string) error {
	return aPersons(p, verb, "report what you did in the completion report of your session: ralphex reads it and changes the store itself")
}

// aPersons keeps agents from what is a person's to do.
func aPersons(p *Proc, verb, next string) error {
	if !inSession(p) {
		return nil
	}
	return usage(fmt.Errorf("ralphex %s: not inside an agent's session", verb), next)
}

// getenv returns the last value of a name, as a process would see it.
func getenv(env []string, name string) string {
	value := ""
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// snapshot reads the workspace for a preflight.
func (s *store) snapshot(ctx context.Context, p *Proc, configDir string) preflight.Snapshot {
	return preflight.Read(ctx, s.Layout, s.settings, &looker{p: p, store: s, configDir: configDir}, time.Now())
}

// looker answers what only the system knows.
type looker struct {
	p         *Proc
	store     *store
	configDir string
}

// Provider looks for the agent that would be used: the workspace's own setting, else the agent of ralphex's configuration.
func (l *looker) Provider(ctx context.Context) preflight.Provider {
	set := l.store.settings
	if _, ok := set.Origin["cliProvider"]; ok {
		out := preflight.Provider{Name: set.Provider, Command: set.ProviderCommand(), State: preflight.ProviderVerified}
		if providers[set.Provider].executor == "" {
			out.State, out.Detail = preflight.ProviderMissing, "ralphex has no such agent; claude, codex, copilot and gemini it has"
			return out
		}
		path, err := lookPath(l.p.Env, l.store.Root, out.Command)
		if err != nil {
			out.State, out.Detail = providerState(err), err.Error()
		} else {
			out.Detail = path
		}
		return out
	}
	root := ""
	if l.store.repo != nil {
		root = l.store.repo.Root()
	}
	cfg, _, err := config.Load(config.Options{GlobalDir: l.configDir, RepoRoot: root, Env: l.p.Env, Trusted: trusted(l.p, config.Options{GlobalDir: l.configDir, Env: l.p.Env}), Executors: executorNames()})
	if err != nil {
		return preflight.Provider{Name: defaultExecutor, State: preflight.ProviderAssumed, Detail: "the configuration can't be read: " + firstLine(err.Error())}
	}
	out := preflight.Provider{Name: taskExecutor(cfg), State: preflight.ProviderVerified}
	ex, err := newExecutor(cfg, out.Name)
	if err == nil {
		err = ex.Check(ctx)
	}
	if err != nil {
		out.State, out.Detail = providerState(err), firstLine(err.Error())
	}
	return out
}

func providerState(err error) preflight.ProviderState {
	if errors.Is(err, fs.ErrPermission) {
		return preflight.ProviderNotExecutable
	}
	return preflight.ProviderMissing
}

// Executable looks for the program of a validation command.
func (l *looker) Executable(dir, word string) (found, known bool) {
	_, err := lookPath(l.p.Env, dir, word)
	return err == nil, true
}

// lookPath finds a program as a shell in dir would, with the PATH of env.
func lookPath(env []string, dir, word string) (string, error) {
	if strings.ContainsRune(word, '/') || strings.ContainsRune(word, filepath.Separator) {
		return exec.LookPath(absolute(dir, word))
	}
	var denied error
	for _, folder := range filepath.SplitList(getenv(env, "PATH")) {
		path, err := exec.LookPath(filepath.Join(absolute(dir, folder), word))
		if err == nil {
			return path, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			denied = err
		}
	}
	if denied != nil {
		return "", denied
	}
	return "", fmt.Errorf("%s is not on the PATH: %w", word, exec.ErrNotFound)
}
