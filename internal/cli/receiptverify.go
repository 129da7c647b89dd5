package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/stable"
	"ralphex/pkg/vcs"
)

// verifyReceipts holds receipts against what they are about. It notes in each what it found, and returns how many points are wrong.
func verifyReceipts(ctx context.Context, p *Proc, repo vcs.Repo, r *receipts) (wrong int, err error) {
	s, err := openStore(ctx, p)
	if err != nil {
		return 0, err
	}
	for _, t := range r.Tasks {
		t.Checked = &receiptCheck{Wrong: []string{}, Unknown: []string{}}
		checkCommit(ctx, repo, t, r.branch)
		checkGreen(t)
		for _, v := range t.Validation {
			checkOutput(repo.Root(), t, v)
		}
		for _, one := range t.Sessions {
			checkBundle(s, t, one)
		}
		wrong += len(t.Checked.Wrong)
	}
	return wrong, nil
}

// maxTrees is how many commits are looked through for a tree.
const maxTrees = 100

// checkCommit looks whether the commit is there, has the tree, and is a part of a history that somebody still has.
func checkCommit(ctx context.Context, repo vcs.Repo, t *receipt, branch string) {
	if t.Commit == "" {
		return
	}
	tree, err := repo.TreeHash(ctx, vcs.Rev(t.Commit))
	switch {
	case err != nil:
		t.Checked.unknown("commit %s is not there any more%s", t.Commit, treeElsewhere(ctx, repo, t.Tree))
	case t.Tree != "" && tree != t.Tree:
		t.Checked.wrong("commit %s has the tree %s, not %s", t.Commit, tree, t.Tree)
	case !inHistory(ctx, repo, vcs.Rev(t.Commit), branch):
		t.Checked.unknown("commit %s is as it says, and no longer a part of this branch%s%s", t.Commit, orOf(branch), treeElsewhere(ctx, repo, t.Tree))
	default:
		t.Checked.OK++
	}
}

// inHistory tells whether a commit is in what is checked out, or in the run's branch. Where commits grow by being replaced, that is no question.
func inHistory(ctx context.Context, repo vcs.Repo, commit vcs.Rev, branch string) bool {
	if g, ok := repo.(vcs.Grower); ok && g.Public() != "" {
		return true
	}
	for _, of := range []vcs.Rev{"HEAD", vcs.Rev(branch)} {
		if in, err := repo.IsAncestor(ctx, commit, of); of != "" && err == nil && in {
			return true
		}
	}
	return false
}

func orOf(branch string) string {
	if branch == "" {
		return ""
	}
	return ", or of " + branch
}

// treeElsewhere names the newest commit here that has the tree: what a history that was rewritten has in the place of the one that is gone.
func treeElsewhere(ctx context.Context, repo vcs.Repo, tree string) string {
	log, err := repo.Log(ctx, "", "HEAD", maxTrees)
	if err != nil || tree == "" {
		return ""
	}
	for _, e := range log {
		if got, err := repo.TreeHash(ctx, e.Rev); err == nil && got == tree {
			return "; its tree is that of commit " + string(e.Rev)
		}
	}
	return ""
}

// checkGreen holds the verdict against what the commands returned.
func checkGreen(t *receipt) {
	if t.Green == nil {
		return
	}
	red := slices.ContainsFunc(t.Validation, func(c receiptCommand) bool { return c.Exit != 0 || c.Cause != "" })
	if *t.Green == red {
		t.Checked.wrong("the validation is told to be green: %t, and its commands say otherwise", *t.Green)
	}
}

// wholeOutput is how long the output of a validation command may be to be kept whole, in bytes; see internal/gate.
const wholeOutput = 16 << 20

func checkOutput(root string, t *receipt, v receiptCommand) {
	if v.OutputFile == "" {
		return // it said nothing
	}
	path := v.OutputFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, filepath.FromSlash(path))
	}
	data, err := durable.ReadFile(path, maxKept)
	var large *durable.TooBigError
	switch {
	case errors.Is(err, os.ErrNotExist):
		t.Checked.unknown("the output of %s is gone", oneLineOf(v.Command))
		return
	case errors.As(err, &large):
		t.Checked.wrong("the output of %s is larger than what is kept of one: %s", oneLineOf(v.Command), v.OutputFile)
		return
	}
	sum := sha256.Sum256(data)
	switch got := hex.EncodeToString(sum[:]); {
	case err != nil:
		t.Checked.unknown("the output of %s: %v", oneLineOf(v.Command), err)
	case len(data) > wholeOutput && got != v.OutputHash:
		t.Checked.unknown("the output of %s was too long to be kept whole", oneLineOf(v.Command))
	case got != v.OutputHash:
		t.Checked.wrong("the output of %s is not the one that was judged: %s", oneLineOf(v.Command), v.OutputFile)
	default:
		t.Checked.OK++
	}
}

func checkBundle(s *store, t *receipt, one receiptSession) {
	if one.Evidence == "" {
		t.Checked.unknown("session %d left no evidence", one.N)
		return
	}
	v, err := provenance.Verify(s.Layout, one.Evidence)
	switch {
	case err != nil:
		t.Checked.unknown("session %d: %v", one.N, err)
	case !v.OK():
		for _, d := range v.Differences {
			t.Checked.wrong("session %d: %s: %s", one.N, d.Path, d.What)
		}
	default:
		checkTold(s, t, one, v)
	}
}

// checkTold holds what the journal tells of a session against its evidence, which has sums as the journal has none.
func checkTold(s *store, t *receipt, one receiptSession, v *provenance.Verified) {
	before := len(t.Checked.Wrong)
	if one.Iteration != v.Iteration {
		t.Checked.wrong("session %d: the journal calls it iteration %d, and its evidence is of iteration %d", one.N, one.Iteration, v.Iteration)
	}
	bundle := latestObject(filepath.Join(s.Root, filepath.FromSlash(v.Dir), provenance.BundleFile))
	if got := strings.TrimPrefix(bundle.Text("promptHash"), "sha256:"); one.Prompt != "" && got != one.Prompt {
		t.Checked.wrong("session %d: the journal has the prompt %s, and its evidence %s", one.N, one.Prompt, got)
	}
	checkGate(s, t, one)
	if len(t.Checked.Wrong) == before {
		t.Checked.OK++
	}
}

// checkGate holds the validation behind a session, as the journal tells it, against the record of the iteration.
func checkGate(s *store, t *receipt, one receiptSession) {
	if one.gate == nil {
		return
	}
	path := filepath.Join(s.Iteration(one.Iteration).Dir, "validation-command.json")
	data, err := durable.ReadFile(path, 16<<20)
	if err != nil {
		t.Checked.unknown("the validation behind session %d: its record is gone", one.N)
		return
	}
	record := stable.ObjectOf(data, nil)
	var kept []receiptCommand
	for _, c := range record.Objects("commands") {
		exit, _ := c.Get("exitCode")
		code, _ := exit.(float64)
		kept = append(kept, receiptCommand{Command: c.Text("command"), Exit: int(code), Cause: c.Text("cause"), OutputHash: c.Text("outputSha256")})
	}
	same := func(told, kept receiptCommand) bool {
		return told.Command == kept.Command && told.Cause == kept.Cause && told.OutputHash == kept.OutputHash && (told.Exit == kept.Exit || kept.Exit < 0)
	}
	if !slices.EqualFunc(one.gate, kept, same) {
		t.Checked.wrong("session %d: the validation that the journal tells of is not the one in %s", one.N, s.Rel(path))
	}
	if tree := record.Text("treeHash"); tree != "" && one.tree != "" && tree != one.tree {
		t.Checked.wrong("session %d: the journal has the tree %s, and %s the tree %s", one.N, one.tree, s.Rel(path), tree)
	}
}

func oneLineOf(command string) string {
	line, rest, more := strings.Cut(command, "\n")
	if more && strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return "`" + line + "`"
}
