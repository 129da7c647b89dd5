package task

import (
	"fmt"
	"testing"
)

// backlog is a graph of n tasks as people have them: one parent for nine tasks, a chain inside, a tenth of it open.
func backlog(n int) *File {
	f := &File{}
	for i := range n {
		t := Task{ID: fmt.Sprintf("T%d", i), Title: fmt.Sprintf("Make part %d of the product do what it should", i), Status: Done,
			Notes: "What is known about it, in a sentence of some length.", Validation: "go test ./internal/...", Acceptance: []string{"it works", "its test is green"}}
		if i >= n*9/10/10*10 {
			t.Status = Todo
		}
		if i%10 != 0 {
			t.ParentID = fmt.Sprintf("T%d", i/10*10)
		}
		if i%10 > 1 {
			t.DependsOn = []string{fmt.Sprintf("T%d", i-1)}
		}
		f.Tasks = append(f.Tasks, t)
	}
	return f
}

var benchSizes = []int{100, 1000, 10_000, 100_000}

func bench(b *testing.B, run func(b *testing.B, f *File, text []byte)) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := backlog(n)
			text := Stringify(f)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			run(b, f, text)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/task")
		})
	}
}

// BenchmarkReady is what "task ready" waits for: reading the text, all checks, the list.
func BenchmarkReady(b *testing.B) {
	bench(b, func(b *testing.B, _ *File, text []byte) {
		for b.Loop() {
			in := ParseText(text)
			if in.File == nil || len(NewGraph(in.File.Tasks).Ready()) == 0 {
				b.Fatal("nothing is ready")
			}
		}
	})
}

// BenchmarkCheck is the checks of a graph in memory.
func BenchmarkCheck(b *testing.B) {
	bench(b, func(b *testing.B, f *File, _ []byte) {
		for b.Loop() {
			if ds := NewGraph(f.Tasks).Check(); len(ds) > 0 {
				b.Fatal(ds[0].Message)
			}
		}
	})
}

// BenchmarkStringify is the text of a file.
func BenchmarkStringify(b *testing.B) {
	bench(b, func(b *testing.B, f *File, _ []byte) {
		for b.Loop() {
			Stringify(f)
		}
	})
}
