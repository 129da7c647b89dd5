package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"ralphex/internal/config"
	"ralphex/internal/price"
	"ralphex/internal/term"
	"ralphex/internal/web"
	"ralphex/internal/web/source"
	"ralphex/pkg/vcs"
)

type serveCmd struct {
	Dirs []string `arg:"" optional:"" name:"dir" help:"Folders whose runs are shown (default: watch_dirs, else this repository)."`

	Port int    `short:"p" default:"8080" help:"Port; 0 = any that is free." placeholder:"N"`
	Host string `default:"127.0.0.1" env:"RALPHEX_WEB_HOST" help:"Address to listen at. Another than this machine's own needs the token that is printed." placeholder:"ADDR"`
	Open bool   `help:"Open the page in a browser."`
	JSON bool   `name:"json" help:"Print where it listens as a line of JSON."`
}

// Help shows examples.
func (serveCmd) Help() string {
	return `Examples:
  ralphex serve                       the runs of this repository, at http://localhost:8080
  ralphex serve ~/src/api ~/src/web   those of two repositories
  ralphex serve --port 0 --open       at any port that is free, in your browser
  ralphex serve --host 0.0.0.0        from a phone, too: open the link with the token that is printed
  ralphex serve --port 0 --json | jq -r .link

The page shows what runs do and did, and steers them: pause, resume, stop, skip, retry now, budget, notes, answers. It reads journals and the text logs of
other versions, and changes nothing by itself. Ctrl+C ends it; runs go on. docs/dashboard.md has the rest.

Exit 0 after Ctrl+C, 2 if the port is taken or a folder is not there.`
}

// Run serves until it is interrupted.
func (c serveCmd) Run(ctx context.Context, p *Proc) error {
	dirs, notes, err := watchDirs(p, c.Dirs)
	if err != nil {
		return err
	}
	if len(dirs) == 0 {
		dirs = []string{here(p)}
	}
	return serveOnly(ctx, p, dirs, notes, c)
}

// serveOnly serves what is going on elsewhere.
func serveOnly(ctx context.Context, p *Proc, dirs, notes []string, c serveCmd) error {
	l, err := listenWeb(ctx, c.Host, c.Port)
	if err != nil {
		return err
	}
	defer l.Close()
	for _, n := range notes {
		fmt.Fprintln(p.Err, "warning: "+n)
	}
	d, err := openDashboard(ctx, p, l, dirs, func(text string) { fmt.Fprintln(p.Err, "warning: "+term.Clean(text)) })
	if err != nil {
		return err
	}
	if c.JSON {
		if err := d.printJSON(p, dirs); err != nil {
			return err
		}
	} else {
		d.printWatching(p, dirs)
	}
	if c.Open {
		if err := openBrowser(ctx, p, l.link()); err != nil {
			fmt.Fprintln(p.Err, "warning: "+err.Error())
		}
	}
	err = d.serve(ctx)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("the dashboard ended: %w", err)
	}
	return nil // it was ended as it is meant to be
}

// watchDirs are the folders that a dashboard shows: those that somebody named, else those of the settings. One that is named and not there is an error:
// nobody is to find out after an hour that it was a slip. Settings are shared by machines, so theirs is left out and told of; where none of them is there,
// it is this repository.
func watchDirs(p *Proc, named []string) (dirs, notes []string, err error) {
	given := named
	if len(given) == 0 {
		cfg, _, err := config.Load(p.settingsAt(vcs.Top(p.Dir)))
		if err != nil && !errors.Is(err, config.ErrUntrusted) {
			return nil, nil, usage(err, hintOf(err))
		}
		if err == nil {
			given = cfg.WatchDirs
		}
	}
	for _, name := range given {
		at, err := folder(absolute(p.Dir, name))
		switch {
		case err != nil && len(named) > 0:
			return nil, nil, usage(fmt.Errorf("%s can't be watched: %w", name, err), "name folders that are there")
		case err != nil:
			notes = append(notes, fmt.Sprintf("%s is not watched: %v", name, err))
		case !slices.Contains(dirs, at):
			dirs = append(dirs, at)
		}
	}
	if len(dirs) == 0 && len(given) > 0 {
		dirs = []string{here(p)}
	}
	return dirs, notes, nil
}

// here is what a dashboard shows if nothing else is named: the repository, or, outside of one, the working folder.
func here(p *Proc) string { return cmp.Or(vcs.Top(p.Dir), p.Dir) }

// folder is the path of a folder without links.
func folder(path string) (string, error) {
	at, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	if fi, err := os.Stat(at); err != nil || !fi.IsDir() {
		return "", cmp.Or(err, errors.New("not a folder"))
	}
	return at, nil
}

// dashboard is a server with all it shows.
type dashboard struct {
	at     *listener
	server *web.Server
	runs   *source.Library
	end    context.CancelFunc // of the watching
}

// openDashboard begins to watch folders. Nobody is answered before serve. warn takes what no client can be told.
func openDashboard(ctx context.Context, p *Proc, at *listener, dirs []string, warn func(text string)) (*dashboard, error) {
	prices, err := price.Load(config.Paths(p.settingsAt(vcs.Top(p.Dir)), pricesFile)...)
	if err != nil {
		return nil, usage(err, hintOf(err))
	}
	watching, end := context.WithCancel(context.WithoutCancel(ctx))
	runs, err := source.Open(watching, dirs, source.Options{Price: prices.Dollars, Note: warn})
	if err != nil {
		end()
		return nil, err
	}
	machine, _ := os.Hostname() // a machine without a name has none to show
	server, err := web.New(web.Config{Library: library{runs}, Facts: newFacts(p, prices), Actions: actionsOf(p), Host: at.host, Token: at.token, Machine: machine, Version: versionString(),
		Warn: func(err error) { warn(err.Error()) }}, at)
	if err != nil {
		end()
		return nil, err
	}
	return &dashboard{at: at, server: server, runs: runs, end: end}, nil
}

// serve answers until ctx is over.
func (d *dashboard) serve(ctx context.Context) error {
	defer d.runs.Wait()
	defer d.end()
	return d.server.Serve(ctx, d.at)
}

// printWatching tells what the public ralphex tells.
func (d *dashboard) printWatching(p *Proc, dirs []string) {
	fmt.Fprintf(p.Out, "watch-only mode: monitoring %s\n", strconv.Itoa(len(dirs))+" "+plural(len(dirs), "directory", "directories"))
	for _, dir := range dirs {
		fmt.Fprintln(p.Out, "  "+dir)
	}
	d.printLinks(p.Out)
	fmt.Fprintln(p.Out, "press Ctrl+C to exit")
}

// printLinks tells where the page is. It is the only time that the token is told.
func (d *dashboard) printLinks(out io.Writer) {
	fmt.Fprintln(out, "web dashboard: "+d.at.link())
	for _, link := range d.at.elsewhere() {
		fmt.Fprintln(out, "  from another device: "+link)
	}
}

func (d *dashboard) printJSON(p *Proc, dirs []string) error {
	return json.NewEncoder(p.Out).Encode(map[string]any{"version": 1, "url": address(d.at.host, d.at.port), "link": d.at.link(), "elsewhere": append([]string{}, d.at.elsewhere()...),
		"port": d.at.port, "token": d.at.token, "dirs": dirs, "pid": os.Getpid()})
}
