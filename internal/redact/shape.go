package redact

import "bytes"

// shape is a kind of token that is known by how it looks.
type shape struct {
	begin string
	name  string
	least int    // bytes that must follow begin
	chars string // which bytes those may be: "word" (letters, digits, - and _), "jwt" (and dots), "pem" (base64 in lines)
}

// shapes are of tokens that their makers gave a beginning of their own.
var shapes = []shape{
	{"sk-ant-", "anthropic key", 16, "word"},
	{"sk-proj-", "openai key", 16, "word"},
	{"sk-or-v1-", "openrouter key", 16, "word"},
	{"sk-", "key", 32, "word"},
	{"sk_live_", "stripe key", 16, "word"},
	{"rk_live_", "stripe key", 16, "word"},
	{"ghp_", "github token", 30, "word"},
	{"gho_", "github token", 30, "word"},
	{"ghu_", "github token", 30, "word"},
	{"ghs_", "github token", 30, "word"},
	{"ghr_", "github token", 30, "word"},
	{"github_pat_", "github token", 30, "word"},
	{"glpat-", "gitlab token", 20, "word"},
	{"npm_", "npm token", 30, "word"},
	{"hf_", "hugging face token", 30, "word"},
	{"xoxb-", "slack token", 20, "word"},
	{"xoxp-", "slack token", 20, "word"},
	{"xoxa-", "slack token", 20, "word"},
	{"xoxs-", "slack token", 20, "word"},
	{"AKIA", "aws key", 16, "word"},
	{"ASIA", "aws key", 16, "word"},
	{"AIza", "google key", 35, "word"},
	{"eyJhbGci", "jwt", 32, "jwt"},
	{"eyJ0eXAi", "jwt", 32, "jwt"},
	{"eyJraWQi", "jwt", 32, "jwt"},
	{"PRIVATE KEY-----", "private key", 32, "pem"},
}

// lookBack is how many bytes before a secret decide whether it is one.
const lookBack = 40

// mayBegin tells whether a token of this shape may stand behind these bytes: not in the middle of a word.
func (s *shape) mayBegin(before []byte) bool {
	if s.chars == "pem" {
		return bytes.Contains(before[max(0, len(before)-lookBack):], []byte("BEGIN"))
	}
	n := len(before)
	if n == 0 || !isWord(before[n-1]) {
		return true
	}
	return n > 1 && before[n-2] == '\\' && bytes.IndexByte([]byte("nrtbf"), before[n-1]) >= 0 // an escape of JSON
}

// has tells whether a byte may be part of the token.
func (s *shape) has(c byte) bool {
	switch s.chars {
	case "jwt":
		return isWord(c) || c == '.'
	case "pem":
		return isWord(c) && c != '-' || c == '+' || c == '/' || c == '=' || c == '\n' || c == '\r' || c == '\\'
	}
	return isWord(c)
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
