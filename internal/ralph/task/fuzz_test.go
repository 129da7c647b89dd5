package task

import (
	"reflect"
	"testing"

	"ralphex/internal/ralph/stable"
)

// FuzzParse checks that no text makes the reader panic, that what it lets pass is stable, and that no task is lost on the way.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		file(`{"id":"P","title":"p","status":"done"}`, `{"id":"C","title":"c","status":"todo","parentId":"P","depends_on":["P"]}`),
		`{"tasks":[{"id":"A","title":"a","status":"todo","dependsOn":["B","A"]},{"id":"B","title":"b","status":"done","dependsOn":["A"],"parentId":"B"}]}`,
		file(`{"id":"A","title":"\ud800","status":"blocked","acceptance":[1,"x"]}`, `7`), `{"tasks":[],"tasks":[{"id":"A","title":"a","status":"todo"}],"mutationCount":4}`,
		file(`{"id":"A","title":"a","status":"todo","status":"done","id":"B","tier":"simple","tier":1}`, `{"id":"C","title":"\ud83d\ude00","status":"todo","x":{"id":[]}}`),
		`{"version":3,"tasks":[]}`, `{"tasks":[{}],"version":[2]} x`, "{\"tasks\":\n [{\"id\":\"\u00e4\"},\n\u00e4", `{"tasks":{},"mutationCount":1e300}`,
		"", "\ufeff", "[", `[]`, `null`, file(`{"id":"A","title":"a","status":"todo","files":["f"],"relevant_files":["g"],"context":null}`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		oneReading(t, text)
		in := ParseText(text)
		if in.File == nil {
			if !HasErrors(in.Diagnostics) {
				t.Fatalf("no file and no reason: %q", text)
			}
			return
		}
		if n := entriesIn(text); !in.Blank && n != len(in.File.Tasks) {
			t.Fatalf("%d entries became %d tasks: %q", n, len(in.File.Tasks), text)
		}
		out := Stringify(in.File)
		again := ParseText(out)
		if again.File == nil || len(again.Diagnostics) > 0 {
			t.Fatalf("what was written has %v: %s", again.Diagnostics, out)
		}
		if string(Stringify(again.File)) != string(out) {
			t.Fatalf("written again it is other:\n%s\n%s", out, Stringify(again.File))
		}
		if again.Migrated() {
			t.Fatalf("what was written would be migrated:\n%s", out)
		}
		for _, d := range Drawings {
			Draw(in.File.Tasks, d)
		}
		NewGraph(in.File.Tasks).Ready()
	})
}

// oneReading checks that the walk over a text, where it says anything, says what the tree of it says.
func oneReading(t *testing.T, text []byte) {
	t.Helper()
	quick, slow := &Inspection{text: text}, &Inspection{text: text}
	f, ok := quick.walk()
	if !ok {
		if len(quick.Diagnostics) > 0 {
			t.Fatalf("the walk gave up and talks: %v: %q", quick.Diagnostics, text)
		}
		return
	}
	if want := slow.tree(); !reflect.DeepEqual(want, f) || !reflect.DeepEqual(slow, quick) {
		t.Fatalf("two readings of %q:\n%+v %+v\n%+v %+v", text, f, quick, want, slow)
	}
}

// entriesIn counts the tasks of a text in the plainest way.
func entriesIn(text []byte) int {
	o, err := stable.ParseObject(text)
	if err != nil {
		return -1
	}
	v, _ := o.Get("tasks")
	list, ok := v.(*stable.Array)
	if !ok {
		return -1
	}
	return len(list.Items)
}

// FuzzNormalizeNew checks that the pipeline of producers never panics, and that its tasks read back as they are.
func FuzzNormalizeNew(f *testing.F) {
	f.Add([]byte(`{"id":"A","title":"a","rationale":"r","dependencies":[{"taskId":"B"},7],"validation":null,"suggestedValidationCommand":"v"}`))
	f.Add([]byte(`{"id":" ","title":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := stable.ParseObject(text)
		if err != nil {
			return
		}
		before := string(stable.Compact(o))
		task, err := NormalizeNew(o, NewOptions{Parent: &Task{ID: "P", Mode: Documentation, Tier: Simple, Validation: "v"}})
		if string(stable.Compact(o)) != before {
			t.Fatalf("the draft was changed: %s", before)
		}
		if err != nil {
			return
		}
		again, err := NormalizeNew(DraftOf(task), NewOptions{})
		if err != nil || !again.equal(&task) {
			t.Fatalf("%v: %s became %s", err, stable.Compact(&task), stable.Compact(&again))
		}
	})
}
