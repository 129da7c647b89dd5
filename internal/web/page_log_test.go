package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// inNode runs a script with the page's modules beside it, and reads what it prints as JSON.
func inNode(t *testing.T, script string, input, output any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: the browser tests show the same from outside")
	}
	dir := t.TempDir()
	for name, body := range pageFiles(t, ".js") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "test-script.js"), []byte(script), 0o600))
	raw, err := json.Marshal(input)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "input.json"), raw, 0o600))
	cmd := exec.Command(node, "test-script.js")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, output))
}

// row is an event as the server sends it, without its words.
type row struct {
	Seq  int64      `json:"seq"`
	Time time.Time  `json:"time"`
	Type event.Kind `json:"type"`
	Data event.Data `json:"data"`
}

// A line that comes in pieces is the same line on the page as in the terminal, whatever comes in between.
func TestPageSplitsTextAsTheTerminalDoes(t *testing.T) {
	const seed = 20261201
	random := rand.New(rand.NewPCG(seed, seed))
	var runs [][]row
	var want [][]string
	for range 200 {
		rows := randomRows(random)
		runs, want = append(runs, rows), append(want, terminalLines(rows))
	}
	var got [][]string
	inNode(t, `
import {readFileSync} from 'node:fs';
import {Log, MORE, kinds} from './logdata.js';
const all = JSON.parse(readFileSync('input.json', 'utf8')).map((rows) => {
  const log = new Log('x');
  for (const row of rows) log.append([row]);
  const lines = [];
  for (let i = 0; i < log.length; i++) {
    if (log.flags.a[i] & MORE) lines[lines.length - 1] += log.text[i];
    else lines.push(kinds[log.kind.a[i]] + ' ' + log.text[i]);
  }
  return lines;
});
process.stdout.write(JSON.stringify(all));
`, runs, &got)
	for i := range want {
		require.Equal(t, want[i], got[i], "run %d of seed %d", i, seed)
	}
}

// randomRows are outputs of all sources in pieces, with other facts between them, and one at the end that ends all text.
func randomRows(random *rand.Rand) (rows []row) {
	add := func(d event.Data) {
		at := time.UnixMilli(1_700_000_000_000).Add(time.Duration(len(rows)) * time.Second).UTC()
		rows = append(rows, row{Seq: int64(len(rows) + 1), Time: at, Type: d.Kind(), Data: d})
	}
	sources := []event.Source{event.FromAgent, event.FromStderr, event.FromTool, event.FromCommand}
	for i := range 1 + random.IntN(40) {
		switch random.IntN(12) {
		case 0:
			add(event.Spent{})
		case 1:
			add(event.SessionEnd{N: i})
		default:
			var text strings.Builder
			for range random.IntN(4) {
				fmt.Fprintf(&text, "%d %s", i, strings.Repeat("x", random.IntN(5)*random.IntN(2000)))
				text.WriteString([]string{"", "\n", "\r\n", "\n\n"}[random.IntN(4)])
			}
			add(event.Output{Text: text.String(), Source: sources[random.IntN(4)], Partial: random.IntN(2) == 0})
		}
	}
	add(event.SessionEnd{N: 1})
	return rows
}

// terminalLines are the lines of the outputs by the splitter that the terminal and the progress file have.
func terminalLines(rows []row) (lines []string) {
	names := map[event.Source]string{event.FromAgent: "agent", event.FromStderr: "stderr", event.FromTool: "tool", event.FromCommand: "command"}
	lines = []string{}
	var splitter event.Splitter
	emit := func(p event.Piece) {
		if p.First {
			lines = append(lines, names[p.Source]+" ")
		}
		lines[len(lines)-1] += p.Text
	}
	for _, r := range rows {
		if event.EndsText(r.Data) {
			splitter.Flush(emit)
		}
		if o, ok := r.Data.(event.Output); ok {
			splitter.Split(o, emit)
		}
	}
	return lines
}

// What an agent prints can't move, hide or turn around anything on the page.
func TestPageShowsControlsAsWhatTheyAre(t *testing.T) {
	hostile := []string{"a\x00b", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07x", "\x1b[2J\x1b[1;1Htop", "left\u202eright", "\x1b", "a\rb", "\x7f\u009b31m", "tab\there", "\u200bzero"}
	var got []string
	inNode(t, `
import {readFileSync} from 'node:fs';
import {Log} from './logdata.js';
const log = new Log('x');
log.append(JSON.parse(readFileSync('input.json', 'utf8')).map((text, i) => ({seq: i + 1, time: '2026-12-01T00:00:00Z', type: 'output', data: {text}})));
process.stdout.write(JSON.stringify(log.text));
`, hostile, &got)
	require.Equal(t, []string{"a␀b", "red", "x", "top", "left⟨202e⟩right", "", "b", "␡⟨9b⟩31m", "tab\there", "⟨200b⟩zero"}, got)
}

// The page ends a line at the facts at which the terminal does.
func TestPageKnowsWhichFactsEndText(t *testing.T) {
	var got []string
	inNode(t, `
import {inText} from './logdata.js';
process.stdout.write(JSON.stringify([...inText]));
`, nil, &got)
	within := []event.Data{
		event.Output{}, event.Spent{}, event.Claimed{}, event.Tick{}, event.Note{}, event.Order{}, event.Commit{}, event.SetAside{}, event.Survivor{},
	}
	var want []string
	for _, d := range within {
		require.False(t, event.EndsText(d), "%s", d.Kind())
		want = append(want, string(d.Kind()))
	}
	slices.Sort(want)
	slices.Sort(got)
	require.Equal(t, want, got)
}
