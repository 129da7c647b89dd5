package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Version is the format that this package writes, and the newest that it reads.
const Version = 1

var errNoData = errors.New("event without data")

// MarshalJSON gives the line of the journal, without its newline.
func (e Event) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e) }

// AppendJSON appends the line of the journal, without a newline. On an error dst is returned as it was. Output, of
// which there may be a hundred megabytes, is written without reflection.
func AppendJSON(dst []byte, e Event) ([]byte, error) {
	if e.Data == nil {
		return dst, errNoData
	}
	start := len(dst)
	dst = appendEnvelope(dst, e)
	switch d := e.Data.(type) {
	case Output:
		dst = appendOutput(dst, d)
	case Unknown:
		dst = appendRaw(dst, d.Raw)
	default:
		raw, err := marshal(d)
		if err != nil {
			return dst[:start], err
		}
		dst = append(dst, raw...)
	}
	return append(dst, '}'), nil
}

func appendEnvelope(dst []byte, e Event) []byte {
	dst = append(dst, `{"v":1,"seq":`...)
	dst = strconv.AppendInt(dst, e.Seq, 10)
	dst = append(dst, `,"time":"`...)
	dst = e.Time.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, `","run":`...)
	dst = appendString(dst, string(e.Run))
	if e.Phase != PhaseNone {
		dst = append(dst, `,"phase":`...)
		dst = appendString(dst, string(e.Phase))
	}
	if e.Task != 0 {
		dst = append(dst, `,"task":`...)
		dst = strconv.AppendInt(dst, int64(e.Task), 10)
	}
	dst = append(dst, `,"type":`...)
	dst = appendString(dst, string(e.Data.Kind()))
	return append(dst, `,"data":`...)
}

func appendOutput(dst []byte, o Output) []byte {
	dst = append(dst, `{"text":`...)
	dst = appendString(dst, o.Text)
	if o.Source != FromAgent {
		dst = append(dst, `,"source":`...)
		dst = appendString(dst, string(o.Source))
	}
	if o.Partial {
		dst = append(dst, `,"partial":true`...)
	}
	return append(dst, '}')
}

func appendRaw(dst, raw []byte) []byte {
	if len(raw) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, raw...)
}

// marshal is json.Marshal, but leaves <, > and & readable: signals are full of them.
func marshal(d Data) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// plain tells of each byte whether a JSON string may hold it as it is.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return t
}()

// plainAll tells it of eight bytes at once. It may say no where plain says yes of each.
func plainAll(s string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	v := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return ((v^ones*'"'-ones)|(v^ones*'\\'-ones)|(v-ones*' '))&^v&highs == 0
}

// appendString appends s as a JSON string. Bytes that are no UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		for i+8 <= len(s) && plainAll(s[i:i+8]) {
			i += 8
		}
		if i == len(s) || plain[s[i]] {
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, s[i])
		start = i + 1
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// AppendString appends s as a JSON string that holds <, > and & as they are. Bytes that are no UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s) }

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}
