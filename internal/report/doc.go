// Package report writes what `ralphex check` and reviewers found, in the formats of people, programs and CI.
//
//	[]File (path, bytes, findings) ─► Report ─┬─► text.go    for a person: source line and caret, colour
//	                                          ├─► json.go    docs/schema/check.json
//	                                          ├─► sarif.go   SARIF 2.1.0: code scanning, editors
//	                                          ├─► github.go  workflow annotations
//	                                          └─► junit.go   CI that shows tests
//
// What reviewers of a run found goes the same way, from pkg/finding's Entry (findings.go, findings_sarif.go; docs/schema/findings.json).
//
// A format is one function and one line in the table below. None of them asks how the findings came about, and
// none decides the exit code.
package report
