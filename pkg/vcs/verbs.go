package vcs

import "strings"

// Verbs are the commands of a version control system that an agent or a person types, ready to be copied into a prompt or a hint. They are
// words only: nothing here runs them, so an agent that knows none of it still works, and no prompt names a system.
//
// A command may hold the words {base} (what the branch left: a branch, a revision), {path}, {branch} and {rev}; see [Verbs.With].
// Words in capitals (FILES, MESSAGE) are for the reader to replace. An empty command means that there is none.
type Verbs struct {
	System string // what people call it: "Git"
	// Base is what {base} means when nobody chose one; empty = the default branch.
	Base string

	Status   string // what is changed and not committed
	Changes  string // the uncommitted changes as a diff
	Diff     string // all that the branch did since {base}
	DiffStat string // the same, counted by file
	Log      string // the commits since {base}
	Show     string // one commit, {rev}
	Add      string // take FILES under version control
	// Commit records FILES under MESSAGE and nothing else. Where an agent should not commit it is a sentence that says so.
	Commit string
	Move   string // rename a file and keep its history

	Restore string // bring {path} back as the last commit has it
	Switch  string // go to {branch}
	History string // every place that HEAD was at, rewritten commits included
}

// Verber is a repository that has words of its own; see [VerbsOf].
type Verber interface {
	Verbs() Verbs
}

// VerbsOf returns the words of a repository: its own if it is a [Verber], else those of its kind.
func VerbsOf(r Repo) Verbs {
	if v, ok := r.(Verber); ok {
		return v.Verbs()
	}
	switch r.Kind() {
	case "hg":
		return HgVerbs()
	case "go-git":
		return NoCommandVerbs()
	}
	return GitVerbs("git")
}

// GitVerbs are the words of Git, typed with the given command: "git", or a wrapper that speaks like it.
func GitVerbs(command string) Verbs {
	return Verbs{
		System:   "Git",
		Status:   command + " status --short",
		Changes:  command + " diff HEAD",
		Diff:     command + " diff {base}...HEAD",
		DiffStat: command + " diff --stat {base}...HEAD",
		Log:      command + " log --oneline {base}..HEAD",
		Show:     command + " show {rev}",
		Add:      command + " add -- FILES",
		Commit:   command + " add -- FILES && " + command + ` commit -m "MESSAGE" -- FILES`,
		Move:     command + " mv -- OLD NEW",
		Restore:  command + " restore -- {path}",
		Switch:   command + " switch {branch}",
		History:  command + " reflog",
	}
}

// HgVerbs are the words of Mercurial. There a run makes one commit that grows with each task, which ralphex tends itself: the
// agent leaves its changes in the tree. What a branch did is counted from the last public commit that it stands on.
func HgVerbs() Verbs {
	return Verbs{
		System:   "Mercurial",
		Base:     "last(public() and ::.)",
		Status:   "hg status",
		Changes:  "hg diff",
		Diff:     `hg diff -r "ancestor(., {base})"`,
		DiffStat: `hg diff --stat -r "ancestor(., {base})"`,
		Log:      `hg log -r "only(., {base})"`,
		Show:     `hg export {rev}`,
		Add:      "hg add FILES",
		Commit:   "leave the changes in the tree and record nothing yourself (new files: hg add FILES); ralphex adds them to the run's one commit",
		Move:     "hg mv OLD NEW",
		Restore:  "hg revert {path}",
		Switch:   "hg update {branch}",
		History:  "hg log --hidden",
	}
}

// NoCommandVerbs are the words where no command of the system is installed: ralphex records the work itself.
func NoCommandVerbs() Verbs {
	return Verbs{
		System: "Git",
		Commit: "leave the changes in the tree and record nothing yourself; ralphex does it when you have ended",
	}
}

// Ways are commands for hints that only a person types; no prompt has them.
type Ways struct {
	First     string // makes the first commit
	NewBranch string // makes {branch} here and goes to it
	PutAway   string // takes uncommitted changes out of the tree, to be had back later; never what is ralphex's own
	Keeping   string // behind PutAway: all but {path}, from the top
	Resolved  string // says that a conflict in {path} is resolved
	Update    string // brings a branch up to date
	Recover   string // where commits are that no branch has any more
	// Unfinished tells how each operation of InProgress is brought to its end.
	Unfinished map[string]string
	// Words about worktrees; {dir} is one.
	GoBack  string // goes to {branch} in {dir}
	Leave   string // goes away from the branch in {dir}
	Named   string // gives a branch that is gone its name back
	Mend    string // mends the link of {dir}
	Moved   string // tells of a worktree that was moved, or is gone for good
	Look    string // shows what the system knows of worktrees
	Drop    string // removes {dir}, when nothing in it is needed
	Unlock  string // unlocks {dir}
	Keep    string // makes {branch} at {rev}
	Take    string // gets at the work on {branch}
	Nowhere string // what a checkout is on that has no branch
	// Staging: a change is first staged and then committed, so a file can differ twice.
	Staging bool
}

// Ways returns the hints of the system that the words are of.
func (v Verbs) Ways() Ways {
	if v.System == "Mercurial" {
		return hgWays
	}
	return gitWays
}

// Tree fills the words {dir} and {branch} of a command about worktrees.
func (w Ways) Tree(command, dir string, branch Branch) string {
	return strings.NewReplacer("{dir}", dir, "{branch}", string(branch)).Replace(command)
}

// PutAwayBut is PutAway for all but one path, relative to the top; "" means for all.
func (w Ways) PutAwayBut(path string) string {
	if path == "" {
		return w.PutAway
	}
	return w.PutAway + strings.ReplaceAll(w.Keeping, "{path}", strings.ReplaceAll(path, "'", `'\''`))
}

var gitWays = Ways{
	First:     `git commit --allow-empty -m "initial commit"`,
	NewBranch: "git switch -c {branch}",
	PutAway:   "git stash -u", // our folders ignore themselves
	Keeping:   " -- :/ ':/!{path}'",
	Resolved:  "git add {path}",
	Update:    "git merge",
	Recover:   "git reflog has every commit",
	Staging:   true,
	GoBack:    "git -C {dir} switch {branch}",
	Leave:     "git -C {dir} switch -",
	Named:     "git reflog may still have it: git branch {branch} COMMIT",
	Mend:      "git worktree repair, in the main checkout",
	Moved:     "if you moved it: git worktree repair NEW-PLACE; if it is gone for good: git worktree prune",
	Look:      "git worktree list shows what Git knows of it; git worktree repair mends its link",
	Drop:      "git worktree remove {dir}",
	Unlock:    "git worktree unlock {dir}",
	Keep:      "git branch {branch} {rev}",
	Take:      "git merge {branch}",
	Nowhere:   "a detached HEAD at",
	Unfinished: map[string]string{
		"merge":       "finish it with `git merge --continue`, or drop it with `git merge --abort`",
		"rebase":      "finish it with `git rebase --continue`, or drop it with `git rebase --abort`",
		"am":          "finish it with `git am --continue`, or drop it with `git am --abort`",
		"cherry-pick": "finish it with `git cherry-pick --continue`, or drop it with `git cherry-pick --abort`",
		"revert":      "finish it with `git revert --continue`, or drop it with `git revert --abort`",
		"bisect":      "end it with `git bisect reset`",
	},
}

var hgWays = Ways{
	First:     `hg commit --addremove -m "initial commit"`,
	NewBranch: "hg bookmark {branch}",
	PutAway:   "hg --config extensions.shelve= shelve --unknown -X path:.ralph -X path:.ralphex",
	Keeping:   " -X 'path:{path}'",
	Resolved:  "hg resolve --mark {path}",
	Update:    "hg rebase or hg merge",
	Recover:   "hg update goes back to a commit, hg unbundle brings one back from .hg/strip-backup",
	GoBack:    "hg -R {dir} update {branch}",
	Leave:     "hg -R {dir} update -r .",
	Named:     "hg log may still have its commit: hg bookmark -r COMMIT {branch}",
	Mend:      "write the path of the repository's .hg into {dir}/.hg/sharedpath",
	Moved:     "if you moved it: move it back; if it is gone for good: ralphex worktrees gc",
	Look:      "ralphex worktrees shows what is known of it; {dir}/.hg/sharedpath is its link",
	Drop:      "rm -r {dir}, and ralphex worktrees gc",
	Keep:      "hg bookmark -r {rev} {branch}",
	Take:      "hg update {branch}",
	Nowhere:   "no active bookmark, at",
	Unfinished: map[string]string{
		"merge":      "finish it with `hg resolve --list` and `hg commit`, or drop it with `hg merge --abort`",
		"rebase":     "finish it with `hg rebase --continue`, or drop it with `hg rebase --abort`",
		"histedit":   "finish it with `hg histedit --continue`, or drop it with `hg histedit --abort`",
		"graft":      "finish it with `hg graft --continue`, or drop it with `hg graft --abort`",
		"unshelve":   "finish it with `hg unshelve --continue`, or drop it with `hg unshelve --abort`",
		"evolve":     "finish it with `hg evolve --continue`, or drop it with `hg evolve --abort`",
		"transplant": "finish it with `hg transplant --continue`, or drop it with `hg transplant --stop`",
		"update":     "finish it with `hg update`, without a revision",
		"bisect":     "end it with `hg bisect --reset`",
	},
}

// With fills the words {base}, {path}, … in every command; pairs are name and value, as for [strings.NewReplacer]: With("base", "main").
// A base of "" is the system's own [Verbs.Base]. Other words stay.
func (v Verbs) With(pairs ...string) Verbs {
	var old []string
	for i := 0; i+1 < len(pairs); i += 2 {
		value := pairs[i+1]
		if pairs[i] == "base" && value == "" {
			value = v.Base
		}
		if value != "" {
			old = append(old, "{"+pairs[i]+"}", value)
		}
	}
	r := strings.NewReplacer(old...)
	for _, s := range v.commands() {
		*s.text = r.Replace(*s.text)
	}
	return v
}

// Vars returns the words as variables of prompts: VCS_DIFF, VCS_COMMIT, … A command that the system lacks says so, so that no prompt
// ends in the middle of a sentence.
func (v Verbs) Vars() map[string]string {
	vars := map[string]string{"VCS": v.System}
	for _, c := range v.commands() {
		if vars[c.name] = *c.text; *c.text == "" {
			vars[c.name] = "(" + v.System + " has no command for this here)"
		}
	}
	return vars
}

// verb is one command and its name in prompts.
type verb struct {
	name string
	text *string
}

func (v *Verbs) commands() []verb {
	return []verb{
		{"VCS_STATUS", &v.Status}, {"VCS_CHANGES", &v.Changes}, {"VCS_DIFF", &v.Diff}, {"VCS_DIFF_STAT", &v.DiffStat}, {"VCS_LOG", &v.Log},
		{"VCS_SHOW", &v.Show}, {"VCS_ADD", &v.Add}, {"VCS_COMMIT", &v.Commit}, {"VCS_MOVE", &v.Move},
		{"VCS_RESTORE", &v.Restore}, {"VCS_SWITCH", &v.Switch}, {"VCS_HISTORY", &v.History},
	}
}
