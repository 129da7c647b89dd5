package weaken

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/lazyregexp"
)

var (
	testCommand = pat(`\b(?:go test|cargo (?:nextest run|test)|(?:npm|yarn|pnpm|bun) (?:run )?test|npx (?:jest|vitest|mocha|playwright)|jest|vitest|mocha|pytest|py\.test|python3? -m (?:pytest|unittest)|tox|nox|rspec|rake (?:test|spec)|phpunit|dotnet test|swift test|bats|ctest|make (?:test|check)|mvnw?\b.*\b(?:test|verify)|gradlew?\b.*\b(?:test|check))\b`,
		"test", "jest", "vitest", "mocha", "tox", "nox", "spec", "phpunit", "bats", "check", "verify", "playwright")
	forgiven  = pat(`\|\|\s*(?:true\b|:(?:\s|$)|exit 0|echo\b)|;\s*true\s*["']?\s*$`, "||", "true")
	narrowing = lazyregexp.New(`(?:^|\s)(?:-run|-skip|-short|--ignore(?:-glob)?|--deselect|-k|--exclude|--skip|--testPathIgnorePatterns|--testNamePattern|--grep|-DskipTests|-Dmaven\.test\.skip|-x\s+test)(?:[=\s]|$)`)
	ignoring  = pat(`\b(?:testPathIgnorePatterns|collect_ignore(?:_glob)?|norecursedirs)\b`, "testPathIgnorePatterns", "collect_ignore", "norecursedirs")
	threshold = pat(`fail[_-]under|(?i:cov\w*[ _.-]*(?:min\w*|threshold|target))|(?i:min\w*[ _.-]*cov)`, "fail", "ov", "OV")
	numbers   = lazyregexp.New(`\d+(?:\.\d+)?`)
	metrics   = pat(`^\s*["']?(?:branches|functions|lines|statements)["']?\s*:\s*\d`, "branches", "functions", "lines", "statements")
	target    = pat(`^\s*target:\s*\d`, "target")
	minimum   = pat(`\bminimum\b.*\d`, "minimum")
)

// isSettings says whether a file can hold test commands or the settings of a test tool.
func isSettings(p string) bool {
	base := strings.ToLower(path.Base(p))
	switch {
	case ext(p, ".sh", ".bash", ".yml", ".yaml", ".toml", ".ini", ".cfg", ".mk", ".gradle"), strings.HasSuffix(base, ".gradle.kts"):
		return true
	case slices.Contains([]string{"makefile", "gnumakefile", "justfile", "jenkinsfile", "dockerfile", "package.json", "pom.xml", "conftest.py", ".coveragerc", "rakefile"}, base):
		return true
	}
	return hasMetrics(base)
}

// hasMetrics says whether branches, lines and the like are thresholds of coverage in this file.
func hasMetrics(base string) bool {
	return strings.HasPrefix(base, "jest.config") || strings.HasPrefix(base, "vitest.config") || strings.HasPrefix(base, ".nycrc") || strings.HasPrefix(base, ".c8rc") ||
		strings.HasPrefix(base, "vite.config") || base == "package.json"
}

// settings looks at commands and settings: what may fail now, what runs less, what has to be covered less.
func settings(c *change) []hit {
	var hits []hit
	blocks(c, func(minus, plus []line) {
		if len(minus) > maxBlock || len(plus) > maxBlock {
			return
		}
		for _, p := range plus {
			if strings.HasPrefix(p.trimmed, "#") || strings.HasPrefix(p.trimmed, "//") {
				continue
			}
			switch {
			case testCommand.in(p.text) && forgiven.in(p.text) && !slices.ContainsFunc(minus, func(m line) bool { return testCommand.in(m.text) && forgiven.in(m.text) }):
				hits = append(hits, hit{p.at, "the test command can't fail any more: " + code(p.trimmed)})
			case testCommand.in(p.text) && slices.ContainsFunc(minus, func(m line) bool { return narrower(m.text, p.text) }):
				hits = append(hits, hit{p.at, "the test command runs less than before: " + code(p.trimmed)})
			case !c.new && ignoring.in(p.text) && !slices.ContainsFunc(minus, func(m line) bool { return ignoring.in(m.text) && len(m.trimmed) >= len(p.trimmed) }):
				hits = append(hits, hit{p.at, "tests are left out: " + code(p.trimmed)})
			case slices.ContainsFunc(minus, func(m line) bool { return lowered(c.path, m.text, p.text) }):
				hits = append(hits, hit{p.at, "the threshold of coverage is lower than before: " + code(p.trimmed)})
			}
		}
	})
	return hits
}

// narrower says whether a test command got an option that leaves tests out, or lost its "all packages".
func narrower(before, after string) bool {
	was, is := testCommand.find(before), testCommand.find(after)
	if was == nil || is == nil || strings.Fields(was[0])[0] != strings.Fields(is[0])[0] {
		return false
	}
	if strings.Contains(before, "./...") && !strings.Contains(after, "./...") && strings.Contains(after, "./") {
		return true
	}
	had := map[string]bool{}
	for _, f := range narrowing.FindAllString(before, -1) {
		had[option(f)] = true
	}
	for _, f := range narrowing.FindAllString(after, -1) {
		if !had[option(f)] {
			return true
		}
	}
	return false
}

func option(s string) string { return strings.Trim(s, " \t=") }

// lowered says whether two lines differ in nothing but numbers, and a threshold of coverage is smaller now.
func lowered(p, before, after string) bool {
	base := strings.ToLower(path.Base(p))
	is := threshold.in(after) || (metrics.in(after) && hasMetrics(base)) ||
		(target.in(after) && strings.Contains(base, "codecov")) || (minimum.in(after) && (strings.Contains(base, ".gradle") || base == "pom.xml"))
	if !is || numbers.ReplaceAllString(before, "#") != numbers.ReplaceAllString(after, "#") {
		return false
	}
	was, now := numbers.FindAllString(before, -1), numbers.FindAllString(after, -1)
	for i := range was {
		a, aerr := strconv.ParseFloat(was[i], 64)
		b, berr := strconv.ParseFloat(now[i], 64)
		if aerr == nil && berr == nil && a != b {
			return b < a
		}
	}
	return false
}
