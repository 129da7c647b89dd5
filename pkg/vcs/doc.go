// Package vcs is what ralphex asks of a repository: where am I, what has changed, make a branch, commit exactly these paths.
// It knows no plan, no task and no policy; it never resets, cleans, stashes, forces or skips a hook.
//
//	Open (open.go) ──► *repository with git at hand · *alone without (alone.go) · a wrapper · Mercurial
//
//	    Repo (vcs.go)
//	      │
//	  *repository ─────────────┬──────────────────────────┐
//	      │ asks               │ reads                    │ writes, and walks the tree
//	      ▼                    ▼                          ▼
//	reader (reader.go)    files of .git              runner (command.go)
//	 ├─ objects            ├─ index.go    tracked?    git status, add, commit, mv,
//	 │  (go-git storage)   ├─ settings.go hooks? who?  update-ref, symbolic-ref, …
//	 └─ questions          └─ progress.go merging?
//	    (git CLI) ◄── whatever go-git can't open or read
//
// Which engine answers what, and why. The figures are milliseconds of one call in repositories of 1,000 / 100,000 files (history: of 10,000
// commits), git 2.39 and go-git's storage 5.19, on a busy machine on which the floor, a process that does nothing, took 1.3 ms
// (make bench BENCH=. with RALPHEX_BENCH_DIR on a RAM disk; the repositories are made once and kept there).
//
//	operation            auto                  auto          git alone      go-git alone
//	open                 no process            0.09 / 0.17   3.4 / 3.1      0.11 / 0.46
//	HEAD, branch and     go-git storage        0.08 / 0.06   31 / 6.4       0.07 / 0.07
//	default branch
//	tree of a commit     go-git storage        0.2 / 4.4     1.3 / 1.9      0.2 / 5.0     (the first one reads the pack's index)
//	is a path tracked    own index scanner     0.07 / 20     0.05 / 7       0.17 / 161    (git alone: the same scanner)
//	status, clean        git                   27 / 666      30 / 778       22 / 2406
//	status, dirty        git                   6 / 507       6 / 578        15 / 1552
//	new branch           update-ref and        4.8 / 3.8     12 / 7.2       0.3 / 0.3
//	                     symbolic-ref
//	commit of one file   git: hooks, signing   7 / 574       28 / 665       2 / 116
//	log, 20 commits      go-git, linear only   0.6           2.0            0.7
//	log, all             go-git, 32 steps,     109           115            115
//	is an ancestor         and then git        27            24 to 38       82
//	diff stats           git                   3.8           2.6            688
//
// The three lines of history were measured later than the rest, and are the best of four rounds. A step through history takes the library 30 to 60 µs,
// if it keeps the pack open (it took 0.4 ms when it didn't), and a process 2 ms: after 32 steps the rest is git's, which has a commit-graph.
//
// A commit by the library is faster than git's, and status slower; it is used for neither where git is, since it knows no hooks, no signatures and
// no filters, and its index has no caches. An "is it surely clean?" of our own was measured before: with the walk for untracked files it is
// no faster than git at 100,000 files, so it isn't built.
//
// Without git, or with vcs_backend = go-git, type alone works by the library and by files that it reads and writes itself (alone.go); what it would
// do otherwise than git it refuses. With git at hand the library never writes.
// Only its storage layer is linked, not its porcelain: that is a third of the size and of the start-up time.
//
// Mercurial (hg.go) is asked by scripts/hg2git.sh, which answers like Git, and by hg itself. Its worktrees are shares, of which it keeps no list:
// hg_trees.go makes them and their bookmarks, hg_shares.go remembers them in the repository that is shared, hg_leave.go says what would be lost
// with one and removes it, and hg_settle.go asks again where another checkout wrote the history meanwhile.
//
// What not every backend can is a small interface beside Repo, for which callers ask: Differ (diff.go), Worktrees, Grower, Keeper, Publisher, …
//
// Every call has a deadline, what the library does as well. Every child runs with one of its own, in its own process group, without prompt,
// pager and editor; stdout and stderr are kept apart; names of files travel NUL-separated and are never patterns; what a command reads is
// whole before it starts. Calls that only look leave even the index's cache alone (GIT_OPTIONAL_LOCKS=0). A call that runs the user's hooks keeps the user's locale, since we parse nothing it prints.
package vcs
