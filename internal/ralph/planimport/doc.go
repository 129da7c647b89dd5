// Package planimport projects a Markdown plan into the task graph of a `.ralph` store, and keeps the projection up to date.
//
//	docs/plans/20260129-add-login.md                .ralph/tasks.json
//	# Add login                    ── append ─────► plan_20260129_add_login       root: id, title, notes
//	### Task 1: Form               ── children ───► plan_20260129_add_login.1     todo, waits for nothing
//	- [x] the page                                     acceptance: its boxes, validation: the plan's commands
//	### Task 2: Session            ── children ───► plan_20260129_add_login.2     waits for .1
//	- [ ] the cookie               ── one write ──► statuses, as the boxes say
//
// The plan is what counts, and the root's notes say so: whatever the projection holds of a task's status is overruled by the next
// import. What people add to it stays: notes of their own, priorities, a reason why a task is blocked, tasks below the children.
//
// Ids are stable. A task that was renumbered, moved or got another title keeps the id that it got first; only a task with a new number
// and a new title is a new one. A task that is gone from the plan is not taken away: it stands by itself, blocked, and says why.
package planimport
