// Package vcstest builds repositories for tests, and holds the one conformance suite that every backend of pkg/vcs passes.
//
//	NewRepo(t) ──► Repo ── Write, Git, Commit, Hook ──► a repository in t.TempDir()
//	                 │                                   fixed clock and author: the same hashes on every machine
//	                 └── Open(t) ──► vcs.Repo            nothing of the user's configuration
//
//	Run(t, open) ──► one subtest a promise of vcs.Repo
package vcstest
