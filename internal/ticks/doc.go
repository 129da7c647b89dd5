// Package ticks carries ticks of a plan into sources whose tasks are objects of a JSON file.
//
//	origin.Record.Push
//	      │ Store
//	      ├── ralph        .ralph/tasks.json    through task.Store: tasks.lock, normal form, and only what the graph lets be done
//	      └── task-master  tasks.json           the bytes of one status value; all else stays
//
// A done that can't be is an error that names the task, and nothing is forced: the plan's tick stays a fact of the plan.
package ticks
