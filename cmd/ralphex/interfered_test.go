package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"ralphex/internal/durable/durabletest"
)

// interfered is ralphex with somebody else at work in the middle of its writing of evidence, as INTERFERE says:
//
//	die 7               it is killed before the seventh file of its evidence is there
//	change prompt.md    that file of an iteration gets another byte as soon as it is there
//	remove prompt.md    it is deleted then
func interfered() {
	what, arg, _ := strings.Cut(os.Getenv("INTERFERE"), " ")
	files, done := 0, false
	those := func() []string {
		found, _ := filepath.Glob(filepath.Join(".ralph", "artifacts", "iteration-*", arg))
		return found
	}
	earlier := len(those())
	var one sync.Mutex // what became of a session is written while the next one is prepared
	durabletest.At(func(step string) {
		one.Lock()
		defer one.Unlock()
		if step != "place" || done {
			return
		}
		files++
		if what == "die" {
			if strconv.Itoa(files) == arg {
				p, err := os.FindProcess(os.Getpid())
				if err == nil {
					_ = p.Kill()
				}
				select {} // until the signal has come
			}
			return
		}
		found := those()
		if len(found) <= earlier {
			return
		}
		done = true
		if err := interfere(what, found[len(found)-1]); err != nil {
			fmt.Fprintln(os.Stderr, "interfere:", err)
		}
	})
	main()
}

func interfere(what, path string) error {
	if what == "remove" {
		return os.Remove(path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}
