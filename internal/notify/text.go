package notify

import (
	"fmt"
	"io"
	"strings"
	"text/template"
	"unicode"
)

// DefaultTemplate is the text of a message where notify_template names no other. A line without a value is left out.
const DefaultTemplate = `{{.Title}}

{{with .Project}}project:  {{.}}
{{end}}{{with .Plan}}plan:     {{.}}
{{end}}{{with .Branch}}branch:   {{.}}
{{end}}{{with .Mode}}mode:     {{.}}
{{end}}{{if .Total}}tasks:    {{.Done}} of {{.Total}} done
{{end}}{{if .Ended}}duration: {{.Duration}}
{{end}}{{if .Files}}changes:  {{.Files}} files (+{{.Added}}/-{{.Deleted}} lines)
{{end}}{{if .Cost}}cost:     {{printf "$%.2f" .Cost}}
{{else if .Tokens}}tokens:   {{.Tokens}}
{{end}}{{with .Reason}}{{if eq $.Status "failure"}}error:    {{else}}reason:   {{end}}{{.}}
{{end}}{{with .Next}}next:     {{.}}
{{end}}`

// parseTemplate reads a template and tries it on each occasion, so that a field that does not exist is an error now.
func parseTemplate(text string) (*template.Template, error) {
	if text == "" {
		text = DefaultTemplate
	}
	t, err := template.New("notify_template").Parse(text)
	if err == nil {
		for _, o := range Occasions {
			if err = t.Execute(io.Discard, Sample(o)); err != nil {
				break
			}
		}
	}
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), "template: ")
		return nil, &SettingError{Key: "notify_template", Reason: reason + "; the fields are in docs/notifications.md"}
	}
	return t, nil
}

// render makes the text. A template that fails on a real message gives the default text.
func render(t *template.Template, m Message) string {
	var b strings.Builder
	if err := t.Execute(&b, m); err != nil {
		b.Reset()
		fmt.Fprintf(&b, "%s\n%s\n", m.Title(), m.Line())
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// clip shortens a text to a number of bytes, at a rune's end.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const more = " …"
	s = s[:most-len(more)]
	return strings.ToValidUTF8(s, "") + more
}

// plain takes control characters out of a text that others wrote, and limits its lines.
func plain(s string, lines int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	all := strings.Split(strings.TrimSpace(s), "\n")
	if len(all) > lines {
		all = append(all[:lines], "…")
	}
	return clip(strings.Join(all, "\n"), 1500)
}
