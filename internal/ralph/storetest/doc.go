// Package storetest holds the packages of the .ralph store together as its users do: several processes at once, and processes that die in the
// middle of a write.
//
//	test ── starts itself ──▶ child: random operations, one line of output each ──▶ test adds them up
//	     ── starts itself ──▶ child: one operation, killed before its n-th step  ──▶ test opens what is left
//
// It has no code but tests.
package storetest
