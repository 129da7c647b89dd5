package term

import (
	"strings"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/styles"
)

// widestMarkdown is the public width; longer lines are hard to read.
const widestMarkdown = 80

// Markdown draws a Markdown text of others for Out. Where there is no colour (no terminal, --no-color, NO_COLOR) it comes as it is.
func (t *IO) Markdown(text string) string {
	text = cleanBlock(text)
	if !t.Color {
		return text
	}
	style := styles.DarkStyleConfig
	if lightBackground(lookup(t.Env)("COLORFGBG")) {
		style = styles.LightStyleConfig
	}
	style.Document.Margin = nil // the whole width is the text's
	r, err := glamour.NewTermRenderer(glamour.WithStyles(style), glamour.WithWordWrap(min(t.Width(), widestMarkdown)))
	if err != nil {
		return text
	}
	out, err := r.Render(text)
	if err != nil {
		return text
	}
	lines := strings.Split(strings.Trim(out, "\n"), "\n")
	for i, l := range lines {
		lines[i] = tidy(l)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// tidy joins neighbours of one style in a drawn line, which come word by word, and takes away the blanks that fill it up: so a line can be
// copied, searched, and resized without being broken.
func tidy(line string) string {
	type run struct{ style, text string }
	var runs []run
	style, drawn := "", line
	for line != "" {
		text, rest, found := strings.Cut(line, "\x1b[")
		if n := len(runs); text != "" && n > 0 && runs[n-1].style == style {
			runs[n-1].text += text
		} else if text != "" {
			runs = append(runs, run{style, text})
		}
		if !found {
			break
		}
		code, more, ok := strings.Cut(rest, "m")
		if line = more; !ok || strings.Trim(code, "0123456789;") != "" {
			return drawn // no colour
		}
		if style = "\x1b[" + code + "m"; code == "" || code == "0" {
			style = ""
		}
	}
	for n := len(runs) - 1; n >= 0; n-- {
		if !strings.Contains(runs[n].style, "48;") { // blanks with a background are seen
			runs[n].text = strings.TrimRight(runs[n].text, " ")
		}
		if runs[n].text != "" {
			break
		}
		runs = runs[:n]
	}
	var b strings.Builder
	for _, r := range runs {
		if b.WriteString(r.style + r.text); r.style != "" {
			b.WriteString(reset)
		}
	}
	return b.String()
}

// lightBackground reads COLORFGBG, which some terminals set: "0;15" is black on white. Nobody is asked over the terminal itself, whose answer
// would lie in the input of the next question.
func lightBackground(value string) bool {
	i := strings.LastIndexByte(value, ';')
	return i >= 0 && (value[i+1:] == "15" || value[i+1:] == "7")
}

// Diff draws a unified diff of texts of others.
func (t *IO) Diff(diff string) string {
	lines := strings.Split(strings.TrimRight(cleanBlock(diff), "\n"), "\n")
	if !t.Color {
		return strings.Join(lines, "\n")
	}
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "+"):
			lines[i] = "\x1b[32m" + l + reset
		case strings.HasPrefix(l, "-"):
			lines[i] = "\x1b[31m" + l + reset
		case strings.HasPrefix(l, "@@"):
			lines[i] = "\x1b[36m" + l + reset
		}
	}
	return strings.Join(lines, "\n")
}
