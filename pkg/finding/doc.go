// Package finding knows what reviewers say is wrong: reads it out of their text, recognises it when it comes
// back, and remembers what became of it.
//
//	a reviewer's text ─► Parse ─► Report ─► Ledger.Add ─► Delta: new, known, reopened, returned, same as last time
//	                                            │
//	a fact (commit, tree), a reason ─► Ledger.Settle
//	                                            │
//	                                            ├─► Prompt    what the next round and the next reviewer are told
//	                                            ├─► Entries   the summary, `ralphex findings`
//	                                            └─► Change    its Fact is for the journal; Ledger.Read reads it back
//
// A finding is known by its ID, which is made of its file and of the words of its text. Lines are no part of it,
// so what moved is the same finding. What a reviewer says of a finding's fate ("=> fixed") is a claim; Judge weighs
// it against what really changed.
package finding
