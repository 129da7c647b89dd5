package webtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/cli/clitest"
	"ralphex/pkg/vcs/vcstest"
)

const apiPlan = "# A small HTTP API\n\n## Validation Commands\n- `test ! -e broken`\n- `ls go.mod`\n\n### Task 1: Routes and handlers\n- [ ] GET /words returns all words\n- [ ] an unknown path is a 404\n- [ ] tests of both\n\n" +
	"### Task 2: Store words in a file\n- [ ] write and rename\n- [ ] a torn file is told of\n\n### Task 2.5: Limits\n- [ ] bodies of more than 1 MB are refused\n- [ ] slow clients are cut off\n\n### Task 3: Docs\n- [ ] README\n"

// apiScript works three tasks off, the second one not right at first, has a review with findings, and is amid the fourth task then.
const apiScript = `session
	say I begin with the routes. Two handlers and one table of them will do.
	line {"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./..."}}]}}
	write routes.go package api\n\n// routes are all there are.\nvar routes = map[string]string{\n\t"/words": "words",\n}\n
	write handlers.go package api\n\nimport "net/http"\n\nfunc words(w http.ResponseWriter, r *http.Request) {\n\tw.Write(nil)\n}\n
	say Both handlers are there, and their tests pass.
	tick next
session
	say The store writes beside the file, and renames.
	write store.go package api\n\nfunc save() error {\n\treturn nil\n}\n
	write broken x
	tick next
session
	say A leftover of my experiments made the validation red. It is gone now.
	remove broken
session
	say One reader with a limit, one deadline.
	write limits.go package api\n\nconst maxBody = 1 << 20\n
	tick next
session *
	say The README names each path, with an example that is run as a test.
	wait-file .tmp/go
`

const reviewScript = `session
	say store.go:3 - [major] an error of the rename is dropped => fixed
	say handlers.go:5 - [minor] the content type is missing => fixed
	write store.go package words\n\nfunc save() error {\n\treturn rename()\n}\n
	sh git add -A && git commit -qm "fix: address code review findings"
session
	say store.go:9 - [minor] the name says too little
session *
	say NO ISSUES FOUND
	signal REVIEW_DONE
`

// pictures are what `make screenshots` draws.
var pictures = []struct {
	name, run, view, theme string
	phone                  bool
}{
	{"run", "api", "log", "light", false},
	{"run-dark", "api", "log", "dark", false},
	{"timeline", "api", "timeline", "light", false},
	{"changes-dark", "api", "changes", "dark", false},
	{"cost", "api", "cost", "light", false},
	{"findings", "words", "findings", "light", false},
	{"phone", "api", "log", "light", true},
	{"phone-dark", "api", "timeline", "dark", true},
}

// TestScreenshots draws the pictures of the docs, from real runs, into the folder that RALPHEX_SCREENSHOTS names; else there is nothing to do.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("RALPHEX_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots asks for it")
	}
	top := t.TempDir()
	words := vcstest.NewRepoAt(t, filepath.Join(top, "words"))
	words.Write("README.md", "words\n")
	words.Commit("start")
	words.Git("checkout", "-q", "-b", "store")
	words.Write("store.go", "package words\n\nfunc save() error {\n\t_ = rename()\n\treturn nil\n}\n")
	words.Write("handlers.go", "package words\n")
	words.Commit("feat: store words in a file")
	clitest.Begin(t, words, reviewScript, []string{"--review", "--external-review-tool", "none"}).Exits(0)

	api := vcstest.NewRepoAt(t, filepath.Join(top, "api"))
	api.Write("docs/plans/http-api.md", apiPlan)
	api.Write(".gitignore", "/.tmp/\n")
	api.Write("go.mod", "module api\n")
	api.Commit("start")
	api.Write(".tmp/here", "")
	clitest.Begin(t, api, apiScript, []string{"-t", "--max-cost", "2", "docs/plans/http-api.md"})
	_, at := serve(t, api, api.Dir, words.Dir)

	p := newTab(t)
	p.open(at)
	p.until(`document.querySelector('#plan [data-task-num="4"]')?.dataset.state === 'active' && %s.some((l) => l.includes('The README names'))`, raw(lines))
	ids := map[string]string{}
	for _, name := range []string{"api", "words"} {
		ids[name] = value[string](p, `fetch('/api/v1/runs').then((r) => r.json()).then((l) => l.runs.find((r) => r.project === %s).id)`, name)
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, picture := range pictures {
		p.media("prefers-color-scheme", picture.theme, "prefers-reduced-motion", "reduce")
		if picture.phone {
			p.do(phone)
		} else {
			p.do(chromedp.EmulateViewport(1440, 900))
		}
		p.do(chromedp.Navigate("about:blank"))
		p.open(fmt.Sprintf("%s/#run=%s&view=%s", at, ids[picture.run], picture.view))
		p.until(`document.querySelector('#view > *') && document.querySelector('#plan .task, #plan .empty')`)
		if picture.view == "log" {
			p.until(`document.querySelectorAll('#log .ln').length > 0`)
			if !picture.phone {
				p.do(blur)
				p.press("e", home)
			}
		}
		value[bool](p, `(async () => { for (let i = 0; i < 60; i++) await new Promise((done) => requestAnimationFrame(done)); return true; })()`)
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		cancel()
		require.NoError(t, err)
		assert.Less(t, len(png), 250<<10, "%s is too large for the docs", picture.name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, picture.name+".png"), png, 0o644))
	}
}
