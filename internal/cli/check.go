package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	findings "ralphex/internal/report"
	"ralphex/internal/term"
	"ralphex/internal/textdiff"
	"ralphex/pkg/plan"
	plancheck "ralphex/pkg/plan/check"
)

type checkCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Plans, folders of plans, or - for stdin (default: the plans folder)."`

	Profile        string `help:"strict: the whole format. run: only what would make a run fail." enum:"strict,run" default:"strict" placeholder:"NAME"`
	Fix            bool   `help:"Repair what is certain, and report what is left." xor:"change"`
	Diff           bool   `help:"Show what --fix would change, and change nothing." xor:"change"`
	Format         string `help:"text, json, sarif, github or junit." enum:"text,json,sarif,github,junit" default:"text" placeholder:"NAME"`
	JSON           bool   `name:"json" help:"The same as --format json."`
	StrictWarnings bool   `help:"Exit 1 for warnings, too."`
	Quiet          bool   `short:"q" help:"One line a finding, and only for those that make the exit code 1."`
	Staged         bool   `help:"Read the plans as they are staged, not the working files (default: those that the next commit changes)."`
	Deep           bool   `help:"Look for the programs of the validation commands on the PATH."`
	StdinName      string `help:"Name that findings in stdin have." default:"-" placeholder:"PATH"`
	ListRules      bool   `help:"List the rules." xor:"about"`
	Explain        string `help:"Explain a rule, with a wrong and a right example." placeholder:"RULE" xor:"about"`
}

// Help shows examples and the exit codes.
func (checkCmd) Help() string {
	return `Examples:
  ralphex check docs/plans/feature.md
  ralphex check --fix docs/plans             each *.md in it; completed/ is left alone
  ralphex check --diff docs/plans/feature.md | git apply
  ralphex check --format sarif > plans.sarif
  git show HEAD:plan.md | ralphex check --stdin-name plan.md -
  ralphex check --staged                     what a pre-commit hook asks (docs/pre-commit.md)

Exit codes: 0 nothing of severity error, 1 findings, 2 a wrong command line or a file that can't be read.
Severities: section [check] of .ralphex/config. Rules: --list-rules, docs/plan-format.md.
In a plan: <!-- ralphex-check: off RULE --> for the next line, off-file RULE for all of it.`
}

// checked is one input.
type checked struct {
	name string // as people know it
	path string // empty for stdin
	src  []byte
}

// Run checks, or tells about rules.
func (c checkCmd) Run(ctx context.Context, p *Proc, g *root) error {
	switch {
	case c.Staged && c.Fix:
		return usage(errors.New("--fix writes files, --staged reads what is staged"), "ralphex check --fix, then git add")
	case c.ListRules:
		return listRules(p.Out, c.format() == "json")
	case c.Explain != "":
		return explainRule(p.Out, c.Explain)
	}
	// A check is over before its garbage matters.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	opts, err := c.options(p, g)
	if err != nil {
		return err
	}
	inputs, readErr := c.read(ctx, p, g)
	rep := findings.Report{Profile: opts.Profile, Version: versionString(), Quiet: c.Quiet}
	var diff strings.Builder
	for _, in := range inputs {
		opts.Path = in.name
		f, err := c.one(p, in, opts, &diff)
		if err != nil {
			readErr = errors.Join(readErr, err)
		}
		if form := c.format(); form == "sarif" || form == "github" {
			f.Path = inRepository(in, p.Dir)
		}
		rep.Files = append(rep.Files, f)
	}
	if len(inputs) == 0 && readErr != nil {
		return usage(readErr, hintOf(readErr)) // a report on nothing reads as if all was well
	}
	if len(inputs) == 0 && c.Staged && c.format() == "text" {
		return nil // a commit without plans is nothing to speak of
	}
	if err := c.print(p, g, rep, diff.String()); err != nil {
		return err
	}
	switch {
	case readErr != nil:
		return usage(readErr, hintOf(readErr))
	case c.fails(rep):
		return &exitError{code: exitFailed}
	}
	return nil
}

func (c checkCmd) format() string {
	if c.JSON {
		return "json"
	}
	return c.Format
}

// options reads the severities of the configuration.
func (c checkCmd) options(p *Proc, g *root) (plancheck.Options, error) {
	var rules, words []string
	for _, r := range plancheck.Rules() {
		rules = append(rules, r.ID)
	}
	for _, s := range plancheck.Severities() {
		words = append(words, string(s))
	}
	set, warnings, err := config.LoadChecks(config.Options{GlobalDir: g.ConfigDir, RepoRoot: repoRoot(p.Dir), Env: p.Env}, rules, words)
	for _, w := range warnings {
		fmt.Fprintf(p.Err, "warning: %s\n", w)
	}
	if err != nil {
		return plancheck.Options{}, usage(err, "")
	}
	o := plancheck.Options{Profile: plancheck.Profile(c.Profile), Severities: map[string]plancheck.Severity{}, Deep: c.Deep, LookPath: exec.LookPath}
	for id, s := range set {
		o.Severities[id] = plancheck.Severity(s)
	}
	return o, nil
}

// repoRoot finds the folder that holds the configuration, by its name alone: a check asks no repository.
func repoRoot(dir string) string {
	for at := dir; ; {
		for _, name := range []string{".git", ".hg", ".ralphex"} {
			if _, err := os.Stat(filepath.Join(at, name)); err == nil {
				return at
			}
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// inRepository names an input for those who know the repository and not the folder that the command ran in: from its root, or in full
// where it lies outside.
func inRepository(in checked, dir string) string {
	if in.path == "" {
		return in.name
	}
	if rel, err := filepath.Rel(repoRoot(dir), in.path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return in.path
}

// one checks one input, and mends it if that is asked for.
func (c checkCmd) one(p *Proc, in checked, o plancheck.Options, diff *strings.Builder) (findings.File, error) {
	f := findings.File{Path: in.name, Src: in.src}
	if !c.Fix && !c.Diff {
		f.Findings = plancheck.Check(in.src, o)
		return f, nil
	}
	r, err := plancheck.Repair(in.src, o)
	if err != nil {
		f.Findings = r.Before
		return f, fmt.Errorf("fix %s: %w", in.name, err)
	}
	if c.Diff {
		name := filepath.ToSlash(in.name)
		diff.WriteString(textdiff.Unified("a/"+name, "b/"+name, string(in.src), string(r.Text), 3))
		f.Findings = r.Before
		return f, nil
	}
	f.Src, f.Findings = r.Text, r.After
	for _, x := range r.Before {
		if x.Fix != nil {
			f.Fixed++
		}
	}
	if in.path == "" {
		_, err := p.Out.Write(r.Text)
		return f, err
	}
	return f, writeFixed(in, r.Text)
}

// writeFixed replaces the file, unless somebody else wrote to it meanwhile.
func writeFixed(in checked, fixed []byte) error {
	if bytes.Equal(in.src, fixed) {
		return nil
	}
	now, err := durable.ReadFile(in.path, plan.MaxSize)
	if err != nil {
		return fmt.Errorf("fix %s: %w", in.name, err)
	}
	if !bytes.Equal(now, in.src) {
		return fmt.Errorf("fix %s: somebody else wrote to it just now; nothing was changed", in.name)
	}
	if err := durable.WriteFile(in.path, fixed, 0o644); err != nil {
		return fmt.Errorf("fix %s: %w", in.name, err)
	}
	return nil
}

// print writes the report, or the diff with the report on stderr.
func (c checkCmd) print(p *Proc, g *root, rep findings.Report, diff string) error {
	tio := term.Of(p.In, p.Out, p.Err, p.Env, g.NoColor)
	out := p.Out
	rep.Color = tio.Color
	if tio.Live {
		rep.Width = tio.Width()
	}
	stdinFixed := c.Fix && slices.Contains(c.Files, "-")
	if c.Diff || stdinFixed { // stdout is taken
		out = p.Err
		rep.Color = tio.ErrColor
	}
	if c.Quiet {
		rep.Files = c.deciding(rep.Files)
	}
	if c.Diff {
		if _, err := io.WriteString(p.Out, colorDiff(diff, tio.Color)); err != nil {
			return err
		}
	}
	for _, f := range findings.Formats() {
		if f.Name == c.format() {
			if err := f.Write(out, rep); err != nil {
				return fmt.Errorf("print findings: %w", err)
			}
		}
	}
	return nil
}

// deciding leaves the findings that make the exit code 1.
func (c checkCmd) deciding(files []findings.File) []findings.File {
	out := slices.Clone(files)
	for i := range out {
		out[i].Findings = slices.DeleteFunc(slices.Clone(out[i].Findings), func(x plancheck.Finding) bool { return !c.decides(x.Severity) })
	}
	return out
}

func (c checkCmd) decides(s plancheck.Severity) bool {
	return s == plancheck.Error || c.StrictWarnings && s == plancheck.Warning
}

func (c checkCmd) fails(rep findings.Report) bool {
	for _, f := range rep.Files {
		if c.decides(plancheck.Worst(f.Findings)) {
			return true
		}
	}
	return false
}

// read reads the inputs. What can't be read is an error; the others are read all the same.
func (c checkCmd) read(ctx context.Context, p *Proc, g *root) ([]checked, error) {
	if c.Staged {
		return stagedInputs(ctx, p, g, c.Files)
	}
	args := c.Files
	if len(args) == 0 {
		dir, err := plansDir(p, g)
		if err != nil {
			return nil, err
		}
		args = []string{dir}
	}
	var (
		inputs []checked
		errs   []error
	)
	for _, arg := range args {
		if arg == "-" {
			src, err := io.ReadAll(io.LimitReader(p.In, plan.MaxSize+1))
			inputs = append(inputs, checked{name: c.StdinName, src: src})
			errs = append(errs, err)
			continue
		}
		files, err := plansAt(arg, p.Dir)
		errs = append(errs, err)
		for _, in := range files {
			in.src, err = readLimited(in.path)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			inputs = append(inputs, in)
		}
	}
	return inputs, errors.Join(errs...)
}

// plansDir is the plans folder of the configuration, relative to the working folder.
func plansDir(p *Proc, g *root) (string, error) {
	root := repoRoot(p.Dir)
	cfg, _, err := config.Load(config.Options{GlobalDir: g.ConfigDir, RepoRoot: root, Env: p.Env, TrustRepo: true, Executors: executorNames()})
	if err != nil {
		return "", err
	}
	dir := cfg.PlansDir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if _, err := os.Stat(dir); err != nil {
		return "", hinted(fmt.Errorf("no plan named, and there is no folder %s", relative(p.Dir, dir)), "name a plan or a folder, or set plans_dir")
	}
	return relative(p.Dir, dir), nil
}

// plansAt lists the plan at a path, or those of a folder, without what is in folders of it.
func plansAt(arg, dir string) ([]checked, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	fi, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	if !fi.IsDir() {
		return []checked{{name: filepath.Clean(arg), path: path}}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("plans: %w", err)
	}
	var (
		out  []checked
		errs []error
	)
	for _, e := range entries {
		if !strings.EqualFold(filepath.Ext(e.Name()), ".md") || e.IsDir() {
			continue
		}
		in := checked{name: filepath.Join(arg, e.Name()), path: filepath.Join(path, e.Name())}
		if err := durable.CheckRegular(in.path); err != nil { // who names a pipe means it; this one would be waited for
			errs = append(errs, err)
			continue
		}
		out = append(out, in)
	}
	return out, errors.Join(errs...)
}

// readLimited reads one byte more than a plan may have, so that a larger file is a finding.
func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, plan.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return src, nil
}
