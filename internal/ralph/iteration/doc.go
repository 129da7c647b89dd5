// Package iteration decides what one turn of the `.ralph` loop means. Almost all of it is tables: facts go in, a word comes out, and nothing is asked
// of a model.
//
//	state, graph ──ChooseKind──▶ prompt kind          (session runs elsewhere)
//	last message ──ParseReport──▶ Parsed: a claim ──Judge──▶ Judgement: applied, or rejected and why
//	                                                            │ Ledger.Apply, under tasks.lock, if the claim on the task is still ours
//	                                                            ▼
//	exit, verifiers, files, tasks ──Classify──▶ classification, signals, follow-up
//	                              ──DecideLoopContinuation──▶ go on, or stop and why
//	                              ──BuildRemediation──▶ what to do about a task that the loop stopped at again and again
//	all of it ──NewHandoff──▶ the note that the next session reads
//
// What the session says of itself is a claim. It changes the task graph only through Judge: nothing becomes done that was not verified, and a report
// that asks for more than its role may is rejected whole.
package iteration
