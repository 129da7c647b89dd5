package source

import (
	"time"

	"ralphex/internal/web/view"
)

// Options say how a Library looks. The zero value works.
type Options struct {
	// Location is that of times in progress files, which name none; nil = the machine's.
	Location *time.Location
	// Price is handed to the views; nil = dollars at list price are not computed.
	Price view.Price
	// Note is told what a person should know about the watching: folders that can't be read, a limit that is reached. It may be called by several
	// goroutines. nil = nobody wants to know.
	Note func(text string)
	// Now is the clock; nil = time.Now.
	Now func() time.Time

	deaf bool // no folder can be watched: for tests of what happens then
}

func (o Options) withDefaults() Options {
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
