package provenance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Difference is a file that is not what it was when the bundle was finished.
type Difference struct {
	Path string `json:"path"` // relative to the workspace
	What string `json:"what"` // a sentence
	Want string `json:"expected,omitempty"`
	Got  string `json:"actual,omitempty"`
}

// Verified is what a check of a bundle found.
type Verified struct {
	ID          string       `json:"provenance_id"`
	Iteration   int          `json:"iteration"`
	Status      string       `json:"status"`      // Prepared, Executed, Blocked
	Trust       string       `json:"trust_level"` // artifact.VerifiedCLI, artifact.PreparedOnly
	Dir         string       `json:"bundle_dir"`  // relative to the workspace
	Files       int          `json:"files"`       // whose hash was computed and is right
	Differences []Difference `json:"differences"`
	Gone        []string     `json:"gone"` // files outside the bundle that retention has removed: nothing is known of them
	Notes       []string     `json:"notes"`
}

// OK tells whether everything that is there is what it was.
func (v *Verified) OK() bool { return len(v.Differences) == 0 }

// NoBundleError says that there is no such bundle.
type NoBundleError struct{ ID, Dir string }

func (e *NoBundleError) Error() string {
	return fmt.Sprintf("no provenance bundle %s in %s", e.ID, e.Dir)
}

// Hint says what to do.
func (e *NoBundleError) Hint() string { return "ralphex provenance list shows those that are there" }

// check is a verification under way.
type check struct {
	Verified
	l      layout.Layout
	dir    string
	bundle *stable.Object
	named  map[string]bool // paths with a difference
}

// Verify computes all hashes of a bundle anew, and follows its chain: bundle, plan, prompt and payload name one hash. It writes nothing. The
// error is for a bundle that is not there; what is wrong with one that is is a Difference.
func Verify(l layout.Layout, id string) (*Verified, error) {
	dir, err := l.Bundle(id)
	if err != nil {
		return nil, err
	}
	if fi, err := os.Lstat(dir); err != nil || !fi.IsDir() {
		return nil, &NoBundleError{id, l.Rel(l.Bundles)}
	}
	c := &check{l: l, dir: dir, named: map[string]bool{},
		Verified: Verified{ID: id, Dir: l.Rel(dir), Differences: []Difference{}, Gone: []string{}, Notes: []string{}}}
	whole := c.read()
	c.sums()
	c.journal()
	if whole {
		c.chain()
	}
	return &c.Verified, nil
}

func (c *check) differs(path, what, want, got string) {
	if c.named[path] {
		return
	}
	c.named[path] = true
	c.Differences = append(c.Differences, Difference{Path: c.l.Rel(path), What: what, Want: want, Got: got})
}

// sums does what `sha256sum -c SHA256SUMS` does. Where the process was killed while it wrote the bundle anew, there are the sums that were to be, too: then
// each file must be as it was or as it was to be.
func (c *check) sums() {
	at := filepath.Join(c.dir, SumsFile)
	lines, err := readSums(at)
	next, nextErr := readSums(filepath.Join(c.dir, NextSums))
	switch {
	case nextErr == nil:
		c.Notes = append(c.Notes, "the process that wrote it was killed in the middle of that: its files are as before or as they were to be")
		if isGone(err) {
			err = nil
		}
	case !isGone(nextErr):
		err = nextErr
	}
	if err != nil {
		c.differs(at, "it can't be read as sums: "+err.Error(), "", "")
		return
	}
	want := map[string][]string{} // hashes by path; several of a file that was being replaced
	var order []string
	for _, one := range append(lines, next...) {
		path := filepath.Join(c.dir, filepath.FromSlash(one.path))
		if !filepath.IsLocal(c.l.Rel(path)) {
			c.differs(at, "it names a file outside the workspace: "+one.path, "", "")
			continue
		}
		if want[path] == nil {
			order = append(order, path)
		}
		want[path] = append(want[path], one.hash)
	}
	for _, path := range order {
		c.file(path, want[path], isGone(nextErr))
	}
	c.unsummed(want)
	c.ending(want)
}

// tooLarge says why a file was not read.
var tooLarge = fmt.Sprintf("it has more than %d MiB, and nothing that large is ever written: it was not read", maxKept>>20)

// file holds a file against its sum, or against those that it may have. whole says that the bundle was written to its end.
func (c *check) file(path string, want []string, whole bool) {
	got, err := hashFile(path)
	var large *durable.TooBigError
	switch {
	case errors.As(err, &large):
		c.differs(path, tooLarge, want[0], "")
	case isGone(err) && c.mayBeGone(path):
		c.Gone = append(c.Gone, c.l.Rel(path))
	case isGone(err) && !whole && path == filepath.Join(c.dir, "summary.md"): // the last one that is written
	case isGone(err):
		c.differs(path, "it is gone", want[0], "")
	case err != nil:
		c.differs(path, "it can't be read: "+err.Error(), want[0], "")
	case !slices.Contains(want, got):
		c.differs(path, "its bytes are not those that were summed", want[0], got)
	default:
		c.Files++
	}
}

// mayBeGone tells whether a file is of those that retention removes before the bundle: all of the iteration's folder, or what accompanies it. The
// newest of each kind always stays: where nothing newer is, it was somebody else.
func (c *check) mayBeGone(path string) bool {
	if c.Iteration == 0 {
		return false // the bundle doesn't say whose it is
	}
	kind, dir := c.bundle.Text("promptKind"), c.l.Iteration(c.Iteration).Dir
	transcript, last := c.l.RunFiles(kind, c.Iteration)
	switch path {
	case transcript, last:
		return c.newerIn(c.l.Runs, ".transcript.md", ".last-message.md")
	case c.l.PromptFile(kind, c.Iteration):
		return c.newerIn(c.l.Prompts, ".prompt.md")
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	_, err = os.Lstat(dir)
	return isGone(err) && c.newerIn(c.l.Artifacts, "")
}

// newerIn tells whether a folder has something "<kind>-NNN<end>" of a later iteration.
func (c *check) newerIn(dir string, ends ...string) bool {
	entries, _ := os.ReadDir(dir) // absent = nothing is newer
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return slices.ContainsFunc(ends, func(end string) bool {
			base, ok := strings.CutSuffix(e.Name(), end)
			n, err := strconv.Atoi(base[strings.LastIndexByte(base, '-')+1:])
			return ok && err == nil && n > c.Iteration && e.IsDir() == (end == "")
		})
	})
}

// read reads the bundle's record, and tells whether there is a chain to follow.
func (c *check) read() bool {
	at := filepath.Join(c.dir, BundleFile)
	data, err := durable.ReadFile(at, maxPrompt)
	if err != nil {
		c.differs(at, "it can't be read: "+err.Error(), "", "")
		return false
	}
	if c.bundle, err = stable.ParseObject(data); err != nil {
		c.differs(at, "it is no JSON object: "+err.Error(), "", "")
		return false
	}
	if kind, id := c.bundle.Text("kind"), c.bundle.Text("provenanceId"); kind != "provenanceBundle" || id != c.ID {
		c.differs(at, "it is another record than this bundle's", "provenanceBundle "+c.ID, strings.TrimSpace(kind+" "+id))
		return false
	}
	n, _ := c.bundle.Get("iteration")
	number, _ := n.(float64)
	c.Iteration, c.Status, c.Trust = int(number), c.bundle.Text("status"), c.bundle.Text("trustLevel")
	return true
}

// chain holds the hashes in the records against the files, in the bundle and in the iteration's folder, and against each other.
func (c *check) chain() {
	promptHash, planHash := c.bundle.Text("promptHash"), c.bundle.Text("executionPlanHash")
	if promptHash == "" || planHash == "" {
		return // blocked by the preflight: nothing was prepared
	}
	it := c.l.Iteration(c.Iteration)
	for _, f := range []struct{ path, want string }{
		{filepath.Join(c.dir, "prompt.md"), promptHash}, {it.Prompt, promptHash},
		{filepath.Join(c.dir, "execution-plan.json"), planHash}, {it.ExecutionPlan, planHash},
	} {
		got, err := hashFile(f.path)
		switch want := strings.TrimPrefix(f.want, "sha256:"); {
		case isGone(err) && c.mayBeGone(f.path), c.Status == Blocked && filepath.Dir(f.path) == it.Dir:
			// A launch was blocked because one of these was changed: that is what the failure says.
		case err != nil:
			c.differs(f.path, "it can't be read: "+err.Error(), want, "")
		case got != want:
			c.differs(f.path, "its bytes are not those that the bundle names", want, got)
		}
	}
	if data, err := durable.ReadFile(filepath.Join(c.dir, "execution-plan.json"), maxPrompt); err == nil {
		if _, hash, err := artifact.ReadPlan(data); err != nil || hash != promptHash {
			c.differs(filepath.Join(c.dir, "execution-plan.json"), "it is bound to another prompt", promptHash, hash)
		}
	}
	if c.Status != Executed {
		return
	}
	at := filepath.Join(c.dir, BundleFile)
	if got := c.bundle.Text("executionPayloadHash"); got != promptHash {
		c.differs(at, "what was handed over was not the prompt", promptHash, got)
	}
	invocation := filepath.Join(c.dir, "cli-invocation.json")
	data, err := durable.ReadFile(invocation, maxPrompt)
	if isGone(err) {
		return // no process was started
	}
	o, parseErr := stable.ParseObject(data)
	if err = errors.Join(err, parseErr); err != nil {
		c.differs(invocation, "it can't be read: "+err.Error(), "", "")
		return
	}
	if got := o.Text("stdinHash"); got != promptHash {
		c.differs(invocation, "what was handed over was not the prompt", promptHash, got)
	}
}
