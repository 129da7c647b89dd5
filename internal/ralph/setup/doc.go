// Package setup makes a `.ralph` workspace, completes one, and clears what its runs left.
//
//	Init     ── prd.md is there? ──yes─▶ *InitializedError, nothing changes
//	             │ no
//	             ▼  .ralph/ ─▶ prd.md ─▶ tasks.json (under tasks.lock) ─▶ progress.md ─▶ .gitignore ─▶ doctrine pack
//	Ensure   ── makes what is missing of folders and files; alters nothing that is there
//	Reset    ── Plan says what would go; Apply removes just that: prompts, runs, handoff, logs, artifacts, state.json
//
// All of it is non-destructive for what people wrote: a file that exists is kept, whatever is in it, and named in the result. The one file
// that Init replaces is the .gitignore with a single star that a plan run leaves in a `.ralph` that nobody had asked for.
//
// Nothing is written, and nothing removed, outside the workspace: the paths are checked before (layout.CheckInside), and every access goes
// through a folder that can't be left.
package setup
