package vcs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func (w *wrapper) Status(ctx context.Context) (Status, error) {
	s, err := w.status(ctx)
	if err != nil {
		return Status{}, fmt.Errorf("read status: %w", err)
	}
	return s.Without(w.exclude...), nil
}

// status reads lines, which any wrapper has; NUL-separated entries are taken once a wrapper has shown that it knows them. One that doesn't may
// answer nothing at all to "-z", so an empty answer counts only with the lines' word for it.
func (w *wrapper) status(ctx context.Context, paths ...string) (Status, error) {
	args := []string{"status", "--porcelain", "-uall"}
	zargs := append(args[:2:2], "-z", "-uall")
	if len(paths) > 0 && len(paths) <= maxArgs {
		args = append(append(args, "--"), paths...)
		zargs = append(append(zargs, "--"), paths...)
	}
	nul, known := w.can.asked("-z")
	if nul || !known {
		out, err := w.run.look(ctx, zargs...)
		switch {
		case err != nil && (nul || exitCode(err) < 0):
			return Status{}, err
		case err != nil || len(out) > 0 && out[len(out)-1] != 0:
			w.can.set("-z", false)
		case len(out) > 0:
			w.can.set("-z", true)
			return w.sift(parseShort(string(out), true))(paths)
		case nul:
			return Status{}, nil
		}
	}
	out, err := w.run.look(ctx, args...)
	if err != nil {
		return Status{}, err
	}
	if len(out) > 0 && !nul && !known {
		w.can.set("-z", false)
	}
	return w.sift(parseShort(string(out), false))(paths)
}

// sift keeps what lies under the paths, for a wrapper that passes them over.
func (w *wrapper) sift(s Status, err error) func(paths []string) (Status, error) {
	return func(paths []string) (Status, error) {
		if err != nil || len(paths) == 0 {
			return s, err
		}
		return s.Under(paths...), nil
	}
}

// parseShort reads "XY PATH" entries: lines with git's quotes and "OLD -> NEW" for a rename, or NUL-separated "XY NEW\0OLD".
func parseShort(out string, nul bool) (Status, error) {
	var s Status
	end := "\n"
	if nul {
		end = "\x00"
	}
	for len(out) > 0 {
		entry, rest, _ := strings.Cut(out, end)
		out = rest
		if !nul {
			entry = strings.TrimSuffix(entry, "\r")
		}
		if entry == "" || strings.HasPrefix(entry, "!! ") || strings.HasPrefix(entry, "## ") {
			continue
		}
		if len(entry) < 4 || entry[2] != ' ' {
			return Status{}, fmt.Errorf("status --porcelain: expected two letters, a blank and a path, got %q", entry)
		}
		c := Change{Index: dot(entry[0]), Work: dot(entry[1]), Path: entry[3:]}
		renamed := strings.ContainsAny(entry[:2], "RC")
		switch {
		case renamed && nul:
			c.From, out, _ = strings.Cut(out, end)
		case !nul:
			c.Path = extractPathFromPorcelain(entry)
			if renamed {
				c.From = extractOrigin(entry)
			}
		}
		c.raw = c.String()
		s.Changes = append(s.Changes, c)
	}
	return s, nil
}

// dot turns a blank of the short format into the dot of our letters.
func dot(letter byte) byte {
	if letter == ' ' {
		return '.'
	}
	return letter
}

// extractPathFromPorcelain takes the path out of a line of `status --porcelain`, the new one of a rename: "R  old -> new".
func extractPathFromPorcelain(line string) string {
	_, path := porcelainPaths(line)
	return path
}

func extractOrigin(line string) string {
	from, _ := porcelainPaths(line)
	return from
}

func porcelainPaths(line string) (from, path string) {
	if len(line) < 4 {
		return "", ""
	}
	rest := line[3:]
	if !strings.ContainsAny(line[:2], "RC") {
		return "", unquote(rest)
	}
	at := strings.Index(rest, " -> ")
	if strings.HasPrefix(rest, `"`) { // an arrow within quotes is part of the name
		if end := quotedEnd(rest); end > 0 && strings.HasPrefix(rest[end:], " -> ") {
			at = end
		}
	}
	if at < 0 {
		return "", unquote(rest)
	}
	return unquote(rest[:at]), unquote(rest[at+len(" -> "):])
}

// quotedEnd is where the quoted name that s begins with ends, -1 if it doesn't.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// unquote undoes git's quoting. What isn't quoted as git does is a name as it stands.
func unquote(name string) string {
	if len(name) < 2 || name[0] != '"' || quotedEnd(name) != len(name) {
		return name
	}
	var b strings.Builder
	in := name[1 : len(name)-1]
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' {
			b.WriteByte(in[i])
			continue
		}
		if i++; i >= len(in) {
			return name
		}
		if at := strings.IndexByte(`abtnvfr"\`, in[i]); at >= 0 {
			b.WriteByte("\a\b\t\n\v\f\r\"\\"[at])
			continue
		}
		if i+3 > len(in) {
			return name
		}
		n, err := strconv.ParseUint(in[i:i+3], 8, 8)
		if err != nil {
			return name
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String()
}

func (w *wrapper) Ignored(ctx context.Context, path string) (bool, error) {
	if !w.can.has("check-ignore") {
		return false, nil
	}
	err := w.checkIgnore(ctx, path)
	if exitCode(err) == 1 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("ask whether %s is ignored: %w", path, err)
	}
	return true, nil
}

// checkIgnore: git takes names only here, and refuses to be told so.
func (w *wrapper) checkIgnore(ctx context.Context, path string) error {
	if strings.HasPrefix(path, ":") {
		path = "./" + path
	}
	_, err := w.run.run(ctx, call{access: looks, args: []string{"check-ignore", "-q", "--", path}, env: []string{"GIT_LITERAL_PATHSPECS=0"}})
	return err
}

// Tracked: a file that is there, isn't "??" and isn't ignored is known; so is one that is missing and differs.
func (w *wrapper) Tracked(ctx context.Context, path string) (bool, error) {
	s, err := w.status(ctx, path)
	if err != nil {
		return false, fmt.Errorf("ask whether %s is tracked: %w", path, err)
	}
	for _, c := range s.Changes {
		if c.Path == path {
			return !c.Untracked() && c.Index != 'D', nil
		}
	}
	if fi, err := os.Lstat(w.abs(path)); err != nil || fi.IsDir() {
		return false, nil
	}
	ignored, err := w.Ignored(ctx, path)
	return !ignored, err
}

func (w *wrapper) Fingerprint(ctx context.Context) (Fingerprint, error) {
	s, err := w.Status(ctx)
	if err != nil {
		return "", err
	}
	return w.FingerprintOf(ctx, s)
}

// FingerprintOf needs nothing of a wrapper but HEAD and the status: what is dirty is read here.
func (w *wrapper) FingerprintOf(ctx context.Context, s Status) (Fingerprint, error) {
	h, err := w.Head(ctx)
	if err != nil {
		return "", err
	}
	return fingerprintOf(ctx, h, s, w.abs)
}

func fingerprintOf(ctx context.Context, h Head, s Status, abs func(string) string) (Fingerprint, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\x00", h.Rev, h.Branch)
	for _, c := range s.Changes {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		fmt.Fprintf(sum, "%s\x00", c.raw)
		if err := hashFile(sum, abs(c.Path)); err != nil {
			return "", fmt.Errorf("fingerprint %s: %w", c.Path, err)
		}
	}
	return Fingerprint(hex.EncodeToString(sum.Sum(nil))), nil
}
