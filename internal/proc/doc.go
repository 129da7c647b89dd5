// Package proc runs child process trees: an agent, or a command that ralphex runs for it, with all that they start.
//
//	Run ──► start ─► own session and group, stdin a file without a name that holds the prompt, mark in the environment
//	          │
//	          ├── goroutine  stdout  reads, touches Idle, writes Cmd.Stdout  ┐ end at EOF, or when the
//	          ├── goroutine  stderr  reads, touches Idle, writes Cmd.Stderr  ┘ drain is over
//	          ├── goroutine  idle    cancels with ErrIdle
//	          └── goroutine  wait    learns of the exit; on Linux without reaping, so that no id is reused too early
//	          ▼
//	   exit ──────────► drain (EOF, or quiet for 250 ms) ─► sweep ─► reap ─► Exit
//	   cause ─► SIGTERM to the group ─ grace ─► SIGKILL ──────┘
//
// A session ends with the exit of its process, not with the end of its output: a grandchild may hold the pipe for
// days. The causes that end it early are told by context.Cause: ErrIdle, ErrTimeout, or the caller's own.
//
// # What is left of a tree
//
// After every end, a clean one too, the sweep looks for processes that live on. On Linux this process is a
// subreaper: what loses its parent becomes our child, whatever session or group it made for itself. So "we have no
// other child" is one small read and means "nobody is left"; else the strays and all their descendants are asked to
// end, then killed, and reaped one by one (never "any child": os/exec waits for its own). A stray belongs to the
// session whose mark (RALPHEX_SESSION) it carries or whose session id it has; one without a mark (env -i, sudo)
// belongs to the only session that runs, if it appeared during that session. Processes on the keep list are
// spared and reported. Other unixes end the process group; on Windows a child and all that
// it starts are in a job, which ends with the session, or with this process.
//
// While a Cmd runs, no other package of the process starts children in sessions of their own except by Run.
package proc
