package provenance

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

// SumsFile has the hashes of all files of a bundle and of its iteration, as sha256sum writes and checks them, by paths relative to the bundle.
const SumsFile = "SHA256SUMS"

// NextSums has the sums as they will be when the bundle is written anew; it stays where the process was killed before that.
const NextSums = "SHA256SUMS.next"

// The journal of a bundle, and its own sum: it grows as long as its run does, which may be behind many bundles.
const (
	journalFile = "events.jsonl"
	journalSum  = "events.jsonl.sha256"
)

// growing are files of a bundle that change after it is finished.
var growing = []string{SumsFile, NextSums, journalFile, journalSum, ".gitignore"}

// summed are the files that a bundle may have; each that is there has its sum.
var summed = []string{BundleFile, "summary.md", "preflight-report.json", "preflight-summary.md", "prompt.md", "prompt-evidence.json", "execution-plan.json",
	"cli-invocation.json", "iteration-result.json", "provenance-failure.json", "provenance-failure-summary.md"}

// sums hashes what is written, so that it says what was meant to be there, and not what somebody made of it meanwhile.
type sums map[string]string // by absolute path

func sumOf(data []byte) string {
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:])
}

// text is the file of the sums, for the bundle in a folder.
func (s sums) text(bundle string) ([]byte, error) {
	var lines []string
	for path, hash := range s {
		rel, err := filepath.Rel(bundle, path)
		if err != nil {
			return nil, err
		}
		lines = append(lines, hash+"  "+filepath.ToSlash(rel)+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return []byte(strings.Join(lines, "")), nil
}

// maxKept bounds a file of evidence, in bytes. Nothing larger is written, so what is larger is not what was, and nobody waits until it is read.
const maxKept = 256 << 20

func hashFile(path string) (string, error) {
	if err := durable.CheckRegular(path); err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && fi.Size() > maxKept {
		return "", &durable.TooBigError{Path: path, Limit: maxKept}
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, maxKept+1)) // it may be growing
	switch {
	case err != nil:
		return "", err
	case n > maxKept:
		return "", &durable.TooBigError{Path: path, Limit: maxKept}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// line is one line of the sums.
type line struct{ hash, path string }

// readSums reads a file as sum writes it. Anything else in it is an error with its line.
func readSums(path string) ([]line, error) {
	data, err := durable.ReadFile(path, 16<<20)
	if err != nil {
		return nil, err
	}
	var lines []line
	for i, text := range strings.SplitAfter(string(data), "\n") {
		if text == "" && i > 0 {
			break
		}
		hash, name, ok := strings.Cut(strings.TrimSuffix(text, "\n"), "  ")
		if !ok || !strings.HasSuffix(text, "\n") || len(hash) != 64 || strings.Trim(hash, "0123456789abcdef") != "" || name == "" {
			return nil, fmt.Errorf("line %d is no sum: expected 64 hex digits, two blanks and a path", i+1)
		}
		lines = append(lines, line{hash, name})
	}
	return lines, nil
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
