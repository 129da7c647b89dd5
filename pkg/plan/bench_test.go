package plan

import (
	"bytes"
	"fmt"
	"testing"
)

// bigPlan is a plan of n tasks with three boxes each, like those that people have agents write.
func bigPlan(n int) []byte {
	var b bytes.Buffer
	b.WriteString("# Big plan\n\n## Overview\n\nWhat it is about.\n\n## Validation Commands\n\n- `go test ./...`\n- `go vet ./...`\n\n## Implementation Steps\n\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "### Task %d: Build part %d\n\n- [ ] write the code of part %d in `pkg/part`\n- [ ] write tests\n- [ ] run project tests\n\n", i, i, i)
	}
	return b.Bytes()
}

func benchmarkParse(b *testing.B, n int) {
	src := bigPlan(n)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		p, err := ParsePlan(src)
		if err != nil || len(p.Tasks) != n {
			b.Fatal(err, len(p.Tasks))
		}
	}
}

func BenchmarkParsePlan10(b *testing.B)    { benchmarkParse(b, 10) }
func BenchmarkParsePlan1000(b *testing.B)  { benchmarkParse(b, 1000) }
func BenchmarkParsePlan10000(b *testing.B) { benchmarkParse(b, 10000) }

func benchmarkReparse(b *testing.B, n int) {
	src := bigPlan(n)
	p, err := ParsePlan(src)
	if err != nil {
		b.Fatal(err)
	}
	src[p.Tasks[n/2].Checkboxes[1].Offset] = 'x'
	b.ReportAllocs()
	for b.Loop() {
		q, err := p.Reparse(src)
		if err != nil || !q.Tasks[n/2].Checkboxes[1].Checked {
			b.Fatal(err)
		}
	}
}

func BenchmarkReparse500(b *testing.B)   { benchmarkReparse(b, 500) }
func BenchmarkReparse10000(b *testing.B) { benchmarkReparse(b, 10000) }

func BenchmarkTick500(b *testing.B) {
	path := writePlan(b, string(bigPlan(500)))
	p, err := ParsePlanFile(path)
	if err != nil {
		b.Fatal(err)
	}
	checked := true
	for b.Loop() {
		if err := p.SetBoxes(250, []int{2}, checked); err != nil {
			b.Fatal(err)
		}
		checked = !checked
	}
}
