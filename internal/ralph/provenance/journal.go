package provenance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"

	"ralphex/internal/durable"
)

// journal holds the bundle's journal, if it has one, against its sum. Lines behind those that were summed are no difference: its run was gone on with, and did
// not come to its end.
func (c *check) journal() {
	at, atSum := filepath.Join(c.dir, journalFile), filepath.Join(c.dir, journalSum)
	data, err := durable.ReadFile(at, maxKept)
	lines, sumErr := readSums(atSum)
	switch {
	case isGone(err) && isGone(sumErr): // a later bundle of its run
		return
	case isGone(sumErr):
		c.Notes = append(c.Notes, journalFile+" has no sum: its run was cut off, or goes on")
		return
	case sumErr == nil && (len(lines) != 1 || lines[0].path != journalFile):
		sumErr = errors.New("it names another file")
	}
	if sumErr != nil {
		c.differs(atSum, "it can't be read as the sum of "+journalFile+": "+sumErr.Error(), "", "")
		return
	}
	want, h, n := lines[0].hash, sha256.New(), 0
	switch {
	case isGone(err):
		c.differs(at, "it is gone", want, "")
		return
	case err != nil:
		c.differs(at, "it can't be read: "+err.Error(), want, "")
		return
	}
	for line := range bytes.Lines(data) {
		h.Write(line)
		n += len(line)
		if hex.EncodeToString(h.Sum(nil)) != want {
			continue
		}
		if n < len(data) {
			c.Notes = append(c.Notes, journalFile+" has lines behind those that were summed: its run was gone on with, and was cut off or goes on")
		}
		c.Files++
		return
	}
	c.differs(at, "its bytes are not those that were summed", want, hex.EncodeToString(h.Sum(nil)))
}
