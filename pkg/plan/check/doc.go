// Package check tells what is wrong with a plan, where, and what to type instead; and repairs what is certain.
//
//	bytes ─► plan.ParsePlan ─► checker ─► one file a concern ─► findings, in file order
//	                              │        title, sections, tasks, endings, boxes, words, validation, readings
//	                              │
//	            <!-- ralphex-check: off RULE -->  and  Options.Severities  take findings away
//
//	FixAll:  Check ─► edits of all fixes that do not overlap ─► Check ─► …   until no fix is left
//
// Check is a function of the bytes and the options alone: it reads no file (with Deep it asks LookPath for
// executables), it never panics, and a file that cannot be read as a plan is one finding. A Fix is there only
// where one answer is certain: no word of the plan's author is lost by it, only marks and the keywords of the
// format change.
//
// The table in rules.go is the list of rules: `ralphex check --list-rules`, `--explain`, the page
// docs/plan-format.md and the tests of its examples are read off it.
package check
