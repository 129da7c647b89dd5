package executortest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Exit codes for mistakes of a script.
const (
	exitNoSession = 97
	exitStep      = 98
)

// agent plays one session.
type agent struct {
	stream
	prompt string
	plan   string
}

// Intercept turns the process into the agent if it was started as one, that is with AGENT_SCRIPT set. Else it returns.
func Intercept() {
	if os.Getenv("AGENT_SCRIPT") != "" {
		Main()
	}
}

// Main is the agent. It does not return.
func Main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("0.0.0 (scripted agent)")
		os.Exit(0)
	}
	steps, err := next(os.Getenv("AGENT_SCRIPT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripted agent:", err)
		os.Exit(exitNoSession)
	}
	prompt, _ := io.ReadAll(os.Stdin)
	a := &agent{prompt: string(prompt), plan: os.Getenv("AGENT_PLAN")}
	a.init()
	for _, s := range steps {
		if err := verbs[s.verb](a, s.rest); err != nil && !s.lenient {
			fmt.Fprintf(os.Stderr, "scripted agent: line %d: %s %s: %v\n", s.line, s.verb, s.rest, err)
			os.Exit(exitStep)
		}
	}
	a.result()
	os.Exit(0)
}

// verbs are the steps; doc.go describes them. (A map literal would refer to itself by way of parse.)
var verbs map[string]func(a *agent, rest string) error

func init() {
	verbs = map[string]func(a *agent, rest string) error{
		"say": func(a *agent, s string) error { return a.say(text(s)) },
		"say-file": func(a *agent, s string) error {
			t, err := os.ReadFile(s)
			if err != nil {
				return err
			}
			return a.say(strings.TrimSpace(string(t)))
		},
		"signal":     func(a *agent, s string) error { return a.say("<<<RALPHEX:" + s + ">>>") },
		"deltas":     func(a *agent, s string) error { return a.deltas(text(s)) },
		"think":      func(a *agent, s string) error { return a.block(nil, thinking(text(s))) },
		"subagent":   func(a *agent, s string) error { return a.block("toolu_sub", textBlock(text(s))) },
		"tool":       func(a *agent, s string) error { return a.tool("tool", text(s)) },
		"tool-begin": func(a *agent, s string) error { return a.toolBegin(text(s)) },
		"raw":        func(_ *agent, s string) error { return printLine(os.Stdout, text(s)) },
		"line":       func(_ *agent, s string) error { return printLine(os.Stdout, s) },
		"stderr":     func(_ *agent, s string) error { return printLine(os.Stderr, text(s)) },

		"tick":   func(a *agent, s string) error { return a.tick(s, 'x') },
		"untick": func(a *agent, s string) error { return a.tick(s, ' ') },
		"plan":   func(a *agent, s string) error { a.plan = s; return nil },

		"write": func(_ *agent, s string) error {
			file, t := two(s)
			return os.WriteFile(file, []byte(text(t)+"\n"), 0o644)
		},
		"append":    func(_ *agent, s string) error { return appendTo(two(s)) },
		"remove":    func(_ *agent, s string) error { return os.Remove(s) },
		"move":      func(_ *agent, s string) error { return os.Rename(two(s)) },
		"prompt-to": func(a *agent, s string) error { return os.WriteFile(s, []byte(a.prompt), 0o644) },
		"args-to":   func(_ *agent, s string) error { return writeLines(s, os.Args[1:]) },
		"env-to":    func(_ *agent, s string) error { return writeLines(s, os.Environ()) },

		"git":           func(a *agent, s string) error { return a.run("git " + s) },
		"sh":            func(a *agent, s string) error { return a.run(s) },
		"spawn":         func(_ *agent, s string) error { return spawn(s, nil, nil) },
		"spawn-holding": func(_ *agent, s string) error { return spawn(s, os.Stdout, os.Stderr) },

		"sleep":     func(_ *agent, s string) error { return sleep(s) },
		"hang":      func(*agent, string) error { <-time.After(24 * time.Hour); return nil },
		"wait-file": func(_ *agent, s string) error { return waitFile(s) },

		"exit": exit,
		"limit": func(a *agent, _ string) error {
			return a.fail(429, "rate_limit", "usage_limit_reached", "You've hit your 5-hour limit · resets 3pm (UTC)")
		},
		"login-error": func(a *agent, _ string) error {
			return a.fail(0, "authentication_failed", "", "Not logged in · Please run /login")
		},
		"overload":    func(a *agent, _ string) error { return a.fail(529, "server_error", "", "API Error: 529 Overloaded.") },
		"kill-parent": func(*agent, string) error { return killParent() },
		"kill-self":   func(*agent, string) error { return kill(os.Getpid()) },
		"ignore-term": func(*agent, string) error { signal.Ignore(syscall.SIGTERM); return nil },
	}
}

func printLine(w io.Writer, s string) error {
	_, err := fmt.Fprintln(w, s)
	return err
}

func appendTo(file, t string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text(t) + "\n")
	return errors.Join(err, f.Close())
}

func writeLines(file string, lines []string) error {
	return os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// run runs a command as a tool call would: its output is the tool's result.
func (a *agent) run(command string) error {
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	if terr := a.tool(command, string(out)); terr != nil {
		return terr
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

func spawn(command string, stdout, stderr *os.File) error {
	cmd := exec.Command("sh", "-c", "exec "+command)
	if stdout != nil {
		cmd.Stdout, cmd.Stderr = stdout, stderr
	}
	return cmd.Start()
}

func sleep(d string) error {
	t, err := time.ParseDuration(d)
	if err == nil {
		<-time.After(t)
	}
	return err
}

func waitFile(file string) error {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
		<-time.After(5 * time.Millisecond)
	}
	return errors.New("it did not come within 30 s")
}

func exit(_ *agent, code string) error {
	n, err := strconv.Atoi(code)
	if err == nil {
		os.Exit(n)
	}
	return err
}

// killParent ends ralphex as kill -9 does, and waits until it is gone.
func killParent() error {
	parent := os.Getppid()
	if err := kill(parent); err != nil {
		return err
	}
	for end := time.Now().Add(10 * time.Second); os.Getppid() == parent; <-time.After(time.Millisecond) {
		if time.Now().After(end) {
			return errors.New("the parent lives on")
		}
	}
	return nil
}

func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	return err
}
