package task

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "schema", "tasks.json"))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("tasks.json", doc))
	s, err := c.Compile("tasks.json")
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, text)
	return s.Validate(doc)
}

const workspaceFile = "testdata/workspace/.ralph/tasks.json"

func TestRealWorkspaceOpensAndStaysAsItIs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(workspaceFile)
	require.NoError(t, err)
	in := ParseText(text)
	require.NoError(t, in.Err(workspaceFile))
	assert.Empty(t, in.Diagnostics)
	assert.False(t, in.Migrated())
	assert.Equal(t, string(text), string(Stringify(in.File)), "to the byte")
	assert.NoError(t, validate(t, schema(t), string(text)))
	g := NewGraph(in.File.Tasks)
	assert.Equal(t, "T2.1", ids(g.Ready()))
	assert.Equal(t, "T2.1 T2.2", ids(g.Remaining("T2")))
	assert.Equal(t, Counts{Todo: 2, InProgress: 2, Blocked: 1, Done: 1}, g.Counts())
	// What an hour of work does to it.
	s := storeOf(t, string(text))
	for _, id := range []string{"T2.1", "T2.2"} {
		_, err := s.Done(t.Context(), id)
		require.NoError(t, err)
	}
	assert.Contains(t, s.show(t), "T2 in_progress - T1,T2.1,T2.2", "a parent with a validation is verified by itself")
	c, err := s.Done(t.Context(), "T2")
	require.NoError(t, err)
	assert.EqualValues(t, 20, *c.File.MutationCount)
	assert.Equal(t, "T3", ids(NewGraph(c.File.Tasks).Ready()))
}

func TestWhatIsWrittenKeepsTheSchema(t *testing.T) {
	t.Parallel()
	s := schema(t)
	for _, text := range []string{
		string(Stringify(&File{})), string(Stringify(defaultGraph())), string(Stringify(backlog(50))),
		string(Stringify(mustParse(t, file(`{"id":" A ","title":"a","status":"todo","notes":"","dependsOn":["A2","A2"],"tier":"huge","x":1}`, `{"id":"A2","title":"b","status":"done","acceptance":[]}`)))),
	} {
		assert.NoError(t, validate(t, s, text), text)
	}
	good, err := os.ReadFile(workspaceFile)
	require.NoError(t, err)
	for _, tt := range [][2]string{
		{`"version": 2`, `"version": 1`}, {`"status": "done"`, `"status": "finished"`}, {`"title": "Its page"`, `"title": " "`}, {`"tier": "complex"`, `"tier": null`},
		{`"mutationCount": 17`, `"mutationCount": -1`}, {`"priority": "low"`, `"colour": "red"`}, {`"blocker": "`, `"blocker": " `},
		{"\"dependsOn\": [\n        \"T2\"\n      ]", `"dependsOn": []`}, {"\"dependsOn\": [\n        \"T2\"\n      ]", `"dependsOn": ["T2", "T2"]`},
	} {
		bad := strings.Replace(string(good), tt[0], tt[1], 1)
		require.NotEqual(t, string(good), bad, tt[0])
		assert.Error(t, validate(t, s, bad), tt[1])
	}
}
