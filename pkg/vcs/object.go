package vcs

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// parseCommit reads the bytes of a commit object.
func parseCommit(r Rev, b []byte) (commit, error) {
	c := commit{entry: LogEntry{Rev: r}}
	head, message, ok := bytes.Cut(b, []byte("\n\n"))
	if !ok {
		head, message = bytes.TrimSuffix(b, []byte("\n")), nil
	}
	for line := range strings.SplitSeq(string(head), "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.tree = value
		case "parent":
			c.parents = append(c.parents, Rev(value))
		case "author":
			c.entry.Author, _ = parsePerson(value)
		case "committer":
			_, c.entry.Time = parsePerson(value)
		case "encoding":
			return commit{}, errAsk // the CLI recodes the subject
		}
	}
	if !plumbing.IsHash(c.tree) {
		return commit{}, fmt.Errorf("commit %s has no tree", r)
	}
	c.entry.Subject = subject(string(message))
	return c, nil
}

// parsePerson reads "Name <mail> 1769677926 +0100".
func parsePerson(s string) (string, time.Time) {
	name, rest, _ := strings.Cut(s, "<")
	_, stamp, _ := strings.Cut(rest, "> ")
	seconds, _, _ := strings.Cut(stamp, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return strings.TrimSpace(name), time.Time{}
	}
	return strings.TrimSpace(name), time.Unix(n, 0).UTC()
}

// subject is the first paragraph on one line, as git's %s.
func subject(message string) string {
	var lines []string
	for line := range strings.SplitSeq(message, "\n") {
		line = strings.TrimRight(line, " \t\r\v\f")
		if line == "" {
			if lines == nil {
				continue
			}
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, " ")
}

// treeEntry finds a name in the bytes of a tree object: "MODE NAME\0" and 20 bytes of hash, again and again.
func treeEntry(tree []byte, name string) (hash string, folder bool, err error) {
	for len(tree) > 0 {
		head, rest, ok := bytes.Cut(tree, []byte{0})
		mode, n, ok2 := bytes.Cut(head, []byte{' '})
		if !ok || !ok2 || len(rest) < 20 {
			return "", false, errors.New("malformed tree")
		}
		if string(n) == name {
			return fmt.Sprintf("%x", rest[:20]), string(mode) == "40000", nil
		}
		tree = rest[20:]
	}
	return "", false, nil
}
