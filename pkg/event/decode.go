package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// VersionError is a line of a format that this version can't read.
type VersionError struct{ Version int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("event of format %d, this version reads up to %d", e.Version, Version)
}

// Hint says what a person can do.
func (e *VersionError) Hint() string {
	return "a newer ralphex wrote this; run that version, or upgrade"
}

type envelope struct {
	V     int             `json:"v"`
	Seq   int64           `json:"seq"`
	Time  time.Time       `json:"time"`
	Run   RunID           `json:"run"`
	Phase Phase           `json:"phase"`
	Task  int             `json:"task"`
	Type  Kind            `json:"type"`
	Data  json.RawMessage `json:"data"`
}

// Decode reads a line that AppendJSON wrote. A kind that it does not know becomes Unknown. The error is a *VersionError for
// a newer format.
func Decode(line []byte) (Event, error) {
	if e, ok := decodeOutput(line); ok {
		return e, nil
	}
	return decodeAny(line)
}

func decodeAny(line []byte) (Event, error) {
	var env envelope
	err := json.Unmarshal(line, &env)
	if v := versionOf(line, env, err); v > Version {
		return Event{}, &VersionError{v}
	}
	switch {
	case err != nil:
		return Event{}, fmt.Errorf("decode event: %w", err)
	case env.V < 1:
		return Event{}, fmt.Errorf("decode event: no format version")
	case env.Type == "":
		return Event{}, fmt.Errorf("decode event %d: no type", env.Seq)
	}
	e := Event{Seq: env.Seq, Time: env.Time, Run: env.Run, Phase: env.Phase, Task: env.Task}
	read := readers[env.Type]
	if read == nil {
		u := Unknown{Name: env.Type}
		if string(env.Data) != "null" {
			u.Raw = bytes.Clone(env.Data)
		}
		e.Data = u
		return e, nil
	}
	d, err := read(env.Data)
	if err != nil {
		return Event{}, fmt.Errorf("decode event %d, %s: %w", env.Seq, env.Type, err)
	}
	e.Data = d
	return e, nil
}

// versionOf finds the version also in a line whose other fields have types of a newer format.
func versionOf(line []byte, env envelope, err error) int {
	if err == nil {
		return env.V
	}
	var only struct {
		V int `json:"v"`
	}
	_ = json.Unmarshal(line, &only) // what is no JSON has version 0
	return only.V
}

// Limits of the numbers in a journal.
const (
	minLine = 8       // less than any event takes there, in bytes: lines that somebody took out leave their numbers unused
	maxSeq  = 1 << 40 // more than any run ever tells
)

// Fits tells whether the event can stand at an offset of a journal whose first line has the number first; 0 = that is not known, or this is the first line.
// Numbers go up by one from line to line, so one that is greater than there is room for lines before it was never written by a run, and whoever believed
// it would take all that follows for old. A journal that was deleted during its run is begun anew, with the number that the run had come to.
func (e Event) Fits(first, offset int64) bool {
	return e.Seq <= maxSeq && (first == 0 || e.Seq <= first+offset/minLine)
}

// UnmarshalJSON is Decode.
func (e *Event) UnmarshalJSON(line []byte) (err error) {
	*e, err = Decode(line)
	return err
}

// KindOf reads the kind of a line that AppendJSON wrote, and nothing else of it, so that a reader can pass over the
// kinds it does not want. ok is false for a line of another hand: Decode it.
func KindOf(line []byte) (kind Kind, ok bool) {
	const key = `,"type":"`
	// No field before type holds a quotation mark within its value, or AppendJSON would have escaped it.
	head := line[:min(len(line), 256)]
	i := bytes.Index(head, []byte(key))
	if i < 0 || !bytes.HasPrefix(line, []byte(`{"v":1,"seq":`)) {
		return "", false
	}
	name := head[i+len(key):]
	n := bytes.IndexByte(name, '"')
	if n < 0 {
		return "", false
	}
	return Kind(name[:n]), true
}
