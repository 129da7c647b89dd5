package events

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"

	"ralphex/internal/durable"
)

// SumName is the file beside a journal with its hash, as `sha256sum` writes and checks it. A journal grows as long as its run does, so it is not among the
// sums of its bundle: the Writer's Close writes this.
const SumName = FileName + ".sha256"

// sumText is the content of the file.
func sumText(sum []byte) []byte { return []byte(hex.EncodeToString(sum) + "  " + FileName + "\n") }

// continues tells whether a journal is what its sum says, or goes on from there. Without a sum it is: its run was cut off, or is its first one.
func continues(dir string, text []byte) (bool, error) {
	sum, err := durable.ReadFile(filepath.Join(dir, SumName), 4096)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	h := sha256.New()
	for line := range bytes.Lines(text) {
		h.Write(line)
		if bytes.Equal(sum, sumText(h.Sum(nil))) {
			return true, nil
		}
	}
	return false, nil
}
