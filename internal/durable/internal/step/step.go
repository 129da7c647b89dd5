package step

import "sync/atomic"

var hook atomic.Pointer[func(name string) error]

// Before is called before the system call of that name. An error is taken for the call's own.
func Before(name string) error {
	if h := hook.Load(); h != nil {
		return (*h)(name)
	}
	return nil
}

// Set puts a hook in place, which may be called by several goroutines; nil takes it away.
func Set(h func(name string) error) {
	if h == nil {
		hook.Store(nil)
		return
	}
	hook.Store(&h)
}
