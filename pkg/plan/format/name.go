package format

import (
	"strings"
	"time"

	"ralphex/pkg/plan"
)

// maxSlug bounds the title's part of a file name, in bytes.
const maxSlug = 60

// FileName is the name of a new plan: YYYYMMDD-<slug>.md. Letters are written in ASCII where there is a usual
// way; a title without any gets a hash.
func FileName(title string, day time.Time) string {
	return day.Format("20060102") + "-" + Slug(title) + ".md"
}

// Slug writes a title as a part of a file name: lower case, dashes, at most 60 bytes.
func Slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return r <= 0x7f && (r < '0' || r > '9' && r < 'a' || r > 'z')
	})
	// The branch of a plan is made in the same way, so both are called alike.
	slug := strings.ToLower(plan.BranchName(strings.Join(words, "-") + ".md"))
	if len(slug) <= maxSlug {
		return slug
	}
	cut := slug[:maxSlug]
	if i := strings.LastIndexByte(cut, '-'); i > maxSlug/2 {
		cut = cut[:i]
	}
	return strings.Trim(cut, "-.")
}
