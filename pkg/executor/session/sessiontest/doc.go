// Package sessiontest shows what a dialect understands of recorded streams, as pages that a person can read.
//
//	testdata/streams/NAME.stdout, NAME.stderr   what a real CLI printed
//	testdata/golden/NAME.txt                    what we understood: text, tools, claims, notes, usage, failure
package sessiontest
