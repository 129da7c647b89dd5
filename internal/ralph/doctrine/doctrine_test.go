package doctrine

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

var noon = time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)

// workspace makes the three durable files, with the files of the map besides or instead; an empty text takes a file away.
func workspace(t *testing.T, files map[string]string) layout.Layout {
	t.Helper()
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	all := map[string]string{".ralph/prd.md": "# Goal\n", ".ralph/tasks.json": "{}\n", ".ralph/progress.md": "log\n"}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if text != "" {
			write(t, l, name, text)
		}
	}
	return l
}

func write(t *testing.T, l layout.Layout, name, text string) {
	t.Helper()
	at := filepath.Join(l.Root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o750))
	require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
}

// tree is every file below the workspace with its bytes and time.
func tree(t *testing.T, l layout.Layout) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(l.Root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fi, _ := d.Info()
		out[l.Rel(path)] = fi.ModTime().String() + "\n" + string(data)
		return err
	}))
	return out
}

func healthy(t *testing.T) layout.Layout {
	t.Helper()
	l := workspace(t, nil)
	_, err := Adopt(l, noon)
	require.NoError(t, err)
	require.Equal(t, Healthy, Inspect(l).Health)
	return l
}

func TestCreateMakesNineFilesThatAreHealthy(t *testing.T) {
	l := workspace(t, nil)
	ws, err := durable.OpenDir(l.Root)
	require.NoError(t, err)
	defer ws.Close()
	c, err := Create(ws, noon)
	require.NoError(t, err)
	assert.Len(t, c.Created, 9)
	assert.Empty(t, c.Present)
	r := Inspect(l)
	assert.Equal(t, Healthy, r.Health)
	require.Len(t, r.Findings, 1)
	assert.Equal(t, CodeHealthy, r.Findings[0].Code)
	index, err := os.ReadFile(l.DoctrineFile(EvidenceIndex))
	require.NoError(t, err)
	assert.Equal(t, "{\n  \"schemaVersion\": 1,\n  \"generatedAt\": \"2026-03-17T12:00:00.000Z\",\n  \"doctrineRoot\": \".ralph/doctrine\",\n  \"evidence\": []\n}\n", string(index))
	for _, f := range Files {
		text, err := os.ReadFile(l.DoctrineFile(f.Name))
		require.NoError(t, err)
		assert.Equal(t, f.Protected, strings.Contains(string(text), "must not rewrite"), f.Name)
	}
}

func TestA03_A_PartialPackIsCompleted(t *testing.T) {
	l := workspace(t, map[string]string{".ralph/doctrine/risks.md": "mine", ".ralph/doctrine/evidence-index.json": "broken"})
	ws, err := durable.OpenDir(l.Root)
	require.NoError(t, err)
	defer ws.Close()
	before := tree(t, l)
	c, err := Create(ws, noon)
	require.NoError(t, err)
	assert.Len(t, c.Created, 7)
	assert.Equal(t, []string{".ralph/doctrine/risks.md", ".ralph/doctrine/evidence-index.json"}, c.Present)
	after := tree(t, l)
	for name, text := range before {
		assert.Equal(t, text, after[name], name)
	}
}

func TestA04_AdoptNeedsAllThreeFiles(t *testing.T) {
	for _, missing := range []string{".ralph/progress.md", ".ralph/tasks.json", ".ralph/prd.md"} {
		l := workspace(t, map[string]string{missing: ""})
		before := tree(t, l)
		_, err := Adopt(l, noon)
		var m *MissingError
		require.ErrorAs(t, err, &m)
		assert.Equal(t, []string{missing}, m.Paths)
		assert.Equal(t, before, tree(t, l))
		assert.NoDirExists(t, l.Doctrine)
	}
}

func TestA05_AdoptRepairsTheEvidenceIndex(t *testing.T) {
	valid := string(evidenceIndex(noon, []any{"kept"}))
	for name, bad := range map[string]string{
		"bad JSON":           "{",
		"no object":          "[]",
		"schemaVersion 2":    strings.Replace(valid, `"schemaVersion": 1`, `"schemaVersion": 2`, 1),
		"schemaVersion text": strings.Replace(valid, `"schemaVersion": 1`, `"schemaVersion": "1"`, 1),
		"generatedAt":        strings.Replace(valid, `"generatedAt": "2026-03-17T12:00:00.000Z"`, `"generatedAt": 7`, 1),
		"wrong root":         strings.Replace(valid, `.ralph/doctrine`, `doctrine`, 1),
		"case of a key":      strings.Replace(valid, `"evidence"`, `"Evidence"`, 1),
		"evidence no array":  strings.Replace(valid, "[\n    \"kept\"\n  ]", `{}`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			l := healthy(t)
			write(t, l, ".ralph/doctrine/evidence-index.json", bad)
			r := Inspect(l)
			assert.Equal(t, InvalidIndex, r.Health)
			require.Len(t, r.Findings, 1)
			assert.Equal(t, CodeIndexInvalid, r.Findings[0].Code)

			c, err := Adopt(l, noon)
			require.NoError(t, err)
			assert.Equal(t, []string{".ralph/doctrine/evidence-index.json"}, c.Repaired)
			assert.Empty(t, c.Created)
			assert.Len(t, c.Present, 8)
			require.Len(t, c.Kept, 1)
			old, err := os.ReadFile(filepath.Join(l.Root, filepath.FromSlash(c.Kept[0])))
			require.NoError(t, err)
			assert.Equal(t, bad, string(old), "not a byte is lost")
			assert.Equal(t, Healthy, Inspect(l).Health)
			index, err := os.ReadFile(l.DoctrineFile(EvidenceIndex))
			require.NoError(t, err)
			assert.Equal(t, strings.Contains(bad, "\"evidence\": [\n    \"kept\""), strings.Contains(string(index), "kept"), "evidence that can be read stays")

			before := tree(t, l)
			again, err := Adopt(l, noon)
			require.NoError(t, err)
			assert.Empty(t, append(again.Created, again.Repaired...))
			assert.Equal(t, before, tree(t, l), "a second time nothing is touched")
		})
	}
	t.Run("a valid one stays", func(t *testing.T) {
		l := healthy(t)
		write(t, l, ".ralph/doctrine/evidence-index.json", `{"evidence":[1],"doctrineRoot":".ralph/doctrine","generatedAt":"","schemaVersion":1.0,"more":true}`)
		before := tree(t, l)
		c, err := Adopt(l, noon)
		require.NoError(t, err)
		assert.Empty(t, c.Repaired)
		assert.Equal(t, before, tree(t, l))
	})
}

func TestAdoptTouchesNoWordOfMarkdown(t *testing.T) {
	l := workspace(t, map[string]string{".ralph/doctrine/invariants.md": "no heading at all\r\n"})
	_, err := Adopt(l, noon)
	require.NoError(t, err)
	text, err := os.ReadFile(l.DoctrineFile("invariants.md"))
	require.NoError(t, err)
	assert.Equal(t, "no heading at all\r\n", string(text))
}

func TestHeadings(t *testing.T) {
	f := File{Headings: []string{"Known Risks"}}
	for text, want := range map[string]bool{
		"## Known Risks\n": true, "## Known Risks ##  \r\n": true, "##  Known Risks": true, "x\n## Known Risks": true,
		"## known risks\n": false, "### Known Risks\n": false, " ## Known Risks\n": false, "##Known Risks\n": false, "## Known Risks of ours\n": false, "": false,
	} {
		assert.Equal(t, want, len(f.missingHeadings([]byte(text))) == 0, "%q", text)
	}
}

func TestInspectNamesEachGap(t *testing.T) {
	l := workspace(t, nil)
	r := Inspect(l)
	assert.Equal(t, Missing, r.Health)
	require.Len(t, r.Findings, 1, "a missing folder is one finding")

	l = healthy(t)
	require.NoError(t, os.Remove(l.DoctrineFile("agents.md")))
	require.NoError(t, os.Remove(l.DoctrineFile(EvidenceIndex)))
	r = Inspect(l)
	assert.Equal(t, Incomplete, r.Health)
	require.Len(t, r.Findings, 2)
	for _, f := range r.Findings {
		assert.Equal(t, CodeFileMissing, f.Code)
		assert.True(t, strings.HasPrefix(f.Message, "Doctrine health: incomplete. "), f.Message)
		assert.True(t, strings.HasSuffix(f.Message, "`ralphex workspace adopt`."), f.Message)
	}
}

func TestProtectedFilesAreCompared(t *testing.T) {
	l := healthy(t)
	before := Take(l)
	assert.Len(t, before, 3)
	write(t, l, ".ralph/doctrine/risks.md", "anybody may")
	assert.Empty(t, Changed(before, Take(l)))
	write(t, l, ".ralph/doctrine/agents.md", "do as you like")
	require.NoError(t, os.Remove(l.DoctrineFile("boundaries.md")))
	found := Changed(before, Take(l))
	require.Len(t, found, 2)
	assert.Contains(t, found[0].Message, "boundaries.md was deleted")
	assert.Contains(t, found[1].Message, "agents.md was changed")
	assert.Equal(t, CodeProtectedChanged, found[0].Code)
	assert.Contains(t, Changed(Protection{}, before)[0].Message, "was made")
}

// updates parses a JSON array of updates.
func updates(t *testing.T, text string) ([]Update, []string) {
	t.Helper()
	v, err := stable.Parse([]byte(text))
	require.NoError(t, err)
	return ParseUpdates(v)
}

// The old bytes of an index are kept under a name that nobody has: without that it is not repaired.
func TestAnIndexThatCanNotBeKeptIsNotRepaired(t *testing.T) {
	l := healthy(t)
	at := l.DoctrineFile(EvidenceIndex)
	require.NoError(t, os.WriteFile(at, []byte("{broken"), 0o600))
	keep := at + ".before-" + strings.NewReplacer("-", "", ":", "", ".", "").Replace(stable.Time(noon))
	require.NoError(t, os.WriteFile(keep, []byte("somebody's"), 0o600))
	_, err := Adopt(l, noon)
	require.ErrorIs(t, err, fs.ErrExist)
	for path, want := range map[string]string{at: "{broken", keep: "somebody's"} {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
}

func TestA07_ProposalsForProtectedFilesChangeNothing(t *testing.T) {
	l := healthy(t)
	before := tree(t, l)
	ups, warnings := updates(t, `[{"targetFile":".ralph/doctrine/invariants.md","operation":"append","proposedText":"New rule.","rationale":"Seen twice.","evidence":["log line 7"]},
		{"targetFile":".\\.ralph\\doctrine\\risks.md","operation":"replaceSection","section":" Known Risks ","proposedText":"x","rationale":"y","evidence":["z"]}]`)
	assert.Empty(t, warnings)
	require.Len(t, ups, 2)
	assert.Equal(t, High, ups[0].Risk)
	assert.True(t, ups[0].RequiresApproval && ups[0].ProtectedTarget)
	assert.Equal(t, Update{TargetFile: ".ralph/doctrine/risks.md", Operation: "replaceSection", Section: "Known Risks", ProposedText: "x", Rationale: "y",
		Evidence: []string{"z"}, Risk: Medium}, ups[1])
	doc := Propose(ups, warnings, Origin{ProvenanceID: "run-i007-cli-20260317T120000Z", Iteration: 7, TaskID: "T1", Source: "completionReport"}, noon)
	assert.Equal(t, []string{"schemaVersion", "kind", "proposalId", "createdAt", "provenanceId", "iteration", "selectedTaskId", "selectedTaskTitle", "source",
		"status", "risk", "summary", "updates", "warnings"}, doc.Keys())
	text := string(stable.Marshal(doc))
	for _, want := range []string{`"proposalId": "doctrine-proposal-run-i007-cli-20260317T120000Z"`, `"risk": "high"`, `"requiresApproval": true`, `"status": "proposed"`, `"selectedTaskTitle": null`} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, before, tree(t, l))

	for _, order := range [][]Update{{{Risk: Low}, {Risk: High}, {Risk: Medium}}, {{Risk: High}, {Risk: Low}}, {{Risk: Low}, {Risk: Medium}}} {
		risk, _ := Propose(order, nil, Origin{}, noon).String("risk")
		want := High
		if len(order) == 2 && order[0].Risk == Low {
			want = Medium
		}
		assert.Equal(t, string(want), risk, "the highest of %v", order)
	}

	doc = Propose(nil, nil, Origin{Iteration: 3, Source: "rumour"}, noon)
	id, _ := doc.String("proposalId")
	source, _ := doc.String("source")
	assert.Equal(t, "doctrine-proposal-iteration-3", id)
	assert.Equal(t, "unknown", source)
	assert.Contains(t, string(stable.Marshal(doc)), `"updates": []`)
}

func TestBadUpdatesAreDroppedByIndex(t *testing.T) {
	good := `{"targetFile":".ralph/doctrine/risks.md","operation":"append","proposedText":"p","rationale":"r","evidence":["e"]}`
	for name, bad := range map[string]string{
		"no object":       `7`,
		"evidence index":  strings.Replace(good, "risks.md", "evidence-index.json", 1),
		"elsewhere":       strings.Replace(good, ".ralph/doctrine/risks.md", "src/main.go", 1),
		"dots":            strings.Replace(good, ".ralph/doctrine/risks.md", ".ralph/doctrine/../prd.md", 1),
		"operation":       strings.Replace(good, "append", "delete", 1),
		"section":         strings.Replace(good, "append", "addSectionItem", 1),
		"text":            strings.Replace(good, `"p"`, `" "`, 1),
		"long text":       strings.Replace(good, `"p"`, `"`+strings.Repeat("p", 4001)+`"`, 1),
		"rationale":       strings.Replace(good, `"r"`, `null`, 1),
		"long rationale":  strings.Replace(good, `"r"`, `"`+strings.Repeat("r", 1601)+`"`, 1),
		"no evidence":     strings.Replace(good, `["e"]`, `[]`, 1),
		"much evidence":   strings.Replace(good, `["e"]`, `["1","2","3","4","5","6","7","8","9"]`, 1),
		"long evidence":   strings.Replace(good, `["e"]`, `["`+strings.Repeat("e", 401)+`"]`, 1),
		"number evidence": strings.Replace(good, `["e"]`, `[1]`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			ups, warnings := updates(t, "["+good+","+bad+"]")
			assert.Len(t, ups, 1)
			require.Len(t, warnings, 1)
			assert.Contains(t, warnings[0], "doctrineUpdates[1] was dropped")
		})
	}
	ups, warnings := updates(t, `{"0":`+good+`}`)
	assert.Empty(t, ups)
	assert.Len(t, warnings, 1)
	_, warnings = ParseUpdates(nil)
	assert.Empty(t, warnings)
	ups, warnings = updates(t, "["+strings.Replace(strings.Replace(good, `"p"`, `"`+strings.Repeat("p", 1201)+`"`, 1), `["e"]`, `["1","2","3","4","5"]`, 1)+"]")
	assert.Len(t, ups, 1)
	assert.Len(t, warnings, 2, "long, and taken all the same")
}
