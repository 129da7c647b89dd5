package vcs

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseStatus(t *testing.T) {
	const z = "0000000000000000000000000000000000000000"
	in := strings.Join([]string{
		"# branch.oid " + z, "# stash 1",
		"1 .M N... 100644 100644 100644 " + z + " " + z + " with blank  s",
		"2 R. N... 100644 100644 100644 " + z + " " + z + " R100 new name", "old\nname",
		"2 .C N... 100644 100644 100644 " + z + " " + z + " C75 copy", "origin",
		"u UU N... 100644 100644 100644 100644 " + z + " " + z + " " + z + " both",
		"1 .M S.M. 160000 160000 160000 " + z + " " + z + " sub",
		"1 .M SC.. 160000 160000 160000 " + z + " " + z + " sub2",
		"? ? question", "? nested/", "! ignored", "",
	}, "\x00")
	s, err := parseStatus([]byte(in))
	require.NoError(t, err)
	var lines []string
	for _, c := range s.Changes {
		lines = append(lines, c.String())
	}
	assert.Equal(t, []string{".M with blank  s", "R. new name <- old\nname", ".C copy <- origin", "UU both", ".M sub", ".M sub2",
		"?? ? question", "?? nested/"}, lines)
	assert.Equal(t, []string{"old\nname", "new name"}, s.Changes[1].Paths())
	assert.Equal(t, []string{"copy"}, s.Changes[2].Paths(), "a copy leaves its origin alone")
	assert.True(t, s.Changes[3].Unmerged())
	assert.True(t, s.Changes[4].InsideOnly())
	assert.False(t, s.Changes[5].InsideOnly())
	assert.True(t, s.Changes[7].Nested())
	assert.Len(t, s.Staged(), 2)
}

func TestParseStatusRefuses(t *testing.T) {
	for _, in := range []string{"x", "\x00", "1 .M\x00", "? \x00", "?\x00", "9 .M N... 1 1 1 a b c\x00", "1 .M N... 1 1 1 a b \x00", "2 R. N... 1 1 1 a b R1 new\x00", "1 M N... 1 1 1 a b c\x00", "? a\x00? b"} {
		_, err := parseStatus([]byte(in))
		assert.Error(t, err, "%q", in)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add([]byte("1 .M N... 100644 100644 100644 0 0 a b\x00? c\x00"))
	f.Add([]byte("2 R. N... 100644 100644 100644 0 0 R100 new\x00old\x00# x\x00"))
	f.Add([]byte("u UU N... 1 1 1 1 a b c d\x00! x\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := parseStatus(in)
		if err != nil {
			return
		}
		for _, c := range s.Changes {
			require.NotEmpty(t, c.Path)
			require.Contains(t, c.raw, c.Path)
			require.True(t, s.Has(c.Path))
		}
		require.True(t, s.Without("").Clean() || len(s.Changes) > 0)
	})
}

func TestUnder(t *testing.T) {
	s := Status{Changes: []Change{{Path: ".ralph/x"}, {Path: ".ralph"}, {Path: ".ralphex/y"}, {Path: "a/.ralph/z"},
		{Path: "b", From: ".ralph/b", Index: 'R'}}}
	assert.Equal(t, []string{".ralphex/y", "a/.ralph/z", ".ralph/b", "b"}, s.Without(".ralph").Paths(), "a move out of a folder isn't all under it")
	assert.Len(t, s.Under(".ralph/").Changes, 3)
}

func TestParseNumstat(t *testing.T) {
	d, err := parseNumstat([]byte("3\t1\ta b\x00-\t-\tbin\x002\t0\t\x00old\tname\x00new\x00"))
	require.NoError(t, err)
	assert.Equal(t, DiffStat{Files: 3, Additions: 5, Deletions: 1}, d)
	for _, in := range []string{"x", "a\tb\tc\x00", "1\t2\x00"} {
		_, err := parseNumstat([]byte(in))
		require.Error(t, err, "%q", in)
	}
}

func TestLegalBranch(t *testing.T) {
	for b, want := range map[Branch]bool{
		"a": true, "a/b-c_d.e": true, "größer": true, "@": true, "a@b": true, "HEADS": true,
		"": false, "-a": false, "HEAD": false, "a b": false, "a..b": false, "a.lock": false, "a.lock/b": false, "a/.b": false, "a.": false,
		"/a": false, "a/": false, "a//b": false, "a~": false, "a^": false, "a:": false, "a?": false, "a*": false, "a[": false, "a\\": false, "a@{b": false, "a\x7f": false, "a\t": false,
	} {
		assert.Equal(t, want, (b).Legal(), "%q", b)
	}
}

func TestParseCommit(t *testing.T) {
	const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	c, err := parseCommit("r", []byte("tree "+tree+"\nparent a\nparent b\nauthor A Ü <a@x> 1769677926 +0100\ncommitter C <c@x> 1769677927 -0300\ngpgsig -----BEGIN\n tree x\n -----END\n\n\nsub\nject \n\nbody\n"))
	require.NoError(t, err)
	assert.Equal(t, tree, c.tree)
	assert.Equal(t, []Rev{"a", "b"}, c.parents)
	assert.Equal(t, "A Ü", c.entry.Author)
	assert.Equal(t, int64(1769677927), c.entry.Time.Unix())
	assert.Equal(t, "sub ject", c.entry.Subject)
	_, err = parseCommit("r", []byte("nonsense"))
	require.Error(t, err)
	_, err = parseCommit("r", []byte("tree "+tree+"\nencoding latin1\n\nx"))
	require.ErrorIs(t, err, errAsk)
}

// index makes the bytes of a version 2 index.
func index(names ...string) []byte {
	var b bytes.Buffer
	b.WriteString("DIRC\x00\x00\x00\x02")
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(names))))
	for _, n := range names {
		entry := make([]byte, 62)
		binary.BigEndian.PutUint32(entry[24:], 0o100644)
		binary.BigEndian.PutUint16(entry[60:], uint16(len(n)))
		b.Write(entry)
		b.WriteString(n)
		b.Write(make([]byte, (62+len(n)+8)&^7-62-len(n)))
	}
	return append(b.Bytes(), make([]byte, 20)...)
}

func TestScanIndex(t *testing.T) {
	var got []string
	visit := func(n []byte, _ indexEntry) { got = append(got, string(n)) }
	want := []string{"a", "ab", "abcdefgh", "dir/x y", "ü"}
	require.NoError(t, scanIndex(index(want...), 20, visit))
	assert.Equal(t, want, got)
	whole := index(want...)
	for cut := range len(whole) - 20 {
		require.Error(t, scanIndex(append(bytes.Clone(whole[:cut]), make([]byte, 20)...), 20, visit), "cut at %d", cut)
	}
	ext := func(sig string) []byte {
		b := bytes.Clone(whole[:len(whole)-20])
		b = append(b, sig...)
		return append(append(b, 0, 0, 0, 1, 'x'), make([]byte, 20)...)
	}
	require.NoError(t, scanIndex(ext("TREE"), 20, visit))
	require.ErrorIs(t, scanIndex(ext("link"), 20, visit), errIndex)
	require.ErrorIs(t, scanIndex(ext("sdir"), 20, visit), errIndex)
}

func FuzzScanIndex(f *testing.F) {
	f.Add(index("a", "b/c"), 20)
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"+strings.Repeat("x", 90)), 20)
	f.Add([]byte("DIRC\x00\x00\x00\x03\xff\xff\xff\xff"+strings.Repeat("\x40", 120)), 32)
	f.Fuzz(func(t *testing.T, b []byte, hashLen int) {
		if hashLen != 20 {
			hashLen = 32
		}
		total := 0
		err := scanIndex(b, hashLen, func(name []byte, _ indexEntry) { total++ })
		if err == nil {
			require.LessOrEqual(t, total, len(b)/40)
		}
	})
}
