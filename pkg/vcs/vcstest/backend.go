package vcstest

import (
	"testing"

	"ralphex/pkg/vcs"
)

// Backend is one way to work in a repository, held to the contract by RunContract.
type Backend struct {
	Name string // the column of the table: "git", "go-git", "wrapper", "hg"
	// New makes an empty repository and returns somebody who works in it. It skips the test where a tool is missing.
	New func(tb testing.TB) Person
	// Open opens it with the backend under test.
	Open Opener
	// Lacks names the rows of the contract that the backend can't keep. Such a row must be refused with vcs.ErrUnsupported, or, where it
	// is a matter of degree, be told in vcs.Caps; a row that is kept in spite of its name here fails, so that the list stays true.
	Lacks []string
}

// Person works in a repository with its own tools, beside the backend under test. What the contract sets up and sees through a Person is
// never the backend's own word.
type Person interface {
	// Files is the working tree.
	Files() *Folder
	// Commit commits all that differs, new and missing files too, as finished work: a later commit of a backend never becomes a part of it.
	Commit(message string) vcs.Rev
	// Head is the commit that the tree stands on, "" before the first.
	Head() vcs.Rev
	// Track tells the repository of a new file without committing it.
	Track(path string)
	// Ignore makes the repository ignore all files that end with the suffix, e.g. ".log", by a file that is committed at once.
	Ignore(suffix string)
	// Branch starts a line of work at HEAD and switches to it.
	Branch(name vcs.Branch)
	// Switch goes to a line of work that exists.
	Switch(name vcs.Branch)
	// Show returns what a file holds in a commit, without its last line end, and whether it is there.
	Show(rev vcs.Rev, path string) (text string, ok bool)
	// Changed lists what a commit changed against its first parent, "A new.txt", "M a", "D gone", sorted by name, renames as two lines.
	Changed(rev vcs.Rev) []string
	// Pending lists what differs from HEAD in the same form, with "?" for files that the repository doesn't know. What is staged and what
	// isn't are told alike.
	Pending() []string
	// Stop leaves an operation unfinished, a merge with a conflict in the file "f", and returns the name that vcs.Repo.InProgress has for it.
	Stop() string
	// BeforeCommit installs a shell script that runs before each commit and refuses it by its exit code.
	BeforeCommit(script string)
	// Forget takes the person's name away, so that a commit would have no author.
	Forget()
}

// Signer is a Person whose system signs commits.
type Signer interface {
	// Sign switches signing on; the returned function tells whether a commit is signed.
	Sign() (signed func(vcs.Rev) bool)
}
