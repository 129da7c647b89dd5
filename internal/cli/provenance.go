package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/provenance"
)

type provenanceCmd struct {
	Verify provenanceVerifyCmd `cmd:"" help:"Compute all hashes of a bundle anew, and say which file differs."`
	List   provenanceListCmd   `cmd:"" help:"List the bundles, the newest first."`
}

type provenanceVerifyCmd struct {
	ID   string `arg:"" optional:"" name:"id" help:"Provenance id of a bundle, or the beginning of it. Without it, the newest."`
	All  bool   `help:"All bundles."`
	JSON bool   `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (provenanceVerifyCmd) Help() string {
	return `Each session of a run leaves a bundle: what it was asked, what ran, what was verified, and the hashes of all that. This command reads the
files anew. It finds a changed file, and a hash that does not fit the others; it can't find that somebody wrote all of them anew
(docs/evidence.md has the same with sha256sum).

Examples:
  ralphex provenance verify                  the newest bundle
  ralphex provenance verify run-i007
  ralphex provenance verify --all --json | jq '.bundles[] | select(.differences != [])'

Exit codes: 0 when all is as it was written; 1 when a file differs; 2 for a bundle that isn't there.`
}

// differError says that evidence is not what it was.
type differError struct{ files, bundles int }

func (e *differError) Error() string {
	return fmt.Sprintf("the evidence is not as it was written: %d %s in %d %s", e.files, plural(e.files, "difference", "differences"), e.bundles, plural(e.bundles, "bundle", "bundles"))
}

// Hint says what to do.
func (e *differError) Hint() string {
	return "what is listed was changed after the session; a backup of .ralph/artifacts has it as it was"
}

// Run verifies and prints what was found.
func (c provenanceVerifyCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	ids, err := c.ids(s)
	if err != nil {
		return err
	}
	found, bad := []*provenance.Verified{}, &differError{}
	for _, id := range ids {
		v, err := provenance.Verify(s.Layout, id)
		if err != nil {
			return err
		}
		found = append(found, v)
		if !v.OK() {
			bad.bundles++
			bad.files += len(v.Differences)
		}
		if !c.JSON {
			printVerified(p, v)
		}
	}
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(struct {
			Version int                    `json:"version"`
			OK      bool                   `json:"ok"`
			Bundles []*provenance.Verified `json:"bundles"`
		}{1, bad.bundles == 0, found}); err != nil {
			return err
		}
	}
	if bad.bundles > 0 {
		return bad
	}
	return nil
}

// ids are the bundles that are asked for.
func (c provenanceVerifyCmd) ids(s *store) ([]string, error) {
	if c.All && c.ID != "" {
		return nil, usage(errors.New("a bundle, or --all: not both"), "")
	}
	all, err := provenance.List(s.Layout)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, usage(fmt.Errorf("no provenance bundles in %s yet", s.Rel(s.Bundles)), "ralphex PLAN leaves one for each of its sessions, where record is evidence or full")
	}
	if c.All {
		return all, nil
	}
	id, err := bundleNamed(all, c.ID)
	if err == nil && id == "" {
		err = usage(&provenance.NoBundleError{ID: c.ID, Dir: s.Rel(s.Bundles)}, "ralphex provenance list shows those that are there")
	}
	return []string{id}, err
}

// bundleNamed finds which of the ids, newest first, a name means: the newest for none, its own, or the one that begins with it; "" = there is none.
func bundleNamed(ids []string, name string) (string, error) {
	var found []string
	for _, id := range ids {
		if id == name || name == "" {
			return id, nil
		}
		if strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", usage(fmt.Errorf("%d bundles begin with %s", len(found), name), "give more of the id: "+found[0]+", "+found[1])
}

func printVerified(p *Proc, v *provenance.Verified) {
	verdict := "as it was written"
	if !v.OK() {
		verdict = fmt.Sprintf("%d %s", len(v.Differences), plural(len(v.Differences), "difference", "differences"))
	}
	out := plainly(p.Out)
	what := fmt.Sprintf("iteration %d, %s", v.Iteration, v.Status)
	if v.Status == "" {
		what = "without its record"
	}
	fmt.Fprintf(out, "%s  %s: %d files, %s\n", v.ID, what, v.Files, verdict)
	for _, d := range v.Differences {
		fmt.Fprintf(out, "  %s: %s\n", d.Path, d.What)
		if d.Want != "" && d.Got != "" {
			fmt.Fprintf(out, "    expected %s\n    actual   %s\n", d.Want, d.Got)
		}
	}
	if len(v.Gone) > 0 {
		fmt.Fprintf(out, "  %d files outside the bundle are gone, as retention removes them: %s\n", len(v.Gone), strings.Join(goneFrom(v), ", "))
	}
	for _, n := range v.Notes {
		fmt.Fprintf(out, "  %s\n", n)
	}
}

// goneFrom names what is gone: the iteration's folder as a whole, other files one by one.
func goneFrom(v *provenance.Verified) []string {
	var out []string
	for _, path := range v.Gone {
		if before, _, ok := strings.Cut(filepath.ToSlash(path), "/"+layout.IterationName(v.Iteration)+"/"); ok {
			path = before + "/" + layout.IterationName(v.Iteration)
		}
		if !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

type provenanceListCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (provenanceListCmd) Help() string {
	return `Examples:
  ralphex provenance list
  ralphex provenance list --json | jq -r '.bundles[0]'`
}

// Run prints the ids.
func (c provenanceListCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	ids, err := provenance.List(s.Layout)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Version int      `json:"version"`
			Bundles []string `json:"bundles"`
		}{1, append([]string{}, ids...)})
	}
	for _, id := range ids {
		fmt.Fprintln(plainly(p.Out), id)
	}
	return nil
}

// bundleWords are the ids of bundles, for completion.
func bundleWords(ctx context.Context, p *Proc) []string {
	s, err := openStore(ctx, p)
	if err != nil {
		return nil
	}
	ids, _ := provenance.List(s.Layout) // none is no candidate
	return ids
}
