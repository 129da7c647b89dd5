package weaken

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/finding"
)

// patch writes the diff of one file from the lines of its hunk, each with its sign.
func patch(path string, lines ...string) string {
	minus, plus := 0, 0
	for _, l := range lines {
		if l == "" || l[0] != '+' {
			minus++
		}
		if l == "" || l[0] != '-' {
			plus++
		}
	}
	head, old, now := "", "a/"+path, "b/"+path
	switch {
	case plus == 0:
		head, now = "deleted file mode 100644\n", "/dev/null"
	case minus == 0:
		head, old = "new file mode 100644\n", "/dev/null"
	}
	return fmt.Sprintf("diff --git a/%s b/%s\n%sindex 1..2\n--- %s\n+++ %s\n@@ -10,%d +10,%d @@\n%s\n", path, path, head, old, now, minus, plus, strings.Join(lines, "\n"))
}

func found(diff string) []string {
	var out []string
	for _, f := range Find(diff) {
		out = append(out, fmt.Sprintf("%s: %s", f.Place(), f.Text))
	}
	return out
}

// TestRules holds each rule, in each language, against a change that weakens and one that doesn't.
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		name  string
		path  string
		wrong []string // the lines of a hunk
		want  string   // of the finding
		right []string
	}{
		{"go skip", "a_test.go", []string{" func TestA(t *testing.T) {", "+\tt.Skip(\"flaky\")"}, "a_test.go:11: TestA: it is skipped, without a condition: `t.Skip(\"flaky\")`",
			[]string{" func TestA(t *testing.T) {", "+\tif testing.Short() {", "+\t\tt.Skip(\"slow\")", "+\t}"}},
		{"go skip in one line", "a_test.go", []string{"+func TestA(t *testing.T) { t.Skip(\"later\") }"}, "a_test.go:10: TestA: it is skipped, without a condition: `func TestA(t *testing.T) { t.Skip(\"later\") }`",
			[]string{"+func TestA(t *testing.T) { say(\"t.Skip()\") }"}},
		{"go skip behind an if", "a_test.go", []string{" func TestA(t *testing.T) {", "+\tif short {", "+\t\treturn", "+\t}", "+\tt.Skip()"}, "a_test.go:14: TestA: it is skipped, without a condition: `t.Skip()`",
			[]string{" func TestA(t *testing.T) {", "+\tif _, err := exec.LookPath(\"hg\"); err != nil {", "+\t\tt.Log(err)", "+\t\tt.Skip(\"no hg\")", "+\t}", "+\tsay(\"t.Skip()\")"}},
		{"go gone", "a_test.go", []string{" x", "-func TestA(t *testing.T) {", "-}"}, "a_test.go:11: a test is gone: TestA",
			[]string{" x", "-func TestA(t *testing.T) {", "+func TestB(t *testing.T) {"}},
		{"go assertion", "a_test.go", []string{" func TestA(t *testing.T) {", "-\trequire.Len(t, got, 3)"}, "a_test.go:11: TestA: assertions are gone (1 less than before): `require.Len(t, got, 3)`",
			[]string{" func TestA(t *testing.T) {", "-\trequire.Len(t, got, 3)", "+\tcheckLen(t, got, 3)"}},
		{"go error that is none any more", "a_test.go", []string{" func TestA(t *testing.T) {", "-\tassert.Equal(t, 1, got)"}, "a_test.go:11: TestA: assertions are gone (1 less than before): `assert.Equal(t, 1, got)`",
			[]string{" func TestA(t *testing.T) {", "-\tgot, err := f()", "-\trequire.NoError(t, err)", "-\tif err != nil { t.Fatal(err) }", "+\tgot := f()"}},
		{"go looser", "a_test.go", []string{" func TestA(t *testing.T) {", "-\tassert.Equal(t, 3, got)", "+\tassert.NotNil(t, got)"}, "a_test.go:11: the assertion asks less than the one before: `assert.NotNil(t, got)`",
			[]string{" func TestA(t *testing.T) {", "-\tassert.Equal(t, 3, got)", "+\tassert.True(t, 3 == got)"}},
		{"go commented out", "a_test.go", []string{" func TestA(t *testing.T) {", "-\tassert.Equal(t, 3, got)", "+\t// assert.Equal(t, 3, got)"}, "a_test.go:11: it is commented out: `assert.Equal(t, 3, got)`",
			[]string{" func TestA(t *testing.T) {", " \tassert.Equal(t, 3, got)", "+\t// it must be three"}},
		{"python skip", "tests/test_a.py", []string{"+@pytest.mark.skip(reason=\"later\")", " def test_a():"}, "tests/test_a.py:10: it is skipped, without a condition: `@pytest.mark.skip(reason=\"later\")`",
			[]string{"+@pytest.mark.skipif(sys.platform == \"win32\", reason=\"posix\")", " def test_a():"}},
		{"python gone", "tests/test_a.py", []string{" class A:", "-    def test_a(self):", "-        pass"}, "tests/test_a.py:11: a test is gone: test_a",
			[]string{" class A:", "-    def helper(self):", "-        pass"}},
		{"python looser", "test_a.py", []string{" def test_a():", "-    assert total == 3", "+    assert total"}, "test_a.py:11: the assertion asks less than the one before: `assert total`",
			[]string{" def test_a():", "-    assert total == 3", "+    assert total == 4"}},
		{"unittest looser", "test_a.py", []string{"     def test_a(self):", "-        self.assertEqual(total, 3)", "+        self.assertIsNotNone(total)"}, "test_a.py:11: the assertion asks less than the one before: `self.assertIsNotNone(total)`",
			[]string{"     def test_a(self):", "-        self.assertEqual(total, 3)", "+        self.assertEqual(total, 4)"}},
		{"python assertion", "test_a.py", []string{" def test_a():", "-    assert total == 3", "+    total()"}, "test_a.py:11: test_a: assertions are gone (1 less than before): `assert total == 3`",
			[]string{" def test_a():", "-    assert total == 3", "+    assert_total(3)"}},
		{"javascript skip", "a.test.ts", []string{" describe('x', () => {", "-  it('adds', () => {", "+  it.skip('adds', () => {"}, "a.test.ts:11: adds: it is skipped, without a condition: `it.skip('adds', () => {`",
			[]string{" describe('x', () => {", "-  it.skip('adds', () => {", "+  it('adds', () => {"}},
		{"javascript x", "a.spec.js", []string{" a", "-it('adds', () => {", "+xit('adds', () => {"}, "a.spec.js:11: adds: it is skipped, without a condition: `xit('adds', () => {`",
			[]string{" a", "+exit('adds')"}},
		{"javascript only", "a.spec.js", []string{" a", "-describe('all', () => {", "+describe.only('all', () => {"}, "a.spec.js:11: it is skipped, without a condition: `describe.only('all', () => {`",
			[]string{" a", "+fitting()"}},
		{"javascript looser", "a.test.js", []string{" it('adds', () => {", "-  expect(sum).toBe(3)", "+  expect(sum).toBeTruthy()"}, "a.test.js:11: the assertion asks less than the one before: `expect(sum).toBeTruthy()`",
			[]string{" it('adds', () => {", "-  expect(sum).toBe(3)", "+  expect(sum).toEqual(3)"}},
		{"javascript gone", "__tests__/a.tsx", []string{" x", "-  test('adds', () => {", "-  })"}, "__tests__/a.tsx:11: a test is gone: adds",
			[]string{" x", "-  test('adds', () => {", "+  test('adds two', () => {"}},
		{"java skip", "src/test/java/ATest.java", []string{" x", "+    @Disabled", "     @Test", "     void adds() {"}, "src/test/java/ATest.java:11: it is skipped, without a condition: `@Disabled`",
			[]string{" x", "+    @DisabledOnOs(OS.WINDOWS)", "     @Test", "     void adds() {"}},
		{"java mark gone", "ATest.java", []string{" x", "-    @Test", "     void adds() {"}, "ATest.java:11: a test is gone: adds",
			[]string{" x", "     @Test", "-    void adds() {", "+    void addsTwo() {"}},
		{"kotlin looser", "ATest.kt", []string{" x", "-        assertEquals(3, total)", "+        assertNotNull(total)"}, "ATest.kt:11: the assertion asks less than the one before: `assertNotNull(total)`",
			[]string{" x", "-        assertEquals(3, total)", "+        assertThat(total).isEqualTo(3)"}},
		{"rust skip", "src/a.rs", []string{" #[test]", "+#[ignore]", " fn adds() {"}, "src/a.rs:11: it is skipped, without a condition: `#[ignore]`",
			[]string{" #[test]", "-#[ignore]", " fn adds() {"}},
		{"rust gone", "src/a.rs", []string{" x", "-#[test]", "-fn adds() {", "-}"}, "src/a.rs:11: a test is gone: adds",
			[]string{" x", "-fn adds() {", "-}"}},
		{"rust looser", "src/a.rs", []string{" x", "-    assert_eq!(sum.len(), 3);", "+    assert!(sum.len() > 0);"}, "src/a.rs:11: the assertion asks less than the one before: `assert!(sum.len() > 0);`",
			[]string{" x", "-    assert_eq!(sum, 3);", "+    assert!(sum == 3);"}},
		{"ruby skip", "a_spec.rb", []string{" x", "-  it 'adds' do", "+  xit 'adds' do"}, "a_spec.rb:11: adds: it is skipped, without a condition: `xit 'adds' do`",
			[]string{" x", "+    skip 'posix' if windows"}},
		{"ruby pending", "a_spec.rb", []string{"   it 'adds' do", "+    pending 'later'"}, "a_spec.rb:11: adds: it is skipped, without a condition: `pending 'later'`",
			[]string{"   it 'adds' do", "+    pending_orders.clear"}},
		{"ruby looser", "a_spec.rb", []string{" x", "-    expect(sum).to eq(3)", "+    expect(sum).to be_truthy"}, "a_spec.rb:11: the assertion asks less than the one before: `expect(sum).to be_truthy`",
			[]string{" x", "-    expect(sum).to eq(3)", "+    expect(sum).to eq(4)"}},
		{"csharp skip", "ATests.cs", []string{" x", "-    [Fact]", "+    [Fact(Skip = \"later\")]", "     public void Adds()"}, "ATests.cs:11: it is skipped, without a condition: `[Fact(Skip = \"later\")]`",
			[]string{" x", "-    [Fact]", "+    [Theory]", "     public void Adds()"}},
		{"csharp looser", "ATests.cs", []string{" x", "-        Assert.Equal(3, sum);", "+        Assert.NotNull(sum);"}, "ATests.cs:11: the assertion asks less than the one before: `Assert.NotNull(sum);`",
			[]string{" x", "-        Assert.Equal(3, sum);", "+        Assert.Equal(4, sum);"}},
		{"swift skip", "ATests.swift", []string{"     func testAdds() throws {", "+        throw XCTSkip(\"later\")"}, "ATests.swift:11: testAdds: it is skipped, without a condition: `throw XCTSkip(\"later\")`",
			[]string{"     func testAdds() throws {", "+        guard let x = y else {", "+            throw XCTSkip(\"no y\")"}},
		{"swift gone", "ATests.swift", []string{" x", "-    func testAdds() {", "-    }"}, "ATests.swift:11: a test is gone: testAdds",
			[]string{" x", "-    func adds() {", "-    }"}},
		{"php skip", "ATest.php", []string{"     public function testAdds() {", "+        $this->markTestSkipped('later');"}, "ATest.php:11: testAdds: it is skipped, without a condition: `$this->markTestSkipped('later');`",
			[]string{"     public function testAdds() {", "+        if (!extension_loaded('x')) {", "+            $this->markTestSkipped('no x');"}},
		{"php assertion", "ATest.php", []string{"     public function testAdds() {", "-        $this->assertSame(3, $sum);"}, "ATest.php:11: testAdds: assertions are gone (1 less than before): `$this->assertSame(3, $sum);`",
			[]string{"     public function testAdds() {", "-        $this->assertSame(3, $sum);", "+        $this->assertSum(3);"}},
		{"bats skip", "a.bats", []string{" @test \"adds\" {", "+  skip \"later\""}, "a.bats:11: adds: it is skipped, without a condition: `skip \"later\"`",
			[]string{" @test \"adds\" {", "+  command -v x || skip \"no x\""}},
		{"forgiven", ".github/workflows/ci.yml", []string{" x", "-      - run: go test ./...", "+      - run: go test ./... || true"}, ".github/workflows/ci.yml:11: the test command can't fail any more: `- run: go test ./... || true`",
			[]string{" x", "+      - run: docker rm -f x || true"}},
		{"narrower", "Makefile", []string{" test:", "-\tgo test ./...", "+\tgo test -run 'TestA' ./..."}, "Makefile:11: the test command runs less than before: `go test -run 'TestA' ./...`",
			[]string{" test:", "-\tgo test ./...", "+\tgo test -race ./..."}},
		{"fewer packages", "ci.sh", []string{" x", "-go test ./...", "+go test ./pkg/..."}, "",
			[]string{" x", "-go test ./pkg/...", "+go test ./..."}},
		{"one package", "ci.sh", []string{" x", "-go test ./...", "+go test ./pkg/a"}, "ci.sh:11: the test command runs less than before: `go test ./pkg/a`",
			[]string{" x", "+go test ./pkg/a"}},
		{"ignored", "package.json", []string{" x", "-    \"test\": \"jest\",", "+    \"test\": \"jest --testPathIgnorePatterns=slow\","}, "package.json:11: the test command runs less than before: `\"test\": \"jest --testPathIgnorePatterns=slow\",`",
			[]string{" x", "-    \"test\": \"jest --testPathIgnorePatterns=slow\",", "+    \"test\": \"jest\","}},
		{"left out", "conftest.py", []string{" x", "+collect_ignore = [\"test_slow.py\"]"}, "conftest.py:11: tests are left out: `collect_ignore = [\"test_slow.py\"]`",
			[]string{" x", "-collect_ignore = [\"test_slow.py\", \"test_b.py\"]", "+collect_ignore = [\"test_b.py\"]"}},
		{"coverage", "pyproject.toml", []string{" x", "-fail_under = 80", "+fail_under = 60"}, "pyproject.toml:11: the threshold of coverage is lower than before: `fail_under = 60`",
			[]string{" x", "-fail_under = 60", "+fail_under = 80"}},
		{"coverage of jest", "jest.config.js", []string{" x", "-      branches: 90,", "+      branches: 9,"}, "jest.config.js:11: the threshold of coverage is lower than before: `branches: 9,`",
			[]string{" x", "-      maxWorkers: 9,", "+      maxWorkers: 4,"}},
		{"coverage of gradle", "build.gradle.kts", []string{" x", "-                minimum = \"0.80\".toBigDecimal()", "+                minimum = \"0.8\".toBigDecimal()", "-                minimum = \"0.80\".toBigDecimal()", "+                minimum = \"0.7\".toBigDecimal()"},
			"build.gradle.kts:12: the threshold of coverage is lower than before: `minimum = \"0.7\".toBigDecimal()`",
			[]string{" x", "-                version = \"0.80\"", "+                version = \"0.7\""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want != "" {
				assert.Equal(t, []string{tt.want}, found(patch(tt.path, tt.wrong...)))
			}
			assert.Empty(t, found(patch(tt.path, tt.right...)))
		})
	}
}

// TestWhole holds what only the whole diff tells.
func TestWhole(t *testing.T) {
	body := []string{"func TestA(t *testing.T) {", "\tt.Skip()", "\tassert.Equal(t, 1, got)", "}"}
	gone, came := signed("-", body), signed("+", body)
	for _, tt := range []struct {
		name string
		diff string
		want []string
	}{
		{"a file is gone", patch("a_test.go", gone...), []string{"a_test.go: the file is gone with the test TestA"}},
		{"a file is gone with its subject", patch("a_test.go", gone...) + patch("a.go", "-package a"), nil},
		{"a file moved", patch("a_test.go", gone...) + patch("b/a_test.go", came...), nil},
		{"a test moved", patch("a_test.go", append([]string{" x"}, gone...)...) + patch("b_test.go", append([]string{" x"}, came...)...), nil},
		{"another language is another place", patch("a_test.go", append([]string{" x"}, gone...)...) + patch("b.py", came...), []string{"a_test.go:11: a test is gone: TestA"}},
		{"a rename alone", "diff --git a/a_test.go b/b_test.go\nsimilarity index 100%\nrename from a_test.go\nrename to b_test.go\n", nil},
		{"several into one", patch("a_test.go", " x", "-func TestA(t *testing.T) {", "-func TestB(t *testing.T) {", "-func TestC(t *testing.T) {", "+func TestAll(t *testing.T) {"),
			[]string{"a_test.go:11: more tests are gone than are new: 3 tests: TestA, TestB, TestC"}},
		{"an assertion to another test", patch("a_test.go", " func TestA(t *testing.T) {", "-\tassert.Equal(t, 1, a)", " func TestB(t *testing.T) {", "+\tassert.Equal(t, 1, a)"), nil},
		{"a source that isn't tests", patch("a.go", " func A() {", "-\tassert.Equal(t, 1, a)", "+\tt.Skip()"), nil},
		{"a quoted name", strings.ReplaceAll(patch("ü_test.go", " x", "-func TestA(t *testing.T) {"), "a/ü_test.go b/ü_test.go", `"a/\303\274_test.go" "b/\303\274_test.go"`), []string{"ü_test.go:11: a test is gone: TestA"}},
		{"no diff", "Everything is fine\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, found(tt.diff))
		})
	}
}

func signed(sign string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = sign + l
	}
	return out
}

func TestFindingIsOurs(t *testing.T) {
	f := Find(patch("a_test.go", " func TestA(t *testing.T) {", "+\tt.Skip()"))
	require.Len(t, f, 1)
	assert.Equal(t, finding.Finding{File: "a_test.go", Line: 11, Severity: finding.Major, Source: "ralphex", Rule: "test-weakening", Text: f[0].Text}, f[0])
}

// TestPatternsCompile uses each expression, since they are compiled at their first use.
func TestPatternsCompile(t *testing.T) {
	for _, l := range languages {
		for _, p := range []*pattern{l.test, l.mark, l.head, l.skip, l.assert, l.strong, l.weak, l.guarded, l.plumbing} {
			if p != nil {
				assert.NotPanics(t, func() { p.re.MatchString("x") }, l.name)
				assert.NotEmpty(t, p.words, l.name)
			}
		}
	}
}

// A large change costs what its size costs, in memory, too: twice the change is at most about twice the work.
func TestLargeDiff(t *testing.T) {
	work := func(pairs int) float64 {
		diff := largeDiff(pairs)
		return testing.AllocsPerRun(1, func() { assert.Empty(t, Find(diff)) })
	}
	once := work(2_000)
	assert.Less(t, work(8_000), 5*once+1000)
}

func BenchmarkFind50MB(b *testing.B) {
	diff := largeDiff(700_000)
	b.SetBytes(int64(len(diff)))
	for b.Loop() {
		Find(diff)
	}
}

// largeDiff replaces as many assertions of one file by others.
func largeDiff(pairs int) string {
	body := strings.Repeat("-\tassert.Equal(t, 1, got) // or so\n+\tassert.Equal(t, 2, got) // or so\n", pairs)
	return fmt.Sprintf("diff --git a/a_test.go b/a_test.go\n--- a/a_test.go\n+++ b/a_test.go\n@@ -1,%[1]d +1,%[1]d @@\n%[2]s", pairs, body)
}

func FuzzFind(f *testing.F) {
	f.Add(patch("a_test.go", " func TestA(t *testing.T) {", "-\tassert.Equal(t, 1, a)", "+\t// assert.Equal(t, 1, a)", "+\tt.Skip()"))
	f.Add(patch("ATest.java", " x", "-    @Test", "     void adds() {") + patch("ci.yml", "-go test", "+go test || true"))
	f.Add("diff --git a/x b/x\n@@ -1,99999999999 +1 @@\n\\ No newline\n@@ @@\n")
	f.Fuzz(func(t *testing.T, diff string) {
		for _, x := range Find(diff) {
			require.Equal(t, Rule, x.Rule)
			require.NotEmpty(t, x.Text)
			require.GreaterOrEqual(t, x.Line, 0)
			require.NotContains(t, x.Text, "\n")
		}
	})
}

func TestRenames(t *testing.T) {
	diff := patch("same_test.go", " x") + "diff --git a/a b.go b/c.go\nsimilarity index 90%\nrename from a b.go\nrename to c.go\n--- a/a b.go\n+++ b/c.go\n@@ -1 +1 @@\n-rename from x\n+rename to y\n" +
		"diff --git a/gone.go b/gone.go\ndeleted file mode 100644\n--- a/gone.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
	assert.Equal(t, []Rename{{"a b.go", "c.go"}}, Renames(diff))
}
