package vcs

// RawOf is a change as git's porcelain v2 prints it.
func RawOf(c Change) string { return c.raw }
