package weaken

import (
	"path"
	"slices"
	"strings"

	"ralphex/internal/lazyregexp"
)

// pattern is a regular expression that is only tried on lines with one of its words, since most lines have none.
type pattern struct {
	words []string
	re    *lazyregexp.Regexp
}

func pat(re string, words ...string) *pattern { return &pattern{words, lazyregexp.New(re)} }

func (p *pattern) find(text string) []string {
	if p == nil || !slices.ContainsFunc(p.words, func(w string) bool { return strings.Contains(text, w) }) {
		return nil
	}
	return p.re.FindStringSubmatch(text)
}

func (p *pattern) in(text string) bool { return p.find(text) != nil }

// language says how tests look in a language.
type language struct {
	name     string
	files    func(p string) bool // whether it is a file with tests
	test     *pattern            // the head of a test; the first group that took part is its name
	mark     *pattern            // the line above a test, where its head looks like any function
	head     *pattern            // what follows a mark
	skip     *pattern            // a test that is not run, or whose result doesn't count
	assert   *pattern            // a line that can fail a test
	strong   *pattern            // an assertion of an exact value
	weak     *pattern            // one that many values pass
	plumbing *pattern            // an assertion that only passes an error on, and goes when the error goes
	guarded  *pattern            // the beginning of a condition: a skip below it has a reason
	comments []string
}

func ext(p string, of ...string) bool { return slices.Contains(of, path.Ext(p)) }

// stem is the name of a file without folder and last ending.
func stem(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

// below says whether one of the folders of a path has one of the names.
func below(p string, names ...string) bool {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		if slices.Contains(names, dir) {
			return true
		}
	}
	return false
}

var ifBrace = pat(`^\s*(?:\}\s*else\s+)?(?:if|switch|case|unless|when|guard)\b`, "if", "switch", "case", "unless", "when", "guard")

// languages are all that are known. Each has samples in testdata, of what is found and of what is not.
var languages = []*language{
	{
		name:     "go",
		files:    func(p string) bool { return strings.HasSuffix(p, "_test.go") },
		test:     pat(`^func (?:\(\w+ \*?\w+\) )?((?:Test|Fuzz|Example)\w*)\(`, "func "),
		skip:     pat(`(?:^\s*|\bfunc\b[^{]*\(\w+ \*testing\.[TBF]\)\s*\{\s*)(?:\w{1,5}|\w+\.T\(\))\.Skip(?:f|Now)?\(`, ".Skip"),
		assert:   pat(`\b(?:assert|require|is|qt|check|must)\.\w+\(|\b\w{1,3}\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require|expect|verify|check|must)\w*\(`, "("),
		strong:   pat(`\.(?:Equal|EqualValues|Exactly|JSONEq|Len|ErrorIs|EqualError|ElementsMatch)f?\(`, "."),
		weak:     pat(`\b(?:assert|require)\.(?:NotNil|NotEmpty|True|Error|NotZero|IsType)f?\(`, "assert", "require"),
		plumbing: pat(`\.NoErrorf?\(|\.(?:Fatal|Error)f?\(.*\berr\)`, ".NoError", "err)"),
		guarded:  ifBrace,
		comments: []string{"//"},
	},
	{
		name: "python",
		files: func(p string) bool {
			return ext(p, ".py") && (strings.HasPrefix(stem(p), "test") || strings.HasSuffix(stem(p), "_test") || strings.HasSuffix(stem(p), "_tests"))
		},
		test:     pat(`^\s*(?:async )?def (test\w*)\(`, "def test"),
		skip:     pat(`^\s*@(?:pytest\.mark\.(?:skip|xfail)|unittest\.(?:skip|expectedFailure))\b(?:\(|$)|\b(?:pytest\.(?:skip|xfail)|self\.skipTest)\(|^\s*pytestmark\s*=\s*pytest\.mark\.(?:skip|xfail)\b`, "skip", "xfail", "expectedFailure"),
		assert:   pat(`^\s*assert\b|\bself\.(?:assert|fail)\w*\(|\bpytest\.raises\(|\.assert_\w+\(|^\s*(?:assert|check|expect|verify)_\w+\(`, "assert", "self.fail", "raises", "check_", "expect_", "verify_"),
		strong:   pat(`\bassert(?:Equal|Equals|ListEqual|DictEqual|Is|AlmostEqual|SequenceEqual)\(|^\s*assert\b.*==`, "assert"),
		weak:     pat(`\bassert(?:True|IsNotNone|NotEqual|IsInstance)\(|^\s*assert\s+[\w.\[\]()"']+(?:\s+is not None)?\s*(?:,.*)?$`, "assert"),
		guarded:  pat(`^\s*(?:el)?if\b|^\s*except\b`, "if", "except"),
		comments: []string{"#"},
	},
	{
		name: "javascript",
		files: func(p string) bool {
			return ext(p, ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue") &&
				(strings.Contains(path.Base(p), ".test.") || strings.Contains(path.Base(p), ".spec.") || strings.Contains(path.Base(p), ".cy.") || below(p, "__tests__"))
		},
		test:     pat("^\\s*(?:x|f)?(?:it|test|specify)(?:\\.\\w+)*(?:\\(.*\\))?\\s*\\(\\s*['\"`]([^'\"`]+)", "it", "test", "specify"),
		skip:     pat(`^\s*(?:x(?:it|describe|test|context)\s*\(|f(?:it|describe)\s*\(|(?:it|test|describe|context|suite)(?:\.\w+)*\.(?:skip|todo|only|fixme|failing)\b)`, "x", "f", ".skip", ".todo", ".only"),
		assert:   pat(`\bexpect\s*\(|\bassert(?:\.\w+)*\s*\(|\.should\b|\b(?:assert|expect|verify|check)\w*\s*\(|\bt\.(?:is|deepEqual|true|false|throws)\w*\(`, "expect", "assert", "should", "verify", "check", "t."),
		strong:   pat(`\.(?:toBe|toEqual|toStrictEqual|toMatchObject|toHaveLength|toBeCloseTo|toHaveBeenCalledWith|toThrow|equal|eql|deepEqual|strictEqual|deepStrictEqual)\s*\(`, "."),
		weak:     pat(`\.(?:toBeTruthy|toBeDefined|toBeFalsy|toHaveBeenCalled|not\.toThrow|not\.toBeNull|not\.toBeUndefined|ok)\s*\(|expect\.anything\(|assert\s*\(\w+\)`, "to", "ok", "expect", "assert"),
		guarded:  ifBrace,
		comments: []string{"//", "/*"},
	},
	{
		name: "java",
		files: func(p string) bool {
			return ext(p, ".java", ".kt", ".kts", ".groovy", ".scala") && (slices.ContainsFunc([]string{"Test", "Tests", "IT", "Spec", "TestCase"}, func(end string) bool { return strings.HasSuffix(stem(p), end) }) ||
				strings.Contains(p, "src/test/"))
		},
		mark:     pat(`^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b`, "@"),
		head:     pat("\\bfun\\s+`([^`]+)`|\\b(\\w+)\\s*\\(", "("),
		skip:     pat(`^\s*@(?:Disabled|Ignore)\b|@Test\(.*enabled\s*=\s*false`, "@Disabled", "@Ignore", "enabled"),
		assert:   pat(`\b(?:assert|verify|expect|check|fail)\w*\s*[({]|\.should\w*`, "assert", "verify", "expect", "check", "fail", "should"),
		strong:   pat(`\bassert(?:Equals|ArrayEquals|Same|IterableEquals|Throws)\s*\(|\.(?:isEqualTo|containsExactly|hasSize|isSameAs)\s*\(|\bshouldBe\b`, "assert", "is", "contains", "has", "should"),
		weak:     pat(`\bassert(?:NotNull|True|DoesNotThrow)\s*\(|\.(?:isNotNull|isNotEmpty|isTrue)\s*\(|\bshouldNotBe\b`, "assert", "is", "should"),
		guarded:  ifBrace,
		comments: []string{"//", "/*"},
	},
	{
		name:     "rust",
		files:    func(p string) bool { return ext(p, ".rs") },
		mark:     pat(`^\s*#\[(?:\w+::)*(?:test|rstest|test_case)\b`, "#["),
		head:     pat(`\bfn\s+(\w+)`, "fn "),
		skip:     pat(`^\s*#\[ignore\b`, "#[ignore"),
		assert:   pat(`\b(?:debug_)?assert(?:_\w+)?!\s*\(|\bpanic!\s*\(|#\[should_panic`, "assert", "panic"),
		strong:   pat(`\bassert_eq!\s*\(`, "assert_eq!"),
		weak:     pat(`\bassert!\s*\(|\bassert_ne!\s*\(`, "assert"),
		comments: []string{"//"},
	},
	{
		name: "ruby",
		files: func(p string) bool {
			return ext(p, ".rb") && (strings.HasSuffix(stem(p), "_spec") || strings.HasSuffix(stem(p), "_test") || strings.HasPrefix(stem(p), "test_"))
		},
		test:     pat(`^\s*(?:x|f)?(?:it|specify|test|scenario)[ (]+['"]([^'"]+)|^\s*def (test_\w+)`, "it", "specify", "test", "scenario"),
		skip:     pat(`^\s*(?:x(?:it|describe|context|specify|scenario)\b|(?:pending|skip)(?:\s+['"(]|\s*$|\()|f(?:it|describe|context)\b)|,\s*(?:skip|pending):\s*(?:true|['"])|,\s*:(?:skip|pending)\b`, "x", "pending", "skip", "f"),
		assert:   pat(`\bexpect[ ({]|\bassert\w*\b|\brefute\w*\b|\bshould\b|\bmust_\w+`, "expect", "assert", "refute", "should", "must_"),
		strong:   pat(`\bassert_(?:equal|same|raises|in_delta)\b|\.to\s+(?:eq|eql|equal|match_array|contain_exactly|raise_error)\b`, "assert_", ".to"),
		weak:     pat(`\bassert(?:\s|\()|\bassert_(?:predicate|not_nil|respond_to)\b|\brefute_nil\b|be_truthy|be_present|not_to\s+(?:be_nil|raise_error)`, "assert", "be_", "not_to", "refute_nil"),
		guarded:  pat(`^\s*(?:if|unless|elsif)\b`, "if", "unless"),
		comments: []string{"#"},
	},
	{
		name: "csharp",
		files: func(p string) bool {
			return ext(p, ".cs") && (strings.HasSuffix(stem(p), "Test") || strings.HasSuffix(stem(p), "Tests") || strings.Contains(path.Dir(p)+"/", "Tests/"))
		},
		mark:     pat(`^\s*\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b`, "["),
		head:     pat(`\b(\w+)\s*\(`, "("),
		skip:     pat(`^\s*\[.*\b(?:Ignore\b|Explicit\b|Skip\s*=)|\bAssert\.(?:Ignore|Inconclusive|Skip)\(`, "Ignore", "Explicit", "Skip", "Inconclusive"),
		assert:   pat(`\bAssert\.\w+|\.Should\w*\(|\.Verify\w*\(|\b(?:Assert|Verify|Check|Expect)\w*\(`, "Assert", "Should", "Verify", "Check", "Expect"),
		strong:   pat(`\bAssert\.(?:Equal|AreEqual|Same|AreSame|Throws\w*|Single|Collection)\b|\.Be\(|\.BeEquivalentTo\(`, "Assert", ".Be"),
		weak:     pat(`\bAssert\.(?:NotNull|IsNotNull|True|IsTrue|NotEmpty)\b|\.NotBeNull\(|\.NotBeEmpty\(`, "Assert", ".NotBe"),
		guarded:  ifBrace,
		comments: []string{"//", "/*"},
	},
	{
		name: "swift",
		files: func(p string) bool {
			return ext(p, ".swift") && (strings.HasSuffix(stem(p), "Tests") || strings.HasSuffix(stem(p), "Test") || below(p, "Tests"))
		},
		test:     pat(`\bfunc (test\w*)\(`, "func test"),
		mark:     pat(`^\s*@Test\b`, "@Test"),
		head:     pat(`\bfunc (\w+)\(`, "func "),
		skip:     pat(`\bthrow XCTSkip\b|@Test\(.*\.disabled\(|\bfunc (?:DISABLED_|x|_)test\w*\(`, "XCTSkip", ".disabled", "func "),
		assert:   pat(`\bXCT(?:Assert|Fail|Unwrap)\w*\(|#(?:expect|require)\(`, "XCT", "#expect", "#require"),
		strong:   pat(`\bXCTAssert(?:Equal|Identical|ThrowsError)\(|#expect\(.*==`, "XCTAssert", "#expect"),
		weak:     pat(`\bXCTAssert(?:NotNil|True|NoThrow|NotEqual)\(|#expect\(.*!= nil`, "XCTAssert", "#expect"),
		guarded:  ifBrace,
		comments: []string{"//", "/*"},
	},
	{
		name: "php",
		files: func(p string) bool {
			return ext(p, ".php") && (strings.HasSuffix(stem(p), "Test") || below(p, "tests", "Tests"))
		},
		test:     pat(`\bfunction (test\w*)\(|^\s*(?:it|test)\(\s*['"]([^'"]+)`, "function test", "it(", "test("),
		skip:     pat(`(?:->|::)markTest(?:Skipped|Incomplete)\(|^\s*\}?\)?->(?:skip|todo)\(`, "markTest", "->skip", "->todo"),
		assert:   pat(`(?:->|::)(?:assert|expect|should)\w*\(|\bexpect\(`, "assert", "expect", "should"),
		strong:   pat(`(?:->|::)assert(?:Same|Equals|Count|ArraySubset)\(|->to(?:Be|Equal)\(`, "assert", "->to"),
		weak:     pat(`(?:->|::)assert(?:NotNull|True|NotEmpty|IsArray)\(|->(?:toBeTruthy|not->toBeNull)\(`, "assert", "->"),
		guarded:  ifBrace,
		comments: []string{"//", "#", "/*"},
	},
	{
		name:     "shell",
		files:    func(p string) bool { return ext(p, ".bats") },
		test:     pat(`^\s*@test\s+['"]([^'"]+)`, "@test"),
		skip:     pat(`^\s*skip(?:\s|$)`, "skip"),
		assert:   pat(`^\s*(?:\[\[?\s|assert\w*\b|refute\w*\b|test\s)`, "[", "assert", "refute", "test"),
		guarded:  pat(`^\s*(?:el)?if\b|&&|\|\|`, "if", "&&", "||"),
		comments: []string{"#"},
	},
}

// languageOf is the language of a file with tests; nil = it is none, or none that is known.
func languageOf(p string) *language {
	for _, l := range languages {
		if l.files(p) {
			return l
		}
	}
	return nil
}

// uncomment returns what stands in a comment that takes the whole line.
func (l *language) uncomment(trimmed string) (string, bool) {
	for _, mark := range l.comments {
		if rest, ok := strings.CutPrefix(trimmed, mark); ok {
			return strings.TrimSpace(strings.TrimSuffix(rest, "*/")), true
		}
	}
	return "", false
}

// named is the first group of a match that took part.
func named(match []string) string {
	for _, group := range match[min(1, len(match)):] {
		if group != "" {
			return group
		}
	}
	return ""
}
