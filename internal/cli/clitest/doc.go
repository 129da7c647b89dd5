// Package clitest runs the built program beside a test: the test starts a ralphex, looks at what it prints and serves meanwhile, and awaits its end.
//
//	p := clitest.Begin(t, repo, script, []string{"-t", "--serve", "--port", "0", "docs/plans/p.md"})
//	at := p.At()                   waits for the address
//	p.Says("still running")        waits for a line
//	p.Interrupt(); p.Exits(0)
//
// The program is the test binary under the name ralphex (testscript.Main), its agent one of executortest.
package clitest
