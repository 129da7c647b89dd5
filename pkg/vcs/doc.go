// Package vcs is what ralphex asks of a repository: where am I, what has changed, make a branch, commit exactly these paths.
// It knows no plan, no task and no policy; it never resets, cleans, stashes, forces or skips a hook.
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
// Which engine answers what, and why. The figures are milliseconds of one call in repositories of 1,000 / 100,000 files, git 2.39 against
// go-git 5.19, partly from the ratios that the benchmarks of both engines gave; a child process costs 1.4 ms at least.
//
//	operation            engine                          in-process     git CLI
//	HEAD and branch      go-git storage                  0.1 / 0.2      2.7 / 2.9
//	default branch       go-git storage                  0.1 / 0.1      3.8 / 8.7
//	tree of a commit     go-git storage                  0.1            1.4
//	short log            go-git storage, linear only     0.7            2.9
//	is a path tracked    own index scanner               0.1 / 13       2.3 / 24
//	status               git CLI                         18 / 1400      3.6 / 138
//	new branch           update-ref + symbolic-ref       -              5.6 / 5.6   (checkout -b: 5.8 / 141)
//	add, commit          git CLI: hooks, signing         -              12 / 180
//	diff stats           git CLI                         19 / 378       6.6 / 7.0
//
// go-git never writes here: its index writer drops extensions, and its reference writer knows neither reflog nor lock.
// Only its storage layer is linked, not its porcelain: that is a third of the size and of the start-up time.
//
// Every child runs with a deadline, its own process group, no prompt, no pager and no editor; stdout and stderr are kept apart; names of
// files travel NUL-separated and are never patterns. Calls that only look leave even the index's cache alone
// (GIT_OPTIONAL_LOCKS=0). A call that runs the user's hooks keeps the user's locale, since we parse nothing it prints.
package vcs
