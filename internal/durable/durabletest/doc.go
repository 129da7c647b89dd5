// Package durabletest shows what is left of a durable write that ends early: by a kill -9 between any two of its system
// calls, or by an error of one of them.
//
//	Steps(do) ──▶ [create chmod write fsync close rename fsync-folder]
//	KillBefore(4) … do()   the process dies before fsync        (in a child of the test)
//	FailBefore(4, ENOSPC) … do()   fsync answers with ENOSPC    (in the test itself)
package durabletest
