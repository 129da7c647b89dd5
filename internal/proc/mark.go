package proc

import (
	"crypto/rand"
	"strings"
	"time"
)

// MarkEnv is the name of the environment variable that every process of a session carries.
const MarkEnv = "RALPHEX_SESSION"

// NewMark returns a mark that no other session has, e.g. "JZ6KQXW4TNV5".
func NewMark() string { return rand.Text()[:16] }

// withMark replaces the mark of an outer session.
func withMark(env []string, mark string) []string {
	if mark == "" {
		return env
	}
	out := make([]string, 0, len(env)+1)
	for _, e := range env {
		if !strings.HasPrefix(e, MarkEnv+"=") {
			out = append(out, e)
		}
	}
	return append(out, MarkEnv+"="+mark)
}

// EndOptions are the knobs of EndMarked; the zero value works.
type EndOptions struct {
	Grace time.Duration // between the polite and the hard end; 0 = DefaultGrace
	Keep  []string      // nil = DefaultKeep
}
