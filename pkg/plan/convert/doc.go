// Package convert makes plans from what people have already: task lists of other tools, issues, specs, prose.
//
//	file, folder, stdin
//	      │ Input                        detect: each reader says how sure it is, and why
//	      ▼
//	┌───────────────┐   scan.go          outline.go            one file a format
//	│ lines, blocks │ ─────────► headings, items, prose ─► read_openspec.go, read_kiro.go, …
//	└───────────────┘   json.go                                      │
//	                                                                 ▼
//	                                       Source: title, sections, tasks, items, commands, losses
//	                                                                 │ order.go: dependencies come first,
//	                                                                 │           a cycle is an error
//	                     ┌───────────────────────────────────────────┤
//	                     ▼                     ▼                     ▼
//	            write.go: a plan       write_json.go         write_ralph.go
//	                     │
//	                     ▼  check.Check(strict): what it does not let pass becomes a Loss
//	            account.go: every word of the source is in the plan or in a Loss
//
// No model is asked and nothing is guessed: the same source gives the same plan. The last two steps are what
// the promises rest on. A reader that forgets a sentence is a fault, and still no sentence is lost in silence.
package convert
