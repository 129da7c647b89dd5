// Package workspace prepares the place of a run in a repository and tidies it up: which branch, what is the user's, when the plan is
// committed, where a finished plan goes. It holds the policy; pkg/vcs holds the hands.
//
//	Check ── looks at everything, touches nothing ──► Prepared │ DirtyError │ RefusedError │ vcs.HeldError │ vcs.IdentityError
//	                                                     │
//	        on the default branch:                       │ Begin
//	          only the plan may be dirty                 ▼
//	          ─► a branch named after the plan     1 snapshot of what is the user's ─► refs/ralphex/wip/RUN/start
//	        on another branch:                     2 branch: make it, or switch to it
//	          stay; what is dirty is listed        3 commit "add plan: BRANCH"
//	                                                     │
//	Archive ◄──────────────── the run ◄──────────── Started
//	  docs/plans/x.md ─► docs/plans/completed/x.md (or x-2.md, never over another), commit "move completed plan: x.md"
//
// A run in a worktree has one more step before: ChooseTree finds a worktree and its branch, Tree.Make makes them, Bring copies ignored files
// into it; Check and Begin then look at the worktree. Examine and Remove end it, where its branch has all of it.
//
// A plan that the repository ignores, or does not know, or that lies outside, is never committed; it is moved all the same.
package workspace
