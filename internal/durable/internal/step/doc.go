// Package step lets a test stand between two system calls of a durable write.
//
//	step.Before("rename") ── no hook (always, outside of tests): nothing happens
//	                      └─ a hook of durabletest: ends the process there, or answers with an error
package step
