package stable

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Stabler is what knows how it is written: Stable returns a value that Marshal takes.
type Stabler interface{ Stable() any }

// Marshal prints as JSON.stringify(v, null, 2) does, and one newline. It takes what Parse returns, int, int64, []string,
// []any and Stablers, and nil lists as empty ones; another type is a mistake in the program, and panics. What is undefined isn't set.
func Marshal(v any) []byte {
	w := writer{indent: true}
	w.value(v)
	return append(w.b, '\n')
}

// Compact prints as JSON.stringify(v) does: no blanks, no newline.
func Compact(v any) []byte {
	var w writer
	w.value(v)
	return w.b
}

type writer struct {
	b      []byte
	depth  int
	indent bool
}

func (w *writer) value(v any) {
	switch v := v.(type) {
	case nil:
		w.b = append(w.b, "null"...)
	case bool:
		w.b = strconv.AppendBool(w.b, v)
	case float64:
		w.b = appendNumber(w.b, v)
	case int:
		w.b = strconv.AppendInt(w.b, int64(v), 10)
	case int64:
		w.b = strconv.AppendInt(w.b, v, 10)
	case string:
		w.b = appendString(w.b, v)
	case []string:
		list(w, v, w.str)
	case []any:
		list(w, v, w.value)
	case *Array:
		list(w, v.Items, w.value)
	case *Object:
		w.object(v)
	case Stabler:
		w.value(v.Stable())
	default:
		panic(fmt.Sprintf("stable: a %T has no JSON", v))
	}
}

func (w *writer) str(s string) { w.b = appendString(w.b, s) }

func list[T any](w *writer, items []T, each func(T)) {
	if len(items) == 0 {
		w.b = append(w.b, "[]"...)
		return
	}
	w.b = append(w.b, '[')
	w.depth++
	for i, v := range items {
		w.item(i)
		each(v)
	}
	w.end(']')
}

func (w *writer) object(o *Object) {
	if len(o.members) == 0 {
		w.b = append(w.b, "{}"...)
		return
	}
	w.b = append(w.b, '{')
	w.depth++
	for i, m := range o.ordered() {
		w.item(i)
		w.b = appendString(w.b, m.key)
		w.b = append(w.b, ':')
		if w.indent {
			w.b = append(w.b, ' ')
		}
		w.value(m.val)
	}
	w.end('}')
}

// item begins the i-th item.
func (w *writer) item(i int) {
	if i > 0 {
		w.b = append(w.b, ',')
	}
	w.line()
}

func (w *writer) end(c byte) {
	w.depth--
	w.line()
	w.b = append(w.b, c)
}

func (w *writer) line() {
	if !w.indent {
		return
	}
	w.b = append(w.b, '\n')
	for range w.depth {
		w.b = append(w.b, "  "...)
	}
}

// appendNumber prints as JavaScript does: no exponent from 1e-6 up to below 1e21, -0 is 0, and what is no number is null.
func appendNumber(b []byte, f float64) []byte {
	abs := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(b, "null"...)
	case f == 0:
		return append(b, '0')
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	if n := len(b); b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') { // e-07 is e-7 there
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

const hexDigits = "0123456789abcdef"

// appendString prints the literal. Bytes that are neither UTF-8 nor a kept surrogate become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := decode(s[i:])
			if !isSurrogate(r) && (r != utf8.RuneError || n > 1) {
				i += n
				continue
			}
			b = append(b, s[from:i]...)
			b, n = appendOdd(b, s[i:], r, n)
			i += n
			from = i
			continue
		}
		b = append(b, s[from:i]...)
		b = appendEscape(b, c)
		i++
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// appendOdd prints a surrogate, with its other half if that follows, or a byte that is no UTF-8.
func appendOdd(b []byte, s string, r rune, n int) ([]byte, int) {
	if !isSurrogate(r) {
		return utf8.AppendRune(b, utf8.RuneError), n
	}
	if isHigh(r) {
		if low, m := decode(s[n:]); isLow(low) {
			return utf8.AppendRune(b, join(r, low)), n + m
		}
	}
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15]), n
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
