// Package wait waits, and stops waiting when there is nothing to wait for any more.
//
//	For ──► d is over: nil
//	   └──► the context ends: its cause
package wait
