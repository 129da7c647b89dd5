package term

// HideControls keeps the terminal from echoing control characters (^C, ^\) into the live line, as the public ralphex
// does. restore puts the terminal back as it was; it may be called where nothing was changed.
func (t *IO) HideControls() (restore func()) {
	f, ok := t.In.(interface{ Fd() uintptr })
	if !ok || !t.IsTerminal {
		return func() {}
	}
	return hideControls(int(f.Fd()))
}
