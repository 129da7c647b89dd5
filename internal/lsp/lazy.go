package lsp

import "sync"

// lazy is a value that is made when first asked for, once, however many ask at the same time. It is sync.OnceValue with
// a channel to wait on: a test can tell that a goroutine waits for a channel, and cannot for a mutex.
type lazy[T any] struct {
	make func() T

	mu    sync.Mutex
	ready chan struct{} // nil: nobody has asked yet
	value T
	fault any // what make panicked with
}

func newLazy[T any](make func() T) *lazy[T] { return &lazy[T]{make: make} }

// get returns the value. If making it panicked, each get panics with the same.
func (l *lazy[T]) get() T {
	l.mu.Lock()
	first := l.ready == nil
	if first {
		l.ready = make(chan struct{})
	}
	l.mu.Unlock()
	if first {
		l.fill()
	}
	<-l.ready
	if l.fault != nil {
		panic(l.fault)
	}
	return l.value
}

func (l *lazy[T]) fill() {
	defer close(l.ready)
	defer func() { l.fault = recover() }()
	l.value = l.make()
	l.make = nil // and what it holds
}
