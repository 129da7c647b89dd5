package lsp

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan/check"
)

// hover explains the rules that are broken at a place. A finding that only has a place, and no length, is that of
// its whole line.
func (v view) hover(p *hoverParams) (any, *jsonrpc.Error) {
	at := v.text.offset(p.Position, v.enc)
	line := v.text.lineOf(at)
	var parts []string
	var where *Range
	markdown := slices.Contains(v.client.TextDocument.Hover.ContentFormat, "markdown")
	starts, ends := v.text.ruler(v.enc), v.text.ruler(v.enc)
	for _, f := range v.findings.get() {
		if f.Offset > at && v.text.lineOf(f.Offset) > line {
			break
		}
		here := f.Offset <= at && at <= f.Offset+f.Len
		if f.Len == 0 {
			here = v.text.lineOf(f.Offset) == line
		}
		if !here {
			continue
		}
		if where == nil {
			r := v.diagnostic(f, starts, ends).Range
			where = &r
		}
		if text := explain(f, markdown); !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	h := hover{Contents: markup{Kind: "plaintext", Value: strings.Join(parts, "\n\n")}, Range: *where}
	if markdown {
		h.Contents = markup{Kind: "markdown", Value: strings.Join(parts, "\n\n---\n\n")}
	}
	return h, nil
}

// explain tells a rule: what it says, why it is there, what to do, and where to read on.
func explain(f check.Finding, markdown bool) string {
	rule, _ := check.Lookup(f.Rule)
	var b strings.Builder
	name := rule.ID
	if name == "" {
		name = f.Rule
	}
	if markdown {
		fmt.Fprintf(&b, "**%s** (`%s`, %s)\n\n", sentence(rule.Title), name, f.Severity)
	} else {
		fmt.Fprintf(&b, "%s (%s, %s)\n\n", sentence(rule.Title), name, f.Severity)
	}
	if rule.Why != "" {
		fmt.Fprintf(&b, "%s\n\n", sentence(rule.Why))
	}
	fmt.Fprintf(&b, "%s\n\n", sentence(f.Message))
	if f.Fix != nil {
		fmt.Fprintf(&b, "Quick fix: %s\n\n", sentence(f.Fix.Title))
	}
	command := "ralphex check --explain " + name
	if markdown {
		command = "`" + command + "`"
	}
	fmt.Fprintf(&b, "Examples: %s", command)
	return b.String()
}

// sentence gives a text a capital and a full stop, unless it has an end of its own.
func sentence(s string) string {
	s = capital(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// capital is s with its first letter as a capital, if that is a Latin one.
func capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}
