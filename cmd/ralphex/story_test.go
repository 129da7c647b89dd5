package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rogpeppe/go-internal/testscript"
)

// setup isolates a story from the person's configuration, and makes waiting short.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	config := "[user]\n\tname = Story\n\temail = story@example.org\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[core]\n\tautocrlf = false\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("LC_ALL", "C.UTF-8")
	env.Setenv("TZ", "UTC")
	env.Setenv("AGENT_SCRIPT", filepath.Join(env.WorkDir, "agent"))
	env.Setenv("RALPHEX_ITERATION_DELAY_MS", "0")
	return nil
}

// commands are the verbs of our stories beside testscript's own.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"repo":    cmdRepo,
	"hgrepo":  cmdHgRepo,
	"drafts":  cmdDrafts,
	"exits":   cmdExits,
	"clean":   cmdClean,
	"log":     cmdLog,
	"lsp":     cmdLSP,
	"hook":    cmdHook,
	"gone":    cmdGone,
	"events":  cmdEvents,
	"once":    cmdOnce,
	"journal": cmdJournal,
	"signal":  cmdSignal,
}

// cmdRepo makes the working folder a repository and commits the named paths: `repo [PATH…]`.
func cmdRepo(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("git", "init", "-q"))
	// What belongs to the story and not to the project.
	ts.Check(os.WriteFile(ts.MkAbs(".git/info/exclude"), []byte("/.home/\n/agent\n/agent.*\n/fixed\n/mine\n/reformats\n/refuses\n/killhook\n/want.out\n/bin/\n/second/\n/third/\n/*.out\n/.tmp/\n/killer\n/hang\n/tick\n/task\n/task2\n"), 0o644))
	if len(args) > 0 {
		ts.Check(ts.Exec("git", append([]string{"add", "--"}, args...)...))
	}
	ts.Check(ts.Exec("git", "commit", "-q", "--allow-empty", "-m", "start"))
}

// cmdExits runs a command and compares its exit code: `exits CODE COMMAND ARGS…`. -1 is an end by a signal.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmdSignal runs a command, sends it signals as soon as a file exists, and compares the exit code:
// `signal CODE INT[,INT…] FILE COMMAND ARGS…`. Signals behind the first are sent when the one before was answered on stderr.
func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: signal CODE SIGNALS FILE COMMAND ARGS…")
	}
	known := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "QUIT": syscall.SIGQUIT, "HUP": syscall.SIGHUP}
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = environment(ts)
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	var stdout strings.Builder
	cmd.Stdout = &stdout
	ts.Check(cmd.Start())
	awaitFile(ts, args[2])
	lines := bufio.NewReader(stderr)
	var said strings.Builder
	for i, name := range strings.Split(args[1], ",") {
		if i > 0 {
			for !strings.Contains(said.String(), "interrupting") {
				line, err := lines.ReadString('\n')
				said.WriteString(line)
				ts.Check(err)
			}
		}
		ts.Check(cmd.Process.Signal(known[name]))
	}
	rest, err := io.ReadAll(lines)
	ts.Check(err)
	err = cmd.Wait()
	ts.Logf("[stdout]\n%s[stderr]\n%s%s", stdout.String(), said.String(), rest)
	if code := cmd.ProcessState.ExitCode(); strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s (%v)", code, args[0], err)
	}
	ts.Check(os.WriteFile(ts.MkAbs("stderr.out"), []byte(said.String()+string(rest)), 0o644))
}

// awaitFile returns when the file exists. It looks again at each change of its folder.
func awaitFile(ts *testscript.TestScript, name string) {
	watcher, err := fsnotify.NewWatcher()
	ts.Check(err)
	defer watcher.Close()
	path := ts.MkAbs(name)
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(watcher.Add(filepath.Dir(path)))
	limit := time.After(time.Minute)
	for {
		if _, err := os.Stat(path); err == nil {
			return
		}
		select {
		case <-watcher.Events:
		case <-limit:
			ts.Fatalf("%s does not come", name)
		}
	}
}

func environment(ts *testscript.TestScript) []string {
	env := append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8", "RALPHEX_ITERATION_DELAY_MS=0")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AGENT_SCRIPT", "PATH"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	return env
}

// cmdClean checks that git sees nothing changed: `clean`.
func cmdClean(ts *testscript.TestScript, neg bool, _ []string) {
	out := output(ts, "git", "status", "--porcelain", "-uall")
	if (out == "") == neg {
		ts.Fatalf("git status:\n%s", out)
	}
}

// cmdLog compares the subjects of all commits, the oldest first, without the first: `log SUBJECT…`.
func cmdLog(ts *testscript.TestScript, neg bool, want []string) {
	got := strings.Split(output(ts, "git", "log", "--reverse", "--format=%s"), "\n")[1:]
	same := strings.Join(got, "\n") == strings.Join(want, "\n")
	if same == neg {
		ts.Fatalf("commits:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// cmdHook installs a file of the story as a hook: `hook NAME FILE`.
func cmdHook(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: hook NAME FILE")
	}
	ts.Check(os.MkdirAll(ts.MkAbs(".git/hooks"), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(".git/hooks/"+args[0]), []byte(ts.ReadFile(args[1])), 0o755))
}

// cmdGone checks that the process whose id a file holds has ended: `gone FILE`.
func cmdGone(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: gone FILE")
	}
	pid := strings.TrimSpace(ts.ReadFile(args[0]))
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	alive := err == nil && !strings.Contains(string(stat), ") Z ")
	if alive != neg {
		ts.Fatalf("process %s: alive is %v", pid, alive)
	}
}

// cmdEvents checks how often a kind of event stands in the journals of the folder: `events KIND N`.
func cmdEvents(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: events KIND N")
	}
	n := strings.Count(journals(ts), fmt.Sprintf(`"type":%q`, args[0]))
	if strconv.Itoa(n) != args[1] {
		ts.Fatalf("%d events of type %s, want %s", n, args[0], args[1])
	}
}

// cmdJournal checks that a text stands in the journals: `journal TEXT`.
func cmdJournal(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: journal TEXT")
	}
	if text := journals(ts); strings.Contains(text, args[0]) == neg {
		ts.Fatalf("%q in the journals is %v:\n%s", args[0], !neg, text)
	}
}

// journals is the text of all journals of the folder.
func journals(ts *testscript.TestScript) string {
	files, err := filepath.Glob(ts.MkAbs(".ralph/events/*.jsonl"))
	ts.Check(err)
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		ts.Check(err)
		all.Write(text)
	}
	return all.String()
}

// cmdOnce checks that a text stands in a file exactly once: `once TEXT FILE`.
func cmdOnce(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: once TEXT FILE")
	}
	if n := strings.Count(ts.ReadFile(args[1]), args[0]); n != 1 {
		ts.Fatalf("%q stands %d times in %s:\n%s", args[0], n, args[1], ts.ReadFile(args[1]))
	}
}

func output(ts *testscript.TestScript, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = environment(ts)
	out, err := cmd.Output()
	ts.Check(err)
	return strings.TrimRight(string(out), "\n")
}
