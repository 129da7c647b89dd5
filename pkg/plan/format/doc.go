// Package format writes plans tidily: numbers of tasks, spacing and blank lines, and the skeleton of a new plan.
//
//	bytes ─► plan.ParsePlan ─► line by line                            ─► bytes
//	              │              blank lines    around headings, one at a time
//	              │              headings       `### Task N: title`, N = position
//	              │              boxes          `- [ ] text`
//	              │              line ends      one kind, none left blank
//	              │              verbatim       fences, comments, HTML, indented code
//	              │                                   │
//	              └──── same tasks, boxes, commands? ◄┘  no: *ChangedError, and the caller keeps its file
//
// No word is changed, none is lost, and formatting twice is formatting once. What a plan should say is the
// business of pkg/plan/check.
package format
