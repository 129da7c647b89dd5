package plan_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.md")
	require.NoError(t, os.WriteFile(path, []byte("one\r\n"), 0o640))
	require.NoError(t, plan.Edit(path, func(src []byte) ([]byte, error) { return bytes.ToUpper(src), nil }))
	refused := errors.New("no")
	assert.Equal(t, refused, plan.Edit(path, func([]byte) ([]byte, error) { return nil, refused }), "as it is, unwrapped")
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "ONE\r\n", string(got))
	err = plan.Edit(path+".gone", func(src []byte) ([]byte, error) { return src, nil })
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, path+".gone")
}
