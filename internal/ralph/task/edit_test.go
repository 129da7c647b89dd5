package task

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDoneCompletesAncestorsOrIsRefused(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "A todo - C,D", "C in_progress A", "D todo A", "E todo - A")
	before := s.bytes(t)
	for _, id := range []string{"A", "E"} {
		_, err := s.Done(t.Context(), id)
		var refused *NotDoneError
		require.ErrorAs(t, err, &refused, id)
		assert.Equal(t, before, s.bytes(t))
	}
	_, err := s.Set(t.Context(), "A", "status", "done")
	var refused *NotDoneError
	require.ErrorAs(t, err, &refused, "whichever way it is asked")
	assert.Equal(t, before, s.bytes(t))
	c, err := s.Done(t.Context(), "C")
	require.NoError(t, err)
	assert.Equal(t, []string{"C"}, c.Changed)
	c, err = s.Done(t.Context(), "D")
	require.NoError(t, err)
	assert.Equal(t, []string{"A", "D"}, c.Changed)
	assert.Len(t, c.Warnings, 1)
	c, err = s.Done(t.Context(), "D")
	require.NoError(t, err)
	assert.False(t, c.Wrote, "done twice is done once")
	assert.EqualValues(t, 2, *c.File.MutationCount)

	c, err = s.Set(t.Context(), "D", "status", "todo")
	require.NoError(t, err)
	assert.Equal(t, []string{"A", "D"}, c.Changed, "a parent above open work is open")
	assert.Equal(t, []string{"A in_progress - C,D", "C done A", "D todo A", "E todo - A"}, s.show(t))

	s = storeWith(t, "A done", "B done - A")
	before = s.bytes(t)
	_, err = s.Set(t.Context(), "A", "status", "in_progress")
	assert.ErrorContains(t, err, "Task B")
	assert.Equal(t, before, s.bytes(t), "what depends on it would be done behind it")
}

// A part that depends on its parent, as in the seed's sample (A69): one alone can't be done, and both at once can.
func TestWhatWaitsForEachOtherIsDoneTogether(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "A in_progress", "B todo A A", "C todo A B", "D todo - A", "E blocked - D,F", "F todo")
	before := s.bytes(t)
	for id, want := range map[string][]string{"A": {"A", "B", "C"}, "B": {"B", "A", "C"}, "C": {"C", "B", "A"}, "D": nil, "E": nil} {
		_, err := s.Done(t.Context(), id)
		var refused *NotDoneError
		require.ErrorAs(t, err, &refused, id)
		assert.Equal(t, want, refused.Together, id)
		assert.Equal(t, want != nil, strings.HasSuffix(refused.Hint(), "ralphex task done "+strings.Join(want, " ")) && want != nil, id)
	}
	_, done, err := s.DoneAll(t.Context(), []string{"B", "A"})
	require.Error(t, err, "C is left below A")
	assert.Empty(t, done)
	assert.Equal(t, before, s.bytes(t))
	c, done, err := s.DoneAll(t.Context(), []string{"E", "D", "C", "B", "B", "A"})
	assert.ErrorContains(t, err, "task E can't be done: it depends on tasks that are not done: F (todo)")
	assert.Equal(t, []string{"D", "C", "B", "A"}, done, "as they were named")
	assert.EqualValues(t, 1, *c.File.MutationCount, "in one write")
	assert.Equal(t, []string{"A done", "B done A A", "C done A B", "D done - A", "E blocked - D,F", "F todo"}, s.show(t))

	s = storeWith(t, "P todo", "A todo P", "B todo A A")
	c, _, err = s.DoneAll(t.Context(), []string{"A", "B"})
	require.NoError(t, err)
	assert.Equal(t, []string{"P", "A", "B"}, c.Changed, "with the last part its parent")
	assert.Len(t, c.Warnings, 1)
}

func TestBlock(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "A todo")
	_, err := s.Block(t.Context(), "A", "  ")
	require.Error(t, err)
	c, err := s.Block(t.Context(), "A", "waits for the vendor\n")
	require.NoError(t, err)
	assert.Equal(t, "waits for the vendor", c.File.Tasks[0].Blocker)
	assert.Equal(t, Blocked, c.File.Tasks[0].Status)
	c, err = s.Set(t.Context(), "A", "status", "todo")
	require.NoError(t, err)
	assert.Empty(t, c.File.Tasks[0].Blocker, "what blocked it is over")
}

func TestAdd(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "T1 todo", "T2 done", "T4 todo - T1")
	c, err := s.Add(t.Context(), draft("title", "x", "priority", "high"), AddOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"T3"}, c.Changed)
	c, err = s.Add(t.Context(), draft("title", "y"), AddOptions{ID: "Y", Parent: "T2"})
	require.NoError(t, err)
	assert.Equal(t, []string{"T2", "Y"}, c.Changed)
	assert.Len(t, c.Warnings, 1)
	_, err = s.Add(t.Context(), draft("title", "z", "dependsOn", array([]string{"T4"})), AddOptions{ID: "Z", Parent: "T1"})
	require.NoError(t, err, "a part that waits for what waits for the whole: the whole can't wait for it")
	assert.Equal(t, []string{"T1 todo", "T2 in_progress - Y", "T4 todo - T1", "T3 todo", "Y todo T2", "Z todo T1 T4"}, s.show(t))
	before := s.bytes(t)
	var taken *TakenError
	_, err = s.Add(t.Context(), draft("title", "z"), AddOptions{ID: "T1"})
	require.ErrorAs(t, err, &taken)
	var unknown *UnknownTaskError
	_, err = s.Add(t.Context(), draft("title", "z"), AddOptions{Parent: "t-1"})
	require.ErrorAs(t, err, &unknown)
	assert.Equal(t, "T1", unknown.Near)
	_, err = s.Add(t.Context(), draft("title", " "), AddOptions{})
	require.Error(t, err)
	assert.Equal(t, before, s.bytes(t))
}

func TestSet(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "A todo", "B todo", "P done")
	for _, tt := range []struct {
		field  string
		values []string
		want   string
	}{
		{"title", []string{" new "}, `"title": "new"`},
		{"depends_on", []string{"B", "B"}, `"dependsOn": [` + "\n        \"B\"\n      ]"},
		{"acceptance-criteria", []string{"x", "y"}, `"acceptance": [`},
		{"Tier", []string{"complex"}, `"tier": "complex"`},
		{"notes", []string{"<b>"}, `"notes": "<b>"`},
	} {
		_, err := s.Set(t.Context(), "A", tt.field, tt.values...)
		require.NoError(t, err, tt.field)
		assert.Contains(t, s.bytes(t), tt.want)
	}
	for _, field := range []string{"dependsOn", "acceptance", "tier", "notes"} {
		_, err := s.Set(t.Context(), "A", field)
		require.NoError(t, err, field)
		assert.NotContains(t, s.bytes(t), `"`+field+`"`)
	}
	c, err := s.Set(t.Context(), "A", "parentId", "P")
	require.NoError(t, err)
	assert.Equal(t, []string{"A", "P"}, c.Changed, "P is in progress again")
	before := s.bytes(t)
	for field, values := range map[string][]string{"id": {"Z"}, "colour": {"red"}, "tier": {"huge"}, "title": {""}, "status": {"open"}, "notes": {"a", "b"},
		"dependsOn": {"nothing"}, "parentId": {"A"}, "priority": {"LOW"}} {
		_, err := s.Set(t.Context(), "A", field, values...)
		assert.Error(t, err, field)
		assert.Equal(t, before, s.bytes(t), field)
	}
	var hinted interface{ Hint() string }
	_, err = s.Set(t.Context(), "A", "colour", "red")
	require.ErrorAs(t, err, &hinted)
	assert.Contains(t, hinted.Hint(), "acceptance")
}

func TestDecomposition(t *testing.T) {
	t.Parallel()
	for title, want := range map[string][]string{
		"Add the parser and update the docs":       {"The parser", "The docs"},
		"Parse, print":                             {"Reproduce with a deterministic check: Parse, print", "Make the smallest bounded fix: Parse, print"},
		"one and two AND three then four":          {"One", "Two", "Three"},
		"Write the band's page":                    nil,
		"Move from A through B":                    {"Reproduce with a deterministic check: Move from A through B", "Make the smallest bounded fix: Move from A through B"},
		"Sand the table together with the chairs.": {"Sand the table", "The chairs."},
	} {
		var got []string
		for _, c := range BuildDecompositionProposal(&Task{ID: "T", Title: title}, "") {
			got = append(got, c.Title)
		}
		assert.Equal(t, want, got, title)
	}
	parent := &Task{ID: "T", Title: "Broad", Notes: "needs decomposition; generate the table. Then limit it. and sleep", Tier: Complex, DependsOn: []string{"D"},
		Validation: "make test", Acceptance: []string{"the table is there", "unrelated"}}
	got := BuildDecompositionProposal(parent, "")
	require.Len(t, got, 2)
	assert.Equal(t, []SuggestedDependency{{"D", InheritsParentDependency}, {"T.1", BlocksSequence}}, got[1].DependsOn)
	assert.Equal(t, "Generate the table", got[0].Title)
	assert.Equal(t, "the table is there", got[0].Acceptance[0])
	assert.Len(t, got[1].Acceptance, 1)
	assert.Equal(t, "make test", *got[0].Validation)
	assert.Equal(t, "make one", *BuildDecompositionProposal(parent, "make one")[0].Validation)
	assert.Equal(t, Complex, got[0].Tier)
	assert.Equal(t, got, BuildDecompositionProposal(parent, ""), "the same again")

	s := storeWith(t, "T todo")
	_, _, err := s.Decompose(t.Context(), "T", "")
	var whole *NotCompoundError
	require.ErrorAs(t, err, &whole)
	_, err = s.Set(t.Context(), "T", "title", "one and two")
	require.NoError(t, err)
	_, _, err = s.Decompose(t.Context(), "T", "")
	require.NoError(t, err)
	assert.Equal(t, []string{"T in_progress - T.1,T.2", "T.1 todo T", "T.2 todo T T.1"}, s.show(t))
	before := s.bytes(t)
	_, _, err = s.Decompose(t.Context(), "T", "")
	var taken *ProposalError
	require.ErrorAs(t, err, &taken, "ids are not searched for")
	assert.Equal(t, before, s.bytes(t))
}

func TestRemediationChildren(t *testing.T) {
	t.Parallel()
	task := &Task{ID: "T", Title: "one and two", Validation: "make test", DependsOn: []string{"D"}}
	assert.Len(t, RemediationChildren(DecomposeTask, task, ""), 2)
	reframe := RemediationChildren(ReframeTask, task, "")
	require.Len(t, reframe, 1)
	assert.Equal(t, "T.1", reframe[0].ID)
	assert.Equal(t, "make test", *reframe[0].Validation)
	assert.Equal(t, "make x", *RemediationChildren(ReframeTask, task, "make x")[0].Validation)
	blocked := RemediationChildren(MarkBlocked, task, "make x")
	require.Len(t, blocked, 1)
	assert.Nil(t, blocked[0].Validation)
	assert.Empty(t, RemediationChildren(RequestHumanReview, task, ""))
	assert.Empty(t, RemediationChildren(NoAction, task, ""))
	s := storeWith(t, "D todo", "T blocked - D")
	_, err := s.ApplySuggestedChildren(t.Context(), "T", blocked)
	require.NoError(t, err)
	assert.Equal(t, []string{"D todo", "T blocked - D,T.1", "T.1 todo T D"}, s.show(t))
}

func TestParsePlanningResponse(t *testing.T) {
	t.Parallel()
	p, err := ParsePlanningResponse("I think\n```json\n{\"approach\":\"old\"}\n```\n~~~\n```\n" + `{"reasoning":" r ","steps":["a",1," "],"readiness":"needs_decomposition","atomicity":"huge",
"suggestedValidationCommand":"make t","estimatedTaskCount":3,"suggestedChildTasks":[
{"id":"T.1","title":"x","parentId":"T","dependsOn":["D",{"taskId":"E","reason":"inherits_parent_dependency"}],"validation":null,"rationale":"why","tier":"simple"},
{"id":"T.2","title":"x"},7,{"id":"T.3","title":"x","parentId":"T","dependsOn":[{}]}]}` + "\n```\n")
	require.NoError(t, err)
	assert.Equal(t, "r", p.Reasoning)
	assert.Equal(t, []string{"a"}, p.Steps)
	assert.Equal(t, "needs_decomposition", p.Readiness)
	assert.Empty(t, p.Atomicity)
	assert.Equal(t, "make t", p.SuggestedValidation)
	assert.Equal(t, 3, p.EstimatedTaskCount)
	assert.Equal(t, []SuggestedChild{{ID: "T.1", Title: "x", ParentID: "T", Rationale: "why", Tier: Simple,
		DependsOn: []SuggestedDependency{{"D", BlocksSequence}, {"E", InheritsParentDependency}}}}, p.SuggestedChildTasks)
	assert.Len(t, p.Warnings, 3)
	_, err = ParsePlanningResponse(`{"steps":["bare"]}`)
	require.NoError(t, err)
	for _, bad := range []string{"", "prose", "```json\n{}\n```", "```json\n{\"steps\":[]}\n```", `{"steps":["a"]} and more`} {
		_, err := ParsePlanningResponse(bad)
		require.ErrorIs(t, err, ErrNoPlan, bad)
	}
}
