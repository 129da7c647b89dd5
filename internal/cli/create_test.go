package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

func TestAnswersAreRead(t *testing.T) {
	tests := []struct {
		name, text string
		want       []answer
		wrong      string
	}{
		{"lines", "2\n\nin the gateway: not elsewhere\r\nrevise: smaller\nAccept\nreject\n", []answer{{Option: 2}, {Text: "in the gateway: not elsewhere"},
			{Revise: "smaller"}, {Accept: true}, {Reject: true}}, ""},
		{"a last line without end", "accept", []answer{{Accept: true}}, ""},
		{"words that only begin so", "accept it\nrevise\n", []answer{{Text: "accept it"}, {Text: "revise"}}, ""},
		{"a list", `[{"option":1}, {"accept":true}]`, []answer{{Option: 1}, {Accept: true}}, ""},
		{"values", " {\"text\":\"ja\"}\n{\"revise\":\"a\\nb\"}", []answer{{Text: "ja"}, {Revise: "a\nb"}}, ""},
		{"nothing", " \n", nil, ""},
		{"an unknown field", `{"optoin":1}`, nil, "unknown field"},
		{"two things at once", `{"option":1,"accept":true}`, nil, "one of these is expected"},
		{"none of them", `[{}]`, nil, "one of these is expected"},
		{"cut off", `[{"option":1},`, []answer{{Option: 1}}, "EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			next := reading(strings.NewReader(tt.text))
			var got []answer
			var err error
			for range 9 {
				var a answer
				if a, err = next(); err != nil {
					break
				}
				got = append(got, a)
			}
			assert.Equal(t, tt.want, got)
			if tt.wrong == "" {
				require.ErrorIs(t, err, io.EOF)
			} else {
				require.ErrorContains(t, err, tt.wrong)
			}
		})
	}
}

func TestPreparedAnswers(t *testing.T) {
	q := event.Asked{Question: "Where?", Options: []string{"Here", "There"}}
	ask := func(a ...answer) (string, error) {
		p := &prepared{answers: given("the test", a...)}
		return p.AskQuestion(t.Context(), q)
	}
	for want, a := range map[string]answer{"There": {Option: 2}, "Here": {Text: "here"}, "elsewhere": {Text: "elsewhere"}} {
		got, err := ask(a)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := ask(answer{Option: 3})
	require.ErrorContains(t, err, `the test: answer 1: option 3, but the question "Where?" has 2`)
	_, err = ask(answer{Accept: true})
	require.ErrorContains(t, err, "a question waits")
	_, err = ask()
	require.ErrorIs(t, err, phase.ErrNoPerson)

	p := &prepared{answers: given("the test", answer{Revise: "smaller"}, answer{Option: 1})}
	r, err := p.AskDraftReview(t.Context(), event.Draft{N: 1}, "")
	require.NoError(t, err)
	assert.Equal(t, event.DraftReview{Action: event.Revise, Feedback: "smaller"}, r)
	_, err = p.AskDraftReview(t.Context(), event.Draft{N: 2}, "")
	require.ErrorContains(t, err, "answer 2: it answers a question, but a draft waits")
	assert.Equal(t, exitUsage, exitCode(err))
}

// A read that nobody waits for any more (a pause that was ended from elsewhere) takes no line away from the next question, and what one
// question does not take is there for the next one, and for an editor.
func TestLinesAreLostToNobody(t *testing.T) {
	r, w := io.Pipe()
	l := &lineSource{in: r}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	_, err := l.next(ctx)
	require.ErrorIs(t, err, gone)
	go func() {
		_, _ = io.WriteString(w, "first\r\nsecond\nrest")
		w.Close()
	}()
	for _, want := range []string{"first", "second", "rest"} {
		got, err := l.next(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err = l.next(t.Context())
	require.ErrorIs(t, err, io.EOF)
}

func TestShelf(t *testing.T) {
	root := t.TempDir()
	s := planShelf{root: root, dir: "docs/plans", name: "the wish"}
	none, err := s.Plans()
	require.NoError(t, err)
	assert.Empty(t, none, "a folder that is not there has no plans")

	day := time.Now().Format("20060102")
	text := "# Grüße für alle\n\n### Task 1: A\n- [ ] a\n"
	name := s.Free(text)
	assert.Contains(t, []string{"docs/plans/" + day + "-gruesse-fuer-alle.md", "docs/plans/" + time.Now().Format("20060102") + "-gruesse-fuer-alle.md"}, name)
	require.NoError(t, s.Write(name, []byte(text)))
	assert.True(t, strings.HasSuffix(s.Free(text), "-gruesse-fuer-alle-v2.md"))
	assert.True(t, strings.HasSuffix(s.Free("no title\n"), "-the-wish.md"), "without a title it is named after the wish")

	require.NoError(t, os.MkdirAll(filepath.Join(root, "docs/plans/completed"), 0o755))
	require.NoError(t, os.WriteFile(s.Path("docs/plans/completed/"+filepath.Base(s.Free("# Done\n"))), nil, 0o644))
	assert.True(t, strings.HasSuffix(s.Free("# Done\n"), "-done-v2.md"), "a finished plan keeps its name")

	plans, err := s.Plans()
	require.NoError(t, err)
	assert.Equal(t, map[string][]byte{name: []byte(text)}, plans)
}

func TestDraftProblems(t *testing.T) {
	all := draftProblems("# A\n")
	require.NotEmpty(t, all)
	assert.Regexp(t, `^line \d+: .* \[[a-z-]+\]$`, all[0])
	assert.LessOrEqual(t, len(draftProblems("# A\n"+strings.Repeat("### Schritt\n- [ ] a\n", 99))), mostProblems+1)
}

// A line that came for a question that is over is no answer to one that is yet to be asked; the reader goes on.
func TestLinesTypedBeforeAQuestionAreForgotten(t *testing.T) {
	r, w := io.Pipe()
	l := &lineSource{in: r}
	l.forget()
	early := l.ask()
	_, err := io.WriteString(w, "early\n") // returns when it was read
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(early) == 1 }, 2*time.Minute, time.Millisecond)
	l.forget()
	answer := l.ask()
	go func() { _, _ = io.WriteString(w, "answer\n") }()
	assert.Equal(t, "answer", (<-answer).text)
	l.got()

	waiting := l.ask()
	l.forget()
	assert.Equal(t, waiting, l.ask(), "a read that goes on is not begun twice")
	w.Close()
	<-waiting
}
