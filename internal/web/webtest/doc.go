// Package webtest holds the tests of the dashboard that a person would make: a real browser looks at the page of the
// built program, which serves scratch repositories with runs of scripted agents.
//
//	ralphex (the test binary) ── serves ──► page in a tab of Chromium ── what a person sees, types and clicks
//	   ▲ runs of scripted agents, journals of many lines
//
// There is one browser for all tests, with a tab and a profile of its own for each. Where no Chromium is installed the
// tests are skipped, but not in the project's own check (RALPHEX_CI=1). Each tab ends its test with a failure when the
// page wrote an error to the console, broke the content security policy, or opened a dialog of the browser.
//
// `make screenshots` draws the pictures of docs/screenshots with the same means.
package webtest
