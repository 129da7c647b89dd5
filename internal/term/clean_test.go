package term

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext":                   "plain\ttext",
		"Привет, 世界 🎉 é":                "Привет, 世界 🎉 é",
		"\x1b[31mred\x1b[0m":            "red",
		"a\x1b[2K\x1b[1Ab":              "ab",
		"a\x1b[1;2":                     "a␛[1;2",
		"a\x1b[":                        "a␛[",
		"\x1b]0;title\x07text":          "␛]0;title␇text",
		"\x1b]8;;http://x\x1b\\text":    "␛]8;;http://x␛\\text",
		"50%\rdone":                     "50%␍done",
		"back\b\b\bspace":               "back␈␈␈space",
		"\x00\x7f":                      "␀␡",
		"c1 \u009b31m":                  "c1 \uFFFD31m",
		"bad \xff\x9b bytes":            "bad \uFFFD bytes",
		"abc\u202egnp.exe\u2066\u200f":  "abcgnp.exe",
		"no-break\u00a0and \u2028 line": "no-break\u00a0and \u2028 line",
	} {
		assert.Equal(t, want, clean(in))
	}
	assert.Equal(t, "a\nb␍c\nd", cleanBlock("a\r\nb\rc\n\x1b[7md"))
}

func TestSignalName(t *testing.T) {
	for in, want := range map[string]string{
		"<<<RALPHEX:TASK_FAILED>>>":      "TASK_FAILED",
		"  <<<RALPHEX:TASK_FAILED>>> ":   "TASK_FAILED",
		"say <<<RALPHEX:TASK_FAILED>>>":  "",
		"<<<RALPHEX:TASK FAILED>>>":      "",
		"<<<RALPHEX:>>>":                 "",
		"<<<RALPHEX:A>>><<<RALPHEX:B>>>": "",
		"":                               "",
	} {
		got, ok := signalName(in)
		assert.Equal(t, want != "", ok, in)
		if ok {
			assert.Equal(t, want, got)
		}
	}
}

// FuzzClean: no control character but the tab comes through, and what is harmless is not changed.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "a\x1b[31mb", "\x1b[\x1b[31m", "\xc2\x9b", "\u202e", "世界"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := clean(text)
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) }); i >= 0 {
			t.Fatalf("%q is in %q", got[i:], got)
		}
		if again := clean(got); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
	})
}
