//go:build !unix

package cli

// alive says yes: where it is hard to know, the end of the stream is the sign of a client that is gone.
func alive(int) bool { return true }
