package finding

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// at is a finding as most rows want it.
func at(file string, line int, text string) Finding {
	return Finding{File: file, Line: line, Text: text}
}

func TestParseLine(t *testing.T) {
	leak := at("pkg/a/b.go", 42, "the file is never closed")
	with := func(f Finding, change func(*Finding)) Finding { change(&f); return f }
	for _, tt := range []struct {
		line string
		want Finding
	}{
		{"pkg/a/b.go:42 - the file is never closed", leak},
		{"- pkg/a/b.go:42 - the file is never closed", leak},
		{"* `pkg/a/b.go:42` — the file is never closed", leak},
		{"1. **pkg/a/b.go:42**: the file is never closed", leak},
		{"12) **`pkg/a/b.go:42`** – the file is never closed", leak},
		{"  - [ ] pkg/a/b.go:42 -- the file is never closed", leak},
		{"### pkg/a/b.go:42 - the file is never closed", leak},
		{"(pkg/a/b.go:42) - the file is never closed", leak},
		{"./pkg/a/b.go:42:7: the file is never closed", leak},
		{`pkg\a\b.go:42 - the file is never closed`, leak},
		{"pkg/a/b.go#L42 - the file is never closed", leak},
		{"- [pkg/a/b.go:42](https://host/pkg/a/b.go#L42) - the file is never closed", leak},
		{"pkg/a/b.go:42 - the file\x00is never\tclosed", with(leak, func(f *Finding) { f.Text = "the file is never closed" })},
		{"pkg/a/b.go:42-50 - the file is never closed", with(leak, func(f *Finding) { f.EndLine = 50 })},
		{"pkg/a/b.go#L42-L50 - the file is never closed", with(leak, func(f *Finding) { f.EndLine = 50 })},
		{"pkg/a/b.go:42:7-50:9 - the file is never closed", with(leak, func(f *Finding) { f.EndLine = 50 })},
		{"pkg/a/b.go:42-42 - the file is never closed", leak},
		{"pkg/a/b.go:42 - [major] the file is never closed", with(leak, func(f *Finding) { f.Severity = Major })},
		{"pkg/a/b.go:42 [MAJOR] the file is never closed", with(leak, func(f *Finding) { f.Severity = Major })},
		{"pkg/a/b.go:42 - **Critical**: the file is never closed", with(leak, func(f *Finding) { f.Severity = Critical })},
		{"[minor] pkg/a/b.go:42 - the file is never closed", with(leak, func(f *Finding) { f.Severity = Minor })},
		{"- **Info:** `pkg/a/b.go:42` - the file is never closed", with(leak, func(f *Finding) { f.Severity = Info })},
		{"- [P1] the file is never closed — pkg/a/b.go:42-50", with(leak, func(f *Finding) { f.Severity, f.EndLine = Major, 50 })},
		{"- [P2] the file is never closed (pkg/a/b.go:42)", with(leak, func(f *Finding) { f.Severity = Minor })},
		{"| pkg/a/b.go:42 | major | the file is never closed |", with(leak, func(f *Finding) { f.Severity = Major })},
		{"pkg/a/b.go:42 - the file is never closed => fixed", with(leak, func(f *Finding) { f.Disposition = Fixed })},
		{"pkg/a/b.go:42 - the file is never closed => **Fixed** in 1a2b3c4.", with(leak, func(f *Finding) { f.Disposition, f.Reason = Fixed, "in 1a2b3c4." })},
		{"pkg/a/b.go:42 - the file is never closed => refuted: the caller does", with(leak, func(f *Finding) { f.Disposition, f.Reason = Refuted, "the caller does" })},
		{"pkg/a/b.go:42 - the file is never closed => false positive (the caller does)", with(leak, func(f *Finding) { f.Disposition, f.Reason = Refuted, "the caller does" })},
		{"pkg/a/b.go:42 - the file is never closed => open - needs a new API", with(leak, func(f *Finding) { f.Disposition, f.Reason = Open, "needs a new API" })},
		{"pkg/a/b.go:42 - `() => open(x)` leaks => fixed", with(leak, func(f *Finding) { f.Text, f.Disposition = "`() => open(x)` leaks", Fixed })},
		{"pkg/a/b.go:42 - use x => fixed-size arrays", at("pkg/a/b.go", 42, "use x => fixed-size arrays")},
		{"pkg/a/b.go:42 - error: is not checked", at("pkg/a/b.go", 42, "error: is not checked")},
		{"Makefile:3 - no .PHONY", at("Makefile", 3, "no .PHONY")},
		{"`docs/my plan.md:3` - no title", at("docs/my plan.md", 3, "no title")},
		{"d ü/my plan.md:3-5 - [major] no title => open: why", Finding{File: "d ü/my plan.md", Line: 3, EndLine: 5, Severity: Major, Text: "no title", Disposition: Open, Reason: "why"}},
		{"- My Docs/a-b.md:3: [minor] no title", Finding{File: "My Docs/a-b.md", Line: 3, Severity: Minor, Text: "no title"}},
		{"calc_test.go - the tests are gone => refuted: they moved", Finding{File: "calc_test.go", Text: "the tests are gone", Disposition: Refuted, Reason: "they moved"}},
		{"`my tests/calc.py` - the tests are gone => open", Finding{File: "my tests/calc.py", Text: "the tests are gone", Disposition: Open}},
		{"README.md - [minor] says too little", Finding{File: "README.md", Severity: Minor, Text: "says too little"}},
		{"a.go:0 - [major] no licence", Finding{File: "a.go", Severity: Major, Text: "no licence"}},
		{"a.go:99999999999999999999 - [major] too long", Finding{File: "a.go", Severity: Major, Text: "too long"}},
		{"/home/u/repo/a.go:1 - x is unused", at("/home/u/repo/a.go", 1, "x is unused")},
		{`C:\repo\a.go:1 - x is unused`, at("C:/repo/a.go", 1, "x is unused")},
		{"src/日本語.ts:9 - 値が null のとき落ちる", at("src/日本語.ts", 9, "値が null のとき落ちる")},
	} {
		t.Run(tt.line, func(t *testing.T) {
			assert.Equal(t, []Finding{tt.want}, Parse(tt.line).Findings)
		})
	}
}

func TestParseLeavesProse(t *testing.T) {
	for _, line := range []string{
		"", "I fixed pkg/a/b.go:42 - it was never closed.", "See http://localhost:8080 - it runs there", "12:30 - began",
		"Step:1 - read the diff", "127.0.0.1:80 - refused", "pkg/a/b.go:42", "pkg/a/b.go:42 is where it begins", "pkg/a/b.go - 3 tests", "I looked at a.go - all is well => fixed",
		"pkg/a/b.go:0 - no line", "pkg/a/b.go:42nd - no line", "> pkg/a/b.go:42 - quoted", "func(a.go):1 - x", "|---|---|", "a.go:42 -", "[major] nothing here",
		"pkg/a/b.go:123456789 - no file has so many", "=> fixed",
	} {
		t.Run(line, func(t *testing.T) {
			assert.Equal(t, Report{}, Parse(line))
		})
	}
}

func TestParseText(t *testing.T) {
	text := strings.Join([]string{
		"I looked at 3 files.", "", "## Findings", "",
		"1. a.go:1 - one", "   It says more about it.",
		"2. a.go:9 - two", "   => refuted: by design",
		"3. a.go:20 - one",
		"```go", "b.go:5 - in a fence", "```",
		"~~~", "b.go:6 - in another", "```", "~~~",
		"> b.go:7 - quoted",
		"````", "b.go:8 - behind a fence without end",
		"", "Summary:", "- a.go:9 - two => fixed",
	}, "\r\n")
	assert.Equal(t, []Finding{
		{File: "a.go", Line: 1, Also: []int{20}, Text: "one"},
		{File: "a.go", Line: 9, Text: "two", Disposition: Fixed},
		{File: "b.go", Line: 8, Text: "behind a fence without end"},
	}, Parse(text).Findings)
}

func TestParseSameWordsAtSeveralLines(t *testing.T) {
	r := Parse("a.go:1 - unchecked error => fixed\na.go:8 - unchecked error => open: hard\na.go:9 - unchecked error => fixed\na.go:9 - unchecked error")
	assert.Equal(t, []Finding{{File: "a.go", Line: 1, Also: []int{8, 9}, Text: "unchecked error", Disposition: Open, Reason: "hard"}}, r.Findings)
}

func TestParseClean(t *testing.T) {
	for text, want := range map[string]bool{
		"NO ISSUES FOUND":                            true,
		"Looked at all.\n\n**No issues found.**\n":   true,
		"- NO ISSUES FOUND":                          true,
		"There are NO ISSUES FOUND by me":            false,
		"```\nNO ISSUES FOUND\n```":                  false,
		"> NO ISSUES FOUND":                          false,
		"NO ISSUES FOUND\na.go:1 - but for this one": false,
		"": false,
	} {
		assert.Equal(t, want, Parse(text).Clean, text)
	}
}

func TestIn(t *testing.T) {
	r := Parse("/r/repo/a.go:1 - x\n/r/other/a.go:1 - x\nb.go:1 - x").In("/r/repo/", "codex")
	var files []string
	for _, f := range r.Findings {
		files = append(files, f.File)
		assert.Equal(t, "codex", f.Source)
	}
	assert.Equal(t, []string{"a.go", "/r/other/a.go", "b.go"}, files)
}

func TestJudge(t *testing.T) {
	changed := func(file string) bool { return file == "changed.go" }
	for _, tt := range []struct {
		name   string
		f      Finding
		want   Disposition
		reason string
	}{
		{"fixed and changed", Finding{File: "changed.go", Disposition: Fixed}, Fixed, ""},
		{"fixed and not changed", Finding{File: "same.go", Disposition: Fixed}, Open, "said to be fixed, but the file did not change"},
		{"refuted", Finding{Disposition: Refuted, Reason: "by design"}, Refuted, "by design"},
		{"refuted without a reason", Finding{Disposition: Refuted, Reason: " "}, Open, "said to be none, without a reason"},
		{"open", Finding{Disposition: Open, Reason: "hard"}, Open, "hard"},
		{"nothing said", Finding{}, Open, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, reason := Judge(tt.f, changed)
			assert.Equal(t, tt.want, d)
			assert.Equal(t, tt.reason, reason)
		})
	}
}

// TestParseHostile keeps texts that invite quadratic work within a moment.
func TestParseHostile(t *testing.T) {
	const mb = 1 << 20
	for name, text := range map[string]string{
		"fences without end":  strings.Repeat("```go\n", mb/6),
		"longer and longer":   longer(2000),
		"links without end":   strings.Repeat("[a](", mb/4),
		"closing brackets":    strings.Repeat("](", mb/2),
		"arrows":              "a.go:1 - x " + strings.Repeat("=> ", mb/3),
		"one long path":       strings.Repeat("a:1", mb/3),
		"one long path, dots": strings.Repeat("a/b:1-", mb/6) + " - x",
		"pipes":               strings.Repeat("|", mb),
		"places in pipes":     strings.Repeat("|a.go:1", mb/7),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			Parse(text)
			assert.Less(t, time.Since(start), time.Minute)
		})
	}
	long := Parse("a.go:1 - " + strings.Repeat("é", mb)).Findings
	require.Len(t, long, 1)
	assert.LessOrEqual(t, len(long[0].Text), maxText)
	assert.True(t, strings.HasSuffix(long[0].Text, "é…"))
}

// longer is fences of which each is shorter than the one before, so that none closes another.
func longer(n int) string {
	var b strings.Builder
	for i := n; i > 3; i-- {
		b.WriteString(strings.Repeat("`", i) + "go\n")
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"pkg/a.go:42 - [major] x => fixed\n", "- **`a.go:4-5`** — x => refuted: y", "| a.go:1 | major | x |", "```\na.go:1 - x\n```\nNO ISSUES FOUND",
		"[P1] x — a.go:3", "a.go#L1-L2 - x", "[a.go:1](b) - x", "\xff.go:1 - \xff", "a.go:1 - x\n=> open: y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Parse(text)
		if r.Clean {
			require.Empty(t, r.Findings)
		}
		ids := map[ID]bool{}
		for _, x := range r.Findings {
			require.NotEmpty(t, x.File)
			require.NotEmpty(t, x.Text)
			require.Positive(t, x.Line)
			require.True(t, x.EndLine == 0 || x.EndLine > x.Line)
			require.NotContains(t, x.Text, "\n")
			require.False(t, ids[x.ID()], "a finding is named once")
			ids[x.ID()] = true
		}
		again := Parse(text)
		require.Equal(t, r, again)
	})
}
