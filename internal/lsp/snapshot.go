package lsp

import (
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"ralphex/pkg/plan"
	"ralphex/pkg/plan/check"
)

// snapshot is one version of a document. It never changes; what is dear is made once, when first asked for.
type snapshot struct {
	uri     string
	version *int32 // nil: the client gave none
	text    *text
	lost    string // why the text is not known; the text is empty then

	known atomic.Pointer[plan.Plan] // the plan, once it has been read
	base  *plan.Plan                // one of an earlier version, nil if there is none

	plan     *lazy[*plan.Plan]      // nil if it is beyond a limit
	options  *lazy[judgement]       // how it is checked
	findings *lazy[[]check.Finding] // empty if the document is no plan
	fixed    *lazy[[]byte]          // with all that is certain repaired; the text itself if that is impossible
}

// newSnapshot makes a snapshot. place tells how the document is checked, before is the version before, nil if
// there is none.
func newSnapshot(uri string, version *int32, t *text, place place, before *snapshot) *snapshot {
	sn := &snapshot{uri: uri, version: version, text: t}
	if before != nil {
		sn.base = before.base
		if p := before.known.Load(); p != nil {
			sn.base = p
		}
	}
	sn.plan = newLazy(sn.readPlan)
	sn.options = newLazy(func() judgement { return place.judge(sn.plan.get) })
	sn.findings = newLazy(func() []check.Finding {
		j := sn.options.get()
		if !j.isPlan || j.quiet {
			return nil
		}
		return check.Check(t.bytes, j.check)
	})
	sn.fixed = newLazy(func() []byte {
		j := sn.options.get()
		if !j.isPlan || j.quiet {
			return t.bytes
		}
		out, _, err := check.FixAll(t.bytes, j.check)
		if err != nil {
			return t.bytes
		}
		return out
	})
	return sn
}

// readPlan reads the plan, cheaply if only boxes differ from an earlier version.
func (sn *snapshot) readPlan() *plan.Plan {
	var p *plan.Plan // of an error, which is a limit, the check tells
	if sn.base != nil {
		p, _ = sn.base.Reparse(sn.text.bytes)
	} else {
		p, _ = plan.ParsePlan(sn.text.bytes)
	}
	sn.known.Store(p)
	return p
}

// lostSnapshot stands for a document whose text is not known.
func lostSnapshot(uri string, version *int32, why string) *snapshot {
	sn := newSnapshot(uri, version, newText(nil), place{ignored: true}, nil)
	sn.lost = why
	return sn
}

// isPlan tells whether the document is a plan that can be read, and returns it.
func (sn *snapshot) isPlan() (*plan.Plan, bool) {
	if !sn.options.get().isPlan {
		return nil, false
	}
	p := sn.plan.get()
	return p, p != nil
}

// place is what is known about a document before its text is read.
type place struct {
	ignored bool // no Markdown
	inPlans bool // below a plans folder
	archive bool // below its folder of finished plans
	opts    check.Options
}

// newPlace judges a document by its address and the language that the editor takes it for.
func newPlace(uri, language, plansDir string, opts check.Options) place {
	file := pathOf(uri)
	markdown := language == "markdown" || strings.EqualFold(path.Ext(filepath.ToSlash(file)), ".md")
	opts.Path = file
	return place{ignored: !markdown, inPlans: within(file, plansDir), archive: within(file, path.Join(plansDir, plan.CompletedDir)), opts: opts}
}

// judgement says whether a document is a plan, and how it is checked.
type judgement struct {
	isPlan bool
	quiet  bool // a finished plan: its outline is of use, what a checker thinks of it is not
	check  check.Options
}

// judge decides, by the place alone if it can: reading a big document only to learn that it is none is dear.
func (p place) judge(read func() *plan.Plan) judgement {
	if p.ignored {
		return judgement{}
	}
	if p.inPlans {
		return judgement{isPlan: true, quiet: p.archive, check: p.opts}
	}
	pl := read()
	switch {
	case pl == nil:
		return judgement{} // some big Markdown file
	case len(pl.Tasks) > 0:
		return judgement{isPlan: true, quiet: p.archive, check: p.opts}
	}
	for _, q := range pl.Problems {
		switch q.Code {
		case plan.WrongKeyword, plan.NoColon, plan.MissingSpaces:
			o := p.opts
			o.Profile = check.Run
			return judgement{isPlan: true, check: o}
		}
	}
	return judgement{}
}

// pathOf is the file that an address names, slash-separated, or the address itself (untitled:…).
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	p := u.Path
	if runtime.GOOS == "windows" && len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:]
	}
	return p
}

// within tells whether a file lies below a plans folder: an absolute one, or one of that name anywhere, since a
// workspace may hold several projects.
func within(file, plansDir string) bool {
	dir := strings.Trim(path.Clean(filepath.ToSlash(plansDir)), "/")
	if dir == "." || dir == "" {
		return false
	}
	if filepath.IsAbs(filepath.FromSlash(plansDir)) {
		return strings.HasPrefix(file, path.Clean(filepath.ToSlash(plansDir))+"/")
	}
	return strings.Contains("/"+file, "/"+dir+"/")
}
