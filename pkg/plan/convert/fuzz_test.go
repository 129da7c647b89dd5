package convert

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// traps are texts that have meant something else in the past, or could.
var traps = []string{
	"- [ ] a\n", "[ ] a\n", "-[ ] a", "- []", "# a\n## Context\n- [ ] b\n## Context\n- [ ] c\n",
	"### Task 1: a\n### Task 1: a\n", "### Task 1: \n- [ ] ???\n", "- [ ] TBD FIXME ???\n- [ ] b\n",
	"- [ ] a\n  ```\n- [ ] b\n", "```\n- [ ] a\n```\n", "- ```\n  - [ ] a\n  ```\n", "~~~\n```\n~~~\n- [ ] x\n",
	"<!-- - [ ] a\n-->- [ ] b\n", "<!-- - [ ] a\n- [ ] b", "<pre>\n- [ ] a\n", "<script>\n- [ ] a\n\n## b\n",
	"\t- [ ] a\n\t\t- [ ] b\n", "      - [ ] a\n", "- [ ] a\r- [ ] b\r", "\ufeff- [ ] a\n", "\xff\xfe-\x00 \x00[\x00 \x00]\x00 \x00a\x00",
	"- [x](a)\n- [ ] b\n", "- [ ] a\n\n      code\n- [ ] b\n", "> - [ ] a\n> ### Task 1: b\n- [ ] c\n", "a\n===\n- [ ] b\n---\n",
	"- [ ] a <!-- b --> c\n", "1. a\n2. b\n   - c\n", "#a\n#!/bin/sh\n- [ ] b\n", "- [ ] **Step 1: a**\n```\nb\n```\n", "- - - [ ] a\n",
	"- [ ] [ ] a\n- [ ] - [ ] b\n- [ ] `- [ ]`\n- [ ] [x]\n", "- [ ] a `b\n- [ ] c` ??? d\n", "| a | b |\n|---|---|\n| [ ] | ??? |\n- [ ] c\n",
	"- [ ] 1.1 a (depends on 1.2)\n- [ ] 1.2 b\n", "- [ ] 1.1 a (depends on 1.1)\n", "## A\n- [ ] 1.1 a\n- [ ] 1.2 b (depends on 2.2)\n## B\n- [ ] 2.1 c (depends on 1.1)\n- [ ] 2.2 d\n- [ ] 2.3 e (depends on 1.2)\n",
	"- [ ] a\u2028b\u0085c\x00d\n", "- [ ] \xff\xfe\n", "[a]: b\n[ ] c\n", "- a\n-\n- b\n", "* * *\n- [ ] a\n", "&nbsp;\n\n- [ ] a\\\n",
	`{"tasks":[{"id":1,"title":"a\n- [ ] b\n### Task 2: c","status":"done","subtasks":[{"id":1,"title":"","status":"x"}]}]}`,
	`[{"content":"???","status":"pending"},{"content":"b","status":"completed"}]`, `{"title":"a","body":null}`, `{"title":"","body":"- [ ] x"}`,
	`{"version":2,"tasks":[{"id":"a","title":"b","status":"todo","parentId":"a"}]}`, `{"title":"a","tasks":[{"title":"b","checkboxes":[{"text":"c\nd","checked":true,"depth":99}]}]}`,
}

func seed(f *testing.F, add func(s string)) {
	f.Helper()
	for _, s := range traps {
		add(s)
	}
	err := filepath.WalkDir("testdata", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(p, "golden") || strings.Contains(p, "fuzz") {
			return err
		}
		data, err := os.ReadFile(p)
		if err == nil && len(data) < 6000 {
			add(string(data))
		}
		return err
	})
	require.NoError(f, err)
}

// expected are the errors that a source may be answered with.
func expected(err error) bool {
	var unknown *UnknownError
	var cycle *CycleError
	return errors.As(err, &unknown) || errors.As(err, &cycle) || errors.Is(err, ErrNothing) || errors.Is(err, errNoFile)
}

// FuzzConvert gives any text to the reader that detection picks: it never panics, keeps every word, and what it
// writes is clean.
func FuzzConvert(f *testing.F) {
	seed(f, func(s string) { f.Add(s) })
	f.Fuzz(func(t *testing.T, src string) {
		in := FromBytes("source.md", []byte(src))
		r, err := Convert(in, Options{})
		if err != nil {
			require.True(t, expected(err), "%v", err)
			return
		}
		checkResult(t, in, r)
		checkTargets(t, in, r)
	})
}

// checkTargets goes on from a plan: it is a plan, converting it changes nothing, and the other targets hold it.
func checkTargets(t *testing.T, in *Input, r *Result) {
	t.Helper()
	for _, to := range []Target{ToJSON, ToRalph} {
		other, err := Convert(in, Options{To: to, From: r.Format})
		require.NoError(t, err)
		_, err = parseJSON(string(other.Output))
		require.NoError(t, err)
		require.True(t, utf8.Valid(other.Output))
	}
	back := FromBytes("plan.md", r.Output)
	again, err := Convert(back, Options{From: PlanFormat})
	require.NoError(t, err)
	checkResult(t, back, again)
}

// FuzzReaders gives any text to each reader by name, as a file and as the files of a folder.
func FuzzReaders(f *testing.F) {
	seed(f, func(s string) {
		for n := range readers {
			f.Add(uint8(n), s, "# b\n- [ ] c\n")
		}
	})
	f.Fuzz(func(t *testing.T, which uint8, src, other string) {
		format := readers[int(which)%len(readers)].format
		folder := fstest.MapFS{
			"tasks.md": {Data: []byte(src)}, "tasks.json": {Data: []byte(src)}, "1.json": {Data: []byte(src)},
			"proposal.md": {Data: []byte(other)}, "design.md": {Data: []byte(other)}, "spec.md": {Data: []byte(other)},
			"plan.md": {Data: []byte(other)}, "requirements.md": {Data: []byte(other)}, "specs/a/spec.md": {Data: []byte(other)},
		}
		for _, in := range []*Input{FromBytes("tasks.md", []byte(src)), FromFS("folder", folder)} {
			r, err := Convert(in, Options{From: format})
			if err != nil {
				require.NotErrorIs(t, err, ErrUnclean)
				continue
			}
			checkResult(t, in, r)
		}
	})
}
