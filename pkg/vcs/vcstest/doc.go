// Package vcstest builds repositories for tests, and holds the one conformance suite that every backend of pkg/vcs passes.
//
//	NewRepo(t) ──► Repo ── Write, Git, Commit, Hook ──► a repository in t.TempDir()
//	                 │                                   fixed clock and author: the same hashes on every machine
//	                 └── Open(t) ──► vcs.Repo            nothing of the user's configuration
//
//	RunContract(t, Backend) ──► one subtest an operation, told by a Person, the same for Git, Mercurial and wrappers;
//	                            the answers are a column of the table in docs/vcs.md
//	Run(t, open)            ──► one subtest a promise that only a Git repository can be held to
package vcstest
