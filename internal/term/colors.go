package term

import (
	"image/color"
	"strconv"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"ralphex/pkg/event"
)

// Colors are the colours of the log as "#rrggbb", by the names of the public settings. An empty one is the default; one
// that can't be read is none.
type Colors struct {
	Task, Review, Codex, ClaudeEval      string // text, by phase
	Warn, Error, Signal, Timestamp, Info string
}

var defaultColors = Colors{
	Task: "#2e8b57", Review: "#1a9e9e", Codex: "#9b59b6", ClaudeEval: "#5b8dd9",
	Warn: "#d4930d", Error: "#cc0000", Signal: "#d25252", Timestamp: "#707070", Info: "#808080",
}

const reset = "\x1b[m"

// palette holds the sequences that begin a colour; each is empty where there is none.
type palette struct {
	phases                             map[event.Phase]string
	warn, err, signal, timestamp, info string
}

// newPalette makes the sequences for what the terminal can show.
func newPalette(on bool, c Colors, env []string) palette {
	if !on {
		return palette{}
	}
	profile := colorprofile.TrueColor
	if env != nil {
		profile = colorprofile.Env(env)
	}
	seq := func(hex, def string) string {
		if hex == "" {
			hex = def
		}
		rgb, ok := parseHex(hex)
		if !ok {
			return ""
		}
		converted := profile.Convert(rgb)
		if converted == nil {
			return ""
		}
		return ansi.NewStyle().ForegroundColor(converted).String()
	}
	d := defaultColors
	task := seq(c.Task, d.Task)
	return palette{
		phases: map[event.Phase]string{
			event.PhaseTask: task, event.PhasePlan: task, event.PhaseFinalize: task,
			event.PhaseReview: seq(c.Review, d.Review), event.PhaseCodex: seq(c.Codex, d.Codex),
			event.PhaseClaudeEval: seq(c.ClaudeEval, d.ClaudeEval),
		},
		warn: seq(c.Warn, d.Warn), err: seq(c.Error, d.Error), signal: seq(c.Signal, d.Signal),
		timestamp: seq(c.Timestamp, d.Timestamp), info: seq(c.Info, d.Info),
	}
}

func parseHex(s string) (color.Color, bool) {
	if len(s) != 7 || s[0] != '#' {
		return nil, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return nil, false
	}
	return color.RGBA{R: byte(n >> 16), G: byte(n >> 8), B: byte(n), A: 255}, true
}
