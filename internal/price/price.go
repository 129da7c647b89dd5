package price

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

//go:embed list.txt
var builtIn string

// Row is the price of a model, or of all whose names begin alike, in dollars per million tokens.
type Row struct {
	Model      string  `json:"model"` // a star at its end stands for the rest of a name
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cache_read"`
	CacheWrite float64 `json:"cache_write"`
	Date       string  `json:"date,omitempty"` // of its list, "2025-11-30"
	Source     string  `json:"source"`         // "built in", or file:line
}

// List is a price list. The zero value knows no price.
type List struct {
	rows []Row // the strongest file first
}

// Error is a line that is no price.
type Error struct {
	Path string
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %q is no price", e.Path, e.Line, e.Text) }

// Hint shows a line as it should be.
func (e *Error) Hint() string {
	return "write: MODEL INPUT OUTPUT [CACHE-READ [CACHE-WRITE]], in dollars per million tokens; or: date 2025-11-30"
}

// Load reads the files, the strongest first, and the built-in list behind them. A file that does not exist says nothing. The
// error is an *Error, or that of reading.
func Load(files ...string) (List, error) {
	var l List
	for _, path := range files {
		text, err := durable.ReadFile(path, 1<<20)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return List{}, fmt.Errorf("read prices: %w", err)
		}
		rows, err := parse(string(text), path)
		if err != nil {
			return List{}, err
		}
		l.rows = append(l.rows, rows...)
	}
	rows, err := parse(builtIn, "")
	l.rows = append(l.rows, rows...)
	return l, err
}

func parse(text, path string) ([]Row, error) {
	var rows []Row
	date, n := "", 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		text, _, _ := strings.Cut(line, "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		bad := &Error{Path: path, Line: n, Text: strings.TrimSpace(line)}
		if words[0] == "date" && len(words) == 2 {
			if _, err := time.Parse(time.DateOnly, words[1]); err != nil {
				return nil, bad
			}
			date = words[1]
			continue
		}
		row, ok := readRow(words)
		if !ok {
			return nil, bad
		}
		row.Date, row.Source = date, "built in"
		if path != "" {
			row.Source = fmt.Sprintf("%s:%d", path, n)
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return rank(b) - rank(a) })
	return rows, nil
}

// rank is higher for a name that says more.
func rank(r Row) int {
	if strings.HasSuffix(r.Model, "*") {
		return len(r.Model)
	}
	return 1000 + len(r.Model)
}

func readRow(words []string) (Row, bool) {
	if len(words) < 3 || len(words) > 5 || strings.Contains(strings.TrimSuffix(words[0], "*"), "*") {
		return Row{}, false
	}
	var usd [4]float64
	for i, w := range words[1:] {
		f, err := strconv.ParseFloat(strings.TrimPrefix(w, "$"), 64)
		if err != nil || !(f >= 0 && f < 1e6) {
			return Row{}, false
		}
		usd[i] = f
	}
	for i := len(words) - 1; i < 4; i++ {
		usd[i] = usd[0] // the cache costs what input does, unless it is said
	}
	return Row{Model: words[0], Input: usd[0], Output: usd[1], CacheRead: usd[2], CacheWrite: usd[3]}, true
}

// Find returns the price of a model.
func (l List) Find(model string) (Row, bool) {
	model = strings.ToLower(model)
	for _, r := range l.rows {
		name := strings.ToLower(r.Model)
		prefix, open := strings.CutSuffix(name, "*")
		if model != "" && (name == model || open && strings.HasPrefix(model, prefix)) {
			return r, true
		}
	}
	return Row{}, false
}

// Rows are all prices, the strongest first.
func (l List) Rows() []Row { return slices.Clone(l.rows) }

// Cost is what tokens cost at this price.
func (r Row) Cost(u event.Usage) float64 {
	return (float64(u.InputTokens)*r.Input + float64(u.OutputTokens)*r.Output +
		float64(u.CacheReadTokens)*r.CacheRead + float64(u.CacheWriteTokens)*r.CacheWrite) / 1e6
}

// Dollars prices what a session used up: by the shares of its models, or all as one model's. false: a price is missing.
func (l List) Dollars(model string, u event.Usage, shares map[string]event.Usage) (float64, bool) {
	if len(shares) == 0 {
		shares = map[string]event.Usage{model: u}
	}
	sum := 0.0
	for name, share := range shares {
		row, ok := l.Find(name)
		if !ok && share.Tokens() > 0 {
			return 0, false
		}
		sum += row.Cost(share)
	}
	return sum, true
}
