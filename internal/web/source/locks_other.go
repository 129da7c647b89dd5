//go:build !linux && !darwin

package source

// locksTell tells whether a lock on the file can be seen from here whoever holds it. The public ralphex takes none here.
func locksTell(string) bool { return false }
