package convert

import (
	"strings"

	"ralphex/internal/lazyregexp"
)

// An issue is Markdown with checklists, as it stands in a file, or the JSON of `gh issue view --json
// title,body,labels` or `glab issue view --output json`. Nothing is fetched.

var (
	issueSign   = lazyregexp.New(`(?mi)^(?:_No response_|/(?:label|assign|milestone|estimate|close|due|weight|cc|relate)\b.*|(?:closes|fixes|resolves) #\d+.*)\s*$`)
	quickAction = lazyregexp.New(`^/(?:label|unlabel|assign|unassign|milestone|estimate|spend|close|reopen|due|weight|cc|relate|epic|iteration|confidential|todo|title|copy_metadata|blocks|blocked_by)\b`)
)

// issueBody is the body of such JSON, nil if it is none.
func issueBody(v *value) *value {
	if v == nil || v.kind != '{' || v.get("title").kind != '"' || v.has("tasks") {
		return nil
	}
	if b := v.get("body", "description"); b.kind == '"' || b.kind == '0' && (v.has("body") || v.has("description")) {
		return b
	}
	return nil
}

func detectIssue(in *Input) (int, string) {
	if in.Folder {
		return 0, ""
	}
	if looksJSON(in.main.text) {
		if issueBody(in.jsonValue()) != nil {
			return 92, "JSON with title and body"
		}
		return 0, ""
	}
	t := in.main.text
	signs := 0
	if issueSign.MatchString(t) {
		signs++
	}
	if strings.Contains(t, "- [ ]") || strings.Contains(t, "- [x]") {
		if strings.HasPrefix(strings.TrimSpace(t), "### ") {
			signs++
		}
		if signs > 0 {
			return 50 + 10*signs, "Markdown with boxes, and the marks of an issue's form"
		}
	}
	return 0, ""
}

func readIssue(s *Source, in *Input, _ Options) error {
	if in.main == nil {
		return errNoFile
	}
	f := in.main
	if looksJSON(f.text) {
		v, err := parseJSON(f.text)
		if err != nil {
			return err
		}
		body := issueBody(v)
		if body == nil {
			return &UnknownError{Format: Issue, Reason: "the JSON has no title and body"}
		}
		s.Title = oneLine(v.get("title").str())
		s.issueFields(v, f.Path)
		if body.str() == "" {
			s.Tasks = append(s.Tasks, Task{Title: s.Title, Origin: Origin{f.Path, v.line, -1, ""}})
			return nil
		}
		// Lines of the body are not lines of the file.
		f = &File{Path: f.Path + "#body", text: body.text, shifted: true}
	}
	o := s.readOutline(f)
	s.Title = firstText(s.Title, o.title, in.name(in.main))
	if o.title != "" && o.title != s.Title {
		s.add(Overview, f.Path, 1, o.title)
	}
	for i := range o.parts {
		o.parts[i].blocks = s.issueBlocks(f, o.parts[i].blocks)
	}
	s.readValidation(o)
	s.lists(o)
	return nil
}

// issueFields keeps what stands around the body.
func (s *Source) issueFields(v *value, file string) {
	var labels []string
	for _, l := range v.get("labels").list() {
		if name := firstText(l.str(), l.get("name").str()); name != "" {
			if d := oneLine(l.get("description").str()); d != "" {
				name += " (" + d + ")"
			}
			labels = append(labels, oneLine(name))
			s.Counted = append(s.Counted, words(l.get("id").str()+" "+l.get("color").str())...)
		}
	}
	if len(labels) > 0 {
		s.add(Context, file, v.get("labels").line, "Labels: "+strings.Join(labels, ", "))
	}
	for _, k := range []string{"url", "web_url"} {
		if u := v.get(k).str(); u != "" {
			s.add(Context, file, v.get(k).line, "Issue: "+oneLine(u))
		}
	}
	if n := firstText(v.get("number").str(), v.get("iid").str()); n != "" {
		s.add(Context, file, v.line, "Number: "+n)
	}
}

// issueBlocks takes out what is said to the tracker and not to people.
func (s *Source) issueBlocks(f *File, blocks []block) []block {
	var out []block
	for _, b := range blocks {
		b.text = s.unfolded(b.text)
		if b.kind != text {
			out = append(out, b)
			continue
		}
		var lines []string
		for i, l := range b.lines {
			l = s.unfolded(l)
			switch t := strings.TrimSpace(l); {
			case t == "":
			case strings.EqualFold(t, "_No response_"):
				s.lose(f.Path, b.num+i, t, "a field of the form that nobody filled in")
			case quickAction.MatchString(t):
				s.lose(f.Path, b.num+i, t, "a command to the tracker")
			default:
				lines = append(lines, l)
			}
		}
		if b.lines = lines; len(lines) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// folds are the tags of a part that is shown on demand. A plan shows it.
var folds = lazyregexp.New(`(?i)</?(?:details|summary)\b[^<>]*>`)

func (s *Source) unfolded(t string) string {
	if !strings.Contains(t, "<") {
		return t
	}
	return folds.ReplaceAllStringFunc(t, func(tag string) string {
		s.Counted = append(s.Counted, words(tag)...)
		return ""
	})
}
