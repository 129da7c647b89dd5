package term

import (
	"os"

	"golang.org/x/sys/windows"
)

// understands switches escape sequences on; old consoles refuse.
func understands(f *os.File) bool {
	var mode uint32
	h := windows.Handle(f.Fd())
	if windows.GetConsoleMode(h, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

// resized is nothing here: the next redraw asks for the width anyway.
func resized(chan os.Signal) (stop func()) { return func() {} }
