package cli

import (
	"errors"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// belowStore is the part of a path that is below .ralph, of any checkout: it is only looked for in that of the run.
func belowStore(name string) (string, bool) {
	name = path.Clean(filepath.ToSlash(name))
	if i := strings.LastIndex(name, "/"+storeDir+"/"); i >= 0 {
		name = name[i+1:]
	}
	rest, ok := strings.CutPrefix(name, storeDir+"/")
	return filepath.FromSlash(rest), ok && filepath.IsLocal(filepath.FromSlash(rest))
}

// text is a string to be read and closed.
func text(s string) io.ReadCloser { return io.NopCloser(strings.NewReader(s)) }

// outputs is several outputs, one after the other.
type outputs struct {
	parts []io.ReadCloser
	at    int
}

// add puts an output behind the others, with a line before it.
func (o *outputs) add(head string, body io.ReadCloser) {
	o.parts = append(o.parts, text(head), body)
}

// Read goes through them.
func (o *outputs) Read(p []byte) (int, error) {
	for o.at < len(o.parts) {
		n, err := o.parts[o.at].Read(p)
		if errors.Is(err, io.EOF) {
			err = nil
			o.at++
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.EOF
}

// Close closes them all.
func (o *outputs) Close() error {
	var err error
	for _, part := range o.parts {
		err = errors.Join(err, part.Close())
	}
	return err
}
