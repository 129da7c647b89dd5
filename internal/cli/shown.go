package cli

import (
	"io"

	"ralphex/internal/term"
)

// shown is a writer for people: titles, names and texts of others in what is written to it can't move a cursor, hide what stands beside them, or turn the
// direction of writing round. Each call writes whole lines or parts of one. Programs read --json.
func shown(w io.Writer) io.Writer { return shownTo{w} }

type shownTo struct{ w io.Writer }

func (s shownTo) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.w, term.Clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
