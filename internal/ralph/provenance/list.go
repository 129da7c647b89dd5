package provenance

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/ralph/layout"
)

// List returns the ids of the bundles that are there, the newest first; of those whose record was taken away, too: their sums tell that they were whole.
func List(l layout.Layout) ([]string, error) {
	entries, err := os.ReadDir(l.Bundles)
	if isGone(err) {
		return nil, nil
	}
	var ids []string
	for _, e := range entries {
		there := func(name string) bool { return !isMissing(filepath.Join(l.Bundles, e.Name(), name)) }
		if number(e.Name()) > 0 && e.IsDir() && (there(BundleFile) || there(SumsFile)) {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		if d := number(b) - number(a); d != 0 {
			return d
		}
		return strings.Compare(b, a)
	})
	return ids, err
}

// number is the iteration of a provenance id, 0 for what is none.
func number(id string) int {
	var n int
	if _, err := fmt.Sscanf(id, "run-i%d-", &n); err != nil {
		return 0
	}
	return n
}
