package signals

import (
	"strings"
	"testing"
)

// Short lines, as coalesced text deltas bring them.
func BenchmarkScannerLines(b *testing.B) {
	text := strings.Repeat("Reading the file `pkg/x/y.go` now.\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		NewScanner().Write(text)
	}
}

// One line without end.
func BenchmarkScannerLongLine(b *testing.B) {
	text := strings.Repeat("x", 32<<10)
	const pieces = 2048 // 64 MiB
	b.SetBytes(int64(len(text) * pieces))
	for b.Loop() {
		s := NewScanner()
		for range pieces {
			s.Write(text)
		}
		s.Finish()
	}
}

// Deltas of a few bytes.
func BenchmarkScannerDeltas(b *testing.B) {
	b.SetBytes(8 * 8)
	s := NewScanner()
	for b.Loop() {
		for range 7 {
			s.Write("a delta ")
		}
		s.Write("the end\n")
	}
}
