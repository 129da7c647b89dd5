package task

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/stable"
)

// WrittenName is the log, among the other logs of a workspace, of who wrote the task graph: a line for each change that a program of ours made.
const WrittenName = "tasks.jsonl"

// maxWritten is how long the log gets before it is begun anew, in bytes; the one before is kept beside it.
const maxWritten = 1 << 20

// written is a line of the log.
type written struct {
	At      string   `json:"at"`
	PID     int      `json:"pid"`
	Changed []string `json:"changed"`
	Removed []string `json:"removed,omitempty"`
}

// note adds a line, right before the change is written and under its lock. A log that can't be written stops nothing: for a change that is not in it a person is asked.
func (s Store) note(c *Change) {
	if s.Log == "" {
		return
	}
	line, err := json.Marshal(written{stable.Time(time.Now()), os.Getpid(), c.Changed, c.Removed})
	if err != nil {
		return
	}
	if fi, err := os.Stat(s.Log); err == nil && fi.Size() > maxWritten {
		_ = os.Rename(s.Log, s.Log+".1")
	}
	if os.MkdirAll(filepath.Dir(s.Log), 0o750) != nil || durable.CheckRegular(s.Log) != nil {
		return
	}
	f, err := os.OpenFile(s.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(append(line, '\n'))
	_ = f.Close()
}

// Mark is the end of the log as it is now.
func (s Store) Mark() int64 {
	fi, err := os.Stat(s.Log)
	if err != nil {
		return 0
	}
	return fi.Size()
}

// WrittenSince are the ids of the tasks that programs of ours have changed since the mark, and wrote so.
func (s Store) WrittenSince(mark int64) map[string]bool {
	text, _ := durable.ReadFile(s.Log, 2*maxWritten) //nolint:errcheck // what can't be read tells of nobody
	if int64(len(text)) < mark {                     // it was begun anew
		old, _ := durable.ReadFile(s.Log+".1", 2*maxWritten) //nolint:errcheck // as above
		if int64(len(old)) < mark {
			mark, old = 0, nil
		}
		text = append(old, text...)
	}
	ids := map[string]bool{}
	for line := range strings.Lines(string(text[mark:])) {
		var w written
		if json.Unmarshal([]byte(line), &w) != nil {
			continue
		}
		for _, id := range append(w.Changed, w.Removed...) {
			ids[id] = true
		}
	}
	return ids
}
