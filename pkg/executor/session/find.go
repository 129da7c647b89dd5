package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/proc"
)

// Find tells whether an agent's command can be found; help says what to do where it can't. It starts nothing.
func Find(command, help string) error {
	if _, err := exec.LookPath(command); err != nil {
		return &NotFoundError{Command: command, Err: err, Help: help}
	}
	return nil
}

// NotFoundError says that the agent's command is not there.
type NotFoundError struct {
	Command string
	Err     error
	Help    string
}

func (e *NotFoundError) Error() string {
	if errors.Is(e.Err, exec.ErrNotFound) && !strings.ContainsRune(e.Command, '/') {
		return fmt.Sprintf("the agent %s is not on your PATH", e.Command)
	}
	return fmt.Sprintf("the agent %s can't be run: %v", e.Command, e.Err)
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// Hint says what to do next.
func (e *NotFoundError) Hint() string { return e.Help }

// Version is a CLI's version, by its numbers: "0.171.0" is {0, 171, 0}.
type Version [3]int

// String writes it with dots.
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// Less tells whether v is older.
func (v Version) Less(o Version) bool {
	for i := range v {
		if v[i] != o[i] {
			return v[i] < o[i]
		}
	}
	return false
}

var versionNumber = lazyregexp.New(`(\d+)\.(\d+)(?:\.(\d+))?`)

// ParseVersion finds the first version number in a text.
func ParseVersion(text string) (Version, bool) {
	m := versionNumber.FindStringSubmatch(text)
	if m == nil {
		return Version{}, false
	}
	var v Version
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1])
	}
	return v, true
}

// versionTime is how long a CLI may take to say its version: some start a whole runtime for it.
const versionTime = 20 * time.Second

// AskVersion runs "COMMAND --version". The number may stand on stderr (pi), if the command says that all is well.
func AskVersion(ctx context.Context, command string, env []string) (Version, error) {
	var out, stderr bytes.Buffer
	exit, err := proc.Run(ctx, proc.Cmd{
		Argv: []string{command, "--version"}, Env: env, Stdout: &out, Stderr: &stderr, Timeout: versionTime, Grace: time.Second,
	})
	if err != nil {
		return Version{}, fmt.Errorf("ask %s for its version: %w", command, err)
	}
	v, ok := ParseVersion(out.String())
	if !ok && exit.Code == 0 {
		v, ok = ParseVersion(stderr.String())
	}
	if !ok {
		return Version{}, fmt.Errorf("ask %s for its version: %s, and %q holds no number", command, exit, FirstLine(out.String()))
	}
	return v, nil
}

// VersionText is AskVersion as a text, in the environment of this process.
func VersionText(ctx context.Context, command string) (string, error) {
	v, err := AskVersion(ctx, command, nil)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}
