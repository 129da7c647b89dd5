package jsonl

import (
	"bytes"
	"strconv"
)

const (
	maxString   = 4 << 10 // of a string's raw inside; a longer one is cut
	maxSkeleton = 1 << 20 // of all that is left
)

// skeleton copies JSON that comes in pieces and cuts its long strings. It checks nothing: that is done when the copy is read.
type skeleton struct {
	max   int    // maxString, less in tests
	nonce string // begins a reference; no text can hold it by chance
	out   []byte
	full  bool // more than maxSkeleton: out is useless
	spans []span

	inside bool // a string
	start  int64
	begun  int  // length of out where the string's inside began
	cut    bool // no more of this string is copied
	slash  bool // the byte before was a backslash
}

// add takes the next piece; at is its place in the line.
func (k *skeleton) add(b []byte, at int64) {
	for i := 0; i < len(b) && !k.full; {
		if !k.inside {
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				k.copy(b[i:])
				return
			}
			k.copy(b[i : i+n+1])
			i += n + 1
			k.inside, k.start, k.begun = true, at+int64(i), len(k.out)
			continue
		}
		i = k.string(b, i, at)
	}
}

// string goes on within a string, to its end or that of the piece.
func (k *skeleton) string(b []byte, i int, at int64) int {
	quote := -1
	for i < len(b) {
		if k.slash {
			k.slash = false
			k.copyInside(b[i : i+1])
			i++
			continue
		}
		if quote < i {
			if quote = bytes.IndexByte(b[i:], '"'); quote >= 0 {
				quote += i
			} else {
				quote = len(b)
			}
		}
		n := bytes.IndexByte(b[i:quote], '\\')
		switch {
		case n >= 0:
			k.copyInside(b[i : i+n])
			k.checkCut()
			k.copyInside(b[i+n : i+n+1])
			k.slash = true
			i += n + 1
		case quote == len(b):
			k.copyInside(b[i:])
			return len(b)
		default:
			k.copyInside(b[i:quote])
			k.endString(at + int64(quote))
			k.copy(b[quote : quote+1])
			return quote + 1
		}
	}
	return i
}

// checkCut cuts a string that has become long, at a place where no escape is torn.
func (k *skeleton) checkCut() {
	if !k.cut && len(k.out)-k.begun > k.max {
		k.cut = true
	}
}

func (k *skeleton) copyInside(b []byte) {
	if k.cut {
		return
	}
	room := max(0, k.max+1-(len(k.out)-k.begun))
	if len(b) > room && len(b) > 1 {
		k.copy(b[:room])
		k.cut = true
		k.dropTorn()
		return
	}
	k.copy(b)
}

// dropTorn removes the beginning of a \u escape that the cut has torn.
func (k *skeleton) dropTorn() {
	end := k.out[max(k.begun, len(k.out)-5):]
	i := bytes.LastIndexByte(end, '\\')
	if i < 0 || i+1 < len(end) && end[i+1] != 'u' {
		return
	}
	i += len(k.out) - len(end)
	run := 0
	for j := i; j >= k.begun && k.out[j] == '\\'; j-- {
		run++
	}
	if run%2 == 1 {
		k.out = k.out[:i]
	}
}

func (k *skeleton) endString(at int64) {
	k.inside = false
	if !k.cut {
		return
	}
	k.cut = false
	k.copy([]byte(`\u0000` + k.nonce[1:] + strconv.Itoa(len(k.spans))))
	k.spans = append(k.spans, span{k.start, at})
}

func (k *skeleton) copy(b []byte) {
	if len(k.out)+len(b) > maxSkeleton {
		k.full = true
		return
	}
	k.out = append(k.out, b...)
}
