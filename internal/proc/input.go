package proc

import (
	"fmt"
	"io"
	"os"
)

// Input is what a command reads on its standard input, whole before the command starts. Through a pipe it would come in pieces, and
// a command outlives us: if we were killed between its start and our last byte, it would take the pieces that it has for everything.
// A cut prompt is another task, and an empty list of paths makes "git commit" commit all that is staged. The caller closes it by
// CloseInput when the command has ended.
func Input(text string) (*os.File, error) {
	f, err := os.CreateTemp("", "ralphex-input-")
	if err != nil {
		return nil, fmt.Errorf("keep its input: %w", err)
	}
	_ = os.Remove(f.Name()) // so that a kill leaves none; where an open file can't be removed, CloseInput does it
	if _, err = f.WriteString(text); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		CloseInput(f)
		return nil, fmt.Errorf("keep its input: %w", err)
	}
	return f, nil
}

// CloseInput closes what Input made, and removes it where that could not be done before.
func CloseInput(f *os.File) {
	_ = f.Close()
	_ = os.Remove(f.Name())
}
