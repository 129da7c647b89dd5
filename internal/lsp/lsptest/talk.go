package lsptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

// Talk is a conversation.
type Talk struct {
	Steps []Step
	End   string // how the session ended
	files *txtar.Archive
}

// Step is one thing that one side does.
type Step struct {
	Comment string // lines before it, as they are
	Client  bool
	Head    string // what follows >> or <<
	Body    string // JSON, or empty
}

// Parse reads a conversation.
func Parse(data []byte) (*Talk, error) {
	t := &Talk{files: txtar.Parse(data)}
	lines := strings.SplitAfter(string(t.files.Comment), "\n")
	comment := ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\n")
		head, ok := strings.CutPrefix(line, ">> ")
		s := Step{Client: ok, Comment: comment}
		switch {
		case ok, strings.HasPrefix(line, "<< "):
			s.Head = strings.TrimPrefix(head, "<< ")
			for i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && !isHead(lines[i+1]) {
				i++
				s.Body += lines[i]
			}
			t.Steps = append(t.Steps, s)
			comment = ""
		case strings.HasPrefix(line, "== "):
			t.End = line[3:]
		case line == "" || strings.HasPrefix(line, "#"):
			comment += lines[i]
		default:
			return nil, fmt.Errorf("line %d: %q is neither a comment nor a step", i+1, line)
		}
	}
	return t, nil
}

func isHead(line string) bool {
	return strings.HasPrefix(line, ">> ") || strings.HasPrefix(line, "<< ") || strings.HasPrefix(line, "== ")
}

// Format writes the conversation.
func (t *Talk) Format() []byte {
	var b strings.Builder
	for i, s := range t.Steps {
		comment := strings.Trim(s.Comment, "\n")
		if i > 0 {
			b.WriteString("\n")
		}
		if comment != "" {
			b.WriteString(comment + "\n")
		}
		if i == 0 && comment != "" {
			b.WriteString("\n")
		}
		arrow := "<< "
		if s.Client {
			arrow = ">> "
		}
		b.WriteString(arrow + s.Head + "\n")
		if body := strings.TrimSpace(s.Body); body != "" {
			b.WriteString(body + "\n")
		}
	}
	fmt.Fprintf(&b, "\n== %s\n", t.End)
	return txtar.Format(&txtar.Archive{Comment: []byte(b.String()), Files: t.files.Files})
}

// file returns a file of the conversation.
func (t *Talk) file(name string) (string, error) {
	for _, f := range t.files.Files {
		if f.Name == name {
			return string(f.Data), nil
		}
	}
	return "", fmt.Errorf("the conversation has no file %s", name)
}

// keep writes a file of the conversation.
func (t *Talk) keep(name, text string) {
	for i := range t.files.Files {
		if t.files.Files[i].Name == name {
			t.files.Files[i].Data = []byte(text)
			return
		}
	}
	t.files.Files = append(t.files.Files, txtar.File{Name: name, Data: []byte(text)})
}

// params is the body of a step with the texts of files in it.
func (t *Talk) params(body string) (json.RawMessage, error) {
	if strings.TrimSpace(body) == "" {
		return nil, nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(body)); err != nil {
		return nil, fmt.Errorf("%w in %s", err, body)
	}
	out := compact.String()
	for {
		_, rest, ok := strings.Cut(out, `"@`)
		if !ok {
			return json.RawMessage(out), nil
		}
		name, _, _ := strings.Cut(rest, `"`)
		text, err := t.file(name)
		if err != nil {
			return nil, err
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		out = strings.Replace(out, `"@`+name+`"`, string(quoted), 1)
	}
}

// width is how long a line of pretty JSON may be.
const width = 140

// pretty lays JSON out: what fits into a line stands in one.
func pretty(raw json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b strings.Builder
	if err := layOut(&b, d, raw, ""); err != nil {
		return string(raw)
	}
	return b.String()
}

func layOut(b *strings.Builder, d *json.Decoder, raw json.RawMessage, indent string) error {
	raw = bytes.TrimSpace(raw)
	if len(raw)+len(indent) <= width || raw[0] != '{' && raw[0] != '[' {
		b.Write(raw)
		return nil
	}
	open, err := d.Token()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "%v\n", open)
	for first := true; d.More(); first = false {
		if !first {
			b.WriteString(",\n")
		}
		b.WriteString(indent + "  ")
		if raw[0] == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			fmt.Fprintf(b, "%q:", key)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := layOut(b, json.NewDecoder(bytes.NewReader(value)), value, indent+"  "); err != nil {
			return err
		}
	}
	end, err := d.Token()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%s%v", indent, end)
	return nil
}
