// Package gate runs a plan's validation commands and keeps what they said. It is what makes "all tests
// pass" a fact: ralphex ran the command, saw how it ended, and can show its output.
//
//	GateStart ─► for each command, in the plan's order, after a red one too:
//	               bash -c TEXT </dev/null 2>&1     own process group, deadline, mark
//	                  │
//	                  ├─► OutputDir/command-01.log  head and tail, 16 MiB at most, a note where it was cut
//	                  ├─► event.Output              whole lines, the first MiB
//	                  ├─► sha256                    over everything that was printed
//	                  └─► last 4 KiB                for the prompt of the session that has to mend it
//	               what the command left running is ended (event.Survivor)
//	               GateCommand
//	          ─► Options.Tree: the caller looks at the repository ─► GateEnd ─► Verdict
//
// All commands run, also after a red one: a person, and the next session, want every failure at once. Only
// an end of the context stops the gate; then there is no GateEnd, since there is no verdict.
//
// Standard error goes where standard output goes, in the order in which it was printed (but see Options.Apart), and standard input
// is /dev/null: a command that asks for something ends instead of waiting for a person who isn't there.
// The environment is the caller's without the marks of an agent's session, since a test must not believe
// that it runs within one.
package gate
