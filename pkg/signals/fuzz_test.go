package signals

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// FuzzScannerChunks: where the text is cut makes no difference, and nothing counts that is not alone on a line.
func FuzzScannerChunks(f *testing.F) {
	for i, tt := range scanCases {
		if text := strings.Join(tt.blocks, "\n"); len(text) < 20_000 {
			f.Add(text, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		whole := NewScanner()
		whole.Write(text)
		whole.Finish()

		rnd := rand.New(rand.NewPCG(seed, 1))
		cut := NewScanner()
		for rest := text; rest != ""; {
			n := 1 + rnd.IntN(min(len(rest), 1+rnd.IntN(5000)))
			cut.Write(rest[:n])
			rest = rest[n:]
		}
		cut.Finish()
		same(t, whole, cut)

		alone := map[string]int{}
		for line := range strings.SplitSeq(text, "\n") {
			alone[strings.Trim(line, " \t\r")]++
		}
		for _, s := range whole.Signals() {
			if alone[s.Kind.Token()]--; alone[s.Kind.Token()] < 0 {
				t.Fatalf("%s counts and is not alone on a line", s.Kind)
			}
		}
	})
}

func same(t *testing.T, a, b *Scanner) {
	t.Helper()
	if a.Mentions() != b.Mentions() {
		t.Fatalf("mentions: %d whole, %d cut", a.Mentions(), b.Mentions())
	}
	x, y := a.Signals(), b.Signals()
	if len(x) != len(y) {
		t.Fatalf("signals: %v whole, %v cut", describe(x), describe(y))
	}
	for i := range x {
		if x[i].Kind != y[i].Kind || x[i].Draft != y[i].Draft || (x[i].Err == nil) != (y[i].Err == nil) {
			t.Fatalf("signal %d: %+v whole, %+v cut", i, x[i], y[i])
		}
	}
}
