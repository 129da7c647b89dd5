// Package config holds every setting of ralphex: one table of keys, five layers, and the prompts.
//
// The table is the struct Values: a field and its tags are the whole definition of a key (name, type,
// default, what it means, who may set it). Everything else is read off it: the parser, the environment
// names, the flags' checks, `Source`, and the page docs/config.md.
//
//	defaults   the tags of Values
//	   ▲  global     ~/.config/ralphex/config     (--config-dir, RALPHEX_CONFIG_DIR)
//	   ▲  local      .ralphex/config at the repository's root; commands only when trusted
//	   ▲  env        RALPHEX_<KEY>
//	   ▲  flags      the command line
//	   ▼
//	Load ─► *Config   typed values; Source("task_model") = "local .ralphex/config:12"
//	     ─► []Warning unknown keys, keys below a [section], surprises of the dialect
//	     ─► error     every bad value of every layer, each with its file and line
//
// A layer sets a key or is silent about it; the highest layer that sets it wins, zero and empty
// included. Nothing is ever written: no folder of the user's is touched by reading settings.
//
// Prompts and agents are files: .ralphex/prompts/NAME.txt, then the global folder's, then the embedded one.
//
//	Template(name, spawn) ─► Fill(vars)   variables and {{agent:NAME}} in one pass; spawn words the order
//	BuiltIn               ─► files        what `config init` and `config dump` write
//	Lint                  ─► []Fault      mistakes of all files, with file and line
package config
