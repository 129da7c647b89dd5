package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/alecthomas/kong"
)

// Help shows examples.
func (runCmd) Help() string {
	return `Examples:
  ralphex docs/plans/feature.md
  ralphex                                    the only plan in the plans folder, or one that you pick from a list
  ralphex -t --executor runbook plan.md      the plan's own sh blocks, no agent
  ralphex --claude-command my-wrapper plan.md
  ralphex --worktree plan.md                 in a worktree of its own: your checkout stays as it is
  ralphex --review                           what the checked out branch changed: look, mend, commit
  ralphex --review --report --format sarif   only look
  ralphex --from external plan.md            the tasks and the first review are done
  ralphex --dry-run --prompts plan.md        what would happen; nothing is touched
  ralphex --plan "rate limiting for the API" make a plan of that together with you, then run it (docs/create.md)
  ralphex --wait 1h --idle-timeout 45m plan.md

The same command after a crash, a Ctrl+C or a failure goes on where the run was.`
}

// Run works a plan off.
func (c *runCmd) Run(ctx context.Context, p *Proc, g *root, kctx *kong.Context) error {
	if done, err := c.early.do(ctx, p, g, kctx, c.Plan != nil); done || err != nil {
		return err
	}
	c.unused(p)
	dirs, notes, only, err := c.watches(p)
	if err != nil {
		return err
	}
	if only {
		return serveOnly(ctx, p, dirs, notes, serveCmd{Host: c.host(), Port: c.port(), JSON: c.JSON})
	}
	flags, err := c.layer(kctx, p.Dir)
	if err != nil {
		return err
	}
	if c.PlanText != nil {
		return c.create(ctx, p, g, flags)
	}
	if c.Answers != nil || c.Implement != nil {
		return usage(errors.New("--answers, --run and --no-run belong to --plan"), "ralphex --plan TEXT --answers FILE")
	}
	path := ""
	if c.Plan != nil {
		if path = *c.Plan; path == "" {
			return usage(errors.New("the plan argument is empty"), "is a variable unset? give the path of a Markdown plan")
		}
	}
	if c.Debug {
		p.Env = append(slices.Clone(p.Env), "RALPHEX_DEBUG=exec")
	}
	o := c.options(g, flags)
	o.plan = path
	if c.Prompts && !c.DryRun {
		return usage(errors.New("--prompts shows the prompts of a dry run"), "ralphex --dry-run --prompts PLAN")
	}
	if err := o.checkFrom(); err != nil {
		return err
	}
	if o.web, err = c.openWeb(ctx, p); err != nil {
		return err
	}
	defer o.web.close()
	err = work(ctx, p, o)
	o.web.linger(ctx, p, err)
	if none, ok := errors.AsType[*noPlansError](err); ok {
		return c.describe(ctx, p, g, flags, none)
	}
	return err
}

// options are the settings of the run that are no configuration.
func (c *runCmd) options(g *root, flags map[string]string) runOptions {
	return runOptions{flags: flags, configDir: g.ConfigDir, trustRepo: c.TrustRepo, branch: c.Branch, worktree: c.Worktree,
		baseRef: c.BaseRef, mode: c.chosen(), from: c.From, report: c.Report, format: c.Format, tool: c.ExternalTool != nil,
		sync: c.Sync, plain: g.NoColor, json: c.JSON, quiet: c.Quiet, dry: c.DryRun, prompts: c.Prompts}
}

// work is a whole run: look, then do.
func work(ctx context.Context, p *Proc, o runOptions) error {
	j, err := prepare(ctx, p, o)
	if err != nil {
		return err
	}
	if o.dry {
		return j.dryRun(ctx)
	}
	return j.run(ctx)
}
