package provenance

import (
	"fmt"
	"strings"
)

// The texts that are kept of a session are at most so many bytes, of which the head comes from the beginning.
const (
	maxText  = 512 << 10
	headText = 24 << 10
)

// Text gathers a text of any length in bounded memory, as Cap would keep it. Its zero value is empty.
type Text struct {
	kept    []byte
	dropped int // bytes behind the head that are gone
}

// Add appends.
func (t *Text) Add(s string) {
	t.kept = append(t.kept, s...)
	if over := len(t.kept) - 2*maxText; over > 0 {
		cut := len(t.kept) - maxText // what could still be the tail stays
		t.kept = append(t.kept[:headText], t.kept[cut:]...)
		t.dropped += cut - headText
	}
}

// Bytes is the text, cut in its middle where it is too long.
func (t *Text) Bytes() []byte {
	if t.dropped == 0 && len(t.kept) <= maxText {
		return t.kept
	}
	notice := fmt.Sprintf("\n[… %d bytes are left out here …]\n", t.dropped+len(t.kept)-maxText)
	head := strings.ToValidUTF8(string(t.kept[:headText]), "")
	tail := strings.ToValidUTF8(string(t.kept[len(t.kept)-(maxText-headText-len(notice)):]), "")
	return []byte(head + notice + tail)
}

// Cap cuts a text that is too long to be kept, with a line that says so: its head and its tail are what people look for.
func Cap(text []byte) []byte { return (&Text{kept: text}).Bytes() }
