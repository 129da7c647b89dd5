package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"runtime"
	"strings"
	"time"

	"ralphex/internal/proc"
)

// grace is how long a command may take to end once its time is over.
const grace = 500 * time.Millisecond

// script runs a program of the user's with the result as JSON on its standard input.
type script struct {
	path, dir string
	env       []string
}

func newScript(s Settings) (channel, error) {
	if s.Script == "" {
		return nil, missing("notify_custom_script", "custom")
	}
	return &script{s.Script, s.Dir, s.Env}, nil
}

func (s *script) kind() string  { return "custom" }
func (s *script) place() string { return s.path }

func (s *script) send(ctx context.Context, p post) error {
	in, err := json.Marshal(p.result())
	if err != nil {
		return err
	}
	return runCommand(ctx, proc.Cmd{Argv: []string{s.path}, Dir: s.dir, Env: s.env, Stdin: string(in) + "\n"})
}

// runCommand runs a command to its end. One that fails is an error with what it said.
func runCommand(ctx context.Context, c proc.Cmd) error {
	var said, out bytes.Buffer
	c.Stdout, c.Stderr, c.Grace, c.Mark = &out, &said, grace, proc.NewMark()
	exit, err := proc.Run(ctx, c)
	if err != nil {
		return err
	}
	if exit.Cause != nil {
		return exit.Cause
	}
	if exit.Code != 0 {
		text := strings.TrimSpace(said.String()) + "\n" + out.String()
		return fmt.Errorf("%s%s", exit, behind(plain(text, 5)))
	}
	return nil
}

// desktop shows the message on the screen of the machine.
type desktop struct {
	system string
	env    []string
}

func newDesktop(s Settings) channel { return &desktop{runtime.GOOS, s.Env} }

func (d *desktop) kind() string  { return "desktop" }
func (d *desktop) place() string { return "this machine" }

// balloon reads title and text, a line each, so that no word of a message is part of a program.
const balloon = `$t=[Console]::In.ReadLine();$b=[Console]::In.ReadToEnd();Add-Type -AssemblyName System.Windows.Forms;` +
	`$n=New-Object System.Windows.Forms.NotifyIcon;$n.Icon=[System.Drawing.SystemIcons]::Information;$n.Visible=$true;` +
	`$n.ShowBalloonTip(8000,$t,$b,'Info');Start-Sleep -Seconds 3;$n.Dispose()`

// ways are the commands that show a message, the first one that is there is taken. Windows' own is last: from within WSL it works, too.
func (d *desktop) ways(title, text string) []proc.Cmd {
	linux := proc.Cmd{Argv: []string{"notify-send", "--app-name=ralphex", "--", title, html.EscapeString(text)}}
	mac := proc.Cmd{Argv: []string{"osascript", "-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run", title, text}}
	windows := proc.Cmd{Argv: []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", balloon}, Stdin: title + "\n" + text}
	switch d.system {
	case "darwin":
		return []proc.Cmd{mac}
	case "windows":
		return []proc.Cmd{windows}
	}
	return []proc.Cmd{linux, windows}
}

func (d *desktop) send(ctx context.Context, p post) error {
	var names []string
	for _, c := range d.ways(strings.ReplaceAll(p.Title(), "\n", " "), clip(p.Line(), 240)) {
		c.Env = d.env
		err := runCommand(ctx, c)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		names = append(names, c.Argv[0])
	}
	return fmt.Errorf("there is no %s here", strings.Join(names, " and no "))
}
