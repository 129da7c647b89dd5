package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"ralphex/pkg/plan/check"
)

var githubCommand = map[check.Severity]string{check.Error: "error", check.Warning: "warning", check.Note: "notice"}

var (
	githubText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes workflow commands, which GitHub shows as annotations beside the lines.
func GitHub(w io.Writer, r Report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Files {
		for _, x := range f.Findings {
			fmt.Fprintf(out, "::%s file=%s,line=%d,endLine=%d,col=%d", githubCommand[x.Severity], githubProperty.Replace(filepath.ToSlash(f.Path)), x.Line, x.EndLine, f.runeCol(x.Offset))
			if x.Line == x.EndLine {
				fmt.Fprintf(out, ",endColumn=%d", f.runeCol(x.Offset+x.Len))
			}
			fmt.Fprintf(out, ",title=%s::%s\n", githubProperty.Replace("ralphex "+x.Rule), githubText.Replace(x.Message))
		}
	}
	return out.Flush()
}
