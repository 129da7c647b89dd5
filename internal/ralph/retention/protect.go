package retention

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// Protected is what stays however old it is.
type Protected struct {
	Iterations map[int]bool    // by number: a folder with another padding is the same iteration
	Prompts    map[string]bool // by file name
	Runs       map[string]bool // by base name
	Bundles    map[string]bool // by provenance id
}

// Scope says whose references protect.
type Scope int

// The scopes.
const (
	Histories Scope = iota // the state with its histories, and the pointers: what runs after each iteration
	Current                // the state without its histories, and the pointers: what a person asks for
)

// The fields of the pointers that protect. No other field does.
var (
	resultKeys     = []string{"artifactDir", "summaryPath", "promptPath", "promptArtifactPath", "transcriptPath", "lastMessagePath"}
	preflightKeys  = []string{"artifactDir", "reportPath", "summaryPath"}
	planKeys       = []string{"artifactDir", "promptPath", "promptArtifactPath", "executionPlanPath"}
	invocationKeys = []string{"promptArtifactPath", "cliInvocationPath", "transcriptPath", "lastMessagePath"}
	bundleKeys     = []string{"artifactDir", "preflightReportPath", "preflightSummaryPath", "promptArtifactPath", "promptEvidencePath", "executionPlanPath",
		"cliInvocationPath", "iterationResultPath", "provenanceFailurePath", "provenanceFailureSummaryPath"}
	failureKeys = []string{"artifactDir", "executionPlanPath", "promptArtifactPath", "cliInvocationPath", "provenanceFailurePath", "provenanceFailureSummaryPath"}
)

// The kinds of things that a path may protect.
const (
	iterations = 1 << iota
	prompts
	runs
	anything = iterations | prompts | runs
)

// StateError says that state.json is there and can't be understood: nobody knows then what it protects, and nothing is deleted.
type StateError struct {
	Path string
	Err  error
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s can't be read, so that nobody knows which artifacts it needs, and none was deleted: %v", e.Path, e.Err)
}

func (e *StateError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *StateError) Hint() string {
	return "ralphex workspace doctor says what is wrong with it; the next run keeps its bytes aside and writes a new one"
}

// ReadProtected reads the references of the workspace: state.json as it stands on disk, and the latest-* files. A pointer that can't be read
// protects nothing; a state that can't be read is a *StateError.
func ReadProtected(l layout.Layout, scope Scope) (Protected, error) {
	p := protector{l: l, Protected: Protected{map[int]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}}
	data, err := durable.ReadFile(l.State, maxPointer)
	if err == nil {
		var o *stable.Object
		if o, err = stable.ParseObject(data); err == nil {
			p.state(o, scope)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Protected{}, &StateError{l.Rel(l.State), err}
	}
	latest := l.Latest()
	for _, one := range []struct {
		path  string
		keys  []string
		kinds int
	}{
		{latest.Result, resultKeys, anything}, {latest.PreflightReport, preflightKeys, iterations}, {latest.ExecutionPlan, planKeys, iterations | prompts},
		{latest.CLIInvocation, invocationKeys, iterations | runs},
		// A bundle has copies of what it needs: it protects no prompt and no transcript, whatever it names.
		{latest.ProvenanceBundle, bundleKeys, iterations}, {latest.ProvenanceFailure, failureKeys, iterations},
	} {
		if o := pointer(one.path); o != nil {
			p.fields(o, one.kinds, one.keys...)
		}
	}
	if o := pointer(latest.PromptEvidence); o != nil {
		kind, _ := o.String("kind")
		if n := iterationOf(o); slices.Contains(state.PromptKinds, kind) && n >= 1 {
			prompt, _ := derivedNames(kind, n)
			p.Iterations[n], p.Prompts[prompt] = true, true
		}
	}
	for _, path := range []string{latest.Summary, latest.PreflightSummary, latest.ProvenanceSummary} {
		if text, err := durable.ReadFile(path, maxPointer); err == nil {
			p.summary(string(text))
		}
	}
	for _, path := range latest.Paths() {
		if text, err := durable.ReadFile(path, maxPointer); err == nil {
			p.bundles(text)
		}
	}
	return p.Protected, nil
}

type protector struct {
	l layout.Layout
	Protected
}

// state protects what a raw state record names. Records that lack the iterations protect what their runs stand for.
func (p *protector) state(o *stable.Object, scope Scope) {
	p.fields(o, anything, "lastPromptPath")
	runsOf, its := o.Objects("runHistory"), o.Objects("iterationHistory")
	lastRun, lastIteration := objectAt(o, "lastRun"), objectAt(o, "lastIteration")
	if lastRun == nil && len(runsOf) > 0 {
		lastRun = runsOf[len(runsOf)-1]
	}
	derive := lastIteration == nil
	if lastIteration == nil && len(its) > 0 {
		lastIteration, derive = its[len(its)-1], false
	}
	if scope == Current {
		runsOf, its = nil, nil
	} else {
		derive = derive || len(its) == 0
	}
	for _, r := range append(runsOf, lastRun) {
		p.fields(r, anything, "promptPath", "transcriptPath", "lastMessagePath")
		kind, _ := r.String("promptKind")
		if n := iterationOf(r); derive && n >= 1 {
			p.Iterations[n] = true
			prompt, run := derivedNames(kind, n)
			p.Prompts[prompt], p.Runs[run] = true, true
		}
	}
	for _, it := range append(its, lastIteration) {
		p.fields(it, anything, "artifactDir", "promptPath")
		p.fields(objectAt(it, "execution"), anything, "transcriptPath", "lastMessagePath")
	}
}

// fields protects what the fields of a record name, as far as they name something of these kinds.
func (p *protector) fields(o *stable.Object, kinds int, keys ...string) {
	for _, key := range keys {
		if path, ok := o.String(key); ok {
			p.path(path, kinds)
		}
	}
}

// path protects what an absolute path lies in, or is.
func (p *protector) path(path string, kinds int) {
	if !filepath.IsAbs(path) {
		return
	}
	first := func(dir string) string {
		rel, err := filepath.Rel(dir, path)
		if err != nil || !layout.Within(dir, path) {
			return ""
		}
		name, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		return name
	}
	if n, ok := layout.ParseIteration(first(p.l.Artifacts)); ok && kinds&iterations != 0 {
		p.Iterations[n] = true
	}
	if name := first(p.l.Prompts); kinds&prompts != 0 && name != "" {
		p.Prompts[name] = true
	}
	if base, ok := runBase(first(p.l.Runs)); ok && kinds&runs != 0 {
		p.Runs[base] = true
	}
}

var (
	headingNumber = lazyregexp.New(`(?m)^# Ralph (?:Iteration|Preflight|Provenance Failure) (\d+)\s*$`)
	lineNumber    = lazyregexp.New("(?m)^- Iteration: `?(\\d+)`?\\s*$")
	pathBullet    = lazyregexp.New("(?m)^- (?:Prompt|Report|Preflight report|Preflight summary|Iteration artifact dir): `?(.+?)`?\\s*$")
	bundleName    = lazyregexp.New(bundleStart + `[A-Za-z0-9._-]*[A-Za-z0-9]`)
)

// summary protects the iteration that a latest Markdown surface is about.
func (p *protector) summary(text string) {
	m := headingNumber.FindStringSubmatch(text)
	if m == nil {
		m = lineNumber.FindStringSubmatch(text)
	}
	if m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			p.Iterations[n] = true
		}
	}
	for _, bullet := range pathBullet.FindAllStringSubmatch(text, -1) {
		p.path(bullet[1], iterations)
	}
}

// bundles protects the bundles that a latest file names anywhere: as its own, or in a path.
func (p *protector) bundles(text []byte) {
	for _, name := range bundleName.FindAllString(string(text), -1) {
		p.Bundles[name] = true
	}
	if id, ok := stable.ObjectOf(text, nil).String("provenanceId"); ok {
		p.Bundles[id] = true
	}
}

func objectAt(o *stable.Object, key string) *stable.Object {
	v, _ := o.Get(key)
	sub, _ := v.(*stable.Object)
	return sub
}

// iterationOf is the number that a record has, 0 = none.
func iterationOf(o *stable.Object) int {
	v, _ := o.Get("iteration")
	f, ok := v.(float64)
	if !ok || f < 1 || f > 1<<53 {
		return 0
	}
	return int(f)
}
