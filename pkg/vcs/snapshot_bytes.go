package vcs

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// keepBytes puts the files that differ from the last commit into the copied index once more, without the user's filters: a filter that evens
// line ends out loses bytes that nobody has committed, and large file storage keeps a name in the place of the content.
func (s snapshotter) keepBytes(r *repository, head Rev) error {
	base := string(head)
	if base == "" {
		empty, err := s.call(call{access: writes, args: []string{"hash-object", "-t", "tree", "--stdin"}, stdin: []byte{}})
		if err != nil {
			return err
		}
		base = line(empty)
	}
	out, err := s.call(call{access: looks, args: []string{"diff-index", "--cached", "-z", "--raw", "--no-renames", "--full-index", "--diff-filter=d", base}})
	if err != nil {
		return err
	}
	changed, err := parseRaw(out)
	if err != nil {
		return err
	}
	var plain, odd []SnapshotFile
	for _, f := range changed {
		fi, err := os.Lstat(r.abs(f.Path))
		switch {
		case err != nil || !fi.Mode().IsRegular() || f.Mode == "120000" || f.Mode == "160000": // links and folders have no filters
		case strings.ContainsAny(f.Path, "\n\r\"\\"): // the list of names has no way to write these
			odd = append(odd, f)
		default:
			plain = append(plain, f)
		}
	}
	info, err := s.hashRaw(r, plain, odd)
	if err != nil || len(info) == 0 {
		return err
	}
	_, err = s.call(call{access: writes, args: []string{"update-index", "-z", "--index-info"}, stdin: info})
	return err
}

// hashRaw stores the files as they are and returns the lines for update-index.
func (s snapshotter) hashRaw(r *repository, plain, odd []SnapshotFile) ([]byte, error) {
	var info bytes.Buffer
	if len(plain) > 0 {
		var names bytes.Buffer
		for _, f := range plain {
			names.WriteString(f.Path + "\n")
		}
		out, err := s.call(call{access: writes, args: []string{"hash-object", "-w", "--no-filters", "--stdin-paths"}, stdin: names.Bytes()})
		if err != nil {
			return nil, err
		}
		hashes := strings.Fields(string(out))
		if len(hashes) != len(plain) {
			return nil, fmt.Errorf("git hash-object: %d names for %d files", len(hashes), len(plain))
		}
		for i, f := range plain {
			fmt.Fprintf(&info, "%s %s\t%s\x00", f.Mode, hashes[i], f.Path)
		}
	}
	for _, f := range odd {
		content, err := os.ReadFile(r.abs(f.Path))
		if err != nil {
			return nil, &fs.PathError{Op: "keep", Path: f.Path, Err: err}
		}
		out, err := s.call(call{access: writes, args: []string{"hash-object", "-w", "--no-filters", "--stdin"}, stdin: content})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", f.Mode, line(out), f.Path)
	}
	return info.Bytes(), nil
}

func (s snapshotter) call(c call) ([]byte, error) {
	c.env, c.slow = s.env, true
	return s.run.run(s.ctx, c)
}
