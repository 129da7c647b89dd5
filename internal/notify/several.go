package notify

import (
	"context"
	"errors"
	"strings"
	"sync"
)

// several is one address that names several receivers. They are told at once.
type several []channel

func (s several) kind() string { return s[0].kind() }

func (s several) place() string {
	var names []string
	for _, c := range s {
		names = append(names, c.place())
	}
	return strings.Join(names, ", ")
}

func (s several) send(ctx context.Context, p post) error {
	errs := make([]error, len(s))
	var wg sync.WaitGroup
	for i, c := range s {
		wg.Go(func() {
			if err := c.send(ctx, p); err != nil {
				errs[i] = errors.New(c.place() + ": " + err.Error())
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
