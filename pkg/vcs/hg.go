package vcs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ralphex/scripts"
)

// hg is a Mercurial repository. What git's words can say goes through the script that we bring along, as it would through a user's own
// wrapper; what they can't is asked of hg itself.
//
// The script is handed to sh as an argument: it needs no file, so it works with a read-only home, leaves nothing in anybody's tree, and
// nobody can change it between writing and running. The command server (chg) would make a call six times faster, but it outlives the run,
// and killing its client does not stop what it does; it is used only where HG2GIT_HG names it.
//
// A commit on top of what is public starts a draft, and each further one amends it: there is one commit that grows.
type hg struct {
	*wrapper
	ask  runner // hg itself
	meta string // the repository's own folder, ".hg"; a share has one of its own
	link string // the folder that keeps the history, as it was when this was opened
	opts Options
	wait patience

	known hgKnown
}

var (
	_ Repo           = (*hg)(nil)
	_ Verber         = (*hg)(nil)
	_ DeletionReader = (*hg)(nil)
	_ Readier        = (*hg)(nil)
	_ IgnoreAdviser  = (*hg)(nil)
)

// Readier is a repository with conditions of its own for the start of a run. Ready returns *StateError where one isn't met.
type Readier interface {
	Ready(ctx context.Context) error
}

// IgnoreAdviser is a repository whose folders can't ignore themselves. IgnoreAdvice says what the user can write where, so that the user's own
// commands pass over what is ralphex's; empty if they do already.
type IgnoreAdviser interface {
	IgnoreAdvice(ctx context.Context) (string, error)
}

// StateError says that no run can start from where the repository stands.
type StateError struct {
	Why  string
	Next string // what the person can type
}

func (e *StateError) Error() string { return e.Why }

// Hint tells the person what to do next.
func (e *StateError) Hint() string { return e.Next }

// published is the branch of public commits, by the model of hg2git.sh.
const published Branch = "master"

// openHg opens the Mercurial repository whose top folder is root.
func openHg(ctx context.Context, root string, o Options) (Repo, error) {
	name := "hg"
	for _, kv := range o.Env {
		if v, ok := strings.CutPrefix(kv, "HG2GIT_HG="); ok && v != "" {
			name = v
		}
	}
	tool, err := findTool(name, o.Env)
	if err != nil {
		return nil, err
	}
	sh, err := findTool("sh", o.Env)
	if err != nil {
		return nil, err
	}
	env := append(o.Env[:len(o.Env):len(o.Env)], "HG2GIT_ROOT="+root, "HGPLAIN=1", "HGENCODING=UTF-8", "HGEDITOR=:", "HG_PENDING=")
	script := newRunner(sh, root, env, o.Timeout, o.HookTimeout)
	script.prefix, script.name = []string{"-c", scripts.Hg2git, "hg2git.sh"}, "hg2git.sh"
	ask := newRunner(tool, root, env, o.Timeout, o.HookTimeout)
	ask.prefix = []string{"-R", root, "--noninteractive", "--config", "ui.timeout=10"}
	h := &hg{wrapper: newWrapper(root, script, o.Exclude), ask: ask, meta: filepath.Join(root, ".hg"), opts: o}
	h.link = h.store()
	h.ask.settle, h.run.settle = h.settle, h.settle
	h.kept = kept{filepath.Join(h.store(), "ralphex", "wip")}
	for _, name := range []string{"-z", "merge-base", "tree", "log", "check-ignore", "var"} {
		h.can.set(name, true)
	}
	if _, err := h.state(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

func findTool(name string, env []string) (string, error) {
	tool, err := lookPath(name, env)
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrNoTool, name)
	}
	return filepath.Abs(tool)
}

func (h *hg) Kind() string { return "hg" }

func (h *hg) Verbs() Verbs { return HgVerbs() }

func (h *hg) Caps() Caps {
	return Caps{Hooks: true, Worktrees: true, Note: "Mercurial: the run's work is one draft commit that grows with each task; no signed commits, no names with line ends"}
}

// hg asks Mercurial itself.
func (h *hg) hg(ctx context.Context, args ...string) (string, error) {
	out, err := h.ask.look(ctx, args...)
	return string(out), err
}

// state is where the working folder stands.
type hgState struct {
	rev      Rev // empty before the first commit
	parent   Rev
	phase    string
	children bool
	merge    bool
	bookmark string
}

// state asks Mercurial, unless nothing has changed since it was asked that the answer is made of: a process of it takes a tenth of a second, and a run asks
// at every step.
func (h *hg) state(ctx context.Context) (hgState, error) {
	stamp := h.stateStamp() // first: what changes while Mercurial reads is another state
	h.known.Lock()
	defer h.known.Unlock()
	if h.known.stamp.same(stamp) {
		return h.known.hgState, nil
	}
	s, err := h.askState(ctx)
	h.known.stamp, h.known.hgState = stamp, s
	if err != nil || s.rev == "" {
		h.known.stamp = nil
	}
	return s, err
}

func (h *hg) askState(ctx context.Context) (hgState, error) {
	out, err := h.hg(ctx, "log", "-r", ".", "-T",
		`{node}\0{p1node}\0{phase}\0{revset("children(%d)", rev)|count}\0{revset("p2()")|count}\0{activebookmark}`)
	if err != nil {
		return hgState{}, err
	}
	f := strings.Split(out, "\x00")
	if len(f) != 6 {
		return hgState{}, fmt.Errorf("hg log -r .: expected six fields, got %q", out)
	}
	h.parents.note(notNull(f[0]), notNull(f[1]))
	if notNull(f[0]) == "" {
		if err := h.orphaned(); err != nil {
			return hgState{}, err
		}
	}
	return hgState{rev: notNull(f[0]), parent: notNull(f[1]), phase: f[2], children: f[3] != "0", merge: f[4] != "0", bookmark: f[5]}, nil
}

// hgKnown is the state that Mercurial told last, and the files that it was made of.
type hgKnown struct {
	sync.Mutex
	hgState
	stamp hgStamp // nil = nothing is known
}

// hgStamp is how files stood; nil elements are files that were not there.
type hgStamp []fs.FileInfo

// stateStamp looks at the files that tell which commit the folder stands on, its phase, its children and its bookmark. Mercurial replaces each of them, or appends to it.
func (h *hg) stateStamp() hgStamp {
	store := filepath.Join(h.store(), "store")
	var s hgStamp
	for _, path := range []string{filepath.Join(h.meta, "dirstate"), filepath.Join(h.meta, "bookmarks.current"), filepath.Join(h.meta, "bookmarks"), filepath.Join(h.store(), "bookmarks"),
		filepath.Join(store, "bookmarks"), filepath.Join(store, "00changelog.i"), filepath.Join(store, "00changelog.d"), filepath.Join(store, "phaseroots"), filepath.Join(store, "obsstore")} {
		fi, err := os.Stat(path)
		if err != nil {
			fi = nil
		}
		s = append(s, fi)
	}
	return s
}

// same tells whether all files are the same, and as they were. Nothing is the same as nothing known.
func (s hgStamp) same(now hgStamp) bool {
	return len(s) > 0 && slices.EqualFunc(s, now, func(a, b fs.FileInfo) bool {
		if a == nil || b == nil {
			return a == nil && b == nil
		}
		return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
	})
}

// orphaned tells a working folder whose commit is gone from one that has none yet.
func (h *hg) orphaned() error {
	parents, err := hgParents(h.meta)
	if err != nil || len(parents) == 0 || notNull(string(parents[0])) == "" {
		return err
	}
	at := parents[0]
	return &StateError{Why: fmt.Sprintf("the commit %s, which %s stands on, is gone: it was amended or stripped in another checkout", at.Short(), h.root),
		Next: fmt.Sprintf("bring it back: in that checkout, `hg unbundle` with the backup that its .hg has of %s", at.Short())}
}

// notNull turns Mercurial's name for nothing into ours.
func notNull(node string) Rev {
	if strings.Trim(node, "0") == "" {
		return ""
	}
	return Rev(node)
}

func (h *hg) Head(ctx context.Context) (Head, error) {
	s, err := h.state(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	head := Head{Rev: s.rev, Unborn: s.rev == "", Branch: published}
	switch {
	case head.Unborn || s.phase == "public":
	case s.phase != "draft":
		return Head{}, fmt.Errorf("read HEAD: %w", s.secret())
	case s.bookmark != "":
		head.Branch = Branch(s.bookmark)
	default:
		head.Branch = "draft"
	}
	return head, nil
}

func (s hgState) secret() error {
	return &StateError{Why: fmt.Sprintf("the commit %s is %s: it can't be worked on", s.rev.Short(), s.phase),
		Next: "make it a draft: hg phase --draft --force -r ."}
}

// Ready refuses what could not be amended later.
func (h *hg) Ready(ctx context.Context) error {
	s, err := h.state(ctx)
	if err != nil {
		return fmt.Errorf("read the state of the repository: %w", err)
	}
	if s.phase != "public" && s.phase != "draft" {
		return s.secret()
	}
	alone := false
	if s.phase == "draft" {
		if alone, err = h.leftAlone(s); err != nil {
			return fmt.Errorf("read the state of the repository: %w", err)
		}
	}
	if s.phase == "draft" && s.children && !alone {
		return &StateError{Why: fmt.Sprintf("the draft %s has children: the run would amend it and leave them behind", s.rev.Short()),
			Next: "go to the top of the drafts (hg update tip), or start from what is public (hg update -r 'last(public())')"}
	}
	phase, err := h.hg(ctx, "config", "phases.new-commit")
	if err != nil && exitCode(err) != 1 {
		return err
	}
	if s.phase == "public" && strings.TrimSpace(phase) == "secret" {
		return &StateError{Why: "new commits are secret here (phases.new-commit = secret): none could grow with the tasks",
			Next: "set phases.new-commit = draft in .hg/hgrc of this repository"}
	}
	return nil
}

// DefaultBranch is what Head says of a public commit: there a run starts a branch of its own. What prompts compare with is Verbs.Base.
func (h *hg) DefaultBranch(context.Context) (Branch, error) { return published, nil }

// hgWaits lists the files by which Mercurial and its extensions remember an unfinished operation.
var hgWaits = []struct{ file, what string }{
	{"histedit-state", "histedit"}, {"rebasestate", "rebase"}, {"graftstate", "graft"}, {"shelvedstate", "unshelve"},
	{"updatestate", "update"}, {"evolvestate", "evolve"}, {"transplant/journal", "transplant"}, {"bisect.state", "bisect"},
}

func hgWaiting(meta string) (string, error) {
	for _, w := range hgWaits {
		_, err := os.Lstat(filepath.Join(meta, filepath.FromSlash(w.file)))
		if err == nil {
			return w.what, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("look for an unfinished operation: %w", err)
		}
	}
	return "", nil
}

// InProgress calls conflicts that an update left a merge, too.
func (h *hg) InProgress(ctx context.Context) (string, error) {
	if what, err := hgWaiting(h.meta); what != "" || err != nil {
		return what, err
	}
	s, err := h.state(ctx)
	if err != nil || s.merge {
		return "merge", err
	}
	if _, err := os.Stat(filepath.Join(h.meta, "merge")); err != nil {
		return "", nil
	}
	out, err := h.hg(ctx, "resolve", "--list", "-T", `{mergestatus}\n`)
	if err == nil && strings.Contains(out, "U") {
		return "merge", nil
	}
	return "", err
}

func (h *hg) Identity(ctx context.Context) error {
	err := h.wrapper.Identity(ctx)
	if ie, ok := errors.AsType[*IdentityError](err); ok {
		ie.Next = `write "[ui]" and "username = Your Name <you@example.org>" into ~/.hgrc`
	}
	return err
}

func (h *hg) Fingerprint(ctx context.Context) (Fingerprint, error) {
	s, err := h.Status(ctx)
	if err != nil {
		return "", err
	}
	return h.FingerprintOf(ctx, s)
}

// FingerprintOf asks where HEAD is by one call; the script needs three.
func (h *hg) FingerprintOf(ctx context.Context, s Status) (Fingerprint, error) {
	head, err := h.Head(ctx)
	if err != nil {
		return "", err
	}
	return fingerprintOf(ctx, head, s, h.abs)
}

// Tracked asks for the one name: a file that is gone from the tree is still known.
func (h *hg) Tracked(ctx context.Context, path string) (bool, error) {
	out, err := h.hg(ctx, "files", "-T", `{path}\0`, "path:"+path)
	if err != nil && exitCode(err) != 1 {
		return false, fmt.Errorf("ask whether %s is tracked: %w", path, err)
	}
	return out == path+"\x00", nil
}

// Ignored: what is tracked is not ignored, whatever .hgignore says.
func (h *hg) Ignored(ctx context.Context, path string) (bool, error) {
	tracked, err := h.Tracked(ctx, path)
	if err != nil || tracked {
		return false, err
	}
	return h.wrapper.Ignored(ctx, path)
}

// IgnoreAdvice asks by names that lie in our folders, whether or not they are there.
func (h *hg) IgnoreAdvice(ctx context.Context) (string, error) {
	for _, path := range []string{".ralph/x", ".ralphex/progress/x", ".ralphex/worktrees/x", ".ralphex/.gitignore"} {
		told, err := h.hg(ctx, "debugignore", "--", path)
		if err != nil {
			return "", fmt.Errorf("ask whether %s is ignored: %w", path, err)
		}
		if !strings.HasPrefix(told, path+" is ignored") {
			return "add these lines to .hgignore:\nsyntax: regexp\n^\\.ralph/\n^\\.ralphex/(progress/|worktrees/|wip/|\\.gitignore$)", nil
		}
	}
	return "", nil
}

// Snapshot adds the changes as a patch for people.
func (h *hg) Snapshot(ctx context.Context, ref, message string) (Rev, error) {
	patch, err := h.hg(ctx, "diff", "--git")
	if err != nil {
		return "", fmt.Errorf("snapshot the working tree as %s: %w", ref, err)
	}
	return h.kept.snapshot(ctx, h, ref, message, []byte(patch))
}
