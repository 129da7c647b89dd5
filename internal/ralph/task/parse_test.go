package task

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file is the text of a version-2 file with these entries.
func file(entries ...string) string {
	return `{"version":2,"tasks":[` + strings.Join(entries, ",") + `]}`
}

// mustParse reads a text that has a usable graph.
func mustParse(t testing.TB, text string) *File {
	t.Helper()
	f, err := Parse([]byte(text))
	require.NoError(t, err)
	return f
}

// codes are the codes of diagnostics, in order.
func codes(list []Diagnostic) []Code {
	var out []Code
	for _, d := range list {
		out = append(out, d.Code)
	}
	return out
}

func TestA09KeysAreReadCaseSensitively(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		`{"ID":"T1","title":"a","status":"todo"}`, `{"id":"T1","Title":"a","status":"todo"}`, `{"id":"T1","title":"a","Status":"todo"}`,
		`{"id":"T1","title":"a","status":"TODO"}`, `{"id":"T1","title":"a","status":" todo"}`, `{"id":1,"title":"a","status":"todo"}`,
		`{"id":"\ufeff \t","title":"a","status":"todo"}`, `{"id":"T1","title":"","status":"todo"}`, `{"id":"T1","title":"a"}`,
	} {
		in := ParseText([]byte(file(entry)))
		assert.Nil(t, in.File, entry)
		assert.Equal(t, []Code{EntryInvalid}, codes(in.Diagnostics), entry)
	}
	f := mustParse(t, file(`{"id":"A","title":"a","status":"todo","TIER":"simple","parentid":"B"}`))
	assert.Empty(t, f.Tasks[0].Tier)
	assert.Empty(t, f.Tasks[0].ParentID)
}

func TestA10Coercion(t *testing.T) {
	t.Parallel()
	absent := []string{`null`, `1`, `true`, `{}`, `""`, `" \t\u00a0\ufeff"`, `[]`, `[1,null,"  "]`, `"nothing known"`, `["low"]`, `"LOW"`}
	texts := map[string]bool{"parentId": true, "notes": true, "validation": true, "blocker": true, "lastReconciliationWarning": true}
	lists := map[string]bool{"dependsOn": true, "acceptance": true, "constraints": true, "context": true, "writeRiskLabels": true}
	want := string(Stringify(&File{Tasks: []Task{{ID: "T1", Title: "a", Status: Todo}}}))
	for _, key := range supportedFields[3:] {
		for _, v := range absent {
			isText := strings.HasPrefix(v, `"n`) || v == `"LOW"`
			if texts[key] && isText || lists[key] && v == `["low"]` {
				continue // a value like any other
			}
			f := mustParse(t, file(`{"id":" T1\n","title":"\u2003a ","status":"todo","`+key+`":`+v+`}`))
			assert.Equal(t, want, string(Stringify(f)), "%s: %s", key, v)
		}
	}
	f := mustParse(t, file(`{"id":"T1","title":"a","status":"done","notes":" x\n","acceptance":["\u0085a ",7,"",null,["b"]," c"],"tier":"medium"}`))
	assert.Equal(t, "x", f.Tasks[0].Notes)
	assert.Equal(t, []string{"\u0085a", "c"}, f.Tasks[0].Acceptance, "U+0085 is no blank")
	assert.Equal(t, Medium, f.Tasks[0].Tier)
	f = mustParse(t, file(`{"id":"P","title":"p","status":"todo","tier":"complex","mode":"documentation"}`, `{"id":"C","title":"c","status":"todo","parentId":"P"}`))
	assert.Empty(t, f.Tasks[1].Tier, "reading inherits nothing")
	assert.Empty(t, f.Tasks[1].Mode)
}

func TestA11DependenciesAreUniqueAcceptanceIsNot(t *testing.T) {
	t.Parallel()
	f := mustParse(t, file(`{"id":"A","title":"a","status":"todo"}`, `{"id":"B","title":"b","status":"todo"}`,
		`{"id":"C","title":"c","status":"todo","dependsOn":["B"," A","B ","A"],"acceptance":["x","x "]}`))
	assert.Equal(t, []string{"B", "A"}, f.Tasks[2].DependsOn)
	assert.Equal(t, []string{"x", "x"}, f.Tasks[2].Acceptance)
	many := make([]string, 40)
	for i := range many {
		many[i] = []string{`"A"`, `"B"`}[i%2]
	}
	f = mustParse(t, file(`{"id":"A","title":"a","status":"todo"}`, `{"id":"B","title":"b","status":"todo"}`,
		`{"id":"C","title":"c","status":"todo","dependsOn":[`+strings.Join(many, ",")+`]}`))
	assert.Equal(t, []string{"A", "B"}, f.Tasks[2].DependsOn)
}

func TestA12MisspelledFields(t *testing.T) {
	t.Parallel()
	spellings := map[string][]string{
		"dependsOn":   {"dependencies", "dependency", "dependson", "depends_on", "DependsOn", "DEPENDENCIES", "depends-on"},
		"acceptance":  {"acceptancecriteria", "acceptance_criteria", "acceptanceCriteria", "donecriteria", "done_criteria"},
		"constraints": {"guardrails", "guard_rails", "Guard Rails"},
		"context":     {"files", "relevantfiles", "relevant_files", "relevantFiles"},
	}
	base := `{"id":"A","title":"a","status":"todo"}`
	for target, list := range spellings {
		for _, key := range list {
			in := ParseText([]byte(file(base, `{"id":"B","title":"b","status":"todo","`+key+`":["A"]}`)))
			require.NotNil(t, in.File, key)
			got := string(Stringify(in.File))
			assert.Contains(t, got, `"`+target+"\": [\n        \"A\"", key)
			assert.NotContains(t, got, `"`+key+`"`)
			require.Equal(t, []Code{FieldCorrected}, codes(in.Diagnostics), key)
			assert.Equal(t, Warning, in.Diagnostics[0].Severity)
			assert.Contains(t, in.Diagnostics[0].Message, "Entry 2 at tasks[1] (line 1,")
			assert.Contains(t, in.Diagnostics[0].Message, `"`+target+`"`)
			assert.True(t, in.Migrated())

			in = ParseText([]byte(file(base, `{"id":"B","title":"b","status":"todo","`+key+`":["A"],"`+target+`":null}`)))
			require.NotNil(t, in.File, key)
			assert.NotContains(t, string(Stringify(in.File)), target, "null is there: it is not overwritten")
			assert.Equal(t, []Code{FieldCorrected}, codes(in.Diagnostics), key)
		}
	}
	for _, key := range []string{"type", "taskmode", "task_mode", "tasktype", "task_type", "taskType"} {
		f := mustParse(t, file(`{"id":"A","title":"a","status":"todo","`+key+`":"documentation"}`))
		assert.Equal(t, Documentation, f.Tasks[0].Mode, key)
	}
	in := ParseText([]byte(file(base, `{"id":"B","title":"b","status":"todo","dependency":"A","type":"feature","files":["x"],"relevant_files":["y"],"colour":"red"}`)))
	require.NotNil(t, in.File)
	assert.Len(t, in.Diagnostics, 4, "each is told, also what vanishes")
	assert.Equal(t, Task{ID: "B", Title: "b", Status: Todo, Context: []string{"x"}, Source: in.File.Tasks[1].Source}, in.File.Tasks[1])
}

func TestA13LegacyFilesGetAVersionAndNoParents(t *testing.T) {
	t.Parallel()
	tasks := `"tasks":[{"id":"T1","title":"a","status":"todo"},{"id":"T1.1","title":"b","status":"todo"}]}`
	want := ParseText([]byte(`{"version":2,` + tasks))
	require.NotNil(t, want.File)
	assert.False(t, want.Legacy)
	for _, version := range []string{``, `"version":1,`, `"version":"2",`, `"version":null,`, `"version":1.5,`} {
		in := ParseText([]byte(`{` + version + tasks))
		require.NotNil(t, in.File, version)
		assert.True(t, in.Legacy && in.Migrated(), version)
		assert.Empty(t, in.File.Tasks[1].ParentID, "an id says nothing about parents")
		assert.Equal(t, string(Stringify(want.File)), string(Stringify(in.File)))
	}
}

func TestA14WrittenFilesAreStable(t *testing.T) {
	t.Parallel()
	const want = `{
  "version": 2,
  "tasks": [
    {
      "id": "A",
      "title": "<a> & \u0001",
      "status": "in_progress"
    },
    {
      "id": "B",
      "title": "b",
      "status": "blocked",
      "parentId": "A",
      "dependsOn": [
        "A"
      ],
      "notes": "n",
      "validation": "v",
      "blocker": "x",
      "priority": "low",
      "mode": "default",
      "tier": "simple",
      "acceptance": [
        "1"
      ],
      "constraints": [
        "2"
      ],
      "context": [
        "3"
      ],
      "writeRiskLabels": [
        "4"
      ],
      "lastVerifierResult": "skipped",
      "lastReconciliationWarning": "w"
    }
  ]
}
`
	shuffled := `{"tasks":[{"status":"in_progress","source":{"line":9},"title":"<a> & \u0001","id":"A"},` +
		`{"lastReconciliationWarning":"w","lastVerifierResult":"skipped","writeRiskLabels":["4"],"context":["3"],"constraints":["2"],"acceptance":["1"],` +
		`"tier":"simple","mode":"default","priority":"low","blocker":"x","validation":"v","notes":"n","dependsOn":["A"],"parentId":"A","status":"blocked","title":"b","id":"B"}],` +
		`"extra":{"a":1},"version":2,"mutationCount":MC}`
	for in, out := range map[string]string{
		`null`: want, `-1`: want, `1.5`: want, `"3"`: want, `1e300`: want,
		`7`: strings.TrimSuffix(want, "\n}\n") + ",\n  \"mutationCount\": 7\n}\n",
		`0`: strings.TrimSuffix(want, "\n}\n") + ",\n  \"mutationCount\": 0\n}\n",
	} {
		got := Stringify(mustParse(t, strings.Replace(shuffled, "MC", in, 1)))
		assert.Equal(t, out, string(got), in)
		again := ParseText(got)
		assert.Equal(t, out, string(Stringify(again.File)))
		assert.False(t, again.Migrated())
		assert.False(t, ParseText([]byte(strings.TrimSpace(out)+"\r\n\n")).Migrated(), "blanks at the end are no reason to write")
	}
}

func TestA15SourceLocations(t *testing.T) {
	t.Parallel()
	const entry = `{"id":"%","title":"a","status":"todo"}`
	at := func(id string) string { return strings.Replace(entry, "%", id, 1) }
	tests := []struct {
		name, text string
		want       []string
	}{
		{"one line", `{"version":2,"tasks":[` + at("A") + `, ` + at("B") + `]}`, []string{"tasks[0] (line 1, column 23)", "tasks[1] (line 1, column 63)"}},
		{"nested key before", "{\"x\":{\"tasks\":[1]},\"s\":\"tasks\",\n\"tasks\":[\n" + at("A") + "]}", []string{"tasks[0] (line 3, column 1)"}},
		{"escaped key and quotes", `{"q":"\"tasks\":[","\u0074asks":[` + at("A") + `]}`, []string{"tasks[0] (line 1, column 34)"}},
		{"CRLF and tabs", "{\r\n\t\"tasks\": [\r\n\t\t" + at("A") + "\r\n]}", []string{"tasks[0] (line 3, column 3)"}},
		{"a lone CR ends no line", "{\"tasks\":[\r" + at("A") + "]}", []string{"tasks[0] (line 1, column 12)"}},
		{"astral characters count twice", `{"x":"𝒳é","tasks":[` + at("A") + `]}`, []string{"tasks[0] (line 1, column 21)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := mustParse(t, tt.text)
			var got []string
			for _, task := range f.Tasks {
				got = append(got, task.Source.String())
			}
			assert.Equal(t, tt.want, got)
		})
	}
	in := ParseText([]byte("{\"tasks\":[\n 7,\n\"x\",\n  null]}"))
	require.Len(t, in.Diagnostics, 3)
	for i, want := range []SourceLocation{{0, 2, 2}, {1, 3, 1}, {2, 4, 3}} {
		assert.Equal(t, &want, in.Diagnostics[i].Location)
	}
	f := mustParse(t, `{"tasks":[],"tasks":[`+at("A")+`]}`)
	require.Len(t, f.Tasks, 1, "the last one counts")
	assert.Nil(t, f.Tasks[0].Source, "no place is better than a wrong one")
}

func TestA16AnInvalidEntryEndsTheReading(t *testing.T) {
	t.Parallel()
	in := ParseText([]byte("{\"version\":1,\"tasks\":[\n{\"id\":\"A\",\"title\":\"a\",\"status\":\"open\",\"files\":[]},\n{\"id\":\"B\",\"title\":\"b\",\"status\":\"todo\",\"dependsOn\":[\"A\"]}]}"))
	assert.Nil(t, in.File)
	assert.Equal(t, []Code{FieldCorrected, EntryInvalid}, codes(in.Diagnostics), "that B depends on nothing is not said")
	assert.Equal(t, &SourceLocation{0, 2, 1}, in.Diagnostics[1].Location)
	assert.Contains(t, in.Diagnostics[1].Message, `Entry 1 at tasks[0] (line 2, column 1) is no task: field "status" must be one of "todo"`)
	assert.False(t, in.Migrated(), "nothing may be written")
}

func TestFilesThatAreNoTaskFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Code{
		`{`: FileJSONInvalid, "\ufeff{}": FileJSONInvalid, `{"tasks":[],}`: FileJSONInvalid,
		`null`: FileNotObject, `"x"`: FileNotObject, `3`: FileNotObject,
		`[]`: ArrayMissing, `{}`: ArrayMissing, `{"tasks":{}}`: ArrayMissing, `{"Tasks":[]}`: ArrayMissing, `{"tasks":[],"tasks":null}`: ArrayMissing,
		`{"version":3,"tasks":[]}`: VersionNewer,
	} {
		in := ParseText([]byte(text))
		assert.Equal(t, []Code{want}, codes(in.Diagnostics), text)
		assert.Nil(t, in.File, text)
		assert.Error(t, in.Err("tasks.json"))
	}
	in := ParseText([]byte("{\n \"tasks\": [\n  {]\n}"))
	assert.Contains(t, in.Diagnostics[0].Message, "line 3, column 4", "the reader's reason")
}

func TestA20ParentsThatAreDone(t *testing.T) {
	t.Parallel()
	in := ParseText([]byte(file(`{"id":"P","title":"p","status":"done"}`, `{"id":"C","title":"c","status":"todo","parentId":"P"}`,
		`{"id":"G","title":"g","status":"todo","parentId":"C"}`)))
	require.NotNil(t, in.File)
	require.Equal(t, []Code{ParentCorrected}, codes(in.Diagnostics))
	d := in.Diagnostics[0]
	assert.Equal(t, Warning, d.Severity)
	assert.Equal(t, "C", d.TaskID)
	assert.Equal(t, []string{"P"}, d.RelatedTaskIDs)
	assert.Equal(t, 1, d.Location.ArrayIndex)
	assert.Equal(t, []string{"", "", "C"}, []string{in.File.Tasks[0].ParentID, in.File.Tasks[1].ParentID, in.File.Tasks[2].ParentID})
	assert.True(t, in.Repaired && in.Migrated())
	for _, status := range []string{"in_progress", "blocked"} {
		in := ParseText([]byte(file(`{"id":"P","title":"p","status":"done"}`, `{"id":"C","title":"c","status":"`+status+`","parentId":"P"}`)))
		assert.Nil(t, in.File)
		require.Equal(t, []Code{DoneAboveOpen}, codes(in.Diagnostics))
		assert.Contains(t, in.Diagnostics[0].Message, "C ("+status+")")
		assert.True(t, IsDrift(in.Diagnostics[0].Code))
	}
	in = ParseText([]byte(file(`{"id":"P","title":"p","status":"done"}`, `{"id":"C","title":"c","status":"in_progress","parentId":"P"}`,
		`{"id":"G","title":"g","status":"todo","parentId":"C"}`)))
	assert.Equal(t, []string{"C", "G"}, in.Diagnostics[0].RelatedTaskIDs, "a todo deeper down is drift")
}

func TestA69ATaskMayDependOnItsParent(t *testing.T) {
	t.Parallel()
	in := ParseText([]byte(`{
  "version": 2,
  "tasks": [
    {
      "id": "T1",
      "title": "Top-level task",
      "status": "in_progress",
      "acceptance": ["All child tasks are complete", "Validation passes"],
      "constraints": ["Do not change the task file schema"],
      "context": ["src/ralph/taskFile.ts", "src/ralph/types.ts"]
    },
    {"id": "T1.1", "title": "Child task", "status": "todo", "parentId": "T1", "dependsOn": ["T1"], "tier": "simple"}
  ]
}`))
	require.NotNil(t, in.File)
	assert.Empty(t, in.Diagnostics)
	next, ok := NewGraph(in.File.Tasks).Next(Role{})
	require.True(t, ok)
	assert.Equal(t, "T1", next.ID)
}
