package cli

import (
	"io"

	"ralphex/internal/term"
)

// plainly is a writer for people: titles, names and texts of others in what is written to it can't move a cursor, hide what stands beside them, or turn the
// direction of writing round. Each call writes whole lines or parts of one. Programs read --json.
func plainly(w io.Writer) io.Writer { return plainTo{w} }

type plainTo struct{ w io.Writer }

func (s plainTo) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.w, term.Clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
