package iteration

import (
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/stable"
)

// placeholders are what differs between two failures that are the same, in the order in which it is taken out.
var placeholders = []struct {
	what *lazyregexp.Regexp
	by   string
}{
	{lazyregexp.New(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?`), "<ts>"},
	{lazyregexp.New(`\b[A-Za-z]:\\[^\s:*?"<>|()]+`), "<path>"},
	{lazyregexp.New(`(^|[\s"'(=:|])/(?:[^\s/:()"'|]+/)*[^\s/:()"'|]+`), "${1}<path>"},
	{lazyregexp.New(`(?i)\(\s*lines?\s+\d+(?:\s*,\s*col(?:umn)?s?\s+\d+)?\s*\)`), "<loc>"},
	{lazyregexp.New(`(?i)\blines?\s+\d+(?:\s*,\s*col(?:umn)?s?\s+\d+)?`), "<loc>"},
	{lazyregexp.New(`:\d+(?::\d+)?\b`), "<loc>"},
	{lazyregexp.New(`(?i)\b(?:0x)?[0-9a-f]{8,64}\b`), "<id>"},
}

// NormalizeSignature takes out of a failure signature what differs from run to run: times, paths, places, hashes. It is for comparing; what is kept on
// disk is the raw one.
func NormalizeSignature(s string) string {
	for _, p := range placeholders {
		s = p.what.ReplaceAllString(s, p.by)
	}
	return strings.ToLower(stable.Trim(strings.Join(strings.Fields(s), " ")))
}
