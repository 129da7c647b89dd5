package cli

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/pkg/processor"
)

// Several modes are no conflict: the public order decides.
func TestTheNarrowestModeWins(t *testing.T) {
	for _, tt := range []struct {
		given runCmd
		want  processor.Mode
	}{
		{runCmd{}, processor.ModeFull},
		{runCmd{Review: true}, processor.ModeReview},
		{runCmd{Review: true, ExternalOnly: true}, processor.ModeCodexOnly},
		{runCmd{CodexOnly: true}, processor.ModeCodexOnly},
		{runCmd{Review: true, CodexOnly: true, TasksOnly: true}, processor.ModeTasksOnly},
	} {
		assert.Equal(t, tt.want, tt.given.chosen(), "%+v", tt.given)
	}
}

// Who reviews from outside, by flags and settings; the codex of these rows is there, if it is not said to be missing.
func TestWhoReviewsFromOutside(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"claude", "codex", "opencode", "review.sh"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755))
	}
	t.Setenv("PATH", bin)
	for name, tt := range map[string]struct {
		mode     processor.Mode
		flags    map[string]string // keys of the settings; the tool counts as given by its flag
		settings string
		want     string
		err      string
		note     string
		standIns []string
	}{
		"codex by default": {want: "codex"},
		"others stand in, but not the reviewer, and not who can't review": {settings: "fallback_executors = claude, runbook, opencode, codex, opencode", want: "codex", standIns: []string{"opencode"}},
		"codex is missing, and one stands in":                             {settings: "codex_command = nowhere\nfallback_executors = opencode", want: "opencode", note: "opencode looks instead"},
		"nobody stands in for nobody":                                     {settings: "external_review_tool = none\nfallback_executors = opencode", want: "none"},
		"none":                                                            {settings: "external_review_tool = none", want: "none"},
		"codex switched off":                                              {settings: "codex_enabled = false", want: "none"},
		"the flag beats codex_enabled":                                    {settings: "codex_enabled = false", flags: map[string]string{"external_review_tool": "codex"}, want: "codex"},
		"so does the mode":                                                {mode: processor.ModeCodexOnly, settings: "codex_enabled = false", want: "codex"},
		"another agent":                                                   {settings: "external_executor = opencode", want: "opencode"},
		"the flag beats it":                                               {settings: "external_executor = opencode", flags: map[string]string{"external_review_tool": "none"}, want: "none"},
		"an agent that can't review":                                      {settings: "external_executor = runbook", err: "can't review"},
		"a script":                                                        {settings: "external_review_tool = custom\ncustom_review_script = " + bin + "/review.sh", want: "custom"},
		"no script":                                                       {settings: "external_review_tool = custom", err: "custom review script not configured"},
		"a script that is not there":                                      {settings: "external_review_tool = custom\ncustom_review_script = /nowhere", err: "external review by custom"},
		"codex is missing":                                                {settings: "codex_command = nowhere", want: "none", note: "codex not found"},
		"and was asked for":                                               {settings: "codex_command = nowhere", flags: map[string]string{"external_review_tool": "codex"}, err: "external review by codex"},
		"and is all there is to do":                                       {mode: processor.ModeCodexOnly, settings: "codex_command = nowhere", err: "external review by codex"},
		"none is nothing to do":                                           {mode: processor.ModeCodexOnly, settings: "external_review_tool = none", err: "nobody reviews from outside"},
		"codex is the agent":                                              {settings: "executor = codex", want: "none"},
		"and was named":                                                   {settings: "executor = codex\nexternal_review_tool = codex", want: "none", note: `overridden to "none" because executor=codex`},
		"and is asked for":                                                {settings: "executor = codex", flags: map[string]string{"external_review_tool": "codex"}, err: "agent of the run"},
		"and the only one":                                                {mode: processor.ModeCodexOnly, settings: "executor = codex", err: "agent of the run"},
		"and there is another one":                                        {mode: processor.ModeCodexOnly, settings: "executor = codex\nexternal_executor = opencode", want: "opencode"},
		"nobody in tasks-only":                                            {mode: processor.ModeTasksOnly, settings: "codex_command = nowhere", want: "none"},
		"no reviews at all":                                               {settings: "review = none\ncodex_command = nowhere", want: "none"},
		"-r beats review = none":                                          {mode: processor.ModeReview, settings: "review = none", want: "codex"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "config"), []byte(tt.settings+"\n"), 0o600))
			cfg, _, err := config.Load(config.Options{GlobalDir: dir, Flags: tt.flags, Executors: executorNames()})
			require.NoError(t, err)
			j := &job{cfg: cfg, opts: runOptions{mode: tt.mode, tool: tt.flags != nil}}
			err = j.findReviewers(context.Background())
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				assert.NotEmpty(t, hintOf(err), "what to do next")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, j.reviewers.tool)
			var standIns []string
			for _, ex := range j.reviewers.outside {
				standIns = append(standIns, ex.Name())
			}
			assert.Equal(t, tt.standIns, standIns)
			assert.Equal(t, tt.want != toolNone, j.reviewers.external != nil)
			if tt.note == "" {
				assert.Empty(t, j.notes)
				return
			}
			require.Len(t, j.notes, 1)
			assert.Contains(t, j.notes[0].Text, tt.note)
		})
	}
}
