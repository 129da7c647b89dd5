package cli

import (
	"cmp"
	"errors"
	"fmt"

	"ralphex/internal/config"
	"ralphex/internal/term"
	plancheck "ralphex/pkg/plan/check"
)

type configLintCmd struct {
	Strict bool `help:"Exit 1 on warnings, too."`
	JSON   bool `name:"json" help:"Print it as JSON."`
}

// Help says what is looked for.
func (configLintCmd) Help() string {
	return `Looks at the settings, prompts and agents of your own folder and of this repository's .ralphex/, and at RALPHEX_ variables: unknown keys (with
the nearest name), keys below a section, values that a key can't take, files that can't be read, unknown variables and agents in prompts, options
of agents that have no effect, links out of the repository, secrets in a repository's settings, notifications that miss something or whose template is wrong, unknown rules below [check].

Examples:
  ralphex config lint
  ralphex config lint --strict               in CI

Exit codes: 0 no errors, 1 errors (--strict: or warnings).`
}

// lintFinding is one mistake as JSON.
type lintFinding struct {
	File     string `json:"file"` // as shown to people, or the name of a variable
	Line     int    `json:"line,omitempty"`
	Severity string `json:"severity"` // error, warning
	Text     string `json:"text"`
	Hint     string `json:"hint,omitempty"`
}

// Run looks and prints.
func (c configLintCmd) Run(p *Proc, g *root) error {
	o := settingsHere(p, g)
	faults := config.Lint(o)
	_, warnings, err := config.LoadChecks(o, ruleIDs(), severities())
	for _, w := range warnings {
		faults = append(faults, config.Fault{Origin: w.Origin, Text: w.Text, Hint: w.Hint})
	}
	faults = append(faults, config.Faults(err)...)
	faults = append(faults, lintChannels(p, o)...)
	list, failed := make([]lintFinding, 0, len(faults)), false
	told := map[config.Fault]bool{} // a file that nobody can read is told once
	for _, f := range faults {
		if told[f] {
			continue
		}
		told[f] = true
		severity := "warning"
		if f.Error {
			severity = "error"
		}
		failed = failed || f.Error || c.Strict
		list = append(list, lintFinding{f.Origin.Name, f.Origin.Line, severity, f.Text, f.Hint})
		if !c.JSON {
			fmt.Fprintln(p.Out, term.Clean(f.String()))
		}
	}
	if c.JSON {
		if err := printJSON(p.Out, map[string]any{"version": 1, "findings": list}); err != nil {
			return err
		}
	} else if len(list) == 0 {
		fmt.Fprintln(p.Out, "no mistakes found")
	}
	if failed {
		return &exitError{code: exitFailed}
	}
	return nil
}

// lintChannels looks at the settings of notifications: what is missing, and the template.
func lintChannels(p *Proc, o config.Options) []config.Fault {
	o.TrustRepo = true // nothing is contacted or run
	cfg, _, err := config.Load(o)
	if err != nil {
		return nil // told already
	}
	_, err = newNotifier(cfg, cmp.Or(o.RepoRoot, p.Dir), p.Env)
	return config.Faults(errors.Unwrap(err)) // each with its own place, without the words of a start
}

// severities are what a rule of `ralphex check` can be set to.
func severities() []string {
	return asStrings(plancheck.Severities()...)
}
