package term

import "golang.org/x/sys/windows"

// Not a console: an error, and nothing to drop.
func forgetInput(fd int) { _ = windows.FlushConsoleInputBuffer(windows.Handle(fd)) }
