package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/pkg/plan/format"
	"ralphex/pkg/vcs"
)

type newCmd struct {
	Title    []string `arg:"" help:"Title of the plan, in quotes or not."`
	Output   string   `short:"o" help:"File to write; - is stdout." placeholder:"FILE" xor:"where"`
	Dir      string   `help:"Folder to write YYYYMMDD-<title>.md to (default: the plans folder)." placeholder:"DIR" xor:"where"`
	Validate []string `help:"Validation command; may be given again. Without one, those that the project's files suggest." placeholder:"CMD" sep:"none"`
}

// Help shows examples.
func (newCmd) Help() string {
	return `Examples:
  ralphex new "Rate limiting"                  docs/plans/YYYYMMDD-rate-limiting.md
  ralphex new Rate limiting --dir plans
  ralphex new "Rate limiting" -o - --validate 'make test'

The plan passes ralphex check as it is; its comments say what to write. Nothing is ever overwritten: a name that is taken
gets -v2, and -o FILE is refused.`
}

// Run writes the skeleton of a plan.
func (c newCmd) Run(ctx context.Context, p *Proc, g *root) error {
	title := format.CleanTitle(strings.Join(c.Title, " "))
	if title == "" {
		return usage(errors.New("a plan needs a title"), `ralphex new "What shall be there"`)
	}
	top, dir, err := c.places(ctx, p, g)
	if err != nil {
		return err
	}
	commands := c.Validate
	if len(commands) == 0 {
		commands = suggestCommands(top)
	}
	text := format.Skeleton{Title: title, Commands: commands}.Plan()
	if c.Output == "-" {
		_, err := p.Out.Write(text)
		return err
	}
	path, err := c.write(p, dir, format.FileName(title, time.Now()), text)
	if err != nil {
		return err
	}
	shown := relative(p.Dir, path)
	fmt.Fprintln(p.Out, shown)
	fmt.Fprintf(p.Err, "next: fill it in, then ralphex check %s && ralphex %s\n", shellQuote(shown), shellQuote(shown))
	if len(commands) == 0 {
		fmt.Fprintln(p.Err, "note: it has no validation commands, so tasks will be done unproven; add a `## Validation Commands` section")
	}
	return nil
}

// places are the top of the project and the folder of its plans.
func (c newCmd) places(ctx context.Context, p *Proc, g *root) (top, dir string, err error) {
	top, plans, err := projectPlaces(ctx, p, g)
	if c.Dir != "" {
		plans = absolute(p.Dir, c.Dir)
	}
	return top, plans, err
}

// write puts the plan where the flags say, and never in the place of another file.
func (c newCmd) write(p *Proc, dir, name string, text []byte) (string, error) {
	if c.Output != "" {
		path := absolute(p.Dir, c.Output)
		if err := writeNew(path, text); err != nil {
			return "", neverOverwrites(err, c.Output)
		}
		return path, nil
	}
	stem := strings.TrimSuffix(name, ".md")
	for n := 1; ; n++ {
		path := filepath.Join(dir, stem+".md")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-v%d.md", stem, n))
		}
		if err := writeNew(path, text); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

func neverOverwrites(err error, name string) error {
	if errors.Is(err, fs.ErrExist) {
		return usage(fmt.Errorf("%s exists: nothing is overwritten", name), "choose another name, or remove it first")
	}
	return err
}

// writeNew makes a file and the folders above it. A file that exists is fs.ErrExist and stays.
func writeNew(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	// The name is ours now; the content comes whole or not at all.
	if err := durable.WriteFile(path, text, 0o644); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// projectPlaces are the top of the repository, or this folder where there is none, and the folder of its plans.
func projectPlaces(ctx context.Context, p *Proc, g *root) (top, plans string, err error) {
	top = p.Dir
	repo, err := openRepo(ctx, p)
	switch {
	case noRepo(err):
	case err != nil:
		return "", "", err
	default:
		top = repo.Root()
	}
	cfg, err := loadSettings(p, g, top)
	if err != nil {
		return "", "", err
	}
	return top, absolute(top, filepath.FromSlash(cfg.PlansDir)), nil
}

func noRepo(err error) bool { return errors.Is(err, vcs.ErrNotRepo) }

// loadSettings reads the configuration of a project for a command that runs nothing of what it names.
func loadSettings(p *Proc, g *root, top string) (*config.Config, error) {
	cfg, _, err := config.Load(config.Options{GlobalDir: g.ConfigDir, RepoRoot: top, Env: p.Env, TrustRepo: true})
	if err != nil {
		return nil, usage(err, hintOf(err))
	}
	return cfg, nil
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// suggestions say which files of a project name its checks.
var suggestions = []struct {
	file     string
	contains string // "" = the file is enough
	commands []string
}{
	{"Makefile", "\ntest:", []string{"make test"}},
	{"justfile", "\ntest:", []string{"just test"}},
	{"go.mod", "", []string{"go vet ./...", "go test ./..."}},
	{"Cargo.toml", "", []string{"cargo test"}},
	{"package.json", `"test"`, []string{"npm test"}},
	{"pyproject.toml", "pytest", []string{"pytest"}},
	{"mix.exs", "", []string{"mix test"}},
	{"pom.xml", "", []string{"mvn -q test"}},
}

// suggestCommands are the validation commands of the first file that tells, none if none does.
func suggestCommands(top string) []string {
	for _, s := range suggestions {
		text, err := durable.ReadFile(filepath.Join(top, s.file), 1<<20)
		if err == nil && strings.Contains("\n"+string(text), s.contains) {
			return s.commands
		}
	}
	return nil
}
