package state

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/stable"
)

// The lines of the file that a number changes, up to their values. No other line begins like that: what lies deeper is indented by more.
const (
	nextLine    = "\n  \"nextIteration\": "
	updatedLine = "\n  \"updatedAt\": "
)

// counted is the next number, and the file with the number behind it, where the file is still, to the byte, what this Store wrote last: then it is a state, and
// need not be read as one. A run of many short iterations would spend more time on the histories in it than on anything else. 0 = it must be read.
func (s *Store) counted() (text []byte, n int) {
	wrote := s.wrote.Load()
	if wrote == nil {
		return nil, 0
	}
	have, err := durable.ReadFile(s.path, int64(len(*wrote)))
	if err != nil || !bytes.Equal(have, *wrote) {
		return nil, 0
	}
	before, next, found := bytes.Cut(have, []byte(nextLine))
	number, behind, ended := bytes.Cut(next, []byte(","))
	n, err = strconv.Atoi(string(number))
	if !found || !ended || err != nil || n < 1 {
		return nil, 0
	}
	text = fmt.Appendf(nil, "%s%s%d,%s", before, nextLine, n+1, behind)
	before, updated, found := bytes.Cut(text, []byte(updatedLine))
	end := bytes.IndexByte(updated, '\n')
	if !found || end < 0 || bytes.ContainsRune(updated[:end], ',') {
		return nil, 0 // it is the last line of all
	}
	return fmt.Appendf(nil, "%s%s%q%s", before, updatedLine, stable.Time(time.Now()), updated[end:]), n
}
