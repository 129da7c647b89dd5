package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/price"
	"ralphex/internal/proc"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
	"ralphex/pkg/vcs"
)

// job is a run that has been found possible; nothing has been touched yet.
type job struct {
	proc      *Proc
	opts      runOptions
	cfg       *config.Config
	repo      vcs.Repo // the checkout that is worked in; of a worktree run it is known when the worktree is made
	home      vcs.Repo // the checkout whose .ralph and .ralphex count: of a worktree run the main one, else repo
	tree      *treeJob // nil = a run in place
	planAt    string
	named     string // the plan as the journal knows it: of a worktree run, its place in the main checkout
	plan      *plan.Plan
	agent     staff // of tasks; of a run without tasks, of its reviews
	reviewers reviewers
	prices    price.List
	created   string // the plan that was made, slash-separated and relative to the root; empty = none
	ready     *workspace.Prepared
	earlier   *journal.Resume // what an earlier process of this plan left, nil = a new run
	// archived says that the plan lies in completed/: right only for a run that died while it put it there.
	archived bool
	ended    []proc.Survivor // of the session that was in flight when the process before died
	id       event.RunID
	held     *durable.Lock
	ignored  []string // stores that ignored themselves when the lock was taken
	notes    []event.Note
	notices  *notices
}

// runOptions are the settings of a run that are no configuration.
type runOptions struct {
	plan      string
	flags     map[string]string
	configDir string
	trustRepo bool
	branch    string
	worktree  *bool // --worktree, --no-worktree; nil = neither
	baseRef   string
	mode      processor.Mode // empty = full
	from      string         // the phase to begin with; empty = the first one that is not done
	report    bool           // look only
	format    string         // of the report
	tool      bool           // --external-review-tool was given
	sync      bool
	plain     bool
	json      bool
	quiet     bool
	dry       bool     // only say what would happen
	prompts   bool     // with the prompts
	create    creating // of a run that makes a plan
	web       *runWeb  // nil = without a dashboard
}

// storeDir is the folder of ralphex in a repository; see docs/files.md.
const storeDir = ".ralph"

func (j *job) store(elem ...string) string {
	return filepath.Join(append([]string{j.home.Root(), storeDir}, elem...)...)
}

// prepare looks at everything that can be wrong, and touches nothing, but for what is left of a session whose
// ralphex was killed: that is ended first, since it may be writing the plan that is about to be read. The order decides which error is told
// when several apply, from the cheapest to mend to the dearest.
func prepare(ctx context.Context, p *Proc, o runOptions) (*job, error) {
	own := *p
	own.layers = config.Options{GlobalDir: o.configDir, Flags: o.flags, TrustRepo: o.trustRepo}
	j := &job{proc: &own, opts: o}
	ask, end := j.askTrust, j.endSurvivors
	if o.dry {
		ask, end = nothing, nothing // both change something
	}
	for _, step := range []func(context.Context) error{ask, j.openRepo, j.refuseLinks, j.loadConfig, j.checkNotify, j.checkDepth, j.findPlan, j.choosePlace, j.refuseLinks, j.checkRecord, j.lockFree,
		j.findEarlier, end, j.chooseTree, j.loadPlan, j.checkSync, j.findAgent, j.checkPlace, j.checkBase, j.checkChange} {
		if err := step(ctx); err != nil {
			j.release()
			return nil, err
		}
	}
	return j, nil
}

func nothing(context.Context) error { return nil }

func (j *job) openRepo(ctx context.Context) error {
	repo, err := openRepo(ctx, j.proc)
	if err != nil {
		return err
	}
	j.repo, j.home = repo, repo
	if note := repo.Caps().Note; note != "" {
		j.notes = append(j.notes, event.Note{Level: event.Warn, Text: repo.Kind() + ": " + note})
	}
	if a, ok := repo.(vcs.IgnoreAdviser); ok {
		if advice, err := a.IgnoreAdvice(ctx); err == nil && advice != "" {
			j.notes = append(j.notes, event.Note{Level: event.Info, Text: "your own commands see .ralph and .ralphex: ralphex doctor prints the lines for .hgignore"})
		}
	}
	return nil
}

func (j *job) loadConfig(context.Context) error {
	from := j.proc.settingsAt(j.repo.Root())
	cfg, warnings, err := config.Load(from)
	for _, w := range warnings {
		j.notes = append(j.notes, event.Note{Level: event.Warn, Text: w.String()})
	}
	if err != nil {
		return usage(err, hintOf(err))
	}
	j.cfg = cfg
	if j.prices, err = price.Load(config.Paths(from, pricesFile)...); err != nil {
		return usage(err, hintOf(err))
	}
	return nil
}

// refuseLinks keeps a repository from sending what ralphex writes to a place of its choice.
func (j *job) refuseLinks(context.Context) error { return refuseLinks(j.home.Root()) }

func refuseLinks(top string) error {
	for _, name := range []string{storeDir, storeDir + "/events", storeDir + "/artifacts", storeDir + "/runs", ".ralphex", ".ralphex/progress", ".ralphex/worktrees"} {
		if fi, err := os.Lstat(filepath.Join(top, filepath.FromSlash(name))); err == nil && fi.Mode()&os.ModeSymlink != 0 {
			return hinted(fmt.Errorf("%s is a symbolic link: ralphex writes only into folders of the repository itself", name), "replace it by a folder")
		}
	}
	return nil
}

// checkBase refuses a --base-ref that names nothing, before hours have gone by.
func (j *job) checkBase(ctx context.Context) error {
	if j.opts.baseRef == "" {
		return nil
	}
	if _, err := j.repo.TreeHash(ctx, vcs.Rev(j.opts.baseRef)); err != nil && ctx.Err() == nil {
		return usage(fmt.Errorf("--base-ref %s: there is no commit of that name", j.opts.baseRef), "name a branch, tag or commit of this repository, or fetch it first")
	}
	return context.Cause(ctx)
}

// findPlan finds the plan's place; it is read when nobody is writing it any more.
func (j *job) findPlan(ctx context.Context) error {
	var err error
	if j.opts.plan == "" && !worksTasks(j.mode()) {
		return nil // of the branch that is checked out
	}
	if j.opts.plan == "" {
		j.planAt, err = j.somePlan(ctx, filepath.Join(j.repo.Root(), filepath.FromSlash(j.cfg.PlansDir)))
	} else {
		j.planAt, err = findPlan(j.opts.plan, j.proc.Dir)
	}
	if err != nil && !j.knownPlan(ctx) {
		if at := absolute(j.proc.Dir, j.opts.plan); j.opts.plan != "" && j.inHead(ctx, at) {
			return usage(err, "it was deleted or moved; the last commit has it: "+
				vcs.VerbsOf(j.repo).With("path", shellQuote(relative(j.proc.Dir, at))).Restore)
		}
		return err
	}
	if fi, err := os.Lstat(j.planAt); err == nil && fi.Mode()&os.ModeSymlink != 0 {
		target, err := filepath.EvalSymlinks(j.planAt)
		if err != nil {
			return usage(fmt.Errorf("plan: %w", err), "")
		}
		return usage(fmt.Errorf("%s is a symbolic link: boxes are ticked and the plan is archived where it is", relative(j.proc.Dir, j.planAt)),
			"name the file itself: "+relative(j.proc.Dir, target))
	}
	at, err := plan.Locate(j.planAt)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a worktree has it
	}
	if err != nil {
		return err
	}
	j.archived = at != j.planAt && filepath.Base(filepath.Dir(at)) == plan.CompletedDir
	return nil
}

// loadPlan reads the plan. One that can't be run may be fine in HEAD: an agent broke it.
func (j *job) loadPlan(ctx context.Context) error {
	if !j.hasPlan() {
		j.plan = &plan.Plan{}
		return nil
	}
	at, err := j.planNow()
	if errors.Is(err, fs.ErrNotExist) && j.tree != nil && !j.tree.chosen.Create {
		return nil // the branch has it: it is read when the worktree is made
	}
	if err != nil {
		return err
	}
	if !worksTasks(j.mode()) { // it is read, and not worked off
		if j.plan, err = plan.ParsePlanFile(at); err != nil {
			return usage(err, "")
		}
		return nil
	}
	if j.plan, err = readPlan(at); err == nil {
		return nil
	}
	name := shellQuote(relative(j.proc.Dir, at))
	if j.earlier == nil {
		return usage(err, "docs/plan-format.md has the format; `ralphex show` tells what ralphex reads; `ralphex convert "+name+"` makes a plan of a task list")
	}
	if j.inHead(ctx, at) {
		return usage(err, "it was a plan when its run began; the last commit has it: "+vcs.VerbsOf(j.repo).With("path", name).Restore)
	}
	return err
}

// inHead tells whether the last commit has a file.
func (j *job) inHead(ctx context.Context, at string) bool {
	rel, err := j.repo.Rel(at)
	if err != nil {
		return false
	}
	head, err := j.repo.Head(ctx)
	if err != nil || head.Unborn {
		return false
	}
	blob, err := j.repo.PathAt(ctx, head.Rev, rel)
	return err == nil && blob != ""
}

// endSurvivors ends what is left of a session whose ralphex was killed. The lock is taken first: nobody else must
// start a session meanwhile.
func (j *job) endSurvivors(ctx context.Context) error {
	var s *journal.Session
	if j.earlier != nil {
		s = j.earlier.Session
	}
	if s == nil && j.tree == nil && j.home.Root() == j.repo.Root() {
		s, _ = strayOf(j.store("events"), "") // another plan's, or the loop's
	}
	if s == nil {
		return nil
	}
	if err := j.holdStart(ctx); err != nil {
		return err
	}
	var err error
	j.ended, err = endSession(ctx, s, j.keep())
	return err
}

// keep is the list of processes that outlive a session on purpose; nil is internal/proc's own.
func (j *job) keep() []string { return keepProcesses(j.cfg) }

func keepProcesses(cfg *config.Config) []string {
	if !cfg.IsSet("keep_processes") {
		return nil
	}
	return cfg.KeepProcesses
}

func (j *job) release() {
	if j.held != nil {
		_ = j.held.Release() // the OS lock ends with the process at the latest
		j.held = nil
	}
	j.releaseStart()
}

// lockFree refuses at once when another run works here. The lock file is not made yet.
func (j *job) lockFree(context.Context) error {
	dir := j.repo.Root()
	if j.tree != nil {
		if j.tree.last == nil {
			return nil // it will have a checkout of its own
		}
		dir = j.tree.last.Start.Worktree
	}
	holder, held, err := workspace.Busy(dir)
	if err != nil {
		return err
	}
	if held && (j.tree == nil || holder.Run == string(j.tree.last.Run)) {
		return busy(&durable.HeldError{Path: workspace.LockFile(dir), Holder: holder})
	}
	return nil
}

func busy(err error) error {
	return hinted(fmt.Errorf("another run works in this checkout: %w", err), "wait for it (ralphex status), end it, or run in a worktree of its own (--worktree)")
}

// findEarlier looks for a run of this plan that did not come to its end.
func (j *job) findEarlier(ctx context.Context) error {
	head, err := j.repo.Head(ctx)
	if err != nil {
		return err
	}
	state, err := journal.Resumable(j.store("events"), j.named, func(s event.RunStart) bool { return j.sameKind(s, head.Branch) })
	if err != nil {
		return hinted(fmt.Errorf("read the journal of the last run: %w", err), "move the file away to start afresh; the plan's boxes tell what is done")
	}
	if state != nil && j.drafts() {
		state, err = j.opts.create.goesOn(state)
		if err != nil {
			return err
		}
	} else if state != nil && !worksTasks(j.mode()) && (j.opts.report || !state.Died && state.End.Outcome == event.Failed) {
		state = nil // what it failed on has been mended since, or is to be found once more
	}
	if j.archived && worksTasks(j.mode()) && state == nil && (j.tree == nil || j.tree.last == nil) {
		return usage(fmt.Errorf("plan file not found: %s: it is finished and lies in %s", j.opts.plan, plan.CompletedDir),
			"to run it again, move it back and open boxes (ralphex tick --undo); to have its work reviewed: ralphex --review "+shellQuote(j.opts.plan))
	}
	if state == nil && worksTasks(j.mode()) {
		if err := j.tellDoubt(head.Branch); err != nil {
			return err
		}
	}
	j.earlier, j.id = state, journal.NewRunID(time.Now())
	if state != nil {
		j.id = state.Run
	}
	return nil
}

// tellDoubt says what the run of this plan before this one asked a person to look at: a start that came by itself would forget it. That items
// are left for a person says the plan.
func (j *job) tellDoubt(at vcs.Branch) error {
	last, err := journal.Latest(j.store("events"), j.named, func(s event.RunStart) bool { return j.sameKind(s, at) })
	if err != nil {
		return fmt.Errorf("read the journal of the last run: %w", err)
	}
	if last == nil || last.End == nil || last.End.Outcome != event.LeftHuman || last.End.Reason == "" || strings.HasSuffix(last.End.Reason, leftWords) {
		return nil
	}
	j.notes = append(j.notes, event.Note{Level: event.Warn, Text: "the run before this one asked for a look: " + last.End.Reason, Hint: fmt.Sprintf("this start takes it that somebody looked; ralphex replay %s and the progress log tell what it was", last.Run)})
	return nil
}

func (j *job) legalBranch() error {
	if b := vcs.Branch(j.opts.branch); b != "" && !b.Legal() {
		return usage(fmt.Errorf("--branch %s: not a legal name for a branch", b), "a name has no blanks, no .., and none of ~^:?*[")
	}
	return nil
}

// title is what the run's commit is called, where it is one that grows: the plan's own title.
func (j *job) title() string {
	switch {
	case j.plan != nil && j.plan.Title != "":
		return j.plan.Title
	case !j.hasPlan():
		return ""
	}
	return plan.BranchName(j.planAt)
}

func (j *job) checkPlace(ctx context.Context) error {
	if j.tree != nil && j.tree.made == nil {
		return nil // see makeTree
	}
	if err := j.legalBranch(); err != nil {
		return err
	}
	branch := j.opts.branch
	if j.tree != nil {
		branch = string(j.tree.made.Branch)
	}
	planAt := j.planAt
	if !worksTasks(j.mode()) { // it stays where it is, and the plan is a file like others
		planAt, branch = "", ""
	}
	ready, err := workspace.Check(ctx, j.repo, workspace.Options{
		PlanPath: planAt, Branch: branch, DerivedBranch: plan.BranchName(planAt), DefaultBranch: j.cfg.DefaultBranch,
		Trailer: j.cfg.CommitTrailer, PlansDir: j.cfg.PlansDir, RunID: string(j.id), Resume: j.earlier != nil,
		Verbs: vcs.VerbsOf(j.repo), Title: j.title(), ReadOnly: j.opts.report,
	})
	if err != nil {
		return err
	}
	j.ready = ready
	return nil
}

// lock takes the run lock and makes the store, which ignores itself.
func (j *job) lock(run event.RunID) error {
	if j.held != nil {
		return nil
	}
	for _, store := range []string{j.store(), filepath.Join(j.repo.Root(), storeDir)} {
		ensure := workspace.EnsureSelfIgnored
		if slices.Contains(j.ignored, store) { // a session may have deleted it, and what is there since is ours
			ensure = workspace.IgnoreFolder
		}
		if err := ensure(store); err != nil {
			return fmt.Errorf("make %s: %w", store, err)
		}
		if workspace.SelfIgnored(store) {
			j.ignored = append(j.ignored, store)
		}
	}
	l, err := durable.Acquire(workspace.LockFile(j.repo.Root()), durable.Holder{Run: string(run), Plan: j.shown(j.home.Root()), What: "run", Since: time.Now(),
		ControlSocket: j.socket(run)})
	if errors.Is(err, durable.ErrHeld) {
		return busy(err)
	}
	if err != nil {
		return err
	}
	j.held = l
	return nil
}
