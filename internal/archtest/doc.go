// Package archtest holds the walls of the project as tests that answer with the reason.
//
// It has no code of its own. It reads the sources of the whole module (imports and syntax, nothing is
// compiled) and checks four things:
//
//	walls_test.go     who may import whom             ─► "pkg/plan imports pkg/vcs: a plan knows no repository"
//	modules_test.go   which library lives where       ─► "only internal/cli may import kong: …"
//	habits_test.go    what no compiler asks for       ─► doc.go, small main.go, no sleeps, no names, no paths
//	compat_test.go    what two pages promise       ─► each public name and each weak point has a row, each row its tests
//
//	        cmd/ralphex ─► internal/cli                the only place that knows everyone
//	faces   internal/{progress,term}                   draw events
//	engine  pkg/processor ─► pkg/processor/phase       order of phases; the phases
//	tools   pkg/executor/*  internal/{workspace,gate}  agents; place of a run; validation
//	nouns   pkg/{plan,vcs,signals,event,finding}       no upward import, ever
//	floor   internal/{durable,proc,config,journal}     standard library or one named module
//
// A new package needs a row in the table of walls_test.go; a row whose package is gone fails, too, so
// that the table stays a map and not a memory. Test files may import more than the code they test.
package archtest
