// Package runbook is the embedded executor: it runs a task's own fenced sh blocks, and ticks what succeeded. It needs
// no agent and no network.
//
//	### Task 2: …
//	- [ ] add the option         ◄─ ticked when the blocks below it succeeded
//	  ```sh
//	  …                          ◄─ bash -eu -c (sh where there is no bash), in the repository, no stdin
//	  ```
//	- [ ] write tests            ◄─ no block: left for a person, and named
//	- [ ] run project tests      ◄─ the gate's: ticked as a claim, which the validation commands judge right after
//
// Blocks run in order, each box's in shells of their own. The first that fails ends the session; its box and those
// after it stay open.
package runbook
