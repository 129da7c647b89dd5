package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		name, boxes string
		want        TaskStatus
		done        bool
		open, left  []int
	}{
		{"no boxes", "text\n", TaskStatusPending, true, nil, nil},
		{"none ticked", "- [ ] a\n- [ ] b\n", TaskStatusPending, false, []int{1, 2}, nil},
		{"some ticked", "- [x] a\n- [ ] b\n", TaskStatusActive, false, []int{2}, nil},
		{"all ticked", "- [x] a\n- [X] b\n", TaskStatusDone, true, nil, nil},
		{"skipped", "- [-] a\n- [x] b\n", TaskStatusDone, true, nil, nil},
		{"skipped and open", "- [-] a\n- [ ] b\n", TaskStatusPending, false, []int{2}, nil},
		{"person", "- [~] a\n- [ ] (manual) b\n- [x] c\n", TaskStatusDone, true, nil, []int{1, 2}},
		{"only person", "- [~] a\n", TaskStatusDone, true, nil, []int{1}},
		{"person did it", "- [x] (manual) a\n", TaskStatusDone, true, nil, nil},
		{"person and agent", "- [~] a\n- [ ] b\n", TaskStatusPending, false, []int{2}, []int{1}},
		{"sample", "- [ ] `- [ ]`\n", TaskStatusDone, true, nil, nil},
		{"W1: brackets in the text", "- [ ] use []byte\n", TaskStatusPending, false, []int{1}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, "### Task 1: T\n"+tt.boxes)
			require.Len(t, p.Tasks, 1)
			task := p.Tasks[0]
			assert.Equal(t, tt.want, task.Status)
			assert.Equal(t, tt.done, task.Done())
			assert.Equal(t, tt.open, task.OpenForAgent())
			assert.Equal(t, tt.left, task.LeftForPerson())
			assert.Equal(t, len(tt.left), p.LeftForPerson())
			assert.Equal(t, !tt.done, p.NextPlanTaskPosition() == 1)
		})
	}
}

func TestReviewMarks(t *testing.T) {
	p := parse(t, bom+"# T\n<!-- ralphex-review: none -->\n### Task 1: a\n<!-- ralphex-review: task -->\n- [ ] b\n\n<!-- ralphex-review: end -->\n"+
		"### Task 2: c\n\n<!--\nRalphex-Review:\n  NONE\n-->\n- [ ] d\n"+
		"### Task 3: e\n- [ ] f\n\n  <!-- ralphex-review: always -->\n\n```\n<!-- ralphex-review: task -->\n```\n"+
		"### Task 4: g\n- [ ] h <!-- ralphex-review: task -->\n\n<!-- ralphex-reviewers: bob -->\n\n<!-- ralphex-review -->\n## Notes\n\n<!-- ralphex-review group -->\n")
	var got []string
	for _, task := range p.Tasks {
		got = append(got, fmt.Sprintf("%s@%d", task.Review.When, task.Review.Line))
	}
	assert.Equal(t, []string{"task@4", "none@10", "@0", "@0"}, got)
	assert.Equal(t, "<!-- ralphex-review: task", p.Source()[p.Tasks[0].Review.Offset:][:25])
	var told []string
	for _, q := range p.Problems {
		if strings.HasPrefix(string(q.Code), "review-") {
			told = append(told, fmt.Sprintf("%s@%d:%d", q.Code, q.Line, q.Col))
		}
	}
	assert.Equal(t, []string{"review-place@2:1", "review-twice@7:1", "review-value@18:3", "review-value@28:1", "review-place@31:1"}, told)

	again, err := p.Reparse([]byte(strings.Replace(p.Source(), "- [ ] b", "- [x] b", 1)))
	require.NoError(t, err)
	assert.Equal(t, p.Tasks[0].Review, again.Tasks[0].Review)
}

func TestNextPlanTaskPosition(t *testing.T) {
	const done, none, person, open = "### Task 1: d\n- [x] a\n", "### Task 2: n\n", "### Task 3: p\n- [~] a\n", "### Task 9: o\n- [ ] a\n"
	for _, tt := range []struct {
		src  string
		want int
	}{
		{"", 0},
		{done, 0},
		{open, 1},
		{done + none + person, 0},
		{done + none + person + open + open, 4},
	} {
		assert.Equal(t, tt.want, parse(t, tt.src).NextPlanTaskPosition(), "%q", tt.src)
	}
}

func TestTaskByPosition(t *testing.T) {
	p := parse(t, "### Task 7: a\n### Task 7: b\n")
	task, ok := p.Task(2)
	assert.True(t, ok)
	assert.Equal(t, "b", task.Title)
	for _, pos := range []int{-1, 0, 3} {
		_, ok = p.Task(pos)
		assert.False(t, ok)
	}
}
