package check

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bigPlan is a plan of about so many lines that breaks no rule, or several in each task.
func bigPlan(lines int, clean bool) []byte {
	var b bytes.Buffer
	b.WriteString("# Big plan\n\n" + frameSections + "\n## Implementation Steps\n\n")
	head := bytes.Count(b.Bytes(), []byte("\n"))
	n := 1
	for ; head+9*n < lines; n++ {
		if clean {
			fmt.Fprintf(&b, "### Task %d: Build part %d\n\nIt is in `pkg/part`, and the handler calls it.\n\n- [ ] write the code of part %d in `pkg/part`\n- [x] document it\n- [ ] write tests\n- [ ] run project tests\n\n", n, n, n)
		} else {
			fmt.Fprintf(&b, "### Task %d: Build part %d\n\nIt is in `pkg/part`, and the handler calls it.\n\n* [ ] write the code of part %d in `pkg/part`\n- [X] document it\n- [~] ask the operators\n- [ ] write tests\n\n", n+1, n, n)
		}
	}
	b.WriteString(strings.Replace(frameLast, "Task 2", fmt.Sprintf("Task %d", n), 1))
	return b.Bytes()
}

func TestBigPlans(t *testing.T) {
	require.Empty(t, Check(bigPlan(200, true), Options{}))
	fixed, rest, err := FixAll(bigPlan(2000, false), Options{})
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Empty(t, Check(fixed, Options{}))
}

// BenchmarkComments has many comments that stand above each other: time must not grow with their square.
func BenchmarkComments(b *testing.B) {
	src := []byte(strings.Repeat("<!-- ralphex-check: off box-mark -->\n<!-- ralphex-check: off-file box-mark -->\n", 5_000))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Check(src, Options{})
	}
}

// BenchmarkCheck1000Plans checks 1,000 plans of 200 lines: to be under 1 s.
func BenchmarkCheck1000Plans(b *testing.B) {
	src := bigPlan(200, true)
	b.ReportAllocs()
	for b.Loop() {
		for range 1000 {
			if f := Check(src, Options{}); len(f) > 0 {
				b.Fatal(f[0])
			}
		}
	}
}

// BenchmarkFix5MB repairs a plan of 5 MB in which each task is wrong in several ways: to be under 1 s.
func BenchmarkFix5MB(b *testing.B) {
	src := bigPlan(248_000, false)
	require.Greater(b, len(src), 5<<20)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := FixAll(src, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
