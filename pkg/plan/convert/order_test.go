package convert

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
)

func TestOrder(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"nothing to do", "## A\n- [ ] 1.1 a\n- [ ] 1.2 b\n## B\n- [ ] 2.1 c (depends on 1.2)\n", "A: 1.1 1.2 | B: 2.1"},
		{"within a task", "## A\n- [ ] 1.1 a (depends on 1.3)\n- [ ] 1.2 b\n- [ ] 1.3 c\n", "A: 1.3 1.1 1.2"},
		{"a whole task", "## A\n- [ ] 1.1 a (depends on 2.1)\n## B\n- [ ] 2.1 b\n", "B: 2.1 | A: 1.1"},
		{"what is nested comes along", "## A\n- [ ] 1.1 a (depends on 1.3)\n  - [ ] 1.2 b\n- [ ] 1.3 c\n  - [ ] 1.4 d\n", "A: 1.3 1.4 1.1 1.2"},
		{"a task in parts", "## A\n- [ ] 1.1 a\n- [ ] 1.2 b (depends on 2.1)\n## B\n- [ ] 2.1 c (depends on 1.1)\n- [ ] 2.2 d\n", "A: 1.1 | B: 2.1 | A, part 2: 1.2 | B, part 2: 2.2"},
		{"a chain over three tasks", "## A\n- [ ] 1.1 a (depends on 3.1)\n## B\n- [ ] 2.1 b\n## C\n- [ ] 3.1 c (depends on 2.1)\n", "B: 2.1 | C: 3.1 | A: 1.1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := Convert(FromBytes("x.md", []byte(tc.src)), Options{From: List})
			require.NoError(t, err)
			var got []string
			for _, task := range r.Source.Tasks {
				line := task.Title + ":"
				for _, it := range task.Items {
					line += " " + it.ID
				}
				got = append(got, line)
			}
			assert.Equal(t, tc.want, strings.Join(got, " | "))
		})
	}
}

func TestCircles(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"two boxes", "- [ ] 1.1 a (depends on 1.2)\n- [ ] 1.2 b (depends on 1.1)\n", "1.1 → 1.2 → 1.1"},
		{"through a task", `{"tasks": [{"id": 1, "title": "a", "status": "pending", "dependencies": [], "subtasks": [{"id": 1, "title": "b", "status": "pending", "dependencies": ["2.1"]}]},
			{"id": 2, "title": "c", "status": "pending", "dependencies": [1], "subtasks": [{"id": 1, "title": "d", "status": "pending"}]}]}`, "1.1 → 2 → 1.1"},
		{"itself", `[{"id": "a", "content": "x", "status": "pending", "blockedBy": ["a"]}]`, "a → a"},
		{"parents", `{"version": 2, "tasks": [{"id": "A", "title": "a", "status": "todo", "parentId": "B"}, {"id": "B", "title": "b", "status": "todo", "parentId": "A"}]}`, "A → B → A"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Convert(FromBytes("x.md", []byte(tc.src)), Options{})
			var c *CycleError
			require.True(t, errors.As(err, &c), "%v", err)
			assert.Equal(t, tc.want, strings.Join(c.Path, " → "))
		})
	}
}

// TestDoneStaysDone checks the marks of what a conversion adds.
func TestDoneStaysDone(t *testing.T) {
	src := "## A\n- [x] a\n## B\n- [x] b\n- [ ] c\n## C\n- [-] d\n- [x] Write tests first\n## D\n- [x] e\n- [x] run project tests\n"
	r, err := Convert(FromBytes("x.md", []byte(src)), Options{})
	require.NoError(t, err)
	p, err := plan.ParsePlan(r.Output)
	require.NoError(t, err)
	var got []string
	for _, task := range p.Tasks {
		line := task.Title + ":"
		for _, b := range task.Checkboxes {
			line += map[bool]string{true: " [x]", false: " [ ]"}[b.Checked] + b.Text
		}
		got = append(got, line)
	}
	assert.Equal(t, []string{
		"A: [x]a [x]write tests [x]run project tests",
		"B: [x]b [ ]c [ ]write tests [ ]run project tests",
		"C: [x](skipped) d [x]Write tests first [x]run project tests",
		"D: [x]e [x]write tests [x]run project tests",
		"Verify acceptance criteria: [ ]re-run the whole test suite [ ]run the linter [ ]confirm every requirement of the Overview [ ]write tests [ ]run project tests",
	}, got)
}

// TestOrigins checks that the offset of a mark is right whatever stands before it.
func TestOrigins(t *testing.T) {
	src := "\xef\xbb\xbf# T\r\n<!-- ä\r\n--> \r\n- [ ] a\r\n\t- [x] b <!-- c --> d\r\n1) [X] e\n[ ] f\n- [ ]g\n- [ ] \xff h\n"
	in := FromBytes("x.md", []byte(src))
	r, err := Convert(in, Options{})
	require.NoError(t, err)
	checkResult(t, in, r)
	var got []string
	for _, b := range r.Boxes {
		require.Positive(t, b.Origin.Offset, b.Text)
		got = append(got, src[b.Origin.Offset:b.Origin.Offset+1]+b.Text)
	}
	assert.Equal(t, []string{" a", "xb d", "Xe", " f", " g", " � h"}, got)
}

// TestUTF16 checks that files of other shells are read, and never claimed to be writable.
func TestUTF16(t *testing.T) {
	var data []byte
	data = append(data, 0xff, 0xfe)
	for _, r := range "# Menü\n- [ ] ж\n" {
		data = append(data, byte(r), byte(r>>8))
	}
	r, err := Convert(FromBytes("x.md", data), Options{})
	require.NoError(t, err)
	assert.Contains(t, string(r.Output), "# Menü\n")
	require.Len(t, r.Boxes, 1)
	assert.Equal(t, "ж", r.Boxes[0].Text)
	assert.Equal(t, -1, r.Boxes[0].Origin.Offset)
}

// TestCommands checks what becomes a validation command, and what does not.
func TestCommands(t *testing.T) {
	src := "# T\n## Tasks\n- [ ] a\n## Quality gates\n- `make test`\n- $ make lint\n- `config.yaml` must parse\n```sh\n$ cd web\n$ npm test\n```\n## How to test\n- `rm -rf /`\n"
	r, err := Convert(FromBytes("x.md", []byte(src)), Options{Validate: []string{"make test", "echo `date`"}})
	require.NoError(t, err)
	p, err := plan.ParsePlan(r.Output)
	require.NoError(t, err)
	var got []string
	for _, c := range p.ValidationCommands {
		got = append(got, c.Text)
	}
	assert.Equal(t, []string{"make test", "make lint", "cd web\nnpm test", "echo `date`"}, got)
	assert.Contains(t, string(r.Output), "- `config.yaml` must parse\n")
	assert.Empty(t, r.Losses)
}

// TestDetect checks that each reader says why, and that nothing is taken for a format by its name alone.
func TestDetect(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      Format
	}{
		{"tasks.md", "- [ ] a\n", List},
		{"tasks.json", "- [ ] a\n", List},
		{"a.md", "1. a\n2. b\n", List},
		{"a.md", "Just text.", Prose},
		{"a.md", "[link](https://example.org) and text", Prose},
		{"a.md", "### Task 1: a\n- [ ] b\n", PlanFormat},
		{"a.md", "### Task 1: a\n- [ ] **Step 1: b**\n", Superpowers},
		{"a.md", "### Task 1: a\n- [ ] **Step 1: b**\n\n## Implementation Steps\n", PlanFormat},
		{"a.md", "- [ ] a\n\n/label ~bug\n", Issue},
		{"a.md", "## 1. A\n- [ ] 1.1 b\n", OpenSpec},
		{"a.md", "- [ ] T001 a\n- [ ] T002 b\n", SpecKit},
		{"a.md", "- [ ] 1. a\n  - [ ] 1.1 b\n", Kiro},
		{"a.json", `{"title": "a", "body": "b"}`, Issue},
		{"a.json", `{"todos": [{"content": "a", "status": "pending"}]}`, Todos},
		{"a.json", `{"x": 1}`, ""},
		{"a.json", `{"title": `, ""},
		{"a.md", " \n\t\n", ""},
	} {
		t.Run(tc.src, func(t *testing.T) {
			guesses := Detect(FromBytes(tc.name, []byte(tc.src)))
			if tc.want == "" {
				assert.Empty(t, guesses)
				_, err := Convert(FromBytes(tc.name, []byte(tc.src)), Options{})
				var unknown *UnknownError
				assert.True(t, errors.As(err, &unknown), "%v", err)
				return
			}
			require.NotEmpty(t, guesses)
			assert.Equal(t, tc.want, guesses[0].Format)
			assert.NotEmpty(t, guesses[0].Why)
		})
	}
}

// A task list is known in its folder as it is by itself.
func TestDetectInAFolder(t *testing.T) {
	for src, want := range map[string]Format{
		"## 1. A\n- [ ] 1.1 b\n":       OpenSpec,
		"- [ ] T001 a\n- [ ] T002 b\n": SpecKit,
		"- [ ] 1. a\n  - [ ] 1.1 b\n":  Kiro,
		"- [ ] a\n":                    List,
	} {
		guesses := Detect(FromFS("f", fstest.MapFS{"tasks.md": {Data: []byte(src)}}))
		require.NotEmpty(t, guesses, "%s", src)
		assert.Equal(t, want, guesses[0].Format, "%s", src)
	}
}

// A program holds words, too. With --from it is refused as well, and so is a file beside the source.
func TestBinaryIsNoSource(t *testing.T) {
	for _, from := range []Format{"", Prose, OpenSpec} {
		_, err := Convert(FromBytes("a.bin", []byte("words of it\nmore\x00\x01words\n")), Options{From: from})
		var unknown *UnknownError
		require.ErrorAs(t, err, &unknown, "%s", from)
		assert.Contains(t, err.Error(), "a.bin:2:5: a byte 0")
		assert.NotContains(t, unknown.Hint(), "--from")
	}
	_, err := Convert(FromFS("f", fstest.MapFS{"tasks.md": {Data: []byte("- [ ] a\n")}, "spec.md": {Data: []byte{0}}}), Options{From: SpecKit})
	assert.ErrorContains(t, err, "f/spec.md:1:1: a byte 0")
	r, err := Convert(FromBytes("a.md", []byte("\xff\xfe-\x00 \x00[\x00 \x00]\x00 \x00a\x00\n\x00")), Options{})
	require.NoError(t, err, "UTF-16 is text")
	assert.Len(t, r.Source.Tasks, 1)
}

func BenchmarkConvert(b *testing.B) {
	var src strings.Builder
	for i := range 200 {
		src.WriteString("## Group " + itoa(i) + "\n\nSome words about it.\n\n")
		for range 10 {
			src.WriteString("- [ ] do the next thing with `code`\n  - a detail of it\n")
		}
	}
	in := []byte(src.String())
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if _, err := Convert(FromBytes("x.md", in), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
