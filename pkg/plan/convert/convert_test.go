package convert

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
	"ralphex/pkg/plan/check"
)

var update = flag.Bool("update", false, "write golden files")

// samples are the sources in testdata, and what they must be taken for.
var samples = []struct {
	name   string
	format Format
	losses bool // whether the plan can't say all of it
}{
	{"openspec-tidy", OpenSpec, false},
	{"openspec-tidy/tasks.md", OpenSpec, false},
	{"openspec-messy", OpenSpec, true},
	{"speckit-tidy", SpecKit, false},
	{"speckit-messy/tasks.md", SpecKit, true},
	{"kiro-tidy", Kiro, true},
	{"kiro-messy/tasks.md", Kiro, true},
	{"superpowers-seed.md", Superpowers, true},
	{"superpowers-old.md", Superpowers, true},
	{"taskmaster.json", TaskMaster, true},
	{"taskmaster-old.json", TaskMaster, true},
	{"ralph.json", Ralph, false},
	{"ralph-old.json", Ralph, true},
	{"todos.json", Todos, true},
	{"todos-drawn.txt", Todos, true},
	{"todos-folder", Todos, false},
	{"issue-form.md", Issue, true},
	{"issue-gh.json", Issue, false},
	{"issue-prose.json", Issue, false},
	{"list-tidy.md", List, false},
	{"list-messy.md", List, true},
	{"list-long.md", List, false},
	{"prose.txt", Prose, false},
	{"prose-headings.md", Prose, false},
	{"plan.md", PlanFormat, false},
	{"plan-messy.md", PlanFormat, false},
}

// open opens a sample under its name in testdata.
func open(t testing.TB, name string) *Input {
	t.Helper()
	t.Chdir("testdata")
	in, err := Open(name)
	require.NoError(t, err)
	return in
}

// report is what a golden file holds: the losses and the plan.
func report(r *Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "format: %s (%s)\n", r.Format, r.Why)
	for _, l := range r.Losses {
		fmt.Fprintf(&b, "loss: %s:%d: %q: %s\n", l.Path, l.Line, l.Text, l.Why)
	}
	return b.String() + "----\n" + string(r.Output)
}

func TestGolden(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "golden"))
	require.NoError(t, err)
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			in := open(t, s.name)
			r, err := Convert(in, Options{})
			require.NoError(t, err)
			assert.Equal(t, s.format, r.Format, r.Why)
			assert.Equal(t, s.losses, len(r.Losses) > 0, "losses: %v", r.Losses)
			checkResult(t, in, r)
			file := filepath.Join(golden, strings.NewReplacer("/", "_").Replace(s.name)+".golden")
			if *update {
				require.NoError(t, os.MkdirAll(golden, 0o755))
				require.NoError(t, os.WriteFile(file, []byte(report(r)), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), report(r))
		})
	}
}

// checkResult checks what holds for every conversion to a plan.
func checkResult(t testing.TB, in *Input, r *Result) {
	t.Helper()
	for _, f := range check.Check(r.Output, check.Options{}) {
		require.NotEqual(t, check.Error, f.Severity, "%d: %s: %s\n%s", f.Line, f.Rule, f.Message, r.Output)
	}
	p, err := plan.ParsePlan(r.Output)
	require.NoError(t, err)
	require.NoError(t, p.Validate())
	checkWords(t, in, r)
	lines := strings.Split(string(r.Output), "\n")
	for _, b := range r.Boxes {
		require.Contains(t, lines[b.Line-1], b.Text)
		checkOrigin(t, in, b)
	}
}

// checkOrigin checks that an offset is that of the mark of a box.
func checkOrigin(t testing.TB, in *Input, b Box) {
	t.Helper()
	if b.Origin.Offset < 0 {
		return
	}
	for _, f := range in.Files() {
		if f.Path == b.Origin.Path {
			at := b.Origin.Offset
			require.Equal(t, byte('['), f.Data[at-1])
			require.Equal(t, byte(']'), f.Data[at+1])
			require.Equal(t, b.Origin.Line, strings.Count(string(f.Data[:at]), "\n")+1)
			return
		}
	}
	require.Fail(t, "an origin names a file that was not read", b.Origin.Path)
}

// checkWords checks that each word of the source is in the plan or in a loss, as often as it is in the source.
// It counts by itself, and lets out only what Counted says.
func checkWords(t testing.TB, in *Input, r *Result) {
	t.Helper()
	have := map[string]int{}
	for _, w := range words(string(r.Output)) {
		have[w]++
	}
	for _, w := range r.Source.Counted {
		have[w]++
	}
	for _, l := range r.Losses {
		for _, w := range words(l.Text) {
			have[w]++
		}
	}
	var lost []string
	for _, f := range in.Files() {
		for _, u := range unitsOf(&File{Path: f.Path, Data: f.Data, text: f.text}) {
			for _, w := range words(u.text) {
				if have[w]--; have[w] < 0 {
					lost = append(lost, w)
				}
			}
		}
	}
	require.Empty(t, lost, "words that are neither in the plan nor in a loss\n%s", report(r))
}

// TestReadersKeepWords checks that nothing is caught by the last net but what a sample puts there on purpose.
func TestReadersKeepWords(t *testing.T) {
	meant := []string{"taskmaster.json", "ralph-old.json"}
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			r, err := Convert(open(t, s.name), Options{})
			require.NoError(t, err)
			for _, l := range r.Losses {
				if !slices.Contains(meant, s.name) {
					assert.NotContains(t, l.Why, "as it stands here", "%s:%d: %s", l.Path, l.Line, l.Text)
				}
				assert.NotContains(t, l.Why, "a plan can't hold it", "%s:%d: %s", l.Path, l.Line, l.Text)
			}
		})
	}
}

func TestTwice(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			in := open(t, s.name)
			r, err := Convert(in, Options{})
			require.NoError(t, err)
			again, err := Convert(FromBytes("x.md", r.Output), Options{})
			require.NoError(t, err)
			assert.Equal(t, PlanFormat, again.Format)
			assert.Equal(t, string(r.Output), string(again.Output))
			assert.Empty(t, again.Losses)
		})
	}
}

func TestCycle(t *testing.T) {
	_, err := Convert(open(t, "taskmaster-cycle.json"), Options{})
	var c *CycleError
	require.True(t, errors.As(err, &c), "%v", err)
	assert.Equal(t, []string{"1", "2", "3", "1"}, c.Path)
	assert.ErrorContains(t, err, "1 → 2 → 3 → 1")
}
