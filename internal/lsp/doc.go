// Package lsp is the language server of plan files: what `ralphex check` knows, while a plan is being typed.
//
//	client ══ stdin ══► reader ──► loop ──────────────► writer ══ stdout ══► client
//	                     (1)       (2)  ▲   │             (3)
//	                                    │   ├─ a request and the snapshot that it asks about
//	                                    │   ▼
//	                                   workers (4)
//
//	(1) one goroutine; ends with the stream, or when the loop has ended and its Read returns
//	(2) Serve itself: owns documents, calls and timers; never does anything slow
//	(3) one goroutine; the queue before it holds 64 messages, then the loop waits for a client that reads
//	(4) one goroutine a request or check, two of them at work at any moment; Serve waits for all
//
// A document is a sequence of snapshots that never change: text, version, and, made when first asked for, the
// plan and its findings. So a worker needs no lock, and diagnostics and code actions of one version share one check.
//
//	didChange ─► new snapshot ─► quiet for Debounce ─► check ─► still the newest? ─► publishDiagnostics
//	didOpen, didSave ──────────────── at once ───────────┘
//
// # Which documents are plans
//
// What lies below a plans folder, and what has a task header that counts, is a plan and is checked as
// `ralphex check` would. What only seems to have one (`### Задача 1: x`, `### Task 1 - x`) is checked for what would make
// a run fail. What lies in the folder of finished plans has an outline and ticks, and no diagnostics. Any other document is
// left alone: no diagnostics, no actions, no symbols.
//
// # When client and server disagree
//
// A change whose version is not above the document's is a change that was made already: it is left out. A message
// that is too large is skipped, and since it may have been a change, no document is trusted any more until it is
// opened again or sent whole. A document beyond plan.MaxSize is not kept; it gets one diagnostic that says so.
//
// Nothing is written but messages on the stream: not the plan (each edit is the editor's), no file, and logs go
// where Options.Log says.
package lsp
