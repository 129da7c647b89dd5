package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

// Find returns the state of the newest run of the plan if that run has no end: what is to be resumed. It is nil if there
// is none. dir is .ralph/events, plan the absolute path as RunStart has it.
func Find(dir, plan string) (*State, error) {
	s, err := Latest(dir, plan, nil)
	if err != nil || s == nil || !s.Unfinished() {
		return nil, err
	}
	return s, nil
}

// Latest returns the state of the newest run of the plan, ended or not, or nil, among those whose start pleases; nil = all.
// Of a run that ended it reads only the first and the last event.
func Latest(dir, plan string, pleases func(event.RunStart) bool) (*State, error) {
	plan = filepath.Clean(plan)
	runs, err := runIDs(dir)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		s, err := ends(pathOf(dir, run))
		if err != nil {
			return nil, err
		}
		if s == nil || filepath.Clean(s.Start.Plan) != plan || pleases != nil && !pleases(s.Start) {
			continue
		}
		if s.Unfinished() {
			return read(s.Path)
		}
		return s, nil
	}
	return nil, nil
}

// Summary is a run in a list.
type Summary struct {
	Run     event.RunID
	Path    string // of the journal
	Size    int64  // of the journal, in bytes
	Started time.Time
	Last    time.Time // of the newest event
	Start   event.RunStart
	End     *event.RunEnd // nil: the run died, or lives (the run lock tells)
	Waiting *event.Wait   // for a limit, as the newest fact
	Paused  *event.Pause  // it holds its place, as the newest fact
	Since   time.Time     // of Paused
	Err     error         // why the rest is empty: a journal that can't be read
}

// ListRuns returns the runs in dir, the newest first. It reads the first and last event of each. A journal that can't be read
// is in the list, with its error; the error of the call is about dir. A dir that does not exist has no runs.
func ListRuns(dir string) ([]Summary, error) {
	runs, err := runIDs(dir)
	if err != nil {
		return nil, err
	}
	var list []Summary
	for _, run := range runs {
		sum := Summary{Run: run, Path: pathOf(dir, run)}
		s, err := ends(sum.Path)
		switch {
		case err != nil:
			sum.Err = err
		case s == nil:
			continue // died before its first event
		default:
			sum.Started, sum.Last, sum.Start, sum.End = s.Started, s.Last, s.Start, s.End
			sum.Waiting, sum.Paused, sum.Since = s.Waiting, s.Paused, s.PausedSince
		}
		if info, err := os.Stat(sum.Path); err == nil {
			sum.Size = info.Size()
		}
		list = append(list, sum)
	}
	return list, nil
}

// runIDs returns the runs that have a journal, the newest first.
func runIDs(dir string) (runs []event.RunID, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list journals: %w", err)
	}
	for _, entry := range entries {
		if run, ok := runOf(entry.Name()); ok && entry.Type().IsRegular() {
			runs = append(runs, run)
		}
	}
	slices.Sort(runs)
	slices.Reverse(runs)
	return runs, nil
}

// ends reads the RunStart and the last event of a journal. It returns nil if there is no RunStart: the run died before
// it had begun.
func ends(path string) (*State, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	s := &State{Path: path}
	if ok, err := s.readStart(f); !ok {
		return nil, err
	}
	return s, s.readEnd(f, info.Size())
}

// readEnd reads the last event, and the RunEnd if only notes (of a sink in trouble) stand behind it.
func (s *State) readEnd(f *os.File, size int64) error {
	const near = 16
	for range near {
		line, offset, err := durable.LastLine(f, size)
		if err != nil {
			return fmt.Errorf("read journal %s: %w", s.Path, err)
		}
		e, err := event.Decode(line)
		if err == nil {
			err = rightNumber(e, 0, offset)
		}
		if err != nil {
			return fmt.Errorf("read journal: %w", &durable.CorruptError{Path: s.Path, Offset: offset, Err: err})
		}
		if s.LastSeq == 0 {
			s.Last, s.LastSeq = e.Time, e.Seq
		}
		switch d := e.Data.(type) {
		case event.RunEnd:
			s.End = &d
			return nil
		case event.Note, event.Order:
			size = offset
		case event.Wait:
			if !d.Until.IsZero() {
				s.Waiting = &d
			}
			return nil
		case event.Pause:
			if !d.Over {
				s.Paused = &d
				s.PausedSince = e.Time
			}
			return nil
		default:
			return nil
		}
		if size == 0 {
			return nil
		}
	}
	return nil
}

// readStart reads the RunStart, which is the first event, or near it.
func (s *State) readStart(f *os.File) (bool, error) {
	const near = 16
	r := NewReader(f, s.Path, 0)
	for range near {
		e, err := r.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, err
		}
		if start, ok := e.Data.(event.RunStart); ok {
			s.Run, s.Started, s.Start = e.Run, e.Time, start
			return true, nil
		}
	}
	return false, nil
}
