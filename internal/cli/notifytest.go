package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/notify"
	"ralphex/pkg/vcs"
)

type notifyCmd struct {
	Test notifyTestCmd `cmd:"" help:"Send a message for a try, and tell what happened on each channel."`
}

type notifyTestCmd struct {
	Channel   []string `arg:"" optional:"" help:"Kinds of channels: telegram, email, slack, webhook, custom, desktop, discord, ntfy. Without one, all that are set up."`
	On        string   `default:"success" enum:"success,failure,abort,needs-input,limit,login,budget" help:"What the message is about." placeholder:"WORD"`
	DryRun    bool     `help:"Print the message, and send nothing."`
	TrustRepo bool     `name:"trust-repo-config" help:"Obey commands and addresses that this repository's .ralphex/config names."`
	JSON      bool     `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (notifyTestCmd) Help() string {
	return `Examples:
  ralphex notify test
  ralphex notify test email --on failure
  ralphex notify test --dry-run            what a message looks like

Sends one message with made-up values by the settings that a run here would have (docs/notifications.md), in parallel. Exit 1 if a
channel did not take it, 2 if there is no such channel.`
}

// tried is what happened on one channel.
type tried struct {
	Channel string `json:"channel"`
	Place   string `json:"place"`
	OK      bool   `json:"ok"`
	Error   string `json:"error,omitempty"`
	Millis  int64  `json:"elapsed_ms"`
}

// Run sends.
func (c notifyTestCmd) Run(ctx context.Context, p *Proc, g *root) error {
	n, err := c.notifier(p, g)
	if err != nil {
		return err
	}
	for i, name := range c.Channel {
		c.Channel[i] = strings.ToLower(name)
		if !slices.Contains(n.Channels(), c.Channel[i]) {
			return usage(fmt.Errorf("no channel %s is set up", name), setUp(n))
		}
	}
	m := notify.Sample(notify.Occasion(c.On))
	m.Reason = "this is a test, sent by ralphex notify test"
	m.Host, _ = os.Hostname()
	if c.DryRun {
		_, err := fmt.Fprint(p.Out, n.Text(m))
		return err
	}
	if len(n.Channels()) == 0 {
		return usage(errors.New("no channel is set up"), setUp(n))
	}
	list := []tried{}
	failed := false
	for _, s := range n.Send(ctx, m, c.Channel...) {
		t := tried{Channel: s.Channel, Place: s.Place, OK: s.Err == nil, Millis: s.Elapsed.Milliseconds()}
		if s.Err != nil {
			t.Error, failed = s.Err.Error(), true
		}
		list = append(list, t)
	}
	if c.JSON {
		err = json.NewEncoder(p.Out).Encode(map[string]any{"version": 1, "channels": list})
	} else {
		err = printTried(p.Out, list)
	}
	if err == nil && failed {
		return &exitError{code: exitFailed}
	}
	return err
}

// notifier reads the settings as a run here would; outside of a repository those of the person.
func (c notifyTestCmd) notifier(p *Proc, g *root) (*notify.Notifier, error) {
	top := vcs.Top(p.Dir)
	o := config.Options{GlobalDir: g.ConfigDir, RepoRoot: top, Env: p.Env, TrustRepo: c.TrustRepo, Executors: executorNames()}
	o.Trusted = trusted(p, o)
	cfg, _, err := config.Load(o)
	if err != nil {
		return nil, usage(err, hintOf(err))
	}
	if top == "" {
		top = p.Dir
	}
	return newNotifier(cfg, top, noticeEnv(p.Env, cfg))
}

func setUp(n *notify.Notifier) string {
	if names := n.Channels(); len(names) > 0 {
		return "these are: " + strings.Join(names, ", ")
	}
	return "set notify_channels or notify_urls in ~/.config/ralphex/config; docs/notifications.md shows how"
}

func printTried(w io.Writer, list []tried) error {
	for _, t := range list {
		mark, said := "✓", "delivered"
		if !t.OK {
			mark, said = "✗", t.Error
		}
		if _, err := fmt.Fprintf(w, "%s %-9s %s: %s (%s)\n", mark, t.Channel, t.Place, strings.ReplaceAll(said, "\n", "\n    "), time.Duration(t.Millis)*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}
