package events

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/stable"
)

// FileName is the name of a journal in its bundle's folder.
const FileName = "events.jsonl"

// LineError says which line of a journal is no event.
type LineError struct {
	Path string
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Read returns the events of a journal by their seq. A missing file is an empty journal.
func Read(path string) ([]Event, error) {
	text, err := durable.ReadFile(path, 1<<30)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	var all []Event
	for n, line := range lines(text) {
		e, err := decode(line)
		if err != nil {
			return nil, &LineError{path, n, err}
		}
		if e.Body != nil {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Event) int { return cmp.Compare(a.Seq, b.Seq) })
	return all, nil
}

// lines gives each line that isn't blank with its number. A last one without a newline that is no JSON was never wholly written.
func lines(text []byte) func(func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		for n := 1; len(text) > 0; n++ {
			line, rest, whole := bytes.Cut(text, []byte("\n"))
			text = rest
			if stable.Trim(string(line)) == "" {
				continue
			}
			if _, err := stable.Parse(line); err != nil && !whole {
				return
			}
			if !yield(n, line) {
				return
			}
		}
	}
}
