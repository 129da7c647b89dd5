package provenance

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Restore makes the latest copies again that are missing, or that are those of an earlier session since the process was killed before it wrote the newest
// one's. It makes them from the newest bundle, and returns them relative to the workspace. A copy that is there and may be the newest is never written over.
// Texts that artifact.Repair makes of them are left to it.
func Restore(l layout.Layout) (restored []string, err error) {
	ids, err := List(l)
	ids = slices.DeleteFunc(ids, func(id string) bool { return isMissing(filepath.Join(l.Bundles, id, BundleFile)) }) // somebody took it away: the one before is whole
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	dir, err := l.Bundle(ids[0])
	if err != nil {
		return nil, err
	}
	var w *artifact.Writer
	old := func() bool { return behind(filepath.Join(dir, BundleFile), l.Latest().ProvenanceBundle) }
	all := old()
	for _, c := range append(copies(l, dir, number(ids[0]), all), earlierResult(l, ids[1:])) {
		data := c.data()
		if data == nil || !isMissing(c.to) && !old() { // a run may be writing them just now
			continue
		}
		if w == nil {
			if w, err = artifact.Open(l); err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, w.Close()) }()
		}
		if err := w.Put(data, c.to); err != nil {
			return restored, err
		}
		restored = append(restored, l.Rel(c.to))
	}
	return restored, nil
}

// latestCopy is a latest copy, and what it is made from.
type latestCopy struct {
	to   string
	data func() []byte // nil = there is nothing to make it from
}

// copies are the latest copies of a bundle, in the order in which they are written: its own record is the last one. Texts beside records that are there are left
// out, unless all are made.
func copies(l layout.Layout, dir string, n int, all bool) []latestCopy {
	latest, it := l.Latest(), l.Iteration(n)
	from := func(path string) func() []byte {
		return func() []byte {
			data, err := durable.ReadFile(path, maxPrompt)
			if err != nil {
				return nil
			}
			return data
		}
	}
	in := func(name string) func() []byte { return from(filepath.Join(dir, name)) }
	result := func() []byte { return resultOf(l, dir) }
	page := func() []byte {
		for _, data := range []func() []byte{in("provenance-failure-summary.md"), from(it.Summary)} {
			if page := data(); page != nil {
				return page
			}
		}
		if stopped := blockedReport(dir); stopped != nil {
			return in("preflight-summary.md")()
		}
		return nil
	}
	out := []latestCopy{{latest.Prompt, in("prompt.md")}, {latest.PromptEvidence, in("prompt-evidence.json")}, {latest.ExecutionPlan, in("execution-plan.json")},
		{latest.CLIInvocation, in("cli-invocation.json")}}
	for _, both := range [][2]latestCopy{ // a text whose record is there is made of that
		{{latest.Result, result}, {latest.Summary, page}},
		{{latest.PreflightReport, in("preflight-report.json")}, {latest.PreflightSummary, in("preflight-summary.md")}},
		{{latest.ProvenanceBundle, in(BundleFile)}, {latest.ProvenanceSummary, in("summary.md")}},
	} {
		if all || isMissing(both[0].to) {
			out = append(out, both[1], both[0])
		}
	}
	if all { // one that is missing may have been removed with what it was about
		out = append([]latestCopy{{latest.ProvenanceFailure, in("provenance-failure.json")}}, out...)
	}
	return out
}

// resultOf is latest-result.json of a bundle: a failure, what a session has become, or a preflight that kept it from being prepared; nil for one that says none of it.
func resultOf(l layout.Layout, dir string) []byte {
	if failure, err := durable.ReadFile(filepath.Join(dir, "provenance-failure.json"), maxPrompt); err == nil {
		return failure
	}
	if result, err := durable.ReadFile(filepath.Join(dir, "iteration-result.json"), maxPrompt); err == nil {
		return artifact.Reproject(l, result)
	}
	return blockedReport(dir)
}

// blockedReport is the report of the preflight in a bundle that has nothing else; nil if it has.
func blockedReport(dir string) []byte {
	record := stable.ObjectOf(durable.ReadFile(filepath.Join(dir, BundleFile), maxPrompt))
	if record.Text("status") != Blocked || record.Text("promptHash") != "" {
		return nil
	}
	report, err := durable.ReadFile(filepath.Join(dir, "preflight-report.json"), maxPrompt)
	if err != nil {
		return nil
	}
	return report
}

// earlierResult is latest-result.json of the newest of these bundles that has one: a prompt that was only prepared leaves it as it is.
func earlierResult(l layout.Layout, ids []string) latestCopy {
	return latestCopy{l.Latest().Result, func() []byte {
		if !isMissing(l.Latest().Result) {
			return nil
		}
		for _, id := range ids {
			dir, err := l.Bundle(id)
			if err != nil {
				continue
			}
			if result := resultOf(l, dir); result != nil {
				return result
			}
		}
		return nil
	}}
}

// behind tells whether the latest copy of a bundle's record was made before that record was. Where either can't be read nobody knows.
func behind(record, latest string) bool {
	at := func(path string) (time.Time, bool) {
		return stable.ParseTime(stable.ObjectOf(durable.ReadFile(path, maxPrompt)).Text("updatedAt"))
	}
	written, ok := at(record)
	shown, known := at(latest)
	return ok && known && shown.Before(written)
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
