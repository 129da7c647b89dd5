package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/pkg/executor"
)

// docs/agents.md holds tables that are written from the code.
func TestAgentsPage(t *testing.T) {
	const page = "../../docs/agents.md"
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	want := string(b)
	cfg, _, err := config.Load(config.Options{GlobalDir: t.TempDir(), Executors: executorNames()})
	require.NoError(t, err)
	for name, table := range map[string]string{"capabilities": capsTable(cfg), "environment": envTable(cfg), "failures": classTable()} {
		begin, end := "<!-- "+name+": written by go test ./internal/cli -update -->\n", "<!-- end -->"
		head, rest, ok := strings.Cut(want, begin)
		require.True(t, ok, "no place for %s", name)
		_, tail, ok := strings.Cut(rest, end)
		require.True(t, ok)
		want = head + begin + table + end + tail
	}
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(b), "run go test ./internal/cli -update")
}

func describers(cfg *config.Config, each func(name string, ex executor.Executor, d executor.Describer)) {
	for _, row := range executors {
		ex := row.make(cfg)
		if d, ok := ex.(executor.Describer); ok {
			each(row.name, ex, d)
		}
	}
}

func capsTable(cfg *config.Config) string {
	var b strings.Builder
	b.WriteString("| agent | resume by id | sub-agents | models | effort | reports | sandbox of its own | background tasks |\n|---|---|---|---|---|---|---|---|\n")
	yes := func(ok bool) string {
		if ok {
			return "yes"
		}
		return "–"
	}
	text := func(s string) string {
		if s == "" {
			return "–"
		}
		return s
	}
	describers(cfg, func(name string, _ executor.Executor, d executor.Describer) {
		c := d.Caps()
		models := strings.Join(c.Models, ", ")
		if c.AnyModel {
			models = strings.TrimPrefix(models+", any name", ", ")
		}
		efforts := strings.Join(c.Efforts, " ")
		if c.AnyEffort {
			efforts += " …"
		}
		tool := ""
		if c.SubAgents != "" {
			tool = "`" + c.SubAgents + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", name, yes(c.Resume), text(tool), text(models), text(efforts), text(c.Usage),
			text(strings.Join(c.Sandboxes, " ")), yes(c.Background))
	})
	return b.String()
}

func envTable(cfg *config.Config) string {
	var b strings.Builder
	b.WriteString("| agent | dropped beside session markers | set, where you don't |\n|---|---|---|\n")
	code := func(list []string) string {
		if len(list) == 0 {
			return "–"
		}
		return "`" + strings.Join(list, "` `") + "`"
	}
	describers(cfg, func(name string, _ executor.Executor, d executor.Describer) {
		r := d.EnvRules()
		drop := slices.DeleteFunc(slices.Clone(r.Drop), func(n string) bool { return slices.Contains(executor.SessionMarkers, n) })
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, code(drop), code(r.Set))
	})
	fmt.Fprintf(&b, "\nSession markers: %s.\n", code(executor.SessionMarkers))
	return b.String()
}

func classTable() string {
	var b strings.Builder
	b.WriteString("| class | long name | means | what a run does |\n|---|---|---|---|\n")
	for _, c := range executor.Classes {
		does := "tries again, until nothing has moved for three sessions"
		switch {
		case c.Class == executor.ClassLimit:
			does = "waits as `wait_on_limit` says, else ends with exit 4"
		case c.Human:
			does = "ends with exit 5"
		case c.Final:
			does = "ends with exit 1"
		case c.Class == executor.ClassOverload:
			does = "tries again, `transient_retries` times with growing pauses, then ends with exit 1"
		case c.Class == executor.ClassPending || c.Class == executor.ClassInput:
			does = "has the same session go on, or a fresh one, `session_resumes` times"
		case c.Class == executor.ClassEmpty:
			does = "runs it afresh, `session_resumes` times"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Class, c.Name, c.What, does)
	}
	return b.String()
}

// Every agent refuses a model or effort that it can't be asked for, and says what it can.
func TestAgentsCheckModels(t *testing.T) {
	cfg, _, err := config.Load(config.Options{GlobalDir: t.TempDir(), Executors: executorNames()})
	require.NoError(t, err)
	describers(cfg, func(name string, ex executor.Executor, d executor.Describer) {
		c := d.Caps()
		assert.NoError(t, executor.CheckModel(ex, "", ""), name)
		if len(c.Efforts) > 0 {
			assert.NoError(t, executor.CheckModel(ex, "", c.Efforts[0]), name)
		}
		if !c.AnyEffort {
			err := executor.CheckModel(ex, "", "heroic")
			require.Error(t, err, name)
			assert.Equal(t, 2, exitCode(usage(err, hintOf(err))), name)
			assert.NotEmpty(t, hintOf(err), name)
		}
		assert.Contains(t, d.Spawn(executor.Reviewer{Name: "quality", Task: "look for bugs"}), "look for bugs", name)
	})
}

// The doctor tells of the agents of later phases, too, before it is their turn.
func TestDoctorTellsOfPhaseAgents(t *testing.T) {
	cfg, _, err := config.Load(config.Options{GlobalDir: t.TempDir(), Executors: executorNames(), Env: []string{
		"RALPHEX_EXECUTOR=gemini", "RALPHEX_REVIEW_EXECUTOR=codex", "RALPHEX_REVIEW_MODEL=gpt:heroic", "RALPHEX_PLAN_MODEL=opus", "RALPHEX_FALLBACK_EXECUTORS=codex,pi"}})
	require.NoError(t, err)
	got := examinePhases(cfg)
	require.Len(t, got, 3)
	assert.Equal(t, check{Name: "review agent", State: "fail", Text: `codex knows no effort "heroic"`, Next: got[0].Next}, got[0])
	assert.Equal(t, check{Name: "plan agent", State: "ok", Text: "gemini, model opus"}, got[1])
	assert.Equal(t, "codex, then pi (env RALPHEX_FALLBACK_EXECUTORS)", got[2].Text)
}
