package plan

import "fmt"

// Edit replaces a file by what change makes of its bytes, as ticking does: whole or not at all, with its mode
// and links. If change returns what it got, nothing is written; if somebody else writes meanwhile, it is called
// again with their bytes. An error of change comes back as it is, and nothing is written.
func Edit(path string, change func(src []byte) ([]byte, error)) error {
	var own error
	err := rewrite(path, func(src []byte) ([]byte, error) {
		out, err := change(src)
		own = err
		return out, err
	})
	if own != nil {
		return own
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
