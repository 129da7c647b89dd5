package convert

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
)

// TestJSONRoundTrip checks that the model written as JSON gives the same plan as the model itself.
func TestJSONRoundTrip(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			in := open(t, s.name)
			direct, err := Convert(in, Options{})
			require.NoError(t, err)
			model, err := Convert(in, Options{To: ToJSON})
			require.NoError(t, err)
			back, err := Convert(FromBytes("x.json", model.Output), Options{})
			require.NoError(t, err)
			assert.Equal(t, JSONFormat, back.Format)
			assert.Equal(t, withoutFrom(direct), string(back.Output))
			again, err := Convert(FromBytes("x.json", model.Output), Options{To: ToJSON})
			require.NoError(t, err)
			assert.Equal(t, string(model.Output), string(again.Output))
		})
	}
}

// withoutFrom is a plan without the sentence about its source, which the model leaves to the writer.
func withoutFrom(r *Result) string {
	out := string(r.Output)
	if i := strings.Index(out, "Converted from "); i >= 0 {
		rest := out[i+strings.Index(out[i:], "\n"):]
		if strings.HasPrefix(rest, "\n\n## ") {
			return out[:i] + "Nothing beyond what the tasks say." + rest
		}
		return out[:i] + strings.TrimLeft(rest, "\n")
	}
	return out
}

// TestRalphRoundTrip checks that tasks, boxes and their states survive .ralph/tasks.json.
func TestRalphRoundTrip(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			in := open(t, s.name)
			first, err := Convert(in, Options{})
			require.NoError(t, err)
			file, err := Convert(FromBytes("x.md", first.Output), Options{To: ToRalph})
			require.NoError(t, err)
			back, err := Convert(FromBytes("tasks.json", file.Output), Options{})
			require.NoError(t, err)
			assert.Equal(t, Ralph, back.Format)
			checkResult(t, FromBytes("tasks.json", file.Output), back)
			assert.Empty(t, back.Losses)
			assert.Equal(t, shapeOf(t, first.Output), shapeOf(t, back.Output))
			// From there on nothing changes any more.
			again, err := Convert(FromBytes("x.md", back.Output), Options{To: ToRalph})
			require.NoError(t, err)
			plan2, err := Convert(FromBytes("tasks.json", again.Output), Options{})
			require.NoError(t, err)
			assert.Equal(t, string(back.Output), string(plan2.Output))
		})
	}
}

var idInFront = regexp.MustCompile(`^(?:(?:[A-Z]+\d*|\d+)(?:\.\d+)*[.]? )+`)

// shapeOf is what both formats hold: titles, boxes, states. Ids that one format writes in front are left out.
func shapeOf(t *testing.T, src []byte) []string {
	p, err := plan.ParsePlan(src)
	require.NoError(t, err)
	var out []string
	for _, task := range p.Tasks {
		out = append(out, "task "+task.Title)
		for _, b := range task.Checkboxes {
			text := withoutMark(b.Text)
			text = idInFront.ReplaceAllString(text, "")
			out = append(out, string(b.State)+" "+text)
		}
	}
	for _, c := range p.ValidationCommands {
		if !strings.Contains(c.Text, "\n") {
			out = append(out, strings.Split(c.Text, " && ")...)
		}
	}
	return out
}

// TestRalphFile checks the bytes: keys in order, no escapes that JavaScript would not write.
func TestRalphFile(t *testing.T) {
	src := "# T\n\n### Task 1: a < b & \"c\"\n- [x] ä\u2028ö\n- [ ] (manual) d\n\n### Task 2: e\n- [ ] f (depends on T1)\n"
	r, err := Convert(FromBytes("p.md", []byte(src)), Options{To: ToRalph, Validate: []string{"make test", "make lint"}})
	require.NoError(t, err)
	want := `{
  "version": 2,
  "tasks": [
    {
      "id": "T1",
      "title": "a < b & \"c\"",
      "status": "in_progress",
      "validation": "make test && make lint"
    },
    {
      "id": "T1.1",
      "title": "ä ö",
      "status": "done",
      "parentId": "T1"
    },
    {
      "id": "T1.2",
      "title": "(manual) d",
      "status": "todo",
      "parentId": "T1"
    },
    {
      "id": "T2",
      "title": "e",
      "status": "todo",
      "validation": "make test && make lint"
    },
    {
      "id": "T2.1",
      "title": "f (depends on T1)",
      "status": "todo",
      "parentId": "T2",
      "dependsOn": [
        "T1"
      ]
    }
  ]
}
`
	assert.Equal(t, want, string(r.Output))
}

// TestShowJSON checks that what `ralphex show --json` prints can be read.
func TestShowJSON(t *testing.T) {
	p, err := plan.ParsePlan([]byte("# T\n\n## Validation Commands\n- `make`\n\n### Task 1: a\n- [x] b\n- [~] c\n"))
	require.NoError(t, err)
	src, err := json.Marshal(p)
	require.NoError(t, err)
	r, err := Convert(FromBytes("show.json", src), Options{})
	require.NoError(t, err)
	assert.Equal(t, JSONFormat, r.Format)
	assert.Contains(t, string(r.Output), "- `make`\n")
	assert.Contains(t, string(r.Output), "### Task 1: a\n\n- [x] b\n- [ ] (manual) c\n- [ ] write tests\n")
}

func TestNewerModel(t *testing.T) {
	_, err := Convert(FromBytes("x.json", []byte(`{"version": 2, "title": "a", "tasks": [{"title": "b", "checkboxes": []}]}`)), Options{From: JSONFormat})
	assert.ErrorContains(t, err, "newer")
}
