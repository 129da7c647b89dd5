package web

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// lineOf is a line of a difference as the page makes it.
type lineOf struct {
	Op   string `json:"op"`
	Text string `json:"text"`
	N    int    `json:"n"`
}

// A difference of two drafts holds each line of both, in order, whatever they are; and what is folded away is told by its number.
func TestPageShowsEachLineOfBothDrafts(t *testing.T) {
	t.Parallel()
	const seed = 9
	random := rand.New(rand.NewPCG(seed, seed))
	text := func() string {
		lines := make([]string, random.IntN(40))
		for i := range lines {
			lines[i] = strings.Repeat("x", random.IntN(4))
		}
		return strings.Join(lines, "\n")
	}
	var pairs [][2]string
	for range 300 {
		pairs = append(pairs, [2]string{text(), text()})
	}
	long := make([]string, 2500)
	for i := range long {
		long[i] = fmt.Sprint(i)
	}
	pairs = append(pairs, [2]string{strings.Join(long, "\n"), "a\n" + strings.Join(long[1:], "!\n")}) // more than the finer search takes
	var got []struct{ All, Around []lineOf }
	inNode(t, `
import {readFileSync} from 'node:fs';
import {around, lineDiff} from './linediff.js';
const all = JSON.parse(readFileSync('input.json', 'utf8')).map(([a, b]) => {
  const d = lineDiff(a, b);
  return {All: d, Around: around(d)};
});
process.stdout.write(JSON.stringify(all));`, pairs, &got)
	for i, pair := range pairs {
		var before, after []string
		changes, told := 0, 0
		for _, l := range got[i].All {
			if l.Op != "+" {
				before = append(before, l.Text)
			}
			if l.Op != "-" {
				after = append(after, l.Text)
			}
			if l.Op != " " {
				changes++
			}
		}
		assert.Equal(t, pair[0], strings.Join(before, "\n"))
		assert.Equal(t, pair[1], strings.Join(after, "\n"))
		for _, l := range got[i].Around {
			told += max(1, l.N)
			if l.Op == "+" || l.Op == "-" {
				changes--
			}
		}
		assert.Equal(t, len(got[i].All), told)
		assert.Zero(t, changes, "each change is shown")
	}
}

// Any part of a diff is drawn by itself, so its rows have to be all of it, in order, each below the one before.
func TestPageRowsOfADiffAreAllOfIt(t *testing.T) {
	t.Parallel()
	const seed = 5
	random := rand.New(rand.NewPCG(seed, seed))
	var diffs [][]DiffFile
	for range 60 {
		files := []DiffFile{}
		for f := range random.IntN(6) {
			file := DiffFile{Path: fmt.Sprintf("a/%d/b/%d.go", f%3, f), Hunks: []DiffHunk{}, Binary: random.IntN(9) == 0}
			for range random.IntN(4) {
				h := DiffHunk{Lines: []DiffLine{}}
				for n := range random.IntN(30) {
					h.Lines = append(h.Lines, DiffLine{Op: []string{" ", "+", "-"}[random.IntN(3)], Text: fmt.Sprint(n)})
				}
				if !file.Binary {
					file.Hunks = append(file.Hunks, h)
				}
			}
			files = append(files, file)
		}
		diffs = append(diffs, files)
	}
	var got []struct {
		Unified, Minus, Plus []string
		Steps                []float64
		Found                bool
		Tree                 []string
	}
	inNode(t, `
import {readFileSync} from 'node:fs';
import {rowAt, rowsOf, treeOf} from './diffrows.js';
const all = JSON.parse(readFileSync('input.json', 'utf8')).map((files) => {
  const one = rowsOf(files, new Set(), false);
  const two = rowsOf(files, new Set(), true);
  const pairs = two.rows.filter((r) => r.type === 'line');
  return {
    Unified: one.rows.filter((r) => r.type === 'line').map((r) => r.line.op + r.line.text),
    Minus: pairs.filter((r) => r.left).map((r) => r.left.op + r.left.text),
    Plus: pairs.filter((r) => r.right).map((r) => r.right.op + r.right.text),
    Steps: [...one.tops].slice(1).map((t, i) => t - one.tops[i]),
    Found: one.rows.every((_, i) => rowAt(one.tops, one.tops[i]) === i && rowAt(one.tops, one.tops[i + 1] - 1) === i),
    Tree: treeOf(files).filter((r) => r.file).map((r) => r.file.path).sort(),
  };
});
process.stdout.write(JSON.stringify(all));`, diffs, &got)
	for i, files := range diffs {
		want := struct{ all, minus, plus, paths []string }{}
		for _, f := range files {
			want.paths = append(want.paths, f.Path)
			for _, h := range f.Hunks {
				for _, l := range h.Lines {
					want.all = append(want.all, l.Op+l.Text)
					if l.Op != "+" {
						want.minus = append(want.minus, l.Op+l.Text)
					}
					if l.Op != "-" {
						want.plus = append(want.plus, l.Op+l.Text)
					}
				}
			}
		}
		assert.ElementsMatch(t, want.all, got[i].Unified)
		assert.Equal(t, len(want.minus), len(got[i].Minus))
		for k, line := range want.minus {
			assert.Equal(t, line, got[i].Minus[k])
		}
		for k, line := range want.plus {
			assert.Equal(t, line, got[i].Plus[k])
		}
		for _, step := range got[i].Steps {
			assert.Contains(t, []float64{20, 36}, step)
		}
		assert.True(t, got[i].Found)
		assert.ElementsMatch(t, want.paths, got[i].Tree)
	}
}

// The lanes of a run that goes on end now, those of one that is over at its end, and bars that can't be told apart are one.
func TestPageLanesOfARun(t *testing.T) {
	t.Parallel()
	var got struct {
		Lanes []string
		Ends  []float64
		Drawn int
		Bad   int
		Ticks []float64
	}
	inNode(t, `
import {lanesOf, shownBars, ticksOf} from './spans.js';
const at = (s) => new Date(1e12 + s * 1000).toISOString();
const detail = (over) => ({state: over ? 'killed' : 'active', started: at(0), last: at(50), ended: over ? at(50) : undefined,
  stages: [{stage: 'tasks', started: at(0), seq: 1}, {stage: 'review', skipped: 'none', seq: 2}], task_list: [{pos: 1, title: 'a', seq: 3, attempts: [{n: 1, started: at(1), sessions: []}]}],
  session_list: Array.from({length: 5000}, (_, i) => ({n: i, started: at(i / 100), ended: at(i / 100 + 0.001), exit: i === 4000 ? 'exit 1' : 'exit 0', executor: 'x', seq: i})),
  rounds: [], gates: [], waits: [], pauses: [], commits: [{seq: 9, time: at(9), rev: 'abc', message: 'm', by: 'ralphex'}], processes: [{pid: 1}]});
const now = 1e12 + 80_000;
const on = lanesOf(detail(false), now);
const over = lanesOf(detail(true), now);
const shown = shownBars(on.lanes.find((l) => l.id === 'sessions').bars, on.from, on.to, 1000);
process.stdout.write(JSON.stringify({
  Lanes: on.lanes.map((l) => l.id), Ends: [on, over].flatMap((p) => [(p.to - 1e12) / 1000, (p.lanes[0].bars[0].to - 1e12) / 1000]),
  Drawn: shown.length, Bad: shown.filter((s) => s.bar.kind === 'bad').length, Ticks: ticksOf(1e12, 1e12 + 3600_000, 1000).ticks.map((t) => t % 60_000),
}));`, nil, &got)
	assert.Equal(t, []string{"stages", "task-3", "sessions", "commits"}, got.Lanes)
	assert.Equal(t, []float64{80, 80, 50, 50}, got.Ends)
	assert.Less(t, got.Drawn, 500)
	assert.Equal(t, 1, got.Bad, "one that failed is not swallowed by its neighbours")
	assert.NotEmpty(t, got.Ticks)
	for _, tick := range got.Ticks {
		assert.Zero(t, tick, "ticks stand at whole minutes")
	}
}
