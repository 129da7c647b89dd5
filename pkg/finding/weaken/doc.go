// Package weaken finds in a change what makes tests say less: skips, tests and assertions that are gone, weaker
// assertions, test commands that may fail or run less, lower thresholds of coverage.
//
//	unified diff ─► files (diff.go) ─► a look at each (look.go): tests, assertions, skips by language (languages.go),
//	                                   commands and settings (config.go)
//	                                          │
//	                                          ▼  what is gone here and new there moved: it is none
//	                                      findings with Rule "test-weakening"
//
// It knows languages by simple patterns and reads nothing but the diff. A wrong alarm costs a reviewer's time and
// trust, so where a look can't tell, it says nothing.
package weaken
