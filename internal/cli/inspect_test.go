package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/finding/weaken"
)

// A test that moved into a file that nobody added yet is not gone.
func TestNewFileIsADiff(t *testing.T) {
	gone := "diff --git a/a_test.go b/a_test.go\n--- a/a_test.go\n+++ b/a_test.go\n@@ -1,5 +1,2 @@\n package a\n-func TestA(t *testing.T) {\n-\tassert.Equal(t, 1, a)\n-}\n \n"
	assert.Len(t, weaken.Find(gone), 1)
	for _, text := range []string{"package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, a)\n}\n", "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, a)\n}"} {
		assert.Empty(t, weaken.Find(gone+asAdded("b_test.go", text)))
	}
}
